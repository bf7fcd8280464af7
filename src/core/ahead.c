/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ahead.h"

#include "arch/common/wipe.h"

#if RUNNEL_HOSTED

/* Keystream is made from a multiple of BOUNDARY bytes of the text on, where blocks of cipher and MAC begin: FIRST bytes, then
 * twice as many each time, so that a short message does not pay for much more than it has. */
enum { BOUNDARY = 64, FIRST = 256 };

static inline runnel_ahead *ahead_of(runnel_aead_context *c)
{
    return (void *)((uint8_t *)c + c->aead->ahead_offset);
}

void runnel_ahead_clear(runnel_aead_context *c)
{
    if (c->aead->ahead_offset != 0)
        runnel_wipe(ahead_of(c), sizeof(runnel_ahead));
}

void runnel_ahead_drop(runnel_aead_context *c)
{
    runnel_ahead *a = ahead_of(c);
    if (c->aead->ahead_offset == 0 || a->before == 0)
        return;
    runnel_wipe(a->bytes + a->used, (size_t)(a->made - a->used));
    a->used = a->made = a->before = 0;
}

void runnel_ahead_finish(runnel_aead_context *c)
{
    runnel_ahead *a = ahead_of(c);
    if (c->aead->ahead_offset == 0 || a->before == 0)
        return;
    if (a->used > 0)
        c->aead->mode->absorb(c, a->bytes, a->used);
    runnel_ahead_drop(c);
}

/* The next `bytes` bytes, of which there is keystream. */
static inline void use(runnel_ahead *a, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    uint8_t *p = a->bytes + a->used;
    a->used = (uint16_t)(a->used + bytes);
#if RUNNEL_TWO_WORDS
    for (; bytes >= 16; bytes -= 16, in += 16, out += 16, p += 16) {
        runnel_two_words text, made;
        memcpy(&text, in, 16);
        memcpy(&made, p, 16);
        made ^= text;
        memcpy(p, decrypt ? &text : &made, 16);
        memcpy(out, &made, 16);
    }
#endif
    for (; bytes > 0; bytes--, in++, out++, p++) {
        const uint8_t text = *in, made = text ^ *p;
        *p = decrypt ? text : made;
        *out = made;
    }
}

/* Makes keystream ahead, unless the message is about to end. */
static int make(runnel_aead_context *c, runnel_ahead *a)
{
    const size_t wanted = a->before == 0 ? FIRST : 2 * (size_t)a->before,
                 bytes = wanted < sizeof a->bytes ? wanted : sizeof a->bytes;
    if (c->text_total - c->text_bytes < bytes)
        return 0;
    c->aead->mode->keystream(c, a->bytes, bytes);
    a->before = a->made = (uint16_t)bytes;
    return 1;
}

static void crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    c->aead->mode->crypt(c, out, in, bytes, decrypt);
    c->text_bytes += bytes;
}

static RUNNEL_NOINLINE void crypt_more(runnel_aead_context *c, runnel_ahead *a, uint8_t *out, const uint8_t *in,
                                       size_t bytes, int decrypt)
{
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n) {
        if (a->used < a->made) {
            const size_t left = (size_t)(a->made - a->used);
            n = bytes < left ? bytes : left;
            use(a, out, in, n, decrypt);
            c->text_bytes += n;
            if (a->used == a->made) {
                c->aead->mode->absorb(c, a->bytes, a->made);
                a->used = a->made = 0;
            }
            continue;
        }
        const size_t room = (size_t)(-c->text_bytes % BOUNDARY);
        n = bytes;
        if (bytes <= c->aead->mode->small) {
            if (room == 0 && make(c, a)) {
                n = 0;
                continue;
            }
            if (room > 0 && room < n)
                n = room;
        }
        crypt(c, out, in, n, decrypt);
    }
}

void runnel_ahead_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    if (c->text_bytes == 0 || c->aead->ahead_offset == 0) {
        crypt(c, out, in, bytes, decrypt);
        return;
    }
    runnel_ahead *a = ahead_of(c);
    if (bytes < (size_t)(a->made - a->used)) {
        use(a, out, in, bytes, decrypt);
        c->text_bytes += bytes;
    } else {
        crypt_more(c, a, out, in, bytes, decrypt);
    }
}

#endif
