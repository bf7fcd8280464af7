/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS where the processor has a round of AES: all six ciphers, for kernels whose vectors hold LANES blocks. The includer
 * defines TARGET, vectors as arch/x86/blocks_128.h has them, STORE_SUM(p, v), which stores the XOR of a vector's blocks, and
 * TWO_WORDS(low, high), a vector whose blocks are all these two numbers of 64 bits.
 *
 * Lanes do not meet before the tag. Where they fill several vectors, `wide` of them, each vector goes its own way over the
 * message, so that a state of 8 or 6 registers is all that a kernel keeps: a column, s[j] being its blocks number j. Two of
 * family 256 fit into 16 registers and go side by side.
 *
 * R(a, k ^ m) = R(a, m) ^ k: so that S0' = R(S7, M0) ^ S0 waits for the message's block beside the round of before and not
 * behind it, and one step takes the time of one round. When opening, M0 itself comes late: S0' = R(S7, 0) ^ (S0 ^ M0). */
#ifndef AEGIS_LANES_H
#define AEGIS_LANES_H

#include "arch/common/barrier.h"
#include "arch/common/wipe.h"
#include "kernels.h"

/* Bytes of a block of the message, and of the longest. */
#define AEGIS_BLOCK(blocks, wide) (VECTOR_BYTES * (wide) * ((blocks) == 8 ? 2 : 1))
#define AEGIS_LONGEST_BLOCK 128

/* Bytes of text that all columns read before any goes on: they stay in the first cache. */
enum { AEGIS_AT_ONCE = 4096 };

/* Columns that go side by side. */
#define AEGIS_TOGETHER(blocks, wide) ((blocks) == 6 && (wide) % 2 == 0 ? 2 : 1)
/* Calls for k = 0, and for k = 1 if count is 2. Not a loop: compilers keep arrays in registers only if they know their
 * indices from the beginning. */
#define EACH_OF(count, call)                                                                                           \
    do {                                                                                                               \
        {                                                                                                              \
            enum { k = 0 };                                                                                            \
            call;                                                                                                      \
        }                                                                                                              \
        if ((count) == 2) {                                                                                            \
            enum { k = 1 };                                                                                            \
            call;                                                                                                      \
        }                                                                                                              \
    } while (0)
#define EACH_TOGETHER(call) EACH_OF (AEGIS_TOGETHER(blocks, wide), call)

/* S0' = R(S7, m0) ^ k0, S4' = R(S3, m1) ^ k4, where k0 and k4 are S0 and S4 or, when opening, have M0 and M1 in them. Family
 * 256 takes m0 and k0 alone. */
TARGET RUNNEL_INLINE void aegis_step(vector s[8], const int blocks, vector m0, vector k0, vector m1, vector k4)
{
    const vector s0 = vector_xor(vector_aes_round(s[blocks - 1], m0), k0);
    if (blocks == 8) {
        s[7] = vector_aes_round(s[6], s[7]);
        s[6] = vector_aes_round(s[5], s[6]);
        s[5] = vector_aes_round(s[4], s[5]);
        s[4] = vector_xor(vector_aes_round(s[3], m1), k4);
    } else {
        s[5] = vector_aes_round(s[4], s[5]);
        s[4] = vector_aes_round(s[3], s[4]);
    }
    s[3] = vector_aes_round(s[2], s[3]);
    s[2] = vector_aes_round(s[1], s[2]);
    s[1] = vector_aes_round(s[0], s[1]);
    s[0] = s0;
}

TARGET RUNNEL_INLINE void aegis_update(vector s[8], const int blocks, vector m0, vector m1)
{
    aegis_step(s, blocks, m0, s[0], m1, s[blocks == 8 ? 4 : 0]);
}

TARGET RUNNEL_INLINE vector aegis_keystream_0(const vector s[8], const int blocks)
{
    const vector sum = blocks == 8 ? vector_xor(s[1], s[6]) : vector_xor3(s[1], s[4], s[5]);
    return vector_xor(sum, vector_and(s[2], s[3]));
}

/* Of family 128. */
TARGET RUNNEL_INLINE vector aegis_keystream_1(const vector s[8])
{
    return vector_xor3(s[2], s[5], vector_and(s[6], s[7]));
}

/* ---- one block of the message; p is where the column's part of it begins ---- */

/* The second part of family 128; that of family 256 is the first again, which nobody reads. */
TARGET RUNNEL_INLINE vector aegis_load_second(const uint8_t *p, const int blocks, const int wide)
{
    return vector_load(blocks == 8 ? p + VECTOR_BYTES * wide : p);
}

TARGET RUNNEL_INLINE void aegis_absorb_one(vector s[8], const int blocks, const int wide, const uint8_t *p)
{
    aegis_update(s, blocks, vector_load(p), aegis_load_second(p, blocks, wide));
}

TARGET RUNNEL_INLINE void aegis_encrypt_one(vector s[8], const int blocks, const int wide, uint8_t *out,
                                            const uint8_t *in)
{
    const vector m0 = vector_load(in), m1 = aegis_load_second(in, blocks, wide);
    vector_store(out, vector_xor(m0, aegis_keystream_0(s, blocks)));
    if (blocks == 8)
        vector_store(out + VECTOR_BYTES * wide, vector_xor(m1, aegis_keystream_1(s)));
    aegis_update(s, blocks, m0, m1);
}

TARGET RUNNEL_INLINE void aegis_decrypt_one(vector s[8], const int blocks, const int wide, uint8_t *out,
                                            const uint8_t *in)
{
    const vector m0 = vector_xor(vector_load(in), aegis_keystream_0(s, blocks));
    const vector m1 = blocks == 8 ? vector_xor(aegis_load_second(in, blocks, wide), aegis_keystream_1(s)) : m0;
    vector_store(out, m0);
    if (blocks == 8)
        vector_store(out + VECTOR_BYTES * wide, m1);
    aegis_step(s, blocks, vector_zero(), vector_xor(s[0], m0), vector_zero(), blocks == 8 ? vector_xor(s[4], m1) : m0);
}

/* The last `bytes` bytes of a text, fewer than a block, for the column whose part begins at byte `from`: in, filled up with
 * zeros, to out. Zeros come behind the text when opening, too. */
TARGET RUNNEL_INLINE void aegis_crypt_last(vector s[8], const int blocks, const int wide, uint8_t *out,
                                           const uint8_t *in, size_t from, size_t bytes, int decrypt)
{
    static const uint8_t mask[2 * AEGIS_LONGEST_BLOCK] = {
#define FF16 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
        FF16, FF16, FF16, FF16, FF16, FF16, FF16, FF16,
#undef FF16
    };
    const vector in0 = vector_load(in + from), in1 = aegis_load_second(in + from, blocks, wide);
    const vector out0 = vector_xor(in0, aegis_keystream_0(s, blocks));
    const vector out1 = blocks == 8 ? vector_xor(in1, aegis_keystream_1(s)) : out0;
    vector_store(out + from, out0);
    if (blocks == 8)
        vector_store(out + from + VECTOR_BYTES * wide, out1);
    if (decrypt) {
        const uint8_t *text = mask + AEGIS_LONGEST_BLOCK - bytes + from;
        aegis_update(s, blocks, vector_and(out0, vector_load(text)),
                     vector_and(out1, aegis_load_second(text, blocks, wide)));
    } else {
        aegis_update(s, blocks, in0, in1);
    }
}

/* ---- parts of a message, by one column ---- */

/* Byte 0 is the lane's number, byte 1 the last lane's; with one lane there is nothing to tell apart. */
TARGET RUNNEL_INLINE vector aegis_separator(const int wide, int column)
{
    static const uint8_t two[2][16] = {{0, 1}, {1, 1}}, four[4][16] = {{0, 3}, {1, 3}, {2, 3}, {3, 3}};
    return vector_load(wide * LANES == 2 ? two[LANES * column] : four[LANES * column]);
}

TARGET RUNNEL_INLINE void aegis_init_128(vector s[8], const int wide, int column, const uint8_t *key,
                                         const uint8_t *nonce)
{
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    const vector k = vector_repeat_at(key), n = vector_repeat_at(nonce);
    const vector first = vector_repeat_at(c0), second = vector_repeat_at(c1);
    s[0] = s[4] = vector_xor(k, n);
    s[1] = s[3] = second;
    s[2] = first;
    s[5] = s[7] = vector_xor(k, first);
    s[6] = vector_xor(k, second);
    RUNNEL_UNROLL
    for (int r = 0; r < AEGIS_INIT_128; r++) {
        if (wide * LANES > 1) {
            s[3] = vector_xor(s[3], aegis_separator(wide, column));
            s[7] = vector_xor(s[7], aegis_separator(wide, column));
        }
        aegis_update(s, 8, n, k);
    }
}

/* Columns side by side, the first of which has that number. */
TARGET RUNNEL_INLINE void aegis_init_256(vector (*s)[8], const int wide, int column, const uint8_t *key,
                                         const uint8_t *nonce)
{
    enum { blocks = 6 };
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    const vector first = vector_repeat_at(c0), second = vector_repeat_at(c1);
    vector m[4];
    m[0] = vector_repeat_at(key);
    m[1] = vector_repeat_at(key + 16);
    m[2] = vector_xor(m[0], vector_repeat_at(nonce));
    m[3] = vector_xor(m[1], vector_repeat_at(nonce + 16));
    EACH_TOGETHER(s[k][0] = m[2]);
    EACH_TOGETHER(s[k][1] = m[3]);
    EACH_TOGETHER(s[k][2] = second);
    EACH_TOGETHER(s[k][3] = first);
    EACH_TOGETHER(s[k][4] = vector_xor(m[0], first));
    EACH_TOGETHER(s[k][5] = vector_xor(m[1], second));
    for (int r = 0; r < AEGIS_INIT_256; r++) {
        RUNNEL_UNROLL
        for (int j = 0; j < 4; j++) {
            if (wide * LANES > 1) {
                EACH_TOGETHER(s[k][3] = vector_xor(s[k][3], aegis_separator(wide, column + k)));
                EACH_TOGETHER(s[k][5] = vector_xor(s[k][5], aegis_separator(wide, column + k)));
            }
            EACH_TOGETHER(aegis_update(s[k], blocks, m[j], m[j]));
        }
    }
}

TARGET RUNNEL_INLINE void aegis_init(vector (*s)[8], const int blocks, const int wide, int column, const uint8_t *key,
                                     const uint8_t *nonce)
{
    if (blocks == 8)
        aegis_init_128(s[0], wide, column, key, nonce);
    else
        aegis_init_256(s, wide, column, key, nonce);
}

/* Whole blocks, by columns side by side: s[k] is one of them. */
TARGET RUNNEL_INLINE void aegis_absorb_blocks(vector (*s)[8], const int blocks, const int wide, const uint8_t *p,
                                              size_t nblocks)
{
    for (; nblocks > 0; nblocks--, p += AEGIS_BLOCK(blocks, wide))
        EACH_TOGETHER(aegis_absorb_one(s[k], blocks, wide, p + VECTOR_BYTES * k));
}

TARGET RUNNEL_INLINE void aegis_crypt_blocks(vector (*s)[8], const int blocks, const int wide, uint8_t *out,
                                             const uint8_t *in, size_t nblocks, int decrypt)
{
    const int block = AEGIS_BLOCK(blocks, wide);
    if (decrypt)
        for (; nblocks > 0; nblocks--, in += block, out += block)
            EACH_TOGETHER(aegis_decrypt_one(s[k], blocks, wide, out + VECTOR_BYTES * k, in + VECTOR_BYTES * k));
    else
        for (; nblocks > 0; nblocks--, in += block, out += block)
            EACH_TOGETHER(aegis_encrypt_one(s[k], blocks, wide, out + VECTOR_BYTES * k, in + VECTOR_BYTES * k));
}

/* Adds the column's part of the tag, of which there is one if tag_bytes is 16. */
TARGET RUNNEL_INLINE void aegis_add_tag(const vector s[8], const int blocks, vector sum[2], size_t tag_bytes)
{
    vector low = vector_xor3(s[0], s[1], s[2]), high;
    if (blocks == 8) {
        low = vector_xor(low, s[3]);
        high = vector_xor3(s[4], s[5], s[6]);
        if (tag_bytes == 32)
            high = vector_xor(high, s[7]);
    } else {
        high = vector_xor3(s[3], s[4], s[5]);
    }
    sum[0] = vector_xor(sum[0], low);
    sum[1] = vector_xor(sum[1], high);
}

/* The last steps of columns side by side, and their part of the tag. Lengths are in bits. */
TARGET RUNNEL_INLINE void aegis_finish(vector (*s)[8], const int blocks, const int wide, uint64_t aad_bits,
                                       uint64_t text_bits, vector sum[2], size_t tag_bytes)
{
    const vector u = TWO_WORDS(aad_bits, text_bits);
    vector t[2];
    EACH_TOGETHER(t[k] = vector_xor(s[k][blocks == 8 ? 2 : 3], u));
    RUNNEL_UNROLL
    for (int r = 0; r < AEGIS_LAST_UPDATES; r++)
        EACH_TOGETHER(aegis_update(s[k], blocks, t[k], t[k]));
    EACH_TOGETHER(aegis_add_tag(s[k], blocks, sum, tag_bytes));
}

TARGET RUNNEL_INLINE void aegis_store_tag(uint8_t *tag, const vector sum[2], size_t tag_bytes)
{
    if (tag_bytes == 32) {
        STORE_SUM(tag, sum[0]);
        STORE_SUM(tag + 16, sum[1]);
    } else {
        STORE_SUM(tag, vector_xor(sum[0], sum[1]));
    }
}

/* ---- a state in memory: blocks number 0 of all lanes, then number 1, … ---- */

TARGET RUNNEL_INLINE void aegis_load_column(vector s[8], const int blocks, const int wide, int column,
                                            const uint8_t *state)
{
    RUNNEL_UNROLL
    for (int j = 0; j < blocks; j++)
        s[j] = vector_load(state + VECTOR_BYTES * (wide * j + column));
}

TARGET RUNNEL_INLINE void aegis_store_column(uint8_t *state, const int blocks, const int wide, int column,
                                             const vector s[8])
{
    RUNNEL_UNROLL
    for (int j = 0; j < blocks; j++)
        vector_store(state + VECTOR_BYTES * (wide * j + column), s[j]);
}

TARGET RUNNEL_INLINE void aegis_start_in_memory(uint8_t *state, const int blocks, const int wide, const uint8_t *key,
                                                const uint8_t *nonce)
{
    for (int i = 0; i < wide; i += AEGIS_TOGETHER(blocks, wide)) {
        vector s[2][8];
        aegis_init(s, blocks, wide, i, key, nonce);
        EACH_TOGETHER(aegis_store_column(state, blocks, wide, i + k, s[k]));
    }
}

TARGET RUNNEL_INLINE void aegis_finish_in_memory(const uint8_t *state, const int blocks, const int wide,
                                                 uint64_t aad_bits, uint64_t text_bits, uint8_t *tag, size_t tag_bytes)
{
    vector sum[2];
    sum[0] = sum[1] = vector_zero();
    for (int i = 0; i < wide; i += AEGIS_TOGETHER(blocks, wide)) {
        vector s[2][8];
        EACH_TOGETHER(aegis_load_column(s[k], blocks, wide, i + k, state));
        aegis_finish(s, blocks, wide, aad_bits, text_bits, sum, tag_bytes);
    }
    aegis_store_tag(tag, sum, tag_bytes);
}

TARGET RUNNEL_INLINE void aegis_crypt_in_memory(uint8_t *state, const int blocks, const int wide, uint8_t *out,
                                                const uint8_t *in, size_t nblocks, int decrypt)
{
    const size_t block = AEGIS_BLOCK(blocks, wide), most = wide > 1 ? AEGIS_AT_ONCE / block : nblocks;
    for (size_t n; nblocks > 0; nblocks -= n, in += n * block, out += n * block) {
        n = nblocks < most ? nblocks : most;
        for (int i = 0; i < wide; i += AEGIS_TOGETHER(blocks, wide)) {
            vector s[2][8];
            EACH_TOGETHER(aegis_load_column(s[k], blocks, wide, i + k, state));
            aegis_crypt_blocks(s, blocks, wide, out + VECTOR_BYTES * i, in + VECTOR_BYTES * i, n, decrypt);
            EACH_TOGETHER(aegis_store_column(state, blocks, wide, i + k, s[k]));
        }
    }
}

TARGET RUNNEL_INLINE void aegis_absorb_in_memory(uint8_t *state, const int blocks, const int wide, const uint8_t *data,
                                                 size_t nblocks)
{
    for (int i = 0; i < wide; i += AEGIS_TOGETHER(blocks, wide)) {
        vector s[2][8];
        EACH_TOGETHER(aegis_load_column(s[k], blocks, wide, i + k, state));
        aegis_absorb_blocks(s, blocks, wide, data + VECTOR_BYTES * i, nblocks);
        EACH_TOGETHER(aegis_store_column(state, blocks, wide, i + k, s[k]));
    }
}

/* ---- a whole message ---- */

TARGET RUNNEL_INLINE void aegis_clear(uint8_t *p, const int bytes)
{
    for (int i = 0; i < bytes; i += VECTOR_BYTES)
        vector_store(p + i, vector_zero());
    RUNNEL_KEEP_WRITES(p);
}

/* Fewer bytes than a block: of a copy of unknown length compilers make a loop of one instruction, which takes as long as
 * ten steps of AEGIS. */
TARGET RUNNEL_INLINE void aegis_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (; bytes >= 16; bytes -= 16, to += 16, from += 16) {
        memcpy(to, from, 16);
        RUNNEL_VALUE_BARRIER(to);
    }
    for (size_t n = 8; n > 0; n /= 2)
        if (bytes & n) {
            if (n == 8)
                memcpy(to, from, 8);
            else if (n == 4)
                memcpy(to, from, 4);
            else if (n == 2)
                memcpy(to, from, 2);
            else
                *to = *from;
            to += n;
            from += n;
        }
}

/* The last block of data, filled up with zeros; returns how many bytes of it there are. */
TARGET RUNNEL_INLINE size_t aegis_last_block(uint8_t *last, const int block, const uint8_t *data, size_t bytes)
{
    const size_t rest = bytes % (size_t)block;
    if (rest > 0) {
        aegis_clear(last, block);
        aegis_copy(last, data + bytes - rest, rest);
    }
    return rest;
}

TARGET RUNNEL_INLINE void aegis_whole(const uint8_t *key, const runnel_aead_message *m, uint8_t *tag, const int blocks,
                                      const int wide)
{
    const int block = AEGIS_BLOCK(blocks, wide);
    uint8_t last_aad[AEGIS_LONGEST_BLOCK], last_in[AEGIS_LONGEST_BLOCK], last_out[AEGIS_LONGEST_BLOCK];
    const size_t aad_rest = aegis_last_block(last_aad, block, m->aad, m->aad_bytes);
    const size_t rest = aegis_last_block(last_in, block, m->in, m->bytes);
    const size_t aad_blocks = m->aad_bytes / (size_t)block, nblocks = m->bytes / (size_t)block;
    vector sum[2];
    sum[0] = sum[1] = vector_zero();
    for (int i = 0; i < wide; i += AEGIS_TOGETHER(blocks, wide)) {
        const int from = VECTOR_BYTES * i;
        vector s[2][8];
        aegis_init(s, blocks, wide, i, key, m->nonce);
        if (aad_blocks > 0)
            aegis_absorb_blocks(s, blocks, wide, m->aad + from, aad_blocks);
        if (aad_rest > 0)
            EACH_TOGETHER(aegis_absorb_one(s[k], blocks, wide, last_aad + from + VECTOR_BYTES * k));
        if (nblocks > 0)
            aegis_crypt_blocks(s, blocks, wide, m->out + from, m->in + from, nblocks, m->decrypt);
        if (rest > 0)
            EACH_TOGETHER(aegis_crypt_last(s[k], blocks, wide, last_out, last_in, (size_t)(from + VECTOR_BYTES * k),
                                           rest, m->decrypt));
        aegis_finish(s, blocks, wide, (uint64_t)m->aad_bytes * 8, (uint64_t)m->bytes * 8, sum, m->tag_bytes);
    }
    if (rest > 0) {
        aegis_copy(m->out + m->bytes - rest, last_out, rest);
        aegis_clear(last_in, block);
        aegis_clear(last_out, block);
    }
    if (aad_rest > 0)
        aegis_clear(last_aad, block);
    aegis_store_tag(tag, sum, m->tag_bytes);
}

/* ---- two messages of AEGIS-256 ---- */

#if LANES == 1 && RUNNEL_HOSTED
#define EACH_OF_TWO(call) EACH_OF (2, call)

/* The first steps of two states, whose key is the same. */
TARGET RUNNEL_INLINE void aegis_init_two(vector s[2][8], const uint8_t *key, const uint8_t *const nonce[2])
{
    enum { blocks = 6 };
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    const vector first = vector_load(c0), second = vector_load(c1), k0 = vector_load(key), k1 = vector_load(key + 16);
    vector n0[2], n1[2];
    EACH_OF_TWO(n0[k] = s[k][0] = vector_xor(k0, vector_load(nonce[k])));
    EACH_OF_TWO(n1[k] = s[k][1] = vector_xor(k1, vector_load(nonce[k] + 16)));
    EACH_OF_TWO(s[k][2] = second);
    EACH_OF_TWO(s[k][3] = first);
    EACH_OF_TWO(s[k][4] = vector_xor(k0, first));
    EACH_OF_TWO(s[k][5] = vector_xor(k1, second));
    for (int r = 0; r < AEGIS_INIT_256; r++) {
        EACH_OF_TWO(aegis_update(s[k], blocks, k0, k0));
        EACH_OF_TWO(aegis_update(s[k], blocks, k1, k1));
        EACH_OF_TWO(aegis_update(s[k], blocks, n0[k], n0[k]));
        EACH_OF_TWO(aegis_update(s[k], blocks, n1[k], n1[k]));
    }
}

/* Associated data, and with it the last block of it. */
TARGET RUNNEL_INLINE void aegis_absorb_all(vector (*s)[8], const uint8_t *data, size_t bytes)
{
    enum { blocks = 6 };
    uint8_t last[16];
    const size_t rest = aegis_last_block(last, 16, data, bytes);
    aegis_absorb_blocks(s, blocks, 1, data, bytes / 16);
    if (rest > 0) {
        aegis_absorb_one(s[0], blocks, 1, last);
        aegis_clear(last, 16);
    }
}

/* What a text has from byte `from` on, and with it the last block. */
TARGET RUNNEL_INLINE void aegis_crypt_rest(vector (*s)[8], const runnel_aead_message *m, size_t from)
{
    enum { blocks = 6 };
    uint8_t last_in[16], last_out[16];
    const size_t rest = aegis_last_block(last_in, 16, m->in, m->bytes);
    aegis_crypt_blocks(s, blocks, 1, m->out + from, m->in + from, (m->bytes - from) / 16, m->decrypt);
    if (rest > 0) {
        aegis_crypt_last(s[0], blocks, 1, last_out, last_in, 0, rest, m->decrypt);
        aegis_copy(m->out + m->bytes - rest, last_out, rest);
        aegis_clear(last_in, 16);
        aegis_clear(last_out, 16);
    }
}

/* The six rounds of a step take half of the time that their results take to come: two messages side by side take 1.45 times
 * as long as one. What one of them has more than the other comes by itself. AEGIS-128L has eight rounds and registers for
 * one message. */
TARGET static void aegis_256_two(const uint8_t *key, const runnel_aead_message *m,
                                 uint8_t (*tags)[RUNNEL_AEAD_LONGEST_TAG])
{
    enum { blocks = 6 };
    const size_t less = (m[0].bytes < m[1].bytes ? m[0].bytes : m[1].bytes) / 16 * 16;
    const uint8_t *const nonce[2] = {m[0].nonce, m[1].nonce};
    vector s[2][8], t[2];
    aegis_init_two(s, key, nonce);
    EACH_OF_TWO(if (m[k].aad_bytes > 0) aegis_absorb_all(&s[k], m[k].aad, m[k].aad_bytes));
    if (m->decrypt)
        for (size_t at = 0; at < less; at += 16)
            EACH_OF_TWO(aegis_decrypt_one(s[k], blocks, 1, m[k].out + at, m[k].in + at));
    else
        for (size_t at = 0; at < less; at += 16)
            EACH_OF_TWO(aegis_encrypt_one(s[k], blocks, 1, m[k].out + at, m[k].in + at));
    EACH_OF_TWO(if (m[k].bytes > less) aegis_crypt_rest(&s[k], &m[k], less));
    EACH_OF_TWO(t[k] = vector_xor(s[k][3], TWO_WORDS((uint64_t)m[k].aad_bytes * 8, (uint64_t)m[k].bytes * 8)));
    RUNNEL_UNROLL
    for (int r = 0; r < AEGIS_LAST_UPDATES; r++)
        EACH_OF_TWO(aegis_update(s[k], blocks, t[k], t[k]));
    for (int i = 0; i < 2; i++) {
        vector sum[2];
        sum[0] = sum[1] = vector_zero();
        aegis_add_tag(s[i], blocks, sum, m[i].tag_bytes);
        aegis_store_tag(tags[i], sum, m[i].tag_bytes);
    }
}
#define AEGIS_TWO(blocks, lanes) .two = (blocks) == 6 && (lanes) == 1 ? aegis_256_two : NULL,
#else
#define AEGIS_TWO(blocks, lanes)
#endif

/* Defines the functions of a cipher with that many blocks in a lane and so many lanes, as `name`. */
#define AEGIS_CIPHER(name, blocks, lanes)                                                                              \
    TARGET static void name##_start(void *state, const uint8_t *key, const uint8_t *nonce)                             \
    {                                                                                                                  \
        aegis_start_in_memory(state, blocks, (lanes) / LANES, key, nonce);                                             \
    }                                                                                                                  \
    TARGET static void name##_absorb(void *state, const uint8_t *data, size_t nblocks)                                 \
    {                                                                                                                  \
        aegis_absorb_in_memory(state, blocks, (lanes) / LANES, data, nblocks);                                         \
    }                                                                                                                  \
    TARGET static void name##_crypt(void *state, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)         \
    {                                                                                                                  \
        aegis_crypt_in_memory(state, blocks, (lanes) / LANES, out, in, nblocks, decrypt);                              \
    }                                                                                                                  \
    TARGET static void name##_keystream(const void *state, uint8_t *out)                                               \
    {                                                                                                                  \
        for (int i = 0; i < (lanes) / LANES; i++) {                                                                    \
            vector s[8];                                                                                               \
            aegis_load_column(s, blocks, (lanes) / LANES, i, state);                                                   \
            vector_store(out + VECTOR_BYTES * i, aegis_keystream_0(s, blocks));                                        \
            if ((blocks) == 8)                                                                                         \
                vector_store(out + VECTOR_BYTES * i + 16 * (lanes), aegis_keystream_1(s));                             \
        }                                                                                                              \
    }                                                                                                                  \
    TARGET static void name##_finish(void *state, uint64_t aad_bits, uint64_t text_bits, uint8_t *tag,                 \
                                     size_t tag_bytes)                                                                 \
    {                                                                                                                  \
        aegis_finish_in_memory(state, blocks, (lanes) / LANES, aad_bits, text_bits, tag, tag_bytes);                   \
    }                                                                                                                  \
    TARGET static void name##_message(const uint8_t *key, const runnel_aead_message *m, uint8_t *tag)                  \
    {                                                                                                                  \
        aegis_whole(key, m, tag, blocks, (lanes) / LANES);                                                             \
    }                                                                                                                  \
    static const runnel_aegis_functions name = {                                                                       \
        .block_bytes = 16 * (lanes) * ((blocks) == 8 ? 2 : 1),                                                         \
        .start = name##_start,                                                                                         \
        .absorb = name##_absorb,                                                                                       \
        .crypt = name##_crypt,                                                                                         \
        .keystream = name##_keystream,                                                                                 \
        .finish = name##_finish,                                                                                       \
        .message = name##_message,                                                                                     \
        AEGIS_TWO(blocks, lanes).longest = (lanes) > LANES ? AEGIS_AT_ONCE : SIZE_MAX,                                 \
    };

/* All ciphers that have a vector's lanes, and what a kernel's descriptor says of them. */
#if LANES == 1
AEGIS_CIPHER(aegis_128l, 8, 1)
AEGIS_CIPHER(aegis_256, 6, 1)
#define AEGIS_OF_1_LANE [AEGIS_128L] = &aegis_128l, [AEGIS_256] = &aegis_256
#endif
#if LANES <= 2
AEGIS_CIPHER(aegis_128x2, 8, 2)
AEGIS_CIPHER(aegis_256x2, 6, 2)
#define AEGIS_OF_2_LANES [AEGIS_128X2] = &aegis_128x2, [AEGIS_256X2] = &aegis_256x2
#endif
AEGIS_CIPHER(aegis_128x4, 8, 4)
AEGIS_CIPHER(aegis_256x4, 6, 4)
#define AEGIS_OF_4_LANES [AEGIS_128X4] = &aegis_128x4, [AEGIS_256X4] = &aegis_256x4

#endif
