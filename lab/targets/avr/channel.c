/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The channel is two addresses that the ATmega128 and the ATmega1284P reserve: reading one takes a byte from the host, writing the other
 * sends one. Beyond the end of the input the host stops the program. See runner.c. */
#include "../../channel.h"

#define CHANNEL_IN (*(const volatile uint8_t *)0xf0)
#define CHANNEL_OUT (*(volatile uint8_t *)0xf1)

void lab_read(uint8_t *p, size_t n)
{
    while (n-- > 0)
        *p++ = CHANNEL_IN;
}

void lab_write(const uint8_t *p, size_t n)
{
    while (n-- > 0)
        CHANNEL_OUT = *p++;
}
