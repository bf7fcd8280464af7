/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The mode of Ascon-AEAD128 (SP 800-232, 4.1) for 8-bit AVR, byte by byte: the state is the five words as they are, in the
 * context. A kernel defines before it includes this:
 *
 *   ROUNDS         its permutation, from the round with a constant to the last
 *   BLOCKS(name)   its encrypt, decrypt and absorb of whole blocks; may be left out */
#include "arch/common/bytes.h"

enum { ASCON_CONSTANT_OF_TWELVE = 0xf0, ASCON_CONSTANT_OF_EIGHT = 0xb4 };

static inline uint8_t *ascon_state_of(runnel_ascon_aead128 *c)
{
    return (uint8_t *)c->s;
}

static inline const uint8_t *ascon_key_of(const runnel_ascon_aead128 *c)
{
    return (const uint8_t *)c->key;
}

static inline uint8_t ascon_in_block(uint64_t bytes)
{
    return (uint8_t)bytes % ASCON_RATE;
}

static void ascon_eight_rounds(uint8_t *s)
{
    ROUNDS(s, ASCON_CONSTANT_OF_EIGHT);
}

/* Bytes of one block, from its byte `s` on. */
static RUNNEL_NOINLINE void ascon_crypt_part(uint8_t *s, uint8_t *out, const uint8_t *in, uint8_t bytes,
                                             uint8_t decrypt)
{
    for (; bytes > 0; bytes--, s++) {
        const uint8_t taken = *in++, made = *s ^ taken;
        *out++ = made;
        *s = decrypt ? taken : made;
    }
}

#ifdef BLOCKS
static inline void ascon_absorb_blocks(uint8_t *s, const uint8_t *data, size_t nblocks)
{
    if (nblocks > 0)
        BLOCKS(absorb)(s, NULL, data, nblocks);
}

static inline void ascon_crypt_blocks(uint8_t *s, uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t decrypt)
{
    if (nblocks > 0 && decrypt)
        BLOCKS(decrypt)(s, out, in, nblocks);
    else if (nblocks > 0)
        BLOCKS(encrypt)(s, out, in, nblocks);
}
#else
static inline void ascon_absorb_blocks(uint8_t *s, const uint8_t *data, size_t nblocks)
{
    for (; nblocks > 0; nblocks--, data += ASCON_RATE) {
        runnel_xor_bytes(s, s, data, ASCON_RATE);
        ascon_eight_rounds(s);
    }
}

static inline void ascon_crypt_blocks(uint8_t *s, uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t decrypt)
{
    for (; nblocks > 0; nblocks--, in += ASCON_RATE, out += ASCON_RATE) {
        ascon_crypt_part(s, out, in, ASCON_RATE, decrypt);
        ascon_eight_rounds(s);
    }
}
#endif

static void ascon_set_key(runnel_ascon_aead128 *c, const uint8_t *key)
{
    memcpy(c->key, key, sizeof c->key);
}

static void ascon_start(runnel_ascon_aead128 *c, const uint8_t *nonce)
{
    uint8_t *s = ascon_state_of(c);
    for (uint8_t i = 0; i < 8; i++)
        s[i] = 0;
    s[0] = 0x01;
    s[2] = 0x8c;
    s[3] = 0x80;
    s[5] = 0x10;
    memcpy(s + 8, ascon_key_of(c), 16);
    memcpy(s + 24, nonce, 16);
    ROUNDS(s, ASCON_CONSTANT_OF_TWELVE);
    runnel_xor_bytes(s + 24, s + 24, ascon_key_of(c), 16);
}

static void ascon_aad(runnel_ascon_aead128 *c, const uint8_t *data, size_t bytes)
{
    uint8_t *s = ascon_state_of(c);
    const uint8_t at = ascon_in_block(c->head.aad_bytes);
    if (at > 0) {
        const size_t room = ASCON_RATE - at, n = bytes < room ? bytes : room;
        runnel_xor_bytes(s + at, s + at, data, n);
        if (n < room)
            return;
        ascon_eight_rounds(s);
        data += n;
        bytes -= n;
    }
    ascon_absorb_blocks(s, data, bytes / ASCON_RATE);
    runnel_xor_bytes(s, s, data + bytes / ASCON_RATE * ASCON_RATE, bytes % ASCON_RATE);
}

static void ascon_text(runnel_ascon_aead128 *c)
{
    uint8_t *s = ascon_state_of(c);
    if (c->head.aad_bytes > 0) {
        s[ascon_in_block(c->head.aad_bytes)] ^= 1;
        ascon_eight_rounds(s);
    }
    s[39] ^= 0x80;
}

static void ascon_crypt(runnel_ascon_aead128 *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    uint8_t *s = ascon_state_of(c);
    const uint8_t at = ascon_in_block(c->head.text_bytes);
    if (at > 0) {
        const uint8_t room = ASCON_RATE - at, n = bytes < room ? (uint8_t)bytes : room;
        ascon_crypt_part(s + at, out, in, n, (uint8_t)decrypt);
        if (n < room)
            return;
        ascon_eight_rounds(s);
        out += n;
        in += n;
        bytes -= n;
    }
    const size_t whole = bytes / ASCON_RATE * ASCON_RATE;
    ascon_crypt_blocks(s, out, in, bytes / ASCON_RATE, (uint8_t)decrypt);
    ascon_crypt_part(s, out + whole, in + whole, (uint8_t)(bytes - whole), (uint8_t)decrypt);
}

static void ascon_tag(runnel_ascon_aead128 *c, uint8_t *longest)
{
    uint8_t *s = ascon_state_of(c);
    s[ascon_in_block(c->head.text_bytes)] ^= 1;
    runnel_xor_bytes(s + 16, s + 16, ascon_key_of(c), 16);
    ROUNDS(s, ASCON_CONSTANT_OF_TWELVE);
    runnel_xor_bytes(longest, s + 24, ascon_key_of(c), 16);
}

#define ASCON_FUNCTIONS                                                                                                \
    .key = ascon_set_key, .start = ascon_start, .aad = ascon_aad, .text = ascon_text, .crypt = ascon_crypt,            \
    .tag = ascon_tag
