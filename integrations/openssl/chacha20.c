/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL's ChaCha20 has an IV of 16 bytes: a block counter of 64 bits, little-endian, which carries and wraps, and 8 bytes
 * of nonce. The library's, which is RFC 8439's, has 32 bits of counter and 12 bytes of nonce. Keystream and state are the
 * same: the upper half of the counter is the first word of the library's nonce, and where the lower one ends, the message goes
 * on under the next nonce. */
#include "stream.h"

enum { BLOCK = 64 };

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 8; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

static void store(uint8_t *bytes, uint64_t value, int count)
{
    for (int i = 0; i < count; i++, value >>= 8)
        bytes[i] = (uint8_t)value;
}

/* Tells whether the two overlap without being the same: the library would see that only piece by piece. */
static int overlap(const uint8_t *out, const uint8_t *in, size_t bytes)
{
    const uintptr_t o = (uintptr_t)out, i = (uintptr_t)in;
    return o != i && (o - i < bytes || i - o < bytes);
}

/* Goes to the block of that number. */
static int begin(stream_context *c, uint64_t block)
{
    uint8_t nonce[12];
    store(nonce, block >> 32, 4);
    memcpy(nonce + 4, c->iv + 8, 8);
    const int error = runnel_stream_iv(library_stream(c), nonce, sizeof nonce, 0);
    if (error)
        return error;
    c->first = block >> 32 << 32;
    c->iv_state = IV_USED;
    return runnel_stream_seek(library_stream(c), (block & UINT32_MAX) * BLOCK);
}

void chacha20_updated_iv(stream_context *c, uint8_t iv[16])
{
    const uint64_t position = runnel_stream_tell(library_stream(c));
    store(iv, c->first + position / BLOCK + (position % BLOCK > 0), 8);
}

int chacha20_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in,
                    size_t bytes)
{
    stream_context *c = context;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    if ((in == NULL || out == NULL) && bytes > 0)
        return FAIL(c, RUNNEL_ERR_NULL);
    if (overlap(out, in, bytes))
        return FAIL(c, RUNNEL_ERR_OVERLAP);
    if (c->iv_state == IV_NONE)
        return FAIL(c, RUNNEL_ERR_STATE);
    int error = c->iv_state == IV_WAITS ? begin(c, load64(c->iv)) : RUNNEL_OK;
    *out_bytes = bytes;
    while (!error) {
        const uint64_t left = runnel_stream_left(library_stream(c));
        const size_t part = bytes < left ? bytes : (size_t)left;
        error = runnel_stream_xor(library_stream(c), out, in, part);
        bytes -= part;
        if (error || bytes == 0)
            break;
        out += part;
        in += part;
        error = begin(c, c->first + ((uint64_t)1 << 32));
    }
    return error ? FAIL(c, error) : 1;
}
