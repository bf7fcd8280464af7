/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL's ChaCha20 has an IV of 16 bytes: a block counter of 64 bits, little-endian, which carries and wraps, and 8
 * bytes of nonce. The library's, which is RFC 8439's, has 32 bits of counter and 12 bytes of nonce. Keystream and
 * state are the same: the upper half of the counter is the first word of the library's nonce, and where the lower one
 * ends, the message goes on under the next nonce. */
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
    const uint64_t low = block & UINT32_MAX;
    return low == 0 ? RUNNEL_OK : runnel_stream_seek(library_stream(c), low * BLOCK);
}

int chacha20_begin(stream_context *c)
{
    return begin(c, load64(c->iv));
}

int chacha20_xor(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    for (;;) {
        int error = runnel_stream_xor(library_stream(c), out, in, bytes);
        if (error != RUNNEL_ERR_LIMIT)
            return error;
        const size_t part = (size_t)runnel_stream_left(library_stream(c)); /* less than bytes */
        error = runnel_stream_xor(library_stream(c), out, in, part);
        if (error)
            return error;
        error = begin(c, c->first + ((uint64_t)1 << 32));
        if (error)
            return error;
        bytes -= part;
        out += part;
        in = in == NULL ? NULL : in + part;
    }
}

void chacha20_set_counter(uint8_t iv[16], uint64_t block)
{
    store(iv, block, 8);
}
