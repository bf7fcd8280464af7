/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA (RFC 5794) on planes. KEY_BYTES is 16, 24 or 32.
 *
 * Its S-boxes are that of AES between linear maps: with F the function s_box, which gives S1 except for the constant 0x63,
 * S2 = Q F(x) ^ 0xe2, S3 = T F(T x ^ 0x05), S4 = T F(R x ^ 0x2c). The constants are in the round keys. */
#ifndef RUNNEL_GPU_ARIA
#define RUNNEL_GPU_ARIA

#include "aes_s_box.cuh"
#include "planes.cuh"

enum {
    ROUNDS = KEY_BYTES / 4 + 8,
    PREFIX_ROUNDS = 1,
    ROUND_KEYS = 4 * (ROUNDS + 1),
};

enum { LAST_KEY = ROUNDS * PLANES }; /* where its four words are, after the masks of the others */

DEVICE void map_q(u32 x[8])
{
    const u32 t0 = x[1] ^ x[4], t1 = x[5] ^ x[7], t2 = x[6] ^ t1, t3 = x[0] ^ x[1];
    const u32 q1 = t0, q2 = t2 ^ x[0] ^ t0, q3 = t0 ^ x[2] ^ x[7], q4 = x[5] ^ t0, q5 = x[3] ^ t0;
    const u32 q0 = x[7] ^ t3, q7 = t2 ^ x[2] ^ t3;
    x[0] = q0, x[1] = q1, x[2] = q2, x[3] = q3, x[4] = q4, x[5] = q5, x[6] = t1, x[7] = q7;
}

/* The inverse of the linear map of AES's S-box. */
DEVICE void map_t(u32 x[8])
{
    u32 y[8];
    UNROLL
    for (u32 i = 0; i < 8; i++)
        XOR3(y[i], x[(i + 2) % 8], x[(i + 5) % 8], x[(i + 7) % 8]);
    UNROLL
    for (u32 i = 0; i < 8; i++)
        x[i] = y[i];
}

DEVICE void map_r(u32 x[8])
{
    const u32 t0 = x[6] ^ x[7], t1 = x[2] ^ x[5], t2 = x[4] ^ t1, t4 = x[0] ^ x[3], t5 = t0 ^ x[1] ^ x[2];
    const u32 r6 = x[7] ^ t2 ^ t4, r4 = x[0] ^ x[1] ^ t2, r3 = x[0] ^ t5, r5 = x[4] ^ t5;
    const u32 r0 = x[3] ^ x[4], r1 = x[6] ^ t1, r2 = x[4] ^ x[6], r7 = t0 ^ t4;
    x[0] = r0, x[1] = r1, x[2] = r2, x[3] = r3, x[4] = r4, x[5] = r5, x[6] = r6, x[7] = r7;
}

/* The S-box of a byte by its kind: 0 to 3 for S1 to S4, without constants. */
DEVICE void s_box_of_kind(u32 q[8], u32 kind)
{
    if (kind == 2)
        map_t(q);
    if (kind == 3)
        map_r(q);
    s_box(q);
    if (kind == 1)
        map_q(q);
    if (kind >= 2)
        map_t(q);
}

/* The kind of the S-box of byte i: odd rounds go through S1, S2, S3, S4 in turn, even ones through S3, S4, S1, S2. */
DEVICE u32 kind_of(u32 round, u32 i)
{
    return (i + (round % 2 == 0 ? 2 : 0)) % 4;
}

/* What is left out before an S-box of the kind, taken back through its first map, and after it; a byte each. */
#define BEFORE 0xe2630000u /* T and R of these are 0x05 and 0x2c */
#define AFTER 0x0000e263u

DEVICE void substitute(u32 s[PLANES], u32 round)
{
    UNROLL
    for (u32 i = 0; i < 16; i++)
        s_box_of_kind(s + 8 * i, kind_of(round, i));
}

/* The diffusion layer on one word of each byte, 48 XORs of two inputs; then the masks. */
DEVICE void diffuse(u32 x[16])
{
    const u32 t0 = x[7] ^ x[10], t1 = x[0] ^ t0, t2 = x[0] ^ x[5], t3 = x[6] ^ x[13], t4 = x[3] ^ t3;
    const u32 t5 = x[13] ^ t1, t6 = x[9] ^ x[14], t7 = x[11] ^ x[14], t8 = x[4] ^ t6, t9 = x[3] ^ t8;
    const u32 t10 = x[9] ^ x[12], t11 = x[7] ^ t10, t12 = x[2] ^ x[7], t13 = x[9] ^ t12, t14 = x[2] ^ x[5];
    const u32 t15 = x[5] ^ t7, t16 = x[8] ^ t14, t17 = x[8] ^ t4, y0 = t17 ^ t8, y13 = t17 ^ t1;
    const u32 y3 = t5 ^ t15, t18 = t2 ^ t15, t19 = x[11] ^ t2, t20 = x[11] ^ x[12], t21 = x[1] ^ t20;
    const u32 y7 = t17 ^ t21, t22 = x[6] ^ t21, y12 = t22 ^ t13, t23 = x[12] ^ t9, t24 = t7 ^ t22;
    const u32 y9 = t19 ^ t24, y11 = t12 ^ t23, y14 = t9 ^ t19, t25 = x[1] ^ x[4], t26 = x[15] ^ t25;
    const u32 t27 = x[15] ^ t16, y4 = t27 ^ t18, y10 = t4 ^ t27, y1 = t27 ^ t11, t28 = t5 ^ t11;
    const u32 y6 = t12 ^ t28, y8 = t26 ^ t5, t29 = x[10] ^ t26, t30 = t29 ^ t22, y2 = x[1] ^ t30;
    const u32 t31 = t29 ^ t9, y15 = t29 ^ t16, y5 = x[4] ^ t31;
    x[0] = y0, x[1] = y1, x[2] = y2, x[3] = y3, x[4] = y4, x[5] = y5, x[6] = y6, x[7] = y7;
    x[8] = y8, x[9] = y9, x[10] = y10, x[11] = y11, x[12] = y12, x[13] = y13, x[14] = y14, x[15] = y15;
}

DEVICE void mix(u32 s[PLANES], const u32 *key)
{
    UNROLL
    for (u32 bit = 0; bit < 8; bit++) {
        u32 x[16];
        UNROLL
        for (u32 i = 0; i < 16; i++)
            x[i] = s[8 * i + bit];
        diffuse(x);
        UNROLL
        for (u32 i = 0; i < 16; i++)
            s[8 * i + bit] = x[i];
    }
    UNROLL
    for (u32 i = 0; i < PLANES; i++)
        s[i] ^= key[i];
}

/* Rounds 2 to ROUNDS - 1. */
DEVICE void middle_rounds(u32 s[PLANES], const u32 *keys)
{
    ROLLED
    for (u32 i = 0; i < ROUNDS - 2; i += 2) {
        substitute(s, 2);
        mix(s, keys + i * PLANES);
        substitute(s, 3);
        mix(s, keys + (i + 1) * PLANES);
    }
}

/* The last round has no diffusion. */
DEVICE void finish(u32 s[PLANES])
{
    (void)s;
}

/* What the counter's byte at `moving` adds to the state after round 1; for one of the four bytes, with_key is 1 and what
 * does not move is in it too. */
DEVICE void prefix(u32 s[PLANES], const u32 *masks, const u32 *no_key, u32 moving, u32 with_key)
{
    substitute(s, 1);
    UNROLL
    for (u32 i = 0; i < 16; i++) {
        const u32 keep = 0 - (u32)(i == moving || (with_key && i / 4 != moving / 4));
        UNROLL
        for (u32 bit = 0; bit < 8; bit++)
            s[8 * i + bit] &= keep;
    }
    mix(s, with_key ? masks + PLANES : no_key);
}

DEVICE u32 aria_byte(const u32 *x, u32 i)
{
    return x[i / 4] >> 8 * (i % 4) & 255;
}

/* Substitution of a block, then the diffusion, for the key set-up. */
DEVICE void round_of_block(u32 block[4], u32 round)
{
    u32 x[16] = {0};
    ROLLED
    for (u32 i = 0; i < 16; i++) {
        const u32 kind = kind_of(round, i), byte = aria_byte(block, i) ^ (BEFORE >> 8 * kind & 255);
        u32 q[8];
        UNROLL
        for (u32 bit = 0; bit < 8; bit++)
            q[bit] = byte >> bit & 1;
        s_box_of_kind(q, kind);
        u32 out = AFTER >> 8 * kind & 255;
        UNROLL
        for (u32 bit = 0; bit < 8; bit++)
            out ^= (q[bit] & 1) << bit;
        UNROLL
        for (u32 k = 0; k < 16; k++)
            x[k] = k == i ? out : x[k];
    }
    diffuse(x);
    UNROLL
    for (u32 i = 0; i < 4; i++)
        block[i] = x[4 * i] | x[4 * i + 1] << 8 | x[4 * i + 2] << 16 | x[4 * i + 3] << 24;
}

/* Word i of a block, its first byte the most significant. */
DEVICE u32 number(const u32 *block, u32 i)
{
    return permute(block[i % 4], 0, 0x0123);
}

/* The constants of the key set-up (RFC 5794 2.2), each word's first byte the lowest. */
CONSTANT u32 aria_constants[12] = {0xb7c17c51, 0x940a2227, 0xe8ab13fe, 0xe06e9afa, 0xcc4ab16d, 0x20c8219e,
                                   0xd5b128ff, 0xb0e25def, 0x1d3792db, 0x70e92621, 0x75972403, 0x0ec9e804};

DEVICE void expand(u32 *w)
{
    u32 blocks[4][4], rest[4];
    UNROLL
    for (u32 i = 0; i < 4; i++) {
        blocks[0][i] = w[i];
        rest[i] = 4 + i < KEY_BYTES / 4 ? w[4 + i] : 0;
    }
    UNROLL
    for (u32 step = 0; step < 3; step++) {
        const u32 constant = (step + KEY_BYTES / 8 - 2) % 3;
        UNROLL
        for (u32 i = 0; i < 4; i++)
            blocks[step + 1][i] = blocks[step][i] ^ aria_constants[4 * constant + i];
        round_of_block(blocks[step + 1], step + 1);
        UNROLL
        for (u32 i = 0; i < 4; i++)
            blocks[step + 1][i] ^= step == 0 ? rest[i] : blocks[step - 1][i];
    }
    UNROLL
    for (u32 key = 0; key <= ROUNDS; key++) {
        const u32 turn = key / 4, by = turn == 0 ? 19 : turn == 1 ? 31 : turn == 2 ? 67 : turn == 3 ? 97 : 109;
        const u32 *turned = blocks[(key + 1) % 4];
        UNROLL
        for (u32 i = 0; i < 4; i++) {
            const u32 high = number(turned, i + 3 - by / 32), low = number(turned, i + 4 - by / 32);
            const u32 x = low >> by % 32 | high << (32 - by % 32);
            w[4 * key + i] = blocks[key % 4][i] ^ permute(x, 0, 0x0123);
        }
    }
}

/* A word of the key before a round's S-boxes, counted from 0, with the constants of these and of those before. */
DEVICE u32 key_word(const u32 *w, u32 round, u32 word)
{
    u32 before = 0, after = 0;
    u32 x[16];
    UNROLL
    for (u32 i = 0; i < 16; i++) {
        x[i] = round > 0 ? AFTER >> 8 * kind_of(round, i) & 255 : 0;
        if (i / 4 == word && round < ROUNDS)
            before |= (BEFORE >> 8 * kind_of(round + 1, i) & 255) << 8 * (i % 4);
    }
    if (round < ROUNDS)
        diffuse(x);
    UNROLL
    for (u32 i = 0; i < 16; i++)
        if (i / 4 == word)
            after |= x[i] << 8 * (i % 4);
    return w[4 * round + word] ^ before ^ after;
}

DEVICE u32 key_mask(const u32 *w, u32 round, u32 plane)
{
    return mask_of(key_word(w, round, plane / 32), plane % 32);
}

DEVICE u32 last_key(const u32 *w, u32 word)
{
    return key_word(w, ROUNDS, word);
}

#endif
