/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py except for accesses at secret indices, which a kernel defines before it includes this file:
 *   uint8_t py_permuted(uint8_t i)                        entry i of the internal permutation
 *   uint8_t py_byte(const uint8_t *p, uint8_t i)          byte i of P
 *   void py_exchange(uint8_t *p, uint8_t i, uint8_t j)    exchanges bytes i, which is public, and j of P
 *   uint32_t py_word(const uint32_t *y, uint16_t i)       word i of Y
 *   void py_put_word(uint32_t *y, uint16_t i, uint32_t w) writes word i, which is public, of Y
 * and what stands before each function that uses them, if anything: PY_TARGET.
 * The rolling arrays are rings: rolling one moves its start. */
#ifndef PY_STEPS_H
#define PY_STEPS_H

#include "kernels.h"

#ifndef PY_TARGET
#define PY_TARGET
#endif

enum { PY_WORDS = 260, PY_LONGEST_IV = 64 };

/* Left rotations. Compilers for AVR move bytes only if a rotation is by whole bytes, and shift bit by bit otherwise:
 * it is done in two parts. */
#if defined(__AVR__)
#define PY_FIRST(v) __asm__("" : "+r"(v))
#else
#define PY_FIRST(v) (void)0
#endif

static inline uint32_t py_rotated14(uint32_t v)
{
    v = runnel_rotl32(v, 16);
    PY_FIRST(v);
    v = runnel_rotl32(v, 31);
    PY_FIRST(v);
    return runnel_rotl32(v, 31);
}

static inline uint32_t py_rotated25(uint32_t v)
{
    v = runnel_rotl32(v, 24);
    PY_FIRST(v);
    return runnel_rotl32(v, 1);
}

/* By n mod 32, a secret. */
static inline uint32_t py_rotated(uint32_t v, uint8_t n)
{
#if defined(__AVR__)
    /* The time of AVR's shifts depends on their distance, so each bit of n selects between two rotations. */
    static const uint8_t powers[8] RUNNEL_FLASH = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint8_t power = runnel_flash8(powers + (n & 7));
    const uint16_t b0 = (uint16_t)((uint8_t)v * power), b1 = (uint16_t)((uint8_t)(v >> 8) * power);
    const uint16_t b2 = (uint16_t)((uint8_t)(v >> 16) * power), b3 = (uint16_t)((uint8_t)(v >> 24) * power);
    const uint8_t c0 = (uint8_t)(b0 | b3 >> 8), c1 = (uint8_t)(b1 | b0 >> 8);
    const uint8_t c2 = (uint8_t)(b2 | b1 >> 8), c3 = (uint8_t)(b3 | b2 >> 8);
    const uint8_t m8 = (uint8_t)(0 - (n >> 3 & 1)), m16 = (uint8_t)(0 - (n >> 4 & 1));
    const uint8_t d0 = c0 ^ ((c0 ^ c3) & m8), d1 = c1 ^ ((c1 ^ c0) & m8);
    const uint8_t d2 = c2 ^ ((c2 ^ c1) & m8), d3 = c3 ^ ((c3 ^ c2) & m8);
    const uint8_t x0 = (d0 ^ d2) & m16, x1 = (d1 ^ d3) & m16;
    return (uint32_t)(uint8_t)(d3 ^ x1) << 24 | (uint32_t)(uint8_t)(d2 ^ x0) << 16 |
           (uint16_t)((uint16_t)(uint8_t)(d1 ^ x1) << 8) | (uint8_t)(d0 ^ x0);
#else
    return v << (n & 31) | v >> (-n & 31);
#endif
}

/* The index in the ring of Y[i] for i of -3 to 256; i may be secret. */
static inline uint16_t py_place(uint16_t first_y, int16_t i)
{
    const uint16_t past = (uint16_t)(first_y + 3 + i - PY_WORDS); /* below 0 as long as the ring does not wrap */
    return (uint16_t)(past + (PY_WORDS & (0 - (past >> 15))));
}

/* Key set-up, for IVs of that length. */
PY_TARGET static inline void py_expand_key(uint32_t *y, const uint8_t *key, unsigned key_bytes, unsigned iv_bytes)
{
    uint32_t s = py_permuted((uint8_t)(key_bytes - 1));
    s = s << 8 | py_permuted((uint8_t)(s ^ (iv_bytes - 1)));
    s = s << 8 | py_permuted((uint8_t)s ^ key[0]);
    s = s << 8 | py_permuted((uint8_t)s ^ key[key_bytes - 1]);
    for (unsigned i = 0; i < key_bytes; i++) {
        s += key[i];
        s = runnel_rotl32(s, 8) ^ py_permuted((uint8_t)s);
    }
    for (unsigned i = 0; i < key_bytes; i++) {
        s += key[i];
        s ^= runnel_rotl32(s, 8) + py_permuted((uint8_t)s);
    }
    for (unsigned i = 0, next = 0; i < PY_WORDS; i++) {
        s += key[next];
        s = runnel_rotl32(s, 8) ^ py_permuted((uint8_t)s);
        y[i] = s;
        if (++next == key_bytes)
            next = 0;
    }
}

/* IV set-up, from the Y of key set-up. It rolls Y through once. */
PY_TARGET static inline void py_mix_iv(runnel_py_state *state, const uint8_t *iv, unsigned iv_bytes)
{
    uint32_t *const y = state->y;
    uint8_t *const p = state->p;
    uint8_t e[PY_LONGEST_IV];
    uint8_t q = iv[0] ^ (uint8_t)(y[3] >> 16);
    const uint8_t d = (uint8_t)((iv[iv_bytes > 1] ^ (uint8_t)(y[4] >> 16)) | 1);
    for (unsigned i = 0; i < 256; i++) {
        p[i] = py_permuted(q);
        q = (uint8_t)(q + d);
    }
    uint32_t s = (uint32_t)q << 24 | (uint32_t)d << 16 | (uint32_t)p[254] << 8 | p[255];
    s ^= y[0] + y[259];
    for (unsigned i = 0; i < iv_bytes; i++) {
        s += iv[i] + y[i];
        e[i] = py_byte(p, (uint8_t)s);
        s = runnel_rotl32(s, 8) ^ e[i];
    }
    for (unsigned i = 0; i < iv_bytes; i++) {
        s += iv[i] + y[259 - i];
        const uint8_t new = py_byte(p, (uint8_t)s);
        e[i] = (uint8_t)(e[i] + new);
        s = runnel_rotl32(s, 8) ^ new;
    }
    uint8_t first_p = 0;
    for (unsigned first_y = 0, first_e = 0; first_y < PY_WORDS; first_y++) {
        const uint8_t x = e[first_e] ^ (uint8_t)s;
        e[first_e] = x;
        if (++first_e == iv_bytes)
            first_e = 0;
        py_exchange(p, first_p, (uint8_t)(first_p + x));
        first_p++;
        s = (s ^ y[first_y]) + py_word(y, py_place((uint16_t)first_y, x));
        py_put_word(y, (uint16_t)first_y, s);
    }
    s += y[26 + 3] + y[153 + 3] + y[208 + 3];
    s |= runnel_equal_mask(s, 0) & (8u * state->key_bytes + 65536 * 8 * (uint32_t)iv_bytes + 0x87654321);
    state->s = s;
    state->first_p = first_p;
    state->first_y = 0;
    runnel_wipe(e, sizeof e);
}

/* Rounds, each a block. */
PY_TARGET static inline void py_xor(runnel_py_state *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t *const y = state->y;
    uint8_t *const p = state->p;
    uint32_t s = state->s;
    uint16_t first_y = state->first_y;
    uint8_t first_p = state->first_p;
    for (; nblocks > 0; nblocks--) {
        py_exchange(p, first_p, (uint8_t)(first_p + (uint8_t)y[py_place(first_y, 185)]));
        first_p++;
#define PY_P(i) p[(uint8_t)(first_p + (i))]
#define PY_Y(i) py_word(y, py_place(first_y, i))
        s += PY_Y(PY_P(72)) - PY_Y(PY_P(239));
        s = py_rotated(s, (uint8_t)(PY_P(116) + 18));
        const uint32_t first = (py_rotated25(s) ^ y[py_place(first_y, 256)]) + PY_Y(PY_P(26));
        const uint32_t second = (s ^ y[py_place(first_y, -1)]) + PY_Y(PY_P(208));
        py_put_word(y, first_y, (py_rotated14(s) ^ y[first_y]) + PY_Y(PY_P(153)));
#undef PY_P
#undef PY_Y
        first_y = first_y + 1 < PY_WORDS ? first_y + 1 : 0;
        runnel_xor32le(out, in, 0, first);
        runnel_xor32le(out, in, 1, second);
        out += PY_BLOCK;
        if (in != NULL)
            in += PY_BLOCK;
    }
    state->s = s;
    state->first_p = first_p;
    state->first_y = first_y;
}

static inline void py_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_py_state *s = state;
    memcpy(s->key, key, key_bytes);
    s->key_bytes = (uint16_t)key_bytes;
    s->schedule_iv_bytes = 0;
}

PY_TARGET static inline void py_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_py_state *s = state;
#if RUNNEL_HOSTED
    if (s->schedule_iv_bytes != iv_bytes) {
        py_expand_key(s->schedule, s->key, s->key_bytes, (unsigned)iv_bytes);
        s->schedule_iv_bytes = (uint8_t)iv_bytes;
    }
    memcpy(s->y, s->schedule, sizeof s->y);
#else
    py_expand_key(s->y, s->key, s->key_bytes, (unsigned)iv_bytes);
#endif
    py_mix_iv(s, iv, (unsigned)iv_bytes);
}

PY_TARGET static inline void py_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    (void)index;
    py_xor(state, out, in, nblocks);
}

#endif
