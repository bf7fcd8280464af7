/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS where the processor has a round of AES: all six ciphers, for kernels whose vectors hold LANES blocks. The includer
 * defines TARGET, vectors as arch/x86/blocks_128.h has them, and STORE_SUM(p, v), which stores the XOR of a vector's blocks.
 *
 * A cipher is its blocks in a lane, 8 or 6, and `wide`, how many vectors its lanes fill; both are constants wherever these
 * functions are called. s[j][i] is vector i of the blocks number j.
 *
 * R(a, k ^ m) = R(a, m) ^ k: so that S0' = R(S7, M0) ^ S0 waits for the message's block beside the round of before and not
 * behind it, and one step takes the time of one round. When opening, M0 itself comes late: S0' = R(S7, 0) ^ (C0 ^ S0) ^ z0. */
#ifndef AEGIS_LANES_H
#define AEGIS_LANES_H

#include "kernels.h"

#define WIDEST (4 / LANES)
#define EACH_VECTOR RUNNEL_UNROLL for (int i = 0; i < wide; i++)

TARGET RUNNEL_INLINE vector aegis_round(vector a, vector k)
{
    return vector_aes_round(a, k);
}

/* S0' = R(S7, m0) ^ k0, S4' = R(S3, m1) ^ k4. */
TARGET RUNNEL_INLINE void aegis_update_128(vector (*s)[WIDEST], const int wide, const vector *m0, const vector *k0,
                                           const vector *m1, const vector *k4)
{
    EACH_VECTOR
    {
        const vector s0 = vector_xor(aegis_round(s[7][i], m0[i]), k0[i]);
        const vector s4 = vector_xor(aegis_round(s[3][i], m1[i]), k4[i]);
        s[7][i] = aegis_round(s[6][i], s[7][i]);
        s[6][i] = aegis_round(s[5][i], s[6][i]);
        s[5][i] = aegis_round(s[4][i], s[5][i]);
        s[4][i] = s4;
        s[3][i] = aegis_round(s[2][i], s[3][i]);
        s[2][i] = aegis_round(s[1][i], s[2][i]);
        s[1][i] = aegis_round(s[0][i], s[1][i]);
        s[0][i] = s0;
    }
}

TARGET RUNNEL_INLINE void aegis_update_256(vector (*s)[WIDEST], const int wide, const vector *m0, const vector *k0)
{
    EACH_VECTOR
    {
        const vector s0 = vector_xor(aegis_round(s[5][i], m0[i]), k0[i]);
        s[5][i] = aegis_round(s[4][i], s[5][i]);
        s[4][i] = aegis_round(s[3][i], s[4][i]);
        s[3][i] = aegis_round(s[2][i], s[3][i]);
        s[2][i] = aegis_round(s[1][i], s[2][i]);
        s[1][i] = aegis_round(s[0][i], s[1][i]);
        s[0][i] = s0;
    }
}

/* With a block of the message; family 256 takes m0 alone. */
TARGET RUNNEL_INLINE void aegis_update(vector (*s)[WIDEST], const int blocks, const int wide, const vector *m0,
                                       const vector *m1)
{
    if (blocks == 8)
        aegis_update_128(s, wide, m0, s[0], m1, s[4]);
    else
        aegis_update_256(s, wide, m0, s[0]);
}

/* Keystream: z0, and for family 128 z1. */
TARGET RUNNEL_INLINE void aegis_keystream_vectors(vector (*s)[WIDEST], const int blocks, const int wide, vector *z0,
                                                  vector *z1)
{
    EACH_VECTOR
    {
        if (blocks == 8) {
            z0[i] = vector_xor(vector_xor(s[1][i], s[6][i]), vector_and(s[2][i], s[3][i]));
            z1[i] = vector_xor(vector_xor(s[2][i], s[5][i]), vector_and(s[6][i], s[7][i]));
        } else {
            z0[i] = vector_xor(vector_xor(s[1][i], vector_xor(s[4][i], s[5][i])), vector_and(s[2][i], s[3][i]));
        }
    }
}

TARGET RUNNEL_INLINE void aegis_load(vector *v, const int wide, const uint8_t *p)
{
    EACH_VECTOR
    v[i] = vector_load(p + VECTOR_BYTES * i);
}

TARGET RUNNEL_INLINE void aegis_store(uint8_t *p, const int wide, const vector *v)
{
    EACH_VECTOR
    vector_store(p + VECTOR_BYTES * i, v[i]);
}

/* out = in ^ z */
TARGET RUNNEL_INLINE void aegis_xor_out(uint8_t *p, const int wide, const vector *in, const vector *z)
{
    EACH_VECTOR
    vector_store(p + VECTOR_BYTES * i, vector_xor(in[i], z[i]));
}

TARGET RUNNEL_INLINE void aegis_absorb_one(vector (*s)[WIDEST], const int blocks, const int wide, const uint8_t *in)
{
    vector m0[WIDEST], m1[WIDEST];
    aegis_load(m0, wide, in);
    if (blocks == 8)
        aegis_load(m1, wide, in + VECTOR_BYTES * wide);
    aegis_update(s, blocks, wide, m0, m1);
}

TARGET RUNNEL_INLINE void aegis_encrypt_one(vector (*s)[WIDEST], const int blocks, const int wide, uint8_t *out,
                                            const uint8_t *in)
{
    vector m0[WIDEST], m1[WIDEST], z0[WIDEST], z1[WIDEST];
    aegis_load(m0, wide, in);
    if (blocks == 8)
        aegis_load(m1, wide, in + VECTOR_BYTES * wide);
    aegis_keystream_vectors(s, blocks, wide, z0, z1);
    aegis_xor_out(out, wide, m0, z0);
    if (blocks == 8)
        aegis_xor_out(out + VECTOR_BYTES * wide, wide, m1, z1);
    aegis_update(s, blocks, wide, m0, m1);
}

TARGET RUNNEL_INLINE void aegis_decrypt_one(vector (*s)[WIDEST], const int blocks, const int wide, uint8_t *out,
                                            const uint8_t *in)
{
    vector c0[WIDEST], c1[WIDEST], z0[WIDEST], z1[WIDEST], k0[WIDEST], k4[WIDEST], zero[WIDEST];
    aegis_load(c0, wide, in);
    if (blocks == 8)
        aegis_load(c1, wide, in + VECTOR_BYTES * wide);
    aegis_keystream_vectors(s, blocks, wide, z0, z1);
    aegis_xor_out(out, wide, c0, z0);
    if (blocks == 8)
        aegis_xor_out(out + VECTOR_BYTES * wide, wide, c1, z1);
    EACH_VECTOR
    {
        zero[i] = vector_zero();
        k0[i] = vector_xor(vector_xor(c0[i], s[0][i]), z0[i]);
        if (blocks == 8)
            k4[i] = vector_xor(vector_xor(c1[i], s[4][i]), z1[i]);
    }
    if (blocks == 8)
        aegis_update_128(s, wide, zero, k0, zero, k4);
    else
        aegis_update_256(s, wide, zero, k0);
}

/* ---- parts of a message ---- */

/* Bytes of a block of the message. */
#define AEGIS_BLOCK(blocks, wide) (VECTOR_BYTES * (wide) * ((blocks) == 8 ? 2 : 1))

/* Byte 0 is the lane's number, byte 1 the last lane's; with one lane both are zero. */
TARGET RUNNEL_INLINE void aegis_separate(vector (*s)[WIDEST], const int wide, int first, int second)
{
    static const uint8_t numbers[4][16] = {{0}, {1}, {2}, {3}};
    if (wide * LANES == 1)
        return;
    const uint8_t last[16] = {[1] = (uint8_t)(wide * LANES - 1)};
    const vector lanes = vector_repeat_at(last);
    EACH_VECTOR
    {
        const vector separator = vector_xor(vector_load(numbers[LANES * i]), lanes);
        s[first][i] = vector_xor(s[first][i], separator);
        s[second][i] = vector_xor(s[second][i], separator);
    }
}

TARGET RUNNEL_INLINE void aegis_init_128(vector (*s)[WIDEST], const int wide, const uint8_t *key, const uint8_t *nonce)
{
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    const vector k = vector_repeat_at(key), n = vector_repeat_at(nonce);
    const vector first = vector_repeat_at(c0), second = vector_repeat_at(c1);
    vector m0[WIDEST], m1[WIDEST];
    EACH_VECTOR
    {
        s[0][i] = s[4][i] = vector_xor(k, n);
        s[1][i] = s[3][i] = second;
        s[2][i] = first;
        s[5][i] = s[7][i] = vector_xor(k, first);
        s[6][i] = vector_xor(k, second);
        m0[i] = n;
        m1[i] = k;
    }
    for (int r = 0; r < AEGIS_INIT_128; r++) {
        aegis_separate(s, wide, 3, 7);
        aegis_update(s, 8, wide, m0, m1);
    }
}

TARGET RUNNEL_INLINE void aegis_init_256(vector (*s)[WIDEST], const int wide, const uint8_t *key, const uint8_t *nonce)
{
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    const vector k0 = vector_repeat_at(key), k1 = vector_repeat_at(key + 16);
    const vector first = vector_repeat_at(c0), second = vector_repeat_at(c1);
    const vector x0 = vector_xor(k0, vector_repeat_at(nonce)), x1 = vector_xor(k1, vector_repeat_at(nonce + 16));
    vector m[4][WIDEST];
    EACH_VECTOR
    {
        s[0][i] = m[2][i] = x0;
        s[1][i] = m[3][i] = x1;
        s[2][i] = second;
        s[3][i] = first;
        s[4][i] = vector_xor(k0, first);
        s[5][i] = vector_xor(k1, second);
        m[0][i] = k0;
        m[1][i] = k1;
    }
    for (int r = 0; r < AEGIS_INIT_256; r++) {
        RUNNEL_UNROLL
        for (int j = 0; j < 4; j++) {
            aegis_separate(s, wide, 3, 5);
            aegis_update(s, 6, wide, m[j], m[j]);
        }
    }
}

TARGET RUNNEL_INLINE void aegis_init(vector (*s)[WIDEST], const int blocks, const int wide, const uint8_t *key,
                                     const uint8_t *nonce)
{
    if (blocks == 8)
        aegis_init_128(s, wide, key, nonce);
    else
        aegis_init_256(s, wide, key, nonce);
}

TARGET RUNNEL_INLINE void aegis_absorb_blocks(vector (*s)[WIDEST], const int blocks, const int wide, const uint8_t *in,
                                              size_t nblocks)
{
    for (; nblocks > 0; nblocks--, in += AEGIS_BLOCK(blocks, wide))
        aegis_absorb_one(s, blocks, wide, in);
}

TARGET RUNNEL_INLINE void aegis_crypt_blocks(vector (*s)[WIDEST], const int blocks, const int wide, uint8_t *out,
                                             const uint8_t *in, size_t nblocks, int decrypt)
{
    const int block = AEGIS_BLOCK(blocks, wide);
    if (decrypt)
        for (; nblocks > 0; nblocks--, in += block, out += block)
            aegis_decrypt_one(s, blocks, wide, out, in);
    else
        for (; nblocks > 0; nblocks--, in += block, out += block)
            aegis_encrypt_one(s, blocks, wide, out, in);
}

/* The last bytes of a text, fewer than a block: zeros come behind them, in opening too. */
TARGET RUNNEL_INLINE void aegis_crypt_rest(vector (*s)[WIDEST], const int blocks, const int wide, uint8_t *out,
                                           const uint8_t *in, size_t bytes, int decrypt)
{
    uint8_t block[AEGIS_BLOCK(8, WIDEST)] = {0}, z[AEGIS_BLOCK(8, WIDEST)];
    vector z0[WIDEST], z1[WIDEST];
    memcpy(block, in, bytes);
    aegis_keystream_vectors(s, blocks, wide, z0, z1);
    aegis_store(z, wide, z0);
    if (blocks == 8)
        aegis_store(z + VECTOR_BYTES * wide, wide, z1);
    if (decrypt) {
        runnel_xor_bytes(block, block, z, bytes);
        memcpy(out, block, bytes);
    } else {
        runnel_xor_bytes(out, block, z, bytes);
    }
    aegis_absorb_one(s, blocks, wide, block);
    runnel_wipe(block, sizeof block);
    runnel_wipe(z, sizeof z);
}

TARGET RUNNEL_INLINE void aegis_absorb_padded(vector (*s)[WIDEST], const int blocks, const int wide, const uint8_t *in,
                                              size_t bytes)
{
    const size_t block = AEGIS_BLOCK(blocks, wide), rest = bytes % block;
    aegis_absorb_blocks(s, blocks, wide, in, bytes / block);
    if (rest > 0) {
        uint8_t last[AEGIS_BLOCK(8, WIDEST)] = {0};
        memcpy(last, in + bytes - rest, rest);
        aegis_absorb_one(s, blocks, wide, last);
        runnel_wipe(last, sizeof last);
    }
}

TARGET RUNNEL_INLINE void aegis_make_tag(vector (*s)[WIDEST], const int blocks, const int wide, uint64_t aad_bits,
                                         uint64_t text_bits, uint8_t *tag, size_t tag_bytes)
{
    uint8_t lengths[16];
    vector t[WIDEST], low, high;
    runnel_store64le(lengths, aad_bits);
    runnel_store64le(lengths + 8, text_bits);
    const vector u = vector_repeat_at(lengths);
    EACH_VECTOR
    t[i] = vector_xor(s[blocks == 8 ? 2 : 3][i], u);
    for (int r = 0; r < AEGIS_LAST_UPDATES; r++)
        aegis_update(s, blocks, wide, t, t);
    low = high = vector_zero();
    EACH_VECTOR
    {
        low = vector_xor(low, vector_xor(vector_xor(s[0][i], s[1][i]), s[2][i]));
        if (blocks == 8) {
            low = vector_xor(low, s[3][i]);
            high = vector_xor(high, vector_xor(vector_xor(s[4][i], s[5][i]), s[6][i]));
            if (tag_bytes == 32)
                high = vector_xor(high, s[7][i]);
        } else {
            high = vector_xor(high, vector_xor(vector_xor(s[3][i], s[4][i]), s[5][i]));
        }
    }
    if (tag_bytes == 32) {
        STORE_SUM(tag, low);
        STORE_SUM(tag + 16, high);
    } else {
        STORE_SUM(tag, vector_xor(low, high));
    }
}

TARGET RUNNEL_INLINE void aegis_load_state(vector (*s)[WIDEST], const int blocks, const int wide, const uint8_t *state)
{
    RUNNEL_UNROLL
    for (int j = 0; j < blocks; j++)
        aegis_load(s[j], wide, state + VECTOR_BYTES * wide * j);
}

TARGET RUNNEL_INLINE void aegis_store_state(uint8_t *state, const int blocks, const int wide, vector (*s)[WIDEST])
{
    RUNNEL_UNROLL
    for (int j = 0; j < blocks; j++)
        aegis_store(state + VECTOR_BYTES * wide * j, wide, s[j]);
}

TARGET RUNNEL_INLINE void aegis_whole(const uint8_t *key, const runnel_aead_message *m, uint8_t *tag, const int blocks,
                                      const int wide)
{
    vector s[8][WIDEST];
    const size_t rest = m->bytes % (size_t)AEGIS_BLOCK(blocks, wide), whole = m->bytes - rest;
    aegis_init(s, blocks, wide, key, m->nonce);
    if (m->aad_bytes > 0)
        aegis_absorb_padded(s, blocks, wide, m->aad, m->aad_bytes);
    if (whole > 0)
        aegis_crypt_blocks(s, blocks, wide, m->out, m->in, whole / (size_t)AEGIS_BLOCK(blocks, wide), m->decrypt);
    if (rest > 0)
        aegis_crypt_rest(s, blocks, wide, m->out + whole, m->in + whole, rest, m->decrypt);
    aegis_make_tag(s, blocks, wide, (uint64_t)m->aad_bytes * 8, (uint64_t)m->bytes * 8, tag, m->tag_bytes);
}

/* Defines the functions of a cipher with that many blocks in a lane and so many lanes, as `name`. */
#define AEGIS_CIPHER(name, blocks, lanes)                                                                              \
    TARGET static void name##_start(void *state, const uint8_t *key, const uint8_t *nonce)                             \
    {                                                                                                                  \
        vector s[8][WIDEST];                                                                                           \
        aegis_init(s, blocks, (lanes) / LANES, key, nonce);                                                            \
        aegis_store_state(state, blocks, (lanes) / LANES, s);                                                          \
    }                                                                                                                  \
    TARGET static void name##_absorb(void *state, const uint8_t *data, size_t nblocks)                                 \
    {                                                                                                                  \
        vector s[8][WIDEST];                                                                                           \
        aegis_load_state(s, blocks, (lanes) / LANES, state);                                                           \
        aegis_absorb_blocks(s, blocks, (lanes) / LANES, data, nblocks);                                                \
        aegis_store_state(state, blocks, (lanes) / LANES, s);                                                          \
    }                                                                                                                  \
    TARGET static void name##_crypt(void *state, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)         \
    {                                                                                                                  \
        vector s[8][WIDEST];                                                                                           \
        aegis_load_state(s, blocks, (lanes) / LANES, state);                                                           \
        aegis_crypt_blocks(s, blocks, (lanes) / LANES, out, in, nblocks, decrypt);                                     \
        aegis_store_state(state, blocks, (lanes) / LANES, s);                                                          \
    }                                                                                                                  \
    TARGET static void name##_keystream(const void *state, uint8_t *out)                                               \
    {                                                                                                                  \
        vector s[8][WIDEST], z0[WIDEST], z1[WIDEST];                                                                   \
        aegis_load_state(s, blocks, (lanes) / LANES, state);                                                           \
        aegis_keystream_vectors(s, blocks, (lanes) / LANES, z0, z1);                                                   \
        aegis_store(out, (lanes) / LANES, z0);                                                                         \
        if ((blocks) == 8)                                                                                             \
            aegis_store(out + 16 * (lanes), (lanes) / LANES, z1);                                                      \
    }                                                                                                                  \
    TARGET static void name##_finish(void *state, uint64_t aad_bits, uint64_t text_bits, uint8_t *tag,                 \
                                     size_t tag_bytes)                                                                 \
    {                                                                                                                  \
        vector s[8][WIDEST];                                                                                           \
        aegis_load_state(s, blocks, (lanes) / LANES, state);                                                           \
        aegis_make_tag(s, blocks, (lanes) / LANES, aad_bits, text_bits, tag, tag_bytes);                               \
    }                                                                                                                  \
    TARGET static void name##_message(const uint8_t *key, const runnel_aead_message *m, uint8_t *tag)                  \
    {                                                                                                                  \
        aegis_whole(key, m, tag, blocks, (lanes) / LANES);                                                             \
    }                                                                                                                  \
    static const runnel_aegis_functions name = {                                                                       \
        .block_bytes = AEGIS_BLOCK(blocks, (lanes) / LANES),                                                           \
        .start = name##_start,                                                                                         \
        .absorb = name##_absorb,                                                                                       \
        .crypt = name##_crypt,                                                                                         \
        .keystream = name##_keystream,                                                                                 \
        .finish = name##_finish,                                                                                       \
        .message = name##_message,                                                                                     \
    };

#endif
