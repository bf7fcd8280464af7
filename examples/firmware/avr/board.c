/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ATmega128's first serial port, 38400 baud at 8 MHz. */
#include "board.h"

#include <avr/io.h>

void send(const uint8_t *p, size_t n)
{
    UBRR0L = 12;
    UCSR0B = 1 << TXEN0;
    for (; n > 0; n--) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = *p++;
    }
}
