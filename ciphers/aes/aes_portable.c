/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES without tables: four blocks at a time, bit planes in eight 64-bit words, ShiftRows never carried out
 * (fixslicing). Bit i of every state byte is in word i; the byte in row r, column c of block b is bit 16 r + 4 c + b.
 *
 * After round r the words hold SR^-r of the state (SR = ShiftRows, SR^4 = 1). So MixColumns fetches "the byte k rows
 * below" k * r columns further right, and round key r is stored under SR^-r. The four NOTs of the S-box are in the
 * round keys as well. */
#include "../../core/bytes.h"
#include "../../core/wipe.h"
#include "aes_kernels.h"

#define BLOCKS 4

/* Before a loop over bit planes: they are to stay in registers. */
#if defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* All 64 S-boxes by the circuit of Boyar and Peralta, but for NOTS, which is left to the caller. */
static inline void sub_bytes_without_nots(uint64_t q[8])
{
    const uint64_t x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];
    const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3;
    const uint64_t y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5;
    const uint64_t y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11;
    const uint64_t y19 = y10 ^ y8, y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16, t2 = y12 & y15, t3 = y3 & y6;
    const uint64_t t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7;
    const uint64_t t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
    const uint64_t t17 = t4 ^ t14, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20, t22 = t18 ^ y19;
    const uint64_t t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27;
    const uint64_t t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33;
    const uint64_t t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39;
    const uint64_t t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41, z0 = t44 & y15;
    const uint64_t z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11;
    const uint64_t z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13;
    const uint64_t z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8, t46 = z15 ^ z16;
    const uint64_t t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8;
    const uint64_t t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53, t58 = z4 ^ t46;
    const uint64_t t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59;
    const uint64_t t65 = t61 ^ t62, t66 = z1 ^ t63, s0 = t59 ^ t63, s6 = t56 ^ t62, s7 = t48 ^ t60, t67 = t64 ^ t65;
    const uint64_t s3 = t53 ^ t66, s4 = t51 ^ t66, s5 = t47 ^ t65, s1 = t64 ^ s3, s2 = t55 ^ t67;
    q[7] = s0, q[6] = s1, q[5] = s2, q[4] = s3, q[3] = s4, q[2] = s5, q[1] = s6, q[0] = s7;
}

#define NOTS 0x63 /* bit i: the circuit gives the complement of bit i */

static inline uint64_t rotate_right(uint64_t w, unsigned n)
{
    return n == 0 ? w : w >> n | w << (64 - n);
}

/* Brings up the bytes k rows below, which after round v (modulo 4) are k * v columns further right. */
static inline uint64_t rows_below(uint64_t w, unsigned k, unsigned v)
{
    const unsigned columns = k * v % 4;
    if (columns == 0)
        return rotate_right(w, 16 * k);
    const uint64_t lane = 0xffffu >> 4 * columns, stay = lane | lane << 16 | lane << 32 | lane << 48;
    const unsigned n = 16 * k + 4 * columns;
    return (rotate_right(w, n % 64) & stay) | (rotate_right(w, (n - 16) % 64) & ~stay);
}

/* MixColumns in the rows as they are after round v, and the round key. */
static inline void mix_columns_add_key(uint64_t q[8], unsigned v, const uint64_t key[8])
{
    uint64_t below[8], sum[8];
    UNROLLED
    for (int i = 0; i < 8; i++) {
        below[i] = rows_below(q[i], 1, v);
        sum[i] = q[i] ^ below[i];
    }
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] = below[i] ^ rows_below(sum[i], 2, v) ^ (i > 0 ? sum[i - 1] : 0) ^ (0x1b >> i & 1 ? sum[7] : 0) ^ key[i];
}

static inline void add_key(uint64_t q[8], const uint64_t key[8])
{
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] ^= key[i];
}

static inline void swap_bits(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    uint64_t t = (*a >> shift ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

/* Transposes the 8 x 8 bits of each byte position; its own inverse. */
static inline void transpose(uint64_t q[8])
{
    UNROLLED
    for (int i = 0; i < 8; i += 2)
        swap_bits(&q[i], &q[i + 1], 1, 0x5555555555555555);
    UNROLLED
    for (int i = 0; i < 8; i += 4) {
        swap_bits(&q[i], &q[i + 2], 2, 0x3333333333333333);
        swap_bits(&q[i + 1], &q[i + 3], 2, 0x3333333333333333);
    }
    UNROLLED
    for (int i = 0; i < 4; i++)
        swap_bits(&q[i], &q[i + 4], 4, 0x0f0f0f0f0f0f0f0f);
}

/* Puts the four bytes of x into every other byte. */
static inline uint64_t spread(uint32_t x)
{
    uint64_t w = x;
    w = (w | w << 16) & 0x0000ffff0000ffff;
    return (w | w << 8) & 0x00ff00ff00ff00ff;
}

static inline uint32_t gather(uint64_t w)
{
    w &= 0x00ff00ff00ff00ff;
    w = (w | w >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(w | w >> 16);
}

/* Before the transposition words b and 4 + b hold columns 0, 2 and 1, 3 of block b, their bytes alternating. */
static inline void pack(uint64_t q[8], const uint8_t in[16 * BLOCKS])
{
    UNROLLED
    for (int b = 0; b < BLOCKS; b++, in += 16) {
        q[b] = spread(runnel_load32le(in)) | spread(runnel_load32le(in + 8)) << 8;
        q[4 + b] = spread(runnel_load32le(in + 4)) | spread(runnel_load32le(in + 12)) << 8;
    }
    transpose(q);
}

static inline void unpack(uint8_t out[16 * BLOCKS], uint64_t q[8])
{
    transpose(q);
    UNROLLED
    for (int b = 0; b < BLOCKS; b++, out += 16) {
        runnel_store32le(out, gather(q[b]));
        runnel_store32le(out + 4, gather(q[4 + b]));
        runnel_store32le(out + 8, gather(q[b] >> 8));
        runnel_store32le(out + 12, gather(q[4 + b] >> 8));
    }
}

/* ShiftRows twice: rows 1 and 3 by two columns. */
static inline uint64_t shift_rows_twice(uint64_t w)
{
    uint64_t t = (w ^ w >> 8) & 0x00ff000000ff0000;
    return w ^ t ^ t << 8;
}

/* SR^-v. */
static uint64_t shift_rows_back(uint64_t w, unsigned v)
{
    uint64_t result = 0;
    for (unsigned row = 0; row < 4; row++) {
        unsigned n = 4 * (v * row % 4);
        uint64_t lane = w >> 16 * row & 0xffff;
        result |= ((lane << n | lane >> (16 - n)) & 0xffff) << 16 * row;
    }
    return result;
}

static uint32_t sub_word(uint32_t w)
{
    uint64_t q[8];
    for (int i = 0; i < 8; i++)
        q[i] = w >> i & 0x01010101;
    sub_bytes_without_nots(q);
    w = 0;
    for (int i = 0; i < 8; i++)
        w |= (uint32_t)q[i] << i;
    runnel_wipe(q, sizeof q);
    return w ^ 0x01010101u * NOTS;
}

static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    aes_schedule *s = state;
    const unsigned nk = (unsigned)key_bytes / 4;
    const unsigned rounds = nk + 6;
    s->rounds = (uint8_t)rounds;
    uint32_t w[60], rcon = 1;
    for (unsigned i = 0; i < nk; i++)
        w[i] = runnel_load32le(key + 4 * i);
    for (unsigned i = nk; i < 4 * (rounds + 1); i++) {
        uint32_t t = w[i - 1];
        if (i % nk == 0) {
            t = sub_word(t >> 8 | t << 24) ^ rcon;
            rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
        } else if (nk == 8 && i % nk == 4) {
            t = sub_word(t);
        }
        w[i] = w[i - nk] ^ t;
    }

    uint8_t copies[16 * BLOCKS];
    for (unsigned r = 0; r <= rounds; r++) {
        for (int b = 0; b < BLOCKS; b++)
            for (int c = 0; c < 4; c++)
                runnel_store32le(copies + 16 * b + 4 * c, w[4 * r + (unsigned)c]);
        uint64_t *q = s->keys.sliced[r];
        pack(q, copies);
        for (int i = 0; i < 8; i++) {
            if (r < rounds)
                q[i] = shift_rows_back(q[i], r % 4);
            if (r > 0 && (NOTS >> i & 1))
                q[i] = ~q[i];
        }
    }
    runnel_wipe(w, sizeof w);
    runnel_wipe(copies, sizeof copies);
}

static inline void middle_round(uint64_t q[8], unsigned v, const uint64_t key[8])
{
    sub_bytes_without_nots(q);
    mix_columns_add_key(q, v, key);
}

static void encrypt_sliced(uint64_t q[8], const aes_schedule *s)
{
    const unsigned rounds = s->rounds;
    const uint64_t(*key)[8] = s->keys.sliced;
    add_key(q, key[0]);
    for (unsigned r = 1;; r += 4) {
        middle_round(q, 1, key[r]);
        if (r == rounds - 1)
            break;
        middle_round(q, 2, key[r + 1]);
        middle_round(q, 3, key[r + 2]);
        if (r + 2 == rounds - 1)
            break;
        middle_round(q, 0, key[r + 3]);
    }
    sub_bytes_without_nots(q);
    if (rounds % 4 == 2) {
        UNROLLED
        for (int i = 0; i < 8; i++)
            q[i] = shift_rows_twice(q[i]);
    }
    add_key(q, key[rounds]);
}

typedef void (*sliced_function)(uint64_t q[8], const aes_schedule *s);

static inline void each_batch(const aes_schedule *s, uint8_t *out, const uint8_t *in, size_t nblocks, sliced_function f)
{
    uint64_t q[8];
    for (; nblocks >= BLOCKS; nblocks -= BLOCKS) {
        pack(q, in);
        f(q, s);
        unpack(out, q);
        in += 16 * BLOCKS;
        out += 16 * BLOCKS;
    }
    if (nblocks > 0) {
        uint8_t last[16 * BLOCKS] = {0};
        memcpy(last, in, 16 * nblocks);
        pack(q, last);
        f(q, s);
        unpack(last, q);
        memcpy(out, last, 16 * nblocks);
        runnel_wipe(last, sizeof last);
    }
    runnel_wipe(q, sizeof q);
}

static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    each_batch(state, out, in, nblocks, encrypt_sliced);
}

#if RUNNEL_DECRYPT

/* The inverse of the S-box's affine map, but for its constant: bit i is that of bits i + 2, i + 5 and i + 7. */
static inline void inverse_affine(uint64_t q[8])
{
    uint64_t in[8];
    UNROLLED
    for (int i = 0; i < 8; i++)
        in[i] = q[i];
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] = in[(i + 2) % 8] ^ in[(i + 5) % 8] ^ in[(i + 7) % 8];
}

static inline void invert_nots(uint64_t q[8])
{
    UNROLLED
    for (int i = 0; i < 8; i++)
        if (NOTS >> i & 1)
            q[i] = ~q[i];
}

/* S = A(inverse) XOR 0x63 in both directions, so S^-1 = A^-1(S(A^-1(x XOR 0x63)) XOR 0x63); the circuit leaves the last
 * XOR out by itself. */
static inline void inverse_sub_bytes(uint64_t q[8])
{
    invert_nots(q);
    inverse_affine(q);
    sub_bytes_without_nots(q);
    inverse_affine(q);
}

/* The inverse of MixColumns is MixColumns of a + 4 (a + a two rows below). */
static inline void inverse_mix_columns(uint64_t q[8])
{
    static const uint64_t no_key[8];
    uint64_t sum[8];
    UNROLLED
    for (int i = 0; i < 8; i++)
        sum[i] = q[i] ^ rows_below(q[i], 2, 0);
    UNROLLED
    for (int i = 0; i < 8; i++) { /* x^8 = x^4 + x^3 + x + 1 for the two bits that 4 shifts out */
        if (i >= 2)
            q[i] ^= sum[i - 2];
        if (0x1b >> i & 1)
            q[i] ^= sum[6];
        if (0x36 >> i & 1)
            q[i] ^= sum[7];
    }
    mix_columns_add_key(q, 0, no_key);
}

static void set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    aes_schedule *s = state;
    set_key(state, key, key_bytes);
    for (unsigned r = 0; r <= s->rounds; r++) { /* as FIPS 197 has them */
        uint64_t *q = s->keys.sliced[r];
        if (r > 0)
            invert_nots(q);
        for (int i = 0; i < 8 && r < s->rounds; i++)
            q[i] = shift_rows_back(q[i], (4 - r % 4) % 4);
    }
}

static void decrypt_sliced(uint64_t q[8], const aes_schedule *s)
{
    add_key(q, s->keys.sliced[s->rounds]);
    for (unsigned r = s->rounds - 1u;; r--) {
        for (int i = 0; i < 8; i++)
            q[i] = shift_rows_back(q[i], 1);
        inverse_sub_bytes(q);
        add_key(q, s->keys.sliced[r]);
        if (r == 0)
            return;
        inverse_mix_columns(q);
    }
}

static void decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    each_batch(state, out, in, nblocks, decrypt_sliced);
}

#endif

const runnel_kernel runnel_aes_portable = {
    .name = RUNNEL_TEXT("portable"),
    .source = RUNNEL_TEXT("fixslicing: Adomnicai, Peyrin, TCHES 2021/1; S-box: Boyar, Peralta; 4 blocks in 64-bit words"),
    .timing = RUNNEL_CONSTANT_TIME,
    .key = set_key,
    .encrypt_blocks = encrypt_blocks,
#if RUNNEL_DECRYPT
    .decrypt_key = set_decrypt_key,
    .decrypt_blocks = decrypt_blocks,
#endif
};
