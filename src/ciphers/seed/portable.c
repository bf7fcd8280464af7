/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED in 64-bit words without tables: 16 blocks at once, sliced by the bits of a byte.
 *
 * A 32-bit word of each of the 16 blocks is kept in 8 planes. Bit 16 * j + n of plane b is bit b of byte j (0 the
 * least significant) of the word in block n. One pass over the planes then evaluates all 64 S-boxes of G; both S0 and
 * S1 are affine images of the inverse in GF(2^8), so that they share its circuit. Additions stay in planes too: within
 * the bytes the carry ripples, between them there is carry look-ahead. */
#include "kernels.h"

#define PLANE uint64_t
#define UNROLLED
#include "arch/common/transpose.h"

enum { SEED_LANES = 16, SEED_PLANES = 8, SEED_WORDS = 4 };

/* Unrolled where speed counts more than size: gcc does not do it by itself, and its loop takes a fifth longer. */
#if RUNNEL_HOSTED && defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif RUNNEL_HOSTED && defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif
#define EACH_PLANE UNROLL for (unsigned b = 0; b < SEED_PLANES; b++)

#define EVEN_BYTES 0x0000ffff0000ffffu
#define ODD_BYTES 0xffff0000ffff0000u

static inline uint64_t seed_rotate(uint64_t v, unsigned n)
{
    return v >> n | v << (64 - n);
}

/* x = S0(x) in even bytes, S1(x) in odd ones, except for the constants 0xa9 and 0x38. */
static inline void seed_substitute(uint64_t x[SEED_PLANES])
{
    /* A tower of fields, GF(256) over GF(16). First the linear forms that enter the products of the two halves a and
     * c, and the linear part of the norm; ... */
    const uint64_t u1 = x[1] ^ x[2], u2 = x[3] ^ x[5], u3 = x[7] ^ u1, u4 = x[0] ^ x[4], u5 = x[4] ^ x[6],
        u6 = x[7] ^ u4, u7 = x[0] ^ x[5], u8 = x[3] ^ u1, u9 = x[1] ^ u2, u10 = x[4] ^ u3, u11 = u2 ^ u5,
        u12 = x[2] ^ u6, u13 = x[1] ^ u5, u14 = x[3] ^ u13, u15 = u6 ^ u9, u16 = u2 ^ u12, u17 = u3 ^ u11,
        u18 = u4 ^ u8, u19 = u2 ^ u3, u20 = x[6] ^ u7, u21 = x[6] ^ u3, u22 = x[5] ^ u10, u23 = u3 ^ u7,
        u24 = x[3] ^ x[6], u25 = u4 ^ u9, u26 = x[7] ^ u2, u27 = x[7] ^ u24, u28 = u1 ^ u11;
    /* ... then the norm, a * c and that, in nine ANDs; ... */
    const uint64_t m1 = x[7] & u28, m2 = u15 & u18, m3 = u25 & u20, m4 = u26 & u27, m5 = u1 & u8, m6 = u19 & u21,
        m7 = u2 & u22, m8 = u16 & u4, m9 = u12 & u23;
    const uint64_t d1 = m3 ^ m8, d2 = m6 ^ m8, d3 = m2 ^ u13, d4 = u17 ^ d2, d5 = d1 ^ d3, d6 = m7 ^ d2,
        d7 = m9 ^ d4, d8 = u10 ^ d1, d9 = m5 ^ d6, d10 = m1 ^ m9, d11 = d8 ^ d10, d12 = m4 ^ d7, d13 = u14 ^ d9,
        d14 = m7 ^ d5;
    /* ... its inverse, in the 16 gates of Boyar and Peralta; ... */
    const uint64_t i1 = d11 ^ d14, i2 = d11 & d12, i3 = d13 ^ i2, i4 = i1 & i3, i5 = i4 ^ d14, i6 = d12 ^ d13,
        i7 = d14 ^ i2, i8 = i7 & i6, i9 = i8 ^ d13, i10 = d12 ^ i9, i11 = i3 ^ i9, i12 = d13 & i11, i13 = i12 ^ i10,
        i14 = i3 ^ i12, i15 = i5 & i14, i16 = i1 ^ i15;
    const uint64_t e1 = i16 ^ i5, e2 = i13 ^ i9, e3 = e1 ^ e2, e4 = i9 ^ i5, e5 = i13 ^ i16;
    /* ... and the inverse times both halves. */
    const uint64_t p1 = i13 & u28, p2 = i9 & u18, p3 = e2 & u20, p4 = i16 & u27, p5 = i5 & u8, p6 = e1 & u21,
        p7 = e5 & u22, p8 = e4 & u4, p9 = e3 & u23;
    const uint64_t q1 = i13 & x[7], q2 = i9 & u15, q3 = e2 & u25, q4 = i16 & u26, q5 = i5 & u1, q6 = e1 & u19,
        q7 = e5 & u2, q8 = e4 & u16, q9 = e3 & u12;
    /* From the products to S1 and to S0 ^ S1. */
    const uint64_t v1 = p2 ^ p5, v2 = p1 ^ v1, v3 = p8 ^ p9, v4 = p6 ^ v3, v5 = q2 ^ q3, v6 = q4 ^ q9, v7 = q5 ^ q7,
        v8 = p4 ^ q6, v9 = v2 ^ v4, v10 = q5 ^ v5, v11 = v6 ^ v7, v12 = p3 ^ v10, v13 = q8 ^ v2, v14 = q1 ^ q9,
        v15 = v8 ^ v13, v16 = q3 ^ v9, v17 = v1 ^ v12, v18 = q7 ^ v5, v19 = p5 ^ p7, v20 = p4 ^ v11, v21 = q6 ^ v16,
        v22 = v6 ^ v15, v23 = v4 ^ v14, v24 = v3 ^ v17, v25 = q1 ^ v21, v26 = v8 ^ v10, v27 = q8 ^ v17,
        v28 = v13 ^ v18, v29 = q8 ^ v9, v30 = v7 ^ v15, v31 = q4 ^ v25, v32 = v8 ^ v24, v33 = q2 ^ v23,
        v34 = v7 ^ v21, v35 = p1 ^ v19, v36 = v9 ^ v11, v37 = p4 ^ q7, v38 = v2 ^ v20, v39 = v14 ^ v34,
        v40 = p8 ^ v12, v41 = p9 ^ v19, v42 = v6 ^ v27, v43 = v8 ^ v40, v44 = v4 ^ v26, v45 = v18 ^ v29,
        v46 = p4 ^ v28, v47 = p6 ^ v42, v48 = v35 ^ v43, v49 = v33 ^ v37, v50 = v20 ^ v41;
    x[0] = v44 ^ (v38 & EVEN_BYTES);
    x[1] = v46 ^ (v39 & EVEN_BYTES);
    x[2] = v11 ^ (v48 & EVEN_BYTES);
    x[3] = v31 ^ (v47 & EVEN_BYTES);
    x[4] = v30 ^ (v22 & EVEN_BYTES);
    x[5] = v50 ^ (v9 & EVEN_BYTES);
    x[6] = v36 ^ (v49 & EVEN_BYTES);
    x[7] = v32 ^ (v45 & EVEN_BYTES);
}

/* G's second half. With the bytes a0 … a3 of the S-boxes, bit b of byte j of the result is a0 ^ a1 ^ a2 ^ a3 ^ ai with
 * i = b / 2 - j modulo 4; here b / 2 is even or odd, and the mask distinguishes the two of each kind. */
static inline uint64_t seed_mix_even(uint64_t a, uint64_t mask)
{
    const uint64_t pairs = a ^ seed_rotate(a, 32);
    return seed_rotate(pairs, 16) ^ a ^ (pairs & mask);
}

static inline uint64_t seed_mix_odd(uint64_t a, uint64_t mask)
{
    const uint64_t pairs = a ^ seed_rotate(a, 32);
    return pairs ^ seed_rotate(a ^ (pairs & mask), 16);
}

static void seed_g(uint64_t x[SEED_PLANES])
{
    seed_substitute(x);
    /* The constants 0xa9 and 0x38, transformed by G, are added here. */
    x[0] = seed_mix_even(x[0], EVEN_BYTES) ^ EVEN_BYTES;
    x[1] = seed_mix_even(x[1], EVEN_BYTES);
    x[2] = seed_mix_odd(x[2], ODD_BYTES);
    x[3] = ~seed_mix_odd(x[3], ODD_BYTES);
    x[4] = seed_mix_even(x[4], ODD_BYTES) ^ ODD_BYTES;
    x[5] = ~seed_mix_even(x[5], ODD_BYTES);
    x[6] = seed_mix_odd(x[6], EVEN_BYTES);
    x[7] = seed_mix_odd(x[7], EVEN_BYTES) ^ ODD_BYTES;
}

/* x += y */
static void seed_add(uint64_t x[SEED_PLANES], const uint64_t y[SEED_PLANES])
{
    uint64_t propagate[SEED_PLANES], carry[SEED_PLANES + 1], all = UINT64_MAX;
    carry[0] = 0;
    EACH_PLANE {
        const uint64_t sum = x[b] ^ y[b];
        carry[b + 1] = (x[b] & y[b]) ^ (sum & carry[b]);
        propagate[b] = all;
        all &= sum;
        x[b] = sum ^ carry[b];
    }
    /* The carry into each byte from the bytes below it. */
    const uint64_t made = carry[SEED_PLANES] << 16, passed = all << 16;
    uint64_t in = made | (passed & made << 16);
    in |= passed & passed << 16 & in << 32;
    EACH_PLANE
        x[b] ^= propagate[b] & in;
}

/* x ^= y */
static inline void seed_xor_planes(uint64_t x[SEED_PLANES], const uint64_t y[SEED_PLANES])
{
    EACH_PLANE
        x[b] ^= y[b];
}

/* Puts byte j of the word at bit 16 * j. */
static inline uint64_t seed_spread(uint32_t w)
{
    uint64_t v = (w | (uint64_t)w << 16) & 0x0000ffff0000ffffu;
    return (v | v << 8) & 0x00ff00ff00ff00ffu;
}

static inline uint32_t seed_gather(uint64_t v)
{
    v &= 0x00ff00ff00ff00ffu;
    v = (v | v >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(v | v >> 16);
}

/* The same word in every lane. */
static inline void seed_broadcast(uint64_t x[SEED_PLANES], uint32_t word)
{
    const uint64_t v = seed_spread(word);
    EACH_PLANE {
        const uint64_t bit = v >> b & 0x0001000100010001u;
        x[b] = (bit << 16) - bit;
    }
}

/* As transpose_bits, with loops that compilers do not unroll. */
static void seed_transpose(uint64_t x[SEED_PLANES])
{
    for (unsigned b = 0; b < 8; b += 2)
        transpose_exchange(&x[b], &x[b + 1], 1, 0x5555555555555555u);
    for (unsigned b = 0; b < 8; b += b % 2 ? 3 : 1)
        transpose_exchange(&x[b], &x[b + 2], 2, 0x3333333333333333u);
    for (unsigned b = 0; b < 4; b++)
        transpose_exchange(&x[b], &x[b + 4], 4, 0x0f0f0f0f0f0f0f0fu);
}

static void seed_pack(uint64_t x[SEED_PLANES], const uint32_t word[SEED_LANES])
{
    for (unsigned r = 0; r < 8; r++)
        x[r] = seed_spread(word[r]) | seed_spread(word[r + 8]) << 8;
    seed_transpose(x);
}

/* Changes x. */
static void seed_unpack(uint32_t word[SEED_LANES], uint64_t x[SEED_PLANES])
{
    seed_transpose(x);
    for (unsigned r = 0; r < 8; r++) {
        word[r] = seed_gather(x[r]);
        word[r + 8] = seed_gather(x[r] >> 8);
    }
}

static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    runnel_seed_schedule *schedule = state;
    uint64_t x[SEED_PLANES];
    runnel_seed_key_words(schedule->words, key);
    for (unsigned i = 0; i < 32; i += SEED_LANES) {
        seed_pack(x, schedule->words + i);
        seed_g(x);
        seed_unpack(schedule->words + i, x);
    }
    runnel_wipe(x, sizeof x);
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

/* block[0 … 1] ^= F(block[2 … 3]) */
static void seed_half_round(uint64_t left[2][SEED_PLANES], uint64_t right[2][SEED_PLANES], const uint32_t key[2])
{
    uint64_t c[SEED_PLANES], d[SEED_PLANES];
    seed_broadcast(c, key[0]);
    seed_broadcast(d, key[1]);
    seed_xor_planes(c, right[0]);
    seed_xor_planes(d, right[1]);
    seed_xor_planes(d, c);
    seed_g(d);
    seed_add(c, d);
    seed_g(c);
    seed_add(d, c);
    seed_g(d);
    seed_add(c, d);
    seed_xor_planes(left[0], c);
    seed_xor_planes(left[1], d);
}

static void seed_encrypt_planes(const runnel_seed_schedule *schedule, uint64_t x[SEED_WORDS][SEED_PLANES])
{
    for (unsigned i = 0; i < 32; i += 4) {
        seed_half_round(x, x + 2, schedule->words + i);
        seed_half_round(x + 2, x, schedule->words + i + 2);
    }
}

/* Writes up to 16 blocks: in XOR the planes; in == NULL the planes. The halves change places, since there is no
 * swap after the last round. Changes x and word. */
static void seed_write_blocks(uint8_t *out, const uint8_t *in, size_t nblocks, uint64_t x[SEED_WORDS][SEED_PLANES],
                              uint32_t word[SEED_LANES])
{
    for (unsigned w = 0; w < SEED_WORDS; w++) {
        seed_unpack(word, x[w ^ 2]);
        for (size_t n = 0; n < nblocks; n++) {
            const size_t at = 16 * n + 4 * w;
            runnel_store32be(out + at, word[n] ^ (in == NULL ? 0 : runnel_load32be(in + at)));
        }
    }
}

static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint64_t x[SEED_WORDS][SEED_PLANES];
    uint32_t word[SEED_LANES] = {0};
    while (nblocks > 0) {
        const size_t count = nblocks < SEED_LANES ? nblocks : SEED_LANES;
        for (unsigned w = 0; w < SEED_WORDS; w++) {
            for (size_t n = 0; n < count; n++)
                word[n] = runnel_load32be(in + 16 * n + 4 * w);
            seed_pack(x[w], word);
        }
        seed_encrypt_planes(state, x);
        seed_write_blocks(out, NULL, count, x, word);
        in += 16 * count;
        out += 16 * count;
        nblocks -= count;
    }
    runnel_wipe(x, sizeof x);
    runnel_wipe(word, sizeof word);
}

static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                       size_t nblocks)
{
    (void)prefix;
    uint64_t x[SEED_WORDS][SEED_PLANES];
    uint32_t word[SEED_LANES];
    uint32_t counter = runnel_load32be(block + 12);
    while (nblocks > 0) {
        const size_t count = nblocks < SEED_LANES ? nblocks : SEED_LANES;
        for (unsigned w = 0; w < SEED_WORDS - 1; w++)
            seed_broadcast(x[w], runnel_load32be(block + 4 * w));
        for (unsigned n = 0; n < SEED_LANES; n++)
            word[n] = counter + n;
        seed_pack(x[SEED_WORDS - 1], word);
        seed_encrypt_planes(state, x);
        seed_write_blocks(out, in, count, x, word);
        counter += SEED_LANES;
        out += 16 * count;
        if (in != NULL)
            in += 16 * count;
        nblocks -= count;
    }
    runnel_wipe(x, sizeof x);
    runnel_wipe(word, sizeof word);
}

const runnel_kernel runnel_seed_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("bit slices of a byte; inverse by the tower field of Boyar and Peralta, ePrint 2011/332"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};
