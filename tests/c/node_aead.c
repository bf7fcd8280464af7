/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Firmware with one AEAD, which carries out a script from the host (lab/channel.h), with the lab's marks around each call.
 * Built with AEAD_HEADER and AEAD_FAMILY ("ascon.h", ascon_aead128), AEAD_LONGEST (bytes of text and of associated data) and
 * AEAD_ONE_SHOT (1: the AEAD has no pieces).
 *
 * A request is a letter and numbers of 16 bits, little-endian; back come a status byte (0, or a RUNNEL_ERR_*; a call that
 * wrote beyond the context has one of its own) and, if it is 0, the output.
 *   K bytes, key                              key set-up
 *   S offset nonce aad text tag piece, data   seals: the data are nonce, associated data and text, whose lengths are given;
 *                                             back come ciphertext and tag. The text lies `offset` bytes into the buffer.
 *   O likewise, data                          opens: the data end with the tag; back comes the text
 *   D                                         on AVR: the STACK bytes below the stack pointer
 * piece: 0 for one call, else the message is given in pieces of so many bytes. */
#include "lab/channel.h"
#include "lab/mark.h"

#include AEAD_HEADER

#include "arch/common/inline.h"

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, AEAD_FAMILY, verb)

enum { LONGEST = AEAD_LONGEST, STACK = 1000, NOT_CLEARED = 125, BEYOND = 127, CANARY = 0xa5 };

static struct {
    VERB() context;
    uint8_t canary[8];
} subject;
static VERB() *const context = &subject.context;
static uint8_t key[32], nonce[32], aad[LONGEST], buffer[LONGEST + 16], tag[16];

static unsigned read_number(void)
{
    uint8_t bytes[2];
    lab_read(bytes, 2);
    return bytes[0] | (unsigned)bytes[1] << 8;
}

#if AEAD_ONE_SHOT
#define by_pieces(...) (-1)
#else
/* A message in pieces; both directions. */
static int by_pieces(int decrypt, size_t nonce_bytes, size_t aad_bytes, uint8_t *text, size_t bytes, size_t tag_bytes,
                     size_t piece)
{
    int status = VERB(_start)(context, nonce, nonce_bytes, tag_bytes);
    if (!status)
        status = VERB(_lengths)(context, aad_bytes, bytes);
    for (size_t at = 0, n; !status && at < aad_bytes; at += n) {
        n = aad_bytes - at < piece ? aad_bytes - at : piece;
        status = VERB(_aad)(context, aad + at, n);
    }
    for (size_t at = 0, n; !status && at < bytes; at += n) {
        n = bytes - at < piece ? bytes - at : piece;
        status = decrypt ? VERB(_decrypt)(context, text + at, text + at, n)
                         : VERB(_encrypt)(context, text + at, text + at, n);
    }
    if (!status)
        status = decrypt ? VERB(_verify)(context, tag, tag_bytes) : VERB(_tag)(context, tag, tag_bytes);
    return status;
}
#endif

static int message(int decrypt, size_t nonce_bytes, size_t aad_bytes, uint8_t *text, size_t bytes, size_t tag_bytes,
                   size_t piece)
{
    int status;
    LAB_BEGIN();
    if (piece > 0)
        status = by_pieces(decrypt, nonce_bytes, aad_bytes, text, bytes, tag_bytes, piece);
    else if (decrypt)
        status = VERB(_open)(context, nonce, nonce_bytes, aad, aad_bytes, text, text, bytes, tag, tag_bytes);
    else
        status = VERB(_seal)(context, nonce, nonce_bytes, aad, aad_bytes, text, text, bytes, tag, tag_bytes);
    LAB_END();
    for (size_t i = 0; piece == 0 && status == RUNNEL_ERR_TAG && i < bytes; i++)
        if (text[i] != 0)
            return NOT_CLEARED;
    return status;
}

static uint8_t checked_status(int status)
{
    for (size_t i = 0; i < sizeof subject.canary; i++)
        if (subject.canary[i] != CANARY)
            return BEYOND;
    return (uint8_t)status;
}

#ifdef __AVR__
static RUNNEL_NOINLINE void send_stack(void)
{
    const uint8_t ok = 0, *top;
    __asm__ volatile("in %A0, 0x3d\n\tin %B0, 0x3e" : "=r"(top));
    lab_write(&ok, 1);
    lab_write(top - STACK, STACK);
}
#endif

int main(void)
{
    for (size_t i = 0; i < sizeof subject.canary; i++)
        subject.canary[i] = CANARY;
    for (;;) {
        uint8_t letter, status;
        lab_read(&letter, 1);
        if (letter == 'K') {
            const unsigned bytes = read_number();
            if (bytes > sizeof key)
                return 1;
            lab_read(key, bytes);
            LAB_BEGIN();
            const int error = VERB(_key)(context, key, bytes);
            LAB_END();
            status = checked_status(error);
            lab_write(&status, 1);
            continue;
        }
#ifdef __AVR__
        if (letter == 'D') {
            send_stack();
            continue;
        }
#endif
        const unsigned offset = read_number(), nonce_bytes = read_number(), aad_bytes = read_number(),
                       bytes = read_number(), tag_bytes = read_number(), piece = read_number();
        if (offset >= 16 || nonce_bytes > sizeof nonce || aad_bytes > LONGEST || bytes > LONGEST ||
            tag_bytes > sizeof tag)
            return 1;
        const int decrypt = letter == 'O';
        uint8_t *text = buffer + offset;
        lab_read(nonce, nonce_bytes);
        lab_read(aad, aad_bytes);
        lab_read(text, bytes);
        if (decrypt)
            lab_read(tag, tag_bytes);
        status = checked_status(message(decrypt, nonce_bytes, aad_bytes, text, bytes, tag_bytes, piece));
        lab_write(&status, 1);
        if (status == 0) {
            lab_write(text, bytes);
            if (!decrypt)
                lab_write(tag, tag_bytes);
        }
    }
}
