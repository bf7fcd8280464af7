/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A node's firmware as its writer would have it: seals one packet of 32 bytes behind a header of 14, opens it again, takes the
 * time of both with SysTick, and sends all over the serial port of its board. It shares nothing with the lab's measured
 * program. */
#include "board.h"

#include "aes.h"

#define SYSTICK ((volatile uint32_t *)0xe000e010)
enum { CONTROL, RELOAD, VALUE };
#define ENABLED_BY_THE_CORE 5u
#define LONGEST 0xffffffu

static runnel_aes_ccm aead;
static uint8_t key[16], nonce[13], header[14], packet[32], tag[8];

static void fill(uint8_t *p, size_t bytes, uint8_t first)
{
    while (bytes-- > 0)
        *p++ = first++;
}

static void send_word(uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    send(bytes, sizeof bytes);
}

/* The labels are for whoever follows the program from outside. */
#define TIMED(name, call)                                                                                              \
    do {                                                                                                               \
        const uint32_t before = SYSTICK[VALUE];                                                                        \
        __asm__ volatile(".global " name "_begins\n" name "_begins:" ::: "memory");                                    \
        failed |= call;                                                                                                \
        __asm__ volatile(".global " name "_ends\n" name "_ends:" ::: "memory");                                        \
        send_word((before - SYSTICK[VALUE]) & LONGEST);                                                                \
    } while (0)

int main(void)
{
    int failed = 0;
    board_start();
    SYSTICK[RELOAD] = LONGEST;
    SYSTICK[VALUE] = 0;
    SYSTICK[CONTROL] = ENABLED_BY_THE_CORE;
    fill(key, sizeof key, 1);
    fill(nonce, sizeof nonce, 40);
    fill(header, sizeof header, 70);
    fill(packet, sizeof packet, 100);
    failed |= runnel_aes_ccm_key(&aead, key, sizeof key);
    TIMED("nothing", 0);
    TIMED("seal", runnel_aes_ccm_seal(&aead, nonce, sizeof nonce, header, sizeof header, packet, packet, sizeof packet,
                                      tag, sizeof tag));
    send(packet, sizeof packet);
    send(tag, sizeof tag);
    TIMED("open", runnel_aes_ccm_open(&aead, nonce, sizeof nonce, header, sizeof header, packet, packet, sizeof packet,
                                      tag, sizeof tag));
    send(packet, sizeof packet);
    send_word((uint32_t)failed);
    return 0;
}
