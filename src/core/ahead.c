/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ahead.h"

#include "keystream_buffer.h"

#if RUNNEL_HOSTED

/* Keystream is made from a multiple of so many bytes of the text on, where blocks of cipher and MAC begin. */
enum { AHEAD_BOUNDARY = 64 };

static inline runnel_keystream *ahead_of(runnel_aead_context *c)
{
    return (void *)((uint8_t *)c + c->aead->ahead_offset);
}

static inline uint8_t *ahead_end_of(runnel_keystream *a)
{
    return a->bytes + sizeof a->bytes;
}

void runnel_ahead_clear(runnel_aead_context *c)
{
    if (c->aead->ahead_offset != 0)
        runnel_wipe(ahead_of(c), sizeof(runnel_keystream));
}

void runnel_ahead_drop(runnel_aead_context *c)
{
    runnel_keystream *a = ahead_of(c);
    if (c->aead->ahead_offset != 0 && a->made != 0)
        runnel_keystream_drop(ahead_end_of(a), &a->left, &a->made);
}

void runnel_ahead_finish(runnel_aead_context *c)
{
    runnel_keystream *a = ahead_of(c);
    if (c->aead->ahead_offset == 0 || a->made == 0)
        return;
    if (a->left > 0 && a->left < a->made)
        c->aead->mode->absorb(c, ahead_end_of(a) - a->made, (size_t)(a->made - a->left));
    runnel_ahead_drop(c);
}

/* The next `bytes` bytes, of which there is keystream; their ciphertext takes its place. */
RUNNEL_INLINE void ahead_use(runnel_keystream *a, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_keystream_take(ahead_end_of(a), &a->left, out, in, bytes,
                          decrypt ? RUNNEL_USED_TAKES_INPUT : RUNNEL_USED_TAKES_OUTPUT);
}

/* Makes keystream ahead, unless the message is about to end. */
static int ahead_make(runnel_aead_context *c, runnel_keystream *a, size_t piece)
{
    const size_t bytes = runnel_keystream_to_make(a->made, piece, sizeof a->bytes);
    if (c->text_total - c->text_bytes < bytes)
        return 0;
    c->aead->mode->keystream(c, runnel_keystream_fill(ahead_end_of(a), &a->left, &a->made, bytes), bytes);
    return 1;
}

static void ahead_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    c->aead->mode->crypt(c, out, in, bytes, decrypt);
    c->text_bytes += bytes;
}

static RUNNEL_NOINLINE void ahead_crypt_more(runnel_aead_context *c, runnel_keystream *a, uint8_t *out,
                                             const uint8_t *in, size_t bytes, int decrypt)
{
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n) {
        if (a->left > 0) {
            n = bytes < a->left ? bytes : a->left;
            ahead_use(a, out, in, n, decrypt);
            c->text_bytes += n;
            if (a->left == 0)
                c->aead->mode->absorb(c, ahead_end_of(a) - a->made, a->made);
            continue;
        }
        const size_t room = (size_t)(-c->text_bytes % AHEAD_BOUNDARY);
        n = bytes;
        if (bytes <= c->aead->mode->small) {
            if (room == 0 && ahead_make(c, a, bytes)) {
                n = 0;
                continue;
            }
            if (room > 0 && room < n)
                n = room;
        }
        ahead_crypt(c, out, in, n, decrypt);
    }
}

void runnel_ahead_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    if (c->text_bytes == 0 || c->aead->ahead_offset == 0) {
        ahead_crypt(c, out, in, bytes, decrypt);
        return;
    }
    runnel_keystream *a = ahead_of(c);
    if (bytes < a->left) {
        ahead_use(a, out, in, bytes, decrypt);
        c->text_bytes += bytes;
    } else {
        ahead_crypt_more(c, a, out, in, bytes, decrypt);
    }
}

#endif
