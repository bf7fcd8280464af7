/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS without AES instructions, constant-time: bit planes, in which the state stays from block to block. A word of a plane
 * has four blocks of a lane, a plane two words: blocks 0 to 3, and 4 to 7 or 4 and 5. One step makes a round of all of
 * them, whose input is the blocks moved up by one place: that is a shift of planes by one bit. Only the message's blocks
 * are packed and only the keystream is unpacked. */
#include "arch/common/wipe.h"
#include "kernels.h"

typedef uint64_t aegis_plane __attribute__((vector_size(16)));

#define PLANE aegis_plane
#define PLANE_OF(word) ((aegis_plane){(word), (word)})
#include "arch/common/aes_planes_64.h"

#define EACH_PLANE                                                                                                     \
    UNROLLED                                                                                                           \
    for (int i = 0; i < 8; i++)

enum { AEGIS_LANE = 8 }; /* planes of a lane */

/* The bits of block b in a word. */
#define BITS_OF_BLOCK(b) ((uint64_t)0x1111111111111111 << (b))

/* ShiftRows: row r turns by r columns. */
PLANES_INLINE aegis_plane aegis_shift_rows(aegis_plane w)
{
    return (w & 0xffff) | (w >> 4 & 0x0fff0000) | (w << 12 & 0xf0000000) | (w >> 8 & 0x00ff00000000) |
           (w << 8 & 0xff0000000000) | (w >> 12 & 0x000f000000000000) | (w << 4 & 0xfff0000000000000);
}

/* Every block in the place of the next one; the last one of `blocks` comes first. */
PLANES_INLINE aegis_plane aegis_move_up(aegis_plane w, int blocks)
{
    const aegis_plane other = {w[1], w[0]};
    const aegis_plane stay = {~BITS_OF_BLOCK(0), blocks == 8 ? ~BITS_OF_BLOCK(0) : BITS_OF_BLOCK(1)};
    if (blocks == 8)
        return (w << 1 & stay) | (other >> 3 & ~stay);
    const aegis_plane from = {w[1] >> 1, w[0] >> 3};
    return (w << 1 & stay) | (from & BITS_OF_BLOCK(0));
}

/* A step of one lane; m: the message's block in block 0 of the first word, and for family 128 of the second. */
static void aegis_update(aegis_plane s[AEGIS_LANE], const aegis_plane m[AEGIS_LANE], int blocks)
{
    aegis_plane q[8];
    EACH_PLANE
    q[i] = aegis_move_up(s[i], blocks);
    aes_sub_bytes_without_nots(q);
    EACH_PLANE
    {
        q[i] = aegis_shift_rows(q[i]);
        if (NOTS >> i & 1)
            q[i] = ~q[i];
        s[i] ^= m[i];
    }
    aes_mix_columns_add_key(q, 0, s);
    EACH_PLANE
    s[i] = q[i];
}

/* A block in block 0 of the first word, another one there in the second. */
static void aegis_pack(aegis_plane m[AEGIS_LANE], const uint8_t *first, const uint8_t *second)
{
    EACH_PLANE
    m[i] = PLANE_OF(0);
    uint64_t even[2], odd[2];
    aes_spread_block(&even[0], &odd[0], first);
    aes_spread_block(&even[1], &odd[1], second);
    m[0] = (aegis_plane){even[0], even[1]};
    m[4] = (aegis_plane){odd[0], odd[1]};
    transpose_bits(m);
}

static const uint8_t aegis_zeros[16];

/* Block i of data, which has as many in a row as there are lanes, for lane `lane`. */
static void aegis_pack_message(aegis_plane m[AEGIS_LANE], const uint8_t *data, int blocks, unsigned lanes,
                               unsigned lane)
{
    aegis_pack(m, data + 16 * lane, blocks == 8 ? data + (size_t)16 * (lanes + lane) : aegis_zeros);
}

/* Block number b of a lane is XORed with 16 bytes. */
static void aegis_add_block(aegis_plane s[AEGIS_LANE], const uint8_t *block, unsigned b)
{
    aegis_plane m[AEGIS_LANE];
    if (b < BLOCKS)
        aegis_pack(m, block, aegis_zeros);
    else
        aegis_pack(m, aegis_zeros, block);
    EACH_PLANE
    s[i] ^= m[i] << b % BLOCKS;
}

/* Blocks 0 and 1 of the first words, as 32 bytes. */
static void aegis_unpack(uint8_t *out, aegis_plane q[AEGIS_LANE])
{
    transpose_bits(q);
    aes_gather_block(out, q[0][0], q[4][0]);
    aes_gather_block(out + 16, q[1][0], q[5][0]);
}

/* Keystream of one lane; for family 128 z0 and then z1. */
static void aegis_lane_keystream(const aegis_plane s[AEGIS_LANE], uint8_t *z, int blocks)
{
    aegis_plane q[8];
    EACH_PLANE
    {
        const uint64_t a = s[i][0], b = s[i][1];
        uint64_t first = a >> 1 ^ (a >> 2 & a >> 3), second = 0;
        if (blocks == 8) {
            first ^= b >> 2;
            second = a >> 2 ^ b >> 1 ^ (b >> 2 & b >> 3);
        } else {
            first ^= b ^ b >> 1;
        }
        q[i] = PLANE_OF((first & BITS_OF_BLOCK(0)) | (second & BITS_OF_BLOCK(0)) << 1);
    }
    aegis_unpack(z, q);
    runnel_wipe(q, sizeof q);
}

static void aegis_start(aegis_plane *s, const uint8_t *key, const uint8_t *nonce, int blocks, unsigned lanes)
{
    static const uint8_t c0[16] = AEGIS_C0, c1[16] = AEGIS_C1;
    /* What each block of a lane is at first, and the messages of the first steps: number 0 is what a nonce and a key make. */
    uint8_t mixed[32];
    runnel_xor_bytes(mixed, key, nonce, blocks == 8 ? 16 : 32);
    for (unsigned lane = 0; lane < lanes; lane++, s += AEGIS_LANE) {
        aegis_plane m[4][AEGIS_LANE], separator[AEGIS_LANE];
        const uint8_t ctx[16] = {(uint8_t)lane, (uint8_t)(lanes - 1)};
        EACH_PLANE
        s[i] = separator[i] = PLANE_OF(0);
        aegis_add_block(separator, ctx, 3);
        aegis_add_block(separator, ctx, blocks == 8 ? 7 : 5);
        aegis_add_block(s, mixed, 0);
        if (blocks == 8) {
            aegis_add_block(s, mixed, 4);
            for (unsigned b = 5; b < 8; b++)
                aegis_add_block(s, key, b);
            for (unsigned b = 1; b < 8; b++)
                if (b != 4)
                    aegis_add_block(s, b == 1 || b == 3 || b == 6 ? c1 : c0, b);
            aegis_pack(m[0], nonce, key);
        } else {
            aegis_add_block(s, mixed + 16, 1);
            aegis_add_block(s, key, 4);
            aegis_add_block(s, key + 16, 5);
            for (unsigned b = 2; b < 6; b++)
                aegis_add_block(s, b == 2 || b == 5 ? c1 : c0, b);
            for (unsigned j = 0; j < 2; j++) {
                aegis_pack(m[j], key + 16 * j, aegis_zeros);
                aegis_pack(m[2 + j], mixed + 16 * j, aegis_zeros);
            }
        }
        for (unsigned r = 0; r < (blocks == 8 ? AEGIS_INIT_128 : 4 * AEGIS_INIT_256); r++) {
            EACH_PLANE
            s[i] ^= separator[i];
            aegis_update(s, m[blocks == 8 ? 0 : r % 4], blocks);
        }
        runnel_wipe(m, sizeof m);
    }
    runnel_wipe(mixed, sizeof mixed);
}

static void aegis_absorb(aegis_plane *s, const uint8_t *data, size_t nblocks, int blocks, unsigned lanes)
{
    for (; nblocks > 0; nblocks--, data += (size_t)16 * lanes * (blocks == 8 ? 2 : 1))
        for (unsigned lane = 0; lane < lanes; lane++) {
            aegis_plane m[AEGIS_LANE];
            aegis_pack_message(m, data, blocks, lanes, lane);
            aegis_update(s + lane * AEGIS_LANE, m, blocks);
        }
}

static void aegis_keystream(const aegis_plane *s, uint8_t *out, int blocks, unsigned lanes)
{
    for (unsigned lane = 0; lane < lanes; lane++) {
        uint8_t z[32];
        aegis_lane_keystream(s + lane * AEGIS_LANE, z, blocks);
        memcpy(out + 16 * lane, z, 16);
        if (blocks == 8)
            memcpy(out + (size_t)16 * (lanes + lane), z + 16, 16);
        runnel_wipe(z, sizeof z);
    }
}

static void aegis_crypt(aegis_plane *s, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt, int blocks,
                        unsigned lanes)
{
    const size_t block = (size_t)16 * lanes * (blocks == 8 ? 2 : 1);
    uint8_t z[128];
    for (; nblocks > 0; nblocks--, in += block, out += block) {
        aegis_keystream(s, z, blocks, lanes);
        if (!decrypt)
            aegis_absorb(s, in, 1, blocks, lanes);
        runnel_xor_bytes(out, in, z, block);
        if (decrypt)
            aegis_absorb(s, out, 1, blocks, lanes);
    }
    runnel_wipe(z, sizeof z);
}

/* XORs blocks `from` to `to` - 1 of the lane to what is in tag. */
static void aegis_add_to_tag(uint8_t *tag, const aegis_plane s[AEGIS_LANE], unsigned from, unsigned to)
{
    aegis_plane q[8];
    uint8_t two[32];
    EACH_PLANE
    {
        uint64_t sum = 0;
        for (unsigned b = from; b < to; b++)
            sum ^= s[i][b / BLOCKS] >> b % BLOCKS;
        q[i] = PLANE_OF(sum & BITS_OF_BLOCK(0));
    }
    aegis_unpack(two, q);
    runnel_xor_bytes(tag, tag, two, 16);
    runnel_wipe(two, sizeof two);
}

static void aegis_finish(aegis_plane *s, uint64_t aad_bits, uint64_t text_bits, uint8_t *tag, size_t tag_bytes,
                         int blocks, unsigned lanes)
{
    uint8_t lengths[16];
    const unsigned half = blocks == 8 ? 4 : 3;
    runnel_store64le(lengths, aad_bits);
    runnel_store64le(lengths + 8, text_bits);
    memset(tag, 0, tag_bytes);
    for (unsigned lane = 0; lane < lanes; lane++, s += AEGIS_LANE) {
        aegis_plane t[AEGIS_LANE], u[AEGIS_LANE];
        aegis_pack(u, lengths, lengths);
        EACH_PLANE
        {
            const uint64_t word = s[i][0] >> (blocks == 8 ? 2 : 3) & BITS_OF_BLOCK(0);
            t[i] = PLANE_OF(word) ^ u[i];
            if (blocks == 6)
                t[i][1] = 0;
        }
        for (unsigned r = 0; r < AEGIS_LAST_UPDATES; r++)
            aegis_update(s, t, blocks);
        if (tag_bytes == 32) {
            aegis_add_to_tag(tag, s, 0, half);
            aegis_add_to_tag(tag + 16, s, half, 2 * half);
        } else {
            aegis_add_to_tag(tag, s, 0, blocks == 8 ? 7 : 6);
        }
        runnel_wipe(t, sizeof t);
    }
}

/* The functions of a cipher with that many blocks in a lane and so many lanes. */
#define AEGIS_CIPHER(name, blocks, lanes)                                                                              \
    static void name##_start(void *state, const uint8_t *key, const uint8_t *nonce)                                    \
    {                                                                                                                  \
        aegis_start(state, key, nonce, blocks, lanes);                                                                 \
    }                                                                                                                  \
    static void name##_absorb(void *state, const uint8_t *data, size_t nblocks)                                        \
    {                                                                                                                  \
        aegis_absorb(state, data, nblocks, blocks, lanes);                                                             \
    }                                                                                                                  \
    static void name##_crypt(void *state, uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)                \
    {                                                                                                                  \
        aegis_crypt(state, out, in, nblocks, decrypt, blocks, lanes);                                                  \
    }                                                                                                                  \
    static void name##_keystream(const void *state, uint8_t *out)                                                      \
    {                                                                                                                  \
        aegis_keystream(state, out, blocks, lanes);                                                                    \
    }                                                                                                                  \
    static void name##_finish(void *state, uint64_t aad_bits, uint64_t text_bits, uint8_t *tag, size_t tag_bytes)      \
    {                                                                                                                  \
        aegis_finish(state, aad_bits, text_bits, tag, tag_bytes, blocks, lanes);                                       \
    }                                                                                                                  \
    static const runnel_aegis_functions name = {                                                                       \
        .block_bytes = 16 * (lanes) * ((blocks) == 8 ? 2 : 1),                                                         \
        .start = name##_start,                                                                                         \
        .absorb = name##_absorb,                                                                                       \
        .crypt = name##_crypt,                                                                                         \
        .keystream = name##_keystream,                                                                                 \
        .finish = name##_finish,                                                                                       \
    };

AEGIS_CIPHER(aegis_128l, 8, 1)
AEGIS_CIPHER(aegis_256, 6, 1)
#if RUNNEL_HOSTED
AEGIS_CIPHER(aegis_128x2, 8, 2)
AEGIS_CIPHER(aegis_128x4, 8, 4)
AEGIS_CIPHER(aegis_256x2, 6, 2)
AEGIS_CIPHER(aegis_256x4, 6, 4)
#endif

const runnel_aegis_kernel runnel_aegis_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("RFC 10032, bit slices of 64-bit words; S-box of Boyar and Peralta"),
    .ciphers =
        {
            [AEGIS_128L] = &aegis_128l,
            [AEGIS_256] = &aegis_256,
#if RUNNEL_HOSTED
            [AEGIS_128X2] = &aegis_128x2,
            [AEGIS_128X4] = &aegis_128x4,
            [AEGIS_256X2] = &aegis_256x2,
            [AEGIS_256X4] = &aegis_256x4,
#endif
        },
};
