/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL's ChaCha20 has an IV of 16 bytes: a block counter of 64 bits, little-endian, which carries and wraps, and 8
 * bytes of nonce. The library's, which is RFC 8439's, has 32 bits of counter and 12 bytes of nonce. Keystream and
 * state are the same: the upper half of the counter is the first word of the library's nonce, and where the lower one
 * ends, the message continues under the next nonce. */
#include "stream.h"

enum { BLOCK = 64 };

_Static_assert(RUNNEL_COUNT_BITS == 64, "a library that counts in 32 bits makes no block number 2^32 - 1");

static uint64_t load64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 8; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

/* Not in a loop: of four stores in a row compilers make one, which the kernel's load need not wait for. */
static inline void store32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

/* Writes the library's nonce for the block of that number. */
static inline void nonce_of(stream_context *c, uint64_t block, uint8_t nonce[12])
{
    c->first = block >> 32 << 32;
    store32(nonce, (uint32_t)(block >> 32));
    memcpy(nonce + 4, c->iv + 8, 8);
}

/* Goes to the block of that number. */
static int begin(stream_context *c, uint64_t block)
{
    uint8_t nonce[12];
    nonce_of(c, block, nonce);
    const int error = runnel_stream_iv(library_stream(c), nonce, sizeof nonce, 0);
    if (error)
        return error;
    return runnel_stream_seek(library_stream(c), (block & UINT32_MAX) * BLOCK);
}

/* Across the places where the lower counter begins anew; first: nothing is made ahead yet, nor worth it. */
static int xor_across(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int first)
{
    runnel_stream *const s = library_stream(c);
    for (;;) {
        int error =
            first ? runnel_stream_xor(s, out, in, bytes) : runnel_stream_xor_ahead(s, &c->ahead, out, in, bytes);
        if (error != RUNNEL_ERR_LIMIT)
            return error;
        const size_t part = (size_t)runnel_stream_left(s) + c->ahead.left; /* less than bytes */
        error = runnel_stream_xor_ahead(s, &c->ahead, out, in, part);
        if (error)
            return error;
        runnel_keystream_wipe(&c->ahead);
        error = begin(c, c->first + ((uint64_t)1 << 32));
        if (error)
            return error;
        bytes -= part;
        out += part;
        in += part;
    }
}

int chacha20_packet(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const uint64_t block = load64(c->iv);
    if ((uint32_t)block == 0) { /* as a rule */
        uint8_t nonce[12];
        nonce_of(c, block, nonce);
        const int error = runnel_stream_packet(library_stream(c), nonce, sizeof nonce, 0, out, in, bytes);
        if (error != RUNNEL_ERR_LIMIT)
            return error;
    }
    const int error = begin(c, block);
    return error ? error : xor_across(c, out, in, bytes, 1);
}

int chacha20_xor(stream_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return xor_across(c, out, in, bytes, 0);
}

void chacha20_set_counter(uint8_t iv[16], uint64_t block)
{
    store32(iv, (uint32_t)block);
    store32(iv + 4, (uint32_t)(block >> 32));
}
