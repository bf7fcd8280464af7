/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Carries out a script of the host's on a simulated micro-controller, message by message, each between two marks: built
 * with BARE_HEADER, BARE_FAMILY ("ascon.h", ascon_aead128), BARE_KEY (bytes) and BARE_TEXT (of the longest message).
 *
 * The script: a letter, lengths of 8 bits, that of the text of 16, little-endian, and their bytes. Back come a status byte (0, or a RUNNEL_ERR_* as it is; 127:
 * the call wrote beyond the context) and then the message's bytes and its tag's.
 *   K, key                                    sets the key, of BARE_KEY bytes
 *   S nonce aad text tag, nonce, aad, text    seals, in place
 *   O nonce aad text tag, nonce, aad, text, tag   opens, in place
 *   P, Q cut, as S, O                         in pieces: `cut` bytes at a time, of the associated data too; not with
 *                                             BARE_ONE_SHOT
 *   D                                         no status: all bytes from the static data's end to the stack pointer */
#include "channel.h"
#include "mark.h"

#include BARE_HEADER

#include "arch/common/inline.h"

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, BARE_FAMILY, verb)

enum { CANARY = 0xa5 };

static struct {
    VERB() context;
    uint8_t canary[8];
} subject;

static uint8_t key[BARE_KEY], nonce[32], aad[255], text[BARE_TEXT], tag[16];
static uint8_t nonce_bytes, aad_bytes, tag_bytes, cut;
static uint16_t text_bytes;

static uint8_t read_byte(void)
{
    uint8_t byte;
    lab_read(&byte, 1);
    return byte;
}

#ifdef BARE_ONE_SHOT
static int in_pieces(int opens)
{
    return opens | 1;
}
#else
static uint8_t shorter(uint16_t bytes)
{
    return bytes < cut ? (uint8_t)bytes : cut;
}

static int in_pieces(int opens)
{
    VERB() *c = &subject.context;
    int error = VERB(_start)(c, nonce, nonce_bytes, tag_bytes);
    if (!error)
        error = VERB(_lengths)(c, aad_bytes, text_bytes);
    for (uint8_t done = 0, n; !error && done < aad_bytes; done += n) {
        n = shorter(aad_bytes - done);
        error = VERB(_aad)(c, aad + done, n);
    }
    for (uint16_t done = 0, n; !error && done < text_bytes; done += n) {
        n = shorter(text_bytes - done);
        if (opens)
            error = VERB(_decrypt)(c, text + done, text + done, n);
        else
            error = VERB(_encrypt)(c, text + done, text + done, n);
    }
    if (error)
        return error;
    return opens ? VERB(_verify)(c, tag, tag_bytes) : VERB(_tag)(c, tag, tag_bytes);
}
#endif

static int carry_out(uint8_t operation)
{
    VERB() *c = &subject.context;
    int error = 0;
    LAB_BEGIN();
    if (operation == 'K')
        error = VERB(_key)(c, key, sizeof key);
    else if (operation == 'S')
        error = VERB(_seal)(c, nonce, nonce_bytes, aad, aad_bytes, text, text, text_bytes, tag, tag_bytes);
    else if (operation == 'O')
        error = VERB(_open)(c, nonce, nonce_bytes, aad, aad_bytes, text, text, text_bytes, tag, tag_bytes);
    else
        error = in_pieces(operation == 'Q');
    LAB_END();
    return error;
}

static RUNNEL_NOINLINE void send_stack(void)
{
    extern uint8_t __heap_start;
    const uint8_t *top;
    __asm__ volatile("in %A0, 0x3d\n\tin %B0, 0x3e" : "=r"(top));
    lab_write(&__heap_start, (size_t)(top - &__heap_start));
}

int main(void)
{
    for (uint8_t i = 0; i < sizeof subject.canary; i++)
        subject.canary[i] = CANARY;
    for (;;) {
        const uint8_t operation = read_byte();
        if (operation == 'D') {
            send_stack();
            continue;
        }
        if (operation == 'K') {
            lab_read(key, sizeof key);
        } else {
            if (operation == 'P' || operation == 'Q')
                cut = read_byte();
            nonce_bytes = read_byte();
            aad_bytes = read_byte();
            text_bytes = read_byte();
            text_bytes |= (uint16_t)read_byte() << 8;
            tag_bytes = read_byte();
            lab_read(nonce, nonce_bytes);
            lab_read(aad, aad_bytes);
            lab_read(text, text_bytes);
            if (operation == 'O' || operation == 'Q')
                lab_read(tag, tag_bytes);
        }
        uint8_t status = (uint8_t)carry_out(operation);
        for (uint8_t i = 0; i < sizeof subject.canary; i++)
            if (subject.canary[i] != CANARY)
                status = 127;
        lab_write(&status, 1);
        if (operation != 'K') {
            lab_write(text, text_bytes);
            lab_write(tag, tag_bytes);
        }
    }
}
