/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A node's firmware as its writer would have it: seals one packet of 32 bytes behind a header of 14, takes the time with
 * timer 1, and sends both over the serial port. It shares nothing with the lab's measured program. FAMILY: aes_ccm … */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>

#include HEADER

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VERB(verb) PASTE(PASTE(runnel_, FAMILY), verb)

static VERB() aead;
static uint8_t key[16], nonce[NONCE], header[14], packet[32], tag[8];

static void send(uint8_t byte)
{
    while (!(UCSR0A & 1 << UDRE0))
        ;
    UDR0 = byte;
}

static void fill(uint8_t *p, uint8_t bytes, uint8_t first)
{
    while (bytes-- > 0)
        *p++ = first++;
}

/* The number of the timer's ticks meanwhile; clock: its prescaler. */
static uint16_t timed(uint8_t clock, uint8_t empty)
{
    fill(packet, sizeof packet, 100);
    TCNT1 = 0;
    TCCR1B = clock;
    if (!empty &&
        VERB(_seal)(&aead, nonce, sizeof nonce, header, sizeof header, packet, packet, sizeof packet, tag, sizeof tag))
        send('!');
    const uint16_t ticks = TCNT1;
    TCCR1B = 0;
    return ticks;
}

static void report(uint16_t ticks)
{
    send((uint8_t)ticks);
    send((uint8_t)(ticks >> 8));
}

int main(void)
{
    UCSR0B = 1 << TXEN0;
    fill(key, sizeof key, 1);
    fill(nonce, sizeof nonce, 40);
    fill(header, sizeof header, 70);
    if (VERB(_key)(&aead, key, sizeof key))
        send('!');
    report(timed(1 << CS10, 1));                        /* nothing */
    report(timed(1 << CS10, 0));                        /* cycles, modulo 2^16 */
    report(timed((uint8_t)(1 << CS11 | 1 << CS10), 0)); /* the same packet once more, in ticks of 64 */
    for (uint8_t i = 0; i < sizeof packet; i++)
        send(packet[i]);
    for (uint8_t i = 0; i < sizeof tag; i++)
        send(tag[i]);
    cli();
    sleep_enable();
    sleep_cpu();
    return 0;
}
