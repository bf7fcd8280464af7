/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The mode of Ascon-AEAD128 (SP 800-232, 4.1), written once for every form of the state. A kernel defines before it
 * includes this:
 *
 *   ascon_word                        64 bits of the state in its own form
 *   TO_WORD(x), FROM_WORD(w)          a uint64_t in that form, and back
 *   LOAD_BYTES(p), STORE_BYTES(p, w)  eight bytes of a message; may be left out
 *   XOR(a, b)                         of two words
 *   LOAD_WORD(p), STORE_WORD(p, w)    from and to a uint64_t of the context, in that form too
 *   ascon_state                       the words x0 to x4
 *   ascon_one_round(ascon_state *s, unsigned i)  round i of twelve; or, with OWN_ROUNDS, ascon_eight_rounds(s) and
 *                                     ascon_twelve_rounds(s), and ascon_crypt_blocks as below
 *   TARGET                            before each function; may be left out
 *   STATE_IN_PLACE                    if `state` is ten words of 32 bits and to be left in the context
 *
 * Else the state stays in local variables from a piece's first block to its last: in registers, where there are enough. */
#include "arch/common/bytes.h"
#include "kernels.h"

#ifndef TARGET
#define TARGET
#endif
#ifndef LOAD_BYTES
#define LOAD_BYTES(p) TO_WORD(runnel_load64le(p))
#define STORE_BYTES(p, w) runnel_store64le(p, FROM_WORD(w))
#endif

/* Rounds are written out on hosts; firmware has a loop and one copy of it. */
#if RUNNEL_HOSTED && defined(__GNUC__)
#define ROUNDS_INLINE RUNNEL_INLINE
#define UNROLL_ROUNDS _Pragma("GCC unroll 12")
#else
#define ROUNDS_INLINE static RUNNEL_NOINLINE
#define UNROLL_ROUNDS
#endif

#ifndef OWN_ROUNDS
TARGET ROUNDS_INLINE void ascon_rounds_from(ascon_state *s, unsigned first)
{
    UNROLL_ROUNDS
    for (unsigned i = first; i < ASCON_ROUNDS; i++)
        ascon_one_round(s, i);
}

TARGET RUNNEL_INLINE void ascon_eight_rounds(ascon_state *s)
{
    ascon_rounds_from(s, ASCON_FIRST_OF_EIGHT);
}

TARGET static RUNNEL_NOINLINE void ascon_twelve_rounds(ascon_state *s)
{
    ascon_rounds_from(s, 0);
}
#endif

/* The state for a piece of a message: a copy, or where registers are too few for that, the context's. */
#ifdef STATE_IN_PLACE
#define WITH_STATE(s, c) ascon_state *const s = (void *)(c)->s
#define PUT_STATE(c, s) (void)(s)
#define WITH_NEW_STATE WITH_STATE
#else
#define WITH_NEW_STATE(s, c)                                                                                           \
    ascon_state local_state;                                                                                           \
    ascon_state *const s = &local_state
#define WITH_STATE(s, c)                                                                                               \
    ascon_state local_state = ascon_load_state(c);                                                                     \
    ascon_state *const s = &local_state
#define PUT_STATE(c, s) ascon_store_state(c, s)

TARGET RUNNEL_INLINE void ascon_store_state(runnel_ascon_aead128 *c, const ascon_state *s)
{
    STORE_WORD(&c->s[0], s->x0);
    STORE_WORD(&c->s[1], s->x1);
    STORE_WORD(&c->s[2], s->x2);
    STORE_WORD(&c->s[3], s->x3);
    STORE_WORD(&c->s[4], s->x4);
}

TARGET RUNNEL_INLINE ascon_state ascon_load_state(const runnel_ascon_aead128 *c)
{
    return (ascon_state){LOAD_WORD(&c->s[0]), LOAD_WORD(&c->s[1]), LOAD_WORD(&c->s[2]), LOAD_WORD(&c->s[3]),
                         LOAD_WORD(&c->s[4])};
}
#endif

TARGET RUNNEL_INLINE void ascon_xor_rate(ascon_state *s, const uint8_t *block)
{
    s->x0 = XOR(s->x0, LOAD_BYTES(block));
    s->x1 = XOR(s->x1, LOAD_BYTES(block + 8));
}

/* The one that ends a message's part of so many bytes. */
TARGET RUNNEL_INLINE void ascon_xor_end(ascon_state *s, uint64_t bytes)
{
    const uint64_t one = (uint64_t)1 << bytes % 8 * 8;
    if (bytes % ASCON_RATE < 8)
        s->x0 = XOR(s->x0, TO_WORD(one));
    else
        s->x1 = XOR(s->x1, TO_WORD(one));
}

TARGET static void ascon_set_key(runnel_ascon_aead128 *c, const uint8_t *key)
{
    STORE_WORD(&c->key[0], LOAD_BYTES(key));
    STORE_WORD(&c->key[1], LOAD_BYTES(key + 8));
}

TARGET static void ascon_start(runnel_ascon_aead128 *c, const uint8_t *nonce)
{
    const ascon_word k0 = LOAD_WORD(&c->key[0]), k1 = LOAD_WORD(&c->key[1]);
    WITH_NEW_STATE(s, c);
    *s = (ascon_state){TO_WORD(ASCON_IV), k0, k1, LOAD_BYTES(nonce), LOAD_BYTES(nonce + 8)};
    ascon_twelve_rounds(s);
    s->x3 = XOR(s->x3, k0);
    s->x4 = XOR(s->x4, k1);
    PUT_STATE(c, s);
}

/* Bytes that end before the block does, or begin after its begin: block has them in their places and zeros elsewhere. */
TARGET RUNNEL_INLINE size_t ascon_take_part(uint8_t *block, const uint8_t *data, unsigned at, size_t bytes)
{
    const size_t room = ASCON_RATE - at, n = bytes < room ? bytes : room;
    memset(block, 0, ASCON_RATE);
    memcpy(block + at, data, n);
    return n;
}

TARGET static void ascon_aad(runnel_ascon_aead128 *c, const uint8_t *data, size_t bytes)
{
    uint8_t block[ASCON_RATE];
    unsigned at = (unsigned)(c->head.aad_bytes % ASCON_RATE);
    WITH_STATE(s, c);
    while (bytes > 0) {
        const uint8_t *whole = data;
        size_t n = ASCON_RATE;
        if (at > 0 || bytes < ASCON_RATE) {
            n = ascon_take_part(block, data, at, bytes);
            whole = block;
        }
        ascon_xor_rate(s, whole);
        data += n;
        bytes -= n;
        at = (unsigned)((at + n) % ASCON_RATE);
        if (at == 0)
            ascon_eight_rounds(s);
    }
    PUT_STATE(c, s);
    runnel_wipe(block, sizeof block);
}

TARGET static void ascon_text(runnel_ascon_aead128 *c)
{
    WITH_STATE(s, c);
    if (c->head.aad_bytes > 0) {
        ascon_xor_end(s, c->head.aad_bytes);
        ascon_eight_rounds(s);
    }
    s->x4 = XOR(s->x4, TO_WORD((uint64_t)1 << 63));
    PUT_STATE(c, s);
}

/* A part of a block. Returns how many bytes of it there are. */
TARGET static RUNNEL_NOINLINE size_t ascon_crypt_part(ascon_state *s, uint8_t *out, const uint8_t *in, unsigned at,
                                                      size_t bytes, int decrypt)
{
    uint8_t text[ASCON_RATE], keystream[ASCON_RATE];
    const size_t n = ascon_take_part(text, in, at, bytes);
    STORE_BYTES(keystream, s->x0);
    STORE_BYTES(keystream + 8, s->x1);
    for (size_t i = at; i < at + n; i++) {
        const uint8_t byte = (uint8_t)(text[i] ^ keystream[i]);
        out[i - at] = byte;
        if (decrypt)
            text[i] = byte;
    }
    ascon_xor_rate(s, text);
    runnel_wipe(text, sizeof text);
    runnel_wipe(keystream, sizeof keystream);
    return n;
}

#ifndef OWN_ROUNDS
/* Whole blocks. */
TARGET ROUNDS_INLINE void ascon_crypt_blocks(ascon_state *s, uint8_t *out, const uint8_t *in, size_t nblocks,
                                             int decrypt)
{
    for (; nblocks > 0; nblocks--, in += ASCON_RATE, out += ASCON_RATE) {
        const ascon_word in0 = LOAD_BYTES(in), in1 = LOAD_BYTES(in + 8);
        const ascon_word out0 = XOR(s->x0, in0), out1 = XOR(s->x1, in1);
        STORE_BYTES(out, out0);
        STORE_BYTES(out + 8, out1);
        s->x0 = decrypt ? in0 : out0;
        s->x1 = decrypt ? in1 : out1;
        ascon_eight_rounds(s);
    }
}
#endif

TARGET static void ascon_crypt(runnel_ascon_aead128 *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    const unsigned at = (unsigned)(c->head.text_bytes % ASCON_RATE);
    WITH_STATE(s, c);
    if (at > 0) {
        const size_t n = ascon_crypt_part(s, out, in, at, bytes, decrypt);
        if (at + n == ASCON_RATE)
            ascon_eight_rounds(s);
        out += n;
        in += n;
        bytes -= n;
    }
    const size_t nblocks = bytes / ASCON_RATE, whole = nblocks * ASCON_RATE;
    if (decrypt)
        ascon_crypt_blocks(s, out, in, nblocks, 1);
    else
        ascon_crypt_blocks(s, out, in, nblocks, 0);
    if (bytes > whole)
        ascon_crypt_part(s, out + whole, in + whole, 0, bytes - whole, decrypt);
    PUT_STATE(c, s);
}

TARGET static void ascon_tag(runnel_ascon_aead128 *c, uint8_t *longest)
{
    const ascon_word k0 = LOAD_WORD(&c->key[0]), k1 = LOAD_WORD(&c->key[1]);
    WITH_STATE(s, c);
    ascon_xor_end(s, c->head.text_bytes);
    s->x2 = XOR(s->x2, k0);
    s->x3 = XOR(s->x3, k1);
    ascon_twelve_rounds(s);
    STORE_BYTES(longest, XOR(s->x3, k0));
    STORE_BYTES(longest + 8, XOR(s->x4, k1));
}

#define ASCON_FUNCTIONS                                                                                                \
    .key = ascon_set_key, .start = ascon_start, .aad = ascon_aad, .text = ascon_text, .crypt = ascon_crypt,            \
    .tag = ascon_tag
