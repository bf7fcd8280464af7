/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Firmware with one AEAD, which carries out a script from the host (lab/channel.h), with the lab's marks around each call.
 * Built with AEAD_HEADER and AEAD_FAMILY: "ascon.h", ascon_aead128.
 *
 * A request is a letter and numbers of 16 bits, little-endian; back come a status byte (0, or a RUNNEL_ERR_*) and, if it is 0,
 * the output.
 *   K bytes, key                              key set-up
 *   S offset nonce aad text tag piece, data   seals: the data are nonce, associated data and text, whose lengths are given;
 *                                             back come ciphertext and tag. The text lies `offset` bytes into the buffer.
 *   O likewise, data                          opens: the data end with the tag; back comes the text
 * piece: 0 for one call, else the message is given in pieces of so many bytes. */
#include "lab/channel.h"
#include "lab/mark.h"

#include AEAD_HEADER

#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define VERB(verb) PASTE(runnel_, AEAD_FAMILY, verb)

enum { LONGEST = 1200, NOT_CLEARED = 125 };

static VERB() context;
static uint8_t key[32], nonce[16], aad[LONGEST], buffer[LONGEST + 16], tag[16];

static unsigned read_number(void)
{
    uint8_t bytes[2];
    lab_read(bytes, 2);
    return bytes[0] | (unsigned)bytes[1] << 8;
}

/* A message in pieces; both directions. */
static int by_pieces(int decrypt, size_t nonce_bytes, size_t aad_bytes, uint8_t *text, size_t bytes, size_t tag_bytes,
                     size_t piece)
{
    int status = VERB(_start)(&context, nonce, nonce_bytes, tag_bytes);
    if (!status)
        status = VERB(_lengths)(&context, aad_bytes, bytes);
    for (size_t at = 0, n; !status && at < aad_bytes; at += n) {
        n = aad_bytes - at < piece ? aad_bytes - at : piece;
        status = VERB(_aad)(&context, aad + at, n);
    }
    for (size_t at = 0, n; !status && at < bytes; at += n) {
        n = bytes - at < piece ? bytes - at : piece;
        status = decrypt ? VERB(_decrypt)(&context, text + at, text + at, n)
                         : VERB(_encrypt)(&context, text + at, text + at, n);
    }
    if (!status)
        status = decrypt ? VERB(_verify)(&context, tag, tag_bytes) : VERB(_tag)(&context, tag, tag_bytes);
    return status;
}

static int message(int decrypt, size_t nonce_bytes, size_t aad_bytes, uint8_t *text, size_t bytes, size_t tag_bytes,
                   size_t piece)
{
    int status;
    LAB_BEGIN();
    if (piece > 0)
        status = by_pieces(decrypt, nonce_bytes, aad_bytes, text, bytes, tag_bytes, piece);
    else if (decrypt)
        status = VERB(_open)(&context, nonce, nonce_bytes, aad, aad_bytes, text, text, bytes, tag, tag_bytes);
    else
        status = VERB(_seal)(&context, nonce, nonce_bytes, aad, aad_bytes, text, text, bytes, tag, tag_bytes);
    LAB_END();
    for (size_t i = 0; piece == 0 && status == RUNNEL_ERR_TAG && i < bytes; i++)
        if (text[i] != 0)
            return NOT_CLEARED;
    return status;
}

int main(void)
{
    for (;;) {
        uint8_t letter, status;
        lab_read(&letter, 1);
        if (letter == 'K') {
            const unsigned bytes = read_number();
            if (bytes > sizeof key)
                return 1;
            lab_read(key, bytes);
            LAB_BEGIN();
            status = (uint8_t)VERB(_key)(&context, key, bytes);
            LAB_END();
            lab_write(&status, 1);
            continue;
        }
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
        status = (uint8_t)message(decrypt, nonce_bytes, aad_bytes, text, bytes, tag_bytes, piece);
        lab_write(&status, 1);
        if (status == 0) {
            lab_write(text, bytes);
            if (!decrypt)
                lab_write(tag, tag_bytes);
        }
    }
}
