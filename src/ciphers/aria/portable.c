/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA in 64-bit words without tables: 16 blocks at once, sliced by the bits of a byte.
 *
 * A block is four words of four bytes. Bytes of the same place in their word go through the same S-box, so those of all
 * blocks are kept together, in a group of 8 planes: in plane b, bit 16 * k + n is bit b (0 the least significant) of
 * block n's byte in word 0, 2, 1, 3 for k = 0, 1, 2, 3. A pass over a group is 64 S-boxes of one kind and needs no
 * masks. All four S-boxes are that of AES between affine maps: with its circuit F, which gives S1 except for the
 * constant 0x63, S2 = Q F(x) ^ 0xe2, S3 = T F(T x ^ 0x05) and S4 = T F(R x ^ 0x2c), where T is the inverse of the
 * linear map of AES's S-box. */
#include "arch/common/bytes.h"
#include "kernels.h"

#define PLANE uint64_t
#include "arch/common/aes_sub_bytes.h"

enum { ARIA_LANES = 16, ARIA_PLANES = 8, ARIA_GROUPS = 4 };

typedef uint64_t aria_group[ARIA_PLANES];

/* Inverts the planes of the bits that are set in a constant. */
static inline void aria_add_constant(aria_group x, unsigned constant)
{
    for (unsigned b = 0; b < ARIA_PLANES; b++)
        x[b] ^= 0 - (uint64_t)(constant >> b & 1);
}

static void aria_sub_bytes(aria_group x)
{
    aes_sub_bytes_without_nots(x);
}

static void aria_map_q(aria_group x)
{
    const uint64_t t0 = x[1] ^ x[4], t1 = x[5] ^ x[7], t2 = x[6] ^ t1, t3 = x[0] ^ x[1], t4 = x[3] ^ t0, t5 = x[0] ^ t0,
                   t6 = x[5] ^ t0, t7 = x[7] ^ t3, t8 = x[2] ^ t3, t9 = t2 ^ t5, t10 = x[2] ^ x[7];
    x[0] = t7, x[1] = t0, x[2] = t9, x[3] = t0 ^ t10, x[4] = t6, x[5] = t4, x[6] = t1, x[7] = t2 ^ t8;
}

static void aria_map_t(aria_group x)
{
    const uint64_t t0 = x[3] ^ x[6], t1 = x[2] ^ x[7], t2 = x[0] ^ x[5], t3 = x[1] ^ x[4], t4 = x[5] ^ t1,
                   t5 = x[0] ^ t0, t6 = x[6] ^ t3, t7 = x[4] ^ t1, t8 = x[2] ^ t2, t9 = x[7] ^ t3, t10 = x[1] ^ t0;
    x[7] = t6, x[6] = x[3] ^ t2, x[0] = t4, x[1] = t5, x[2] = t9, x[3] = t8, x[4] = t10, x[5] = t7;
}

static void aria_map_r(aria_group x)
{
    const uint64_t t0 = x[6] ^ x[7], t1 = x[2] ^ x[5], t2 = x[4] ^ t1, t3 = x[1] ^ x[2], t4 = x[0] ^ x[3], t5 = t0 ^ t3,
                   t6 = x[6] ^ t1, t7 = x[1] ^ t2, t8 = x[4] ^ t5, t9 = t2 ^ t4, t10 = x[3] ^ x[4], t11 = t0 ^ t4,
                   t12 = x[7] ^ t9, t13 = x[0] ^ t7, t14 = x[0] ^ t5, t15 = x[4] ^ x[6];
    x[0] = t10, x[1] = t6, x[2] = t15, x[3] = t14, x[4] = t13, x[5] = t8, x[6] = t12, x[7] = t11;
}

/* SL1 if odd is 1, SL2 if it is 0. */
static void aria_substitute(aria_group x[ARIA_GROUPS], int odd)
{
    const unsigned first = odd ? 0 : 2;
    aria_sub_bytes(x[first]);
    aria_add_constant(x[first], 0x63);

    aria_sub_bytes(x[first + 1]);
    aria_map_q(x[first + 1]);
    aria_add_constant(x[first + 1], 0xe2);

    aria_map_t(x[2 - first]);
    aria_add_constant(x[2 - first], 0x05);
    aria_sub_bytes(x[2 - first]);
    aria_map_t(x[2 - first]);

    aria_map_r(x[3 - first]);
    aria_add_constant(x[3 - first], 0x2c);
    aria_sub_bytes(x[3 - first]);
    aria_map_t(x[3 - first]);
}

static inline void aria_exchange(uint64_t *p, uint64_t *q, uint64_t mask)
{
    const uint64_t t = (*p ^ *q) & mask;
    *p ^= t;
    *q ^= t;
}

/* To each byte the sum of all four words' at its place. */
static inline uint64_t aria_add_words(uint64_t v)
{
    const uint64_t pairs = v ^ (v >> 32 | v << 32);
    return v ^ pairs ^ (pairs >> 16 | pairs << 48);
}

/* A is: each byte of a word becomes the sum of the three others; each word that of the three others; the bytes of words
 * 0, 1 and 2 change places, 3 with 0 and 2 with 1, 1 with 0 and 3 with 2, 2 with 0 and 3 with 1; and the words' sums
 * once more. */
static void aria_diffuse(aria_group x[ARIA_GROUPS])
{
    const uint64_t words01 = 0x0000ffff0000ffffu, words02 = 0x00000000ffffffffu;
    for (unsigned b = 0; b < ARIA_PLANES; b++) {
        uint64_t y0 = x[0][b], y1 = x[1][b], y2 = x[2][b], y3 = x[3][b];
        const uint64_t all = y0 ^ y1 ^ y2 ^ y3;
        y0 = aria_add_words(y0 ^ all);
        y1 = aria_add_words(y1 ^ all);
        y2 = aria_add_words(y2 ^ all);
        y3 = aria_add_words(y3 ^ all);
        aria_exchange(&y0, &y1, words01);
        aria_exchange(&y2, &y3, words01);
        aria_exchange(&y0, &y2, words02);
        aria_exchange(&y1, &y3, words02);
        x[0][b] = aria_add_words(y0);
        x[1][b] = aria_add_words(y1);
        x[2][b] = aria_add_words(y2);
        x[3][b] = aria_add_words(y3);
    }
}

#define EVEN_BYTES 0x00ff00ff00ff00ffu
#define WORDS_01 0x0000ffff0000ffffu

/* Gathers the bytes of each place in a word, of one block, or of two with their bytes interleaved. */
static inline void aria_spread(uint64_t v[ARIA_GROUPS], const uint8_t *block, const uint8_t *two)
{
    const uint64_t low = runnel_load64le(block), high = runnel_load64le(block + 8);
    uint64_t even_low = low & EVEN_BYTES, odd_low = low >> 8 & EVEN_BYTES;
    uint64_t even_high = high & EVEN_BYTES, odd_high = high >> 8 & EVEN_BYTES;
    if (two != NULL) {
        const uint64_t two_low = runnel_load64le(two), two_high = runnel_load64le(two + 8);
        even_low |= two_low << 8 & ~EVEN_BYTES;
        odd_low |= two_low & ~EVEN_BYTES;
        even_high |= two_high << 8 & ~EVEN_BYTES;
        odd_high |= two_high & ~EVEN_BYTES;
    }
    v[0] = (even_low & WORDS_01) | (even_high & WORDS_01) << 16;
    v[1] = (odd_low & WORDS_01) | (odd_high & WORDS_01) << 16;
    v[2] = (even_low >> 16 & WORDS_01) | (even_high & ~WORDS_01);
    v[3] = (odd_low >> 16 & WORDS_01) | (odd_high & ~WORDS_01);
}

/* The inverse. */
static inline void aria_gather(uint8_t *block, uint8_t *two, const uint64_t v[ARIA_GROUPS])
{
    const uint64_t even_low = (v[0] & WORDS_01) | (v[2] & WORDS_01) << 16;
    const uint64_t odd_low = (v[1] & WORDS_01) | (v[3] & WORDS_01) << 16;
    const uint64_t even_high = (v[0] >> 16 & WORDS_01) | (v[2] & ~WORDS_01);
    const uint64_t odd_high = (v[1] >> 16 & WORDS_01) | (v[3] & ~WORDS_01);
    runnel_store64le(block, (even_low & EVEN_BYTES) | (odd_low & EVEN_BYTES) << 8);
    runnel_store64le(block + 8, (even_high & EVEN_BYTES) | (odd_high & EVEN_BYTES) << 8);
    if (two != NULL) {
        runnel_store64le(two, (even_low >> 8 & EVEN_BYTES) | (odd_low & ~EVEN_BYTES));
        runnel_store64le(two + 8, (even_high >> 8 & EVEN_BYTES) | (odd_high & ~EVEN_BYTES));
    }
}

static inline void aria_swap_bits(uint64_t *p, uint64_t *q, unsigned n, uint64_t mask)
{
    const uint64_t t = (*p >> n ^ *q) & mask;
    *q ^= t;
    *p ^= t << n;
}

/* Exchanges bit r of plane b with bit b of plane r in every byte. */
static void aria_transpose(aria_group x)
{
    for (unsigned b = 0; b < 8; b += 2)
        aria_swap_bits(&x[b], &x[b + 1], 1, 0x5555555555555555u);
    for (unsigned b = 0; b < 8; b += b % 2 ? 3 : 1)
        aria_swap_bits(&x[b], &x[b + 2], 2, 0x3333333333333333u);
    for (unsigned b = 0; b < 4; b++)
        aria_swap_bits(&x[b], &x[b + 4], 4, 0x0f0f0f0f0f0f0f0fu);
}

/* Up to 16 blocks to planes, and back. The lanes of absent blocks are zero. */
static void aria_pack(aria_group x[ARIA_GROUPS], const uint8_t *blocks, size_t nblocks)
{
    for (size_t n = 0; n < ARIA_PLANES; n++) {
        uint64_t v[ARIA_GROUPS] = {0};
        if (n < nblocks)
            aria_spread(v, blocks + 16 * n, n + 8 < nblocks ? blocks + 16 * (n + 8) : NULL);
        for (unsigned j = 0; j < ARIA_GROUPS; j++)
            x[j][n] = v[j];
    }
    for (unsigned j = 0; j < ARIA_GROUPS; j++)
        aria_transpose(x[j]);
}

/* Destroys x. */
static void aria_unpack(uint8_t *blocks, size_t nblocks, aria_group x[ARIA_GROUPS])
{
    for (unsigned j = 0; j < ARIA_GROUPS; j++)
        aria_transpose(x[j]);
    for (size_t n = 0; n < ARIA_PLANES && n < nblocks; n++) {
        const uint64_t v[ARIA_GROUPS] = {x[0][n], x[1][n], x[2][n], x[3][n]};
        aria_gather(blocks + 16 * n, n + 8 < nblocks ? blocks + 16 * (n + 8) : NULL, v);
    }
}

/* XORs the same key to every block. */
static void aria_add_key(aria_group x[ARIA_GROUPS], const uint8_t key[16])
{
    uint64_t v[ARIA_GROUPS];
    aria_spread(v, key, NULL);
    for (unsigned j = 0; j < ARIA_GROUPS; j++)
        for (unsigned b = 0; b < ARIA_PLANES; b++) {
            const uint64_t bit = v[j] >> b & 0x0001000100010001u;
            x[j][b] ^= (bit << 16) - bit;
        }
}

static void aria_substitute_block(uint8_t block[16], int odd)
{
    aria_group x[ARIA_GROUPS];
    aria_pack(x, block, 1);
    aria_substitute(x, odd);
    aria_unpack(block, 1, x);
    runnel_wipe(x, sizeof x);
}

static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aria_expand(state, key, key_bytes, aria_substitute_block);
}

static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aria_schedule *schedule = state;
    aria_group x[ARIA_GROUPS];
    while (nblocks > 0) {
        const size_t count = nblocks < ARIA_LANES ? nblocks : ARIA_LANES;
        aria_pack(x, in, count);
        for (unsigned r = 0; r < schedule->rounds; r++) {
            if (r > 0)
                aria_diffuse(x);
            aria_add_key(x, schedule->keys[r]);
            aria_substitute(x, !(r & 1));
        }
        aria_add_key(x, schedule->keys[schedule->rounds]);
        aria_unpack(out, count, x);
        in += 16 * count;
        out += 16 * count;
        nblocks -= count;
    }
    runnel_wipe(x, sizeof x);
}

RUNNEL_DECRYPT_KEY(aria_set_decrypt_key, aria_set_key, runnel_aria_invert)

const runnel_kernel runnel_aria_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("bit slices of a byte; S-boxes from AES's circuit by Boyar and Peralta, ePrint 2011/332"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks, RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};
