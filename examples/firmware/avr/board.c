/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The ATmega128's first serial port, 38400 baud at 8 MHz, and its EEPROM. */
#include "board.h"

#include <avr/eeprom.h>
#include <avr/io.h>

void board_start(void)
{
    UBRR0L = 12;
    UCSR0B = 1 << TXEN0 | 1 << RXEN0;
}

void send(const uint8_t *p, size_t n)
{
    for (; n > 0; n--) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = *p++;
    }
}

uint8_t receive(void)
{
    while (!(UCSR0A & 1 << RXC0))
        ;
    return UDR0;
}

uint8_t storage_read(uint16_t at)
{
    return eeprom_read_byte((const uint8_t *)at);
}

/* A byte that is there already is not written again, which spares the cell. The next access waits for the end of a write,
 * 8.5 ms. */
void storage_write(uint16_t at, uint8_t value)
{
    eeprom_update_byte((uint8_t *)at, value);
}
