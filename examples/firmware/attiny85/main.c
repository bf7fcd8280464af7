/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A sensor in 512 bytes of RAM and 8 KiB of flash. After each reset it sends three readings over a pin, 9600 baud, and goes to
 * sleep; whoever wakes it up resets it. On the line:
 *
 *     0xa7 | length of what follows, 47 | sensor 1 | counter 4 | 32 bytes, encrypted | tag 10
 *
 * Sensor and counter are authenticated. The nonce of Ascon-AEAD128 is 0^11 | sensor 1 | counter 4, counters being
 * little-endian. No counter is used twice: the EEPROM keeps the next one (storage.h). */
#include "board.h"
#include "storage.h"

#include "ascon.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>
#include <util/delay.h>

enum { DELIMITER = 0xa7, SENSOR = 0x07, READINGS = 3, RESERVE = 16 };
enum { HEADER = 5, TEXT = 32, TAG = 10, NONCE = 16, BAUD = 9600 };

/* A real device gets a key of its own, and another one whenever its EEPROM is erased. */
static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

static runnel_ascon_aead128 aead;
static uint8_t packet[HEADER + TEXT + TAG];

uint8_t storage_read(uint16_t at)
{
    return eeprom_read_byte((const uint8_t *)at);
}

void storage_write(uint16_t at, uint8_t value)
{
    eeprom_update_byte((uint8_t *)at, value);
}

/* Start bit, eight bits from the lowest, stop bit; the loop takes a ten-thousandth of a bit itself. */
static void send_byte(uint8_t byte)
{
    for (uint16_t bits = (uint16_t)(0x200 | byte << 1); bits > 0; bits >>= 1) {
        if (bits & 1)
            PORTB |= 1 << PB0;
        else
            PORTB &= (uint8_t)~(1 << PB0);
        _delay_us(1e6 / BAUD);
    }
}

/* The supply, by the internal reference of 1.1 V: 1.1 V times 1024 divided by this. */
static uint16_t measure(void)
{
    ADMUX = 1 << MUX3 | 1 << MUX2; /* the reference, measured against the supply */
    ADCSRA = 1 << ADEN | 1 << ADSC | 1 << ADPS2 | 1 << ADPS1;
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

/* Returns whether a packet was made. */
static int seal(counter *sent, uint8_t reading_number)
{
    const uint32_t value = sent->next;
    if (counter_use(sent, value) != COUNTER_OK)
        return 0;
    uint8_t nonce[NONCE] = {0};
    packet[0] = nonce[11] = SENSOR;
    memcpy(packet + 1, &value, 4);
    memcpy(nonce + 12, &value, 4);
    uint8_t *text = packet + HEADER;
    const uint16_t reading = measure();
    memset(text, 0, TEXT);
    text[0] = reading_number;
    text[1] = (uint8_t)reading;
    text[2] = (uint8_t)(reading >> 8);
    return runnel_ascon_aead128_seal(&aead, nonce, NONCE, packet, HEADER, text, text, TEXT, text + TEXT, TAG) ==
           RUNNEL_OK;
}

int main(void)
{
    counter sent;
    PORTB |= 1 << PB0;
    DDRB |= 1 << PB0;
    if (runnel_ascon_aead128_key(&aead, key, sizeof key) == RUNNEL_OK && counter_load(&sent, 0, RESERVE) == COUNTER_OK)
        for (uint8_t i = 0; i < READINGS && seal(&sent, i); i++) {
            send_byte(DELIMITER);
            send_byte(sizeof packet);
            for (uint8_t at = 0; at < sizeof packet; at++)
                send_byte(packet[at]);
        }
    cli();
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    for (;;)
        sleep_mode();
}
