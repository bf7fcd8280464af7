/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's key set-up (RFC 5794 2.2), in constant time if the given substitution is. */
#include "arch/common/bytes.h"
#include "arch/common/lookup.h"
#include "kernels.h"

/* Each byte becomes the sum of the others at its place in the four words. */
static void aria_add_words(uint8_t block[16])
{
    for (unsigned j = 0; j < 4; j++) {
        const uint8_t all = block[j] ^ block[j + 4] ^ block[j + 8] ^ block[j + 12];
        for (unsigned w = 0; w < 16; w += 4)
            block[w + j] ^= all;
    }
}

static inline void aria_exchange(uint8_t *p, uint8_t *q)
{
    const uint8_t t = *p;
    *p = *q;
    *q = t;
}

/* A is the sums inside the words, the sums of the words, the bytes of the first three words in another order, and the
 * sums of the words once more. */
void runnel_aria_diffuse(uint8_t block[16])
{
    for (unsigned w = 0; w < 16; w += 4) {
        const uint8_t all = block[w] ^ block[w + 1] ^ block[w + 2] ^ block[w + 3];
        for (unsigned j = 0; j < 4; j++)
            block[w + j] ^= all;
    }
    aria_add_words(block);
    aria_exchange(block, block + 3), aria_exchange(block + 1, block + 2);
    aria_exchange(block + 4, block + 5), aria_exchange(block + 6, block + 7);
    aria_exchange(block + 8, block + 10), aria_exchange(block + 9, block + 11);
    aria_add_words(block);
}

static inline void aria_xor_block(uint8_t block[16], const uint8_t other[16])
{
    for (unsigned i = 0; i < 16; i++)
        block[i] ^= other[i];
}

/* out ^= in rotated to the right by n bits, a block being a number whose first byte is the most significant. */
static void aria_xor_rotated(uint8_t out[16], const uint8_t in[16], unsigned n)
{
    const unsigned bytes = n / 8, bits = n % 8;
    for (unsigned i = 0; i < 16; i++)
        out[i] ^= (uint8_t)(in[(i - bytes) & 15] >> bits | in[(i - bytes - 1) & 15] << (8 - bits));
}

const uint8_t runnel_aria_constants[3][16] RUNNEL_FLASH = {
    {0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0},
    {0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0},
    {0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e},
};

void runnel_aria_expand(runnel_aria_schedule *schedule, const uint8_t *key, size_t key_bytes,
                        runnel_aria_substitution substitute)
{
    static const uint8_t rotations[5] RUNNEL_FLASH = {19, 31, 128 - 61, 128 - 31, 128 - 19};
    uint8_t w[4][16], rest[16] = {0};
    memcpy(w[0], key, 16);
    memcpy(rest, key + 16, key_bytes - 16);
    for (unsigned i = 0; i < 3; i++) {
        unsigned constant = i + (unsigned)(key_bytes - 16) / 8;
        constant = constant >= 3 ? constant - 3 : constant;
        for (unsigned j = 0; j < 16; j++)
            w[i + 1][j] = w[i][j] ^ runnel_flash8(runnel_aria_constants[constant] + j);
        substitute(w[i + 1], !(i & 1));
        runnel_aria_diffuse(w[i + 1]);
        aria_xor_block(w[i + 1], i == 0 ? rest : w[i - 1]);
    }
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    for (unsigned i = 0; i <= schedule->rounds; i++) {
        memcpy(schedule->keys[i], w[i & 3], 16);
        aria_xor_rotated(schedule->keys[i], w[(i + 1) & 3], runnel_flash8(rotations + i / 4));
    }
    runnel_wipe(w, sizeof w);
    runnel_wipe(rest, sizeof rest);
}

void runnel_aria_invert(runnel_aria_schedule *schedule)
{
    for (unsigned i = 1; i < schedule->rounds; i++)
        runnel_aria_diffuse(schedule->keys[i]);
    uint8_t block[16];
    for (unsigned i = 0, j = schedule->rounds; i < j; i++, j--) {
        memcpy(block, schedule->keys[i], 16);
        memcpy(schedule->keys[i], schedule->keys[j], 16);
        memcpy(schedule->keys[j], block, 16);
    }
    runnel_wipe(block, sizeof block);
}
