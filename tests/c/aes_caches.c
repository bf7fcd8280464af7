/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks that the kernels after AES-CTR-C keep and read round 0 as their paper says. A bit of the cached bytes is
 * changed: as long as it stays changed nothing made them anew, and where ciphertext changes with it they were read.
 * Prints a line for each kernel: its name, then what holds. */
#include <stdio.h>
#include <string.h>

#include "kernels.h"

enum { ROUND_0 = 12, PREFIX = 2048 };

static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 9,    0xcf, 0x4f, 60};
static const runnel_kernel *kernel;
static runnel_aes_schedule schedule;
static union {
    uint64_t whole[PREFIX / 8];
    uint8_t bytes[PREFIX];
} prefix;

static void block_of(uint8_t *block, uint8_t b11, uint32_t number)
{
    for (unsigned i = 0; i < 12; i++)
        block[i] = (uint8_t)(0x5a + 7 * i);
    block[11] = b11;
    for (unsigned i = 0; i < 4; i++)
        block[12 + i] = (uint8_t)(number >> (24 - 8 * i));
}

/* Makes the blocks from this number on, and returns whether the last one is right. */
static int makes(uint8_t b11, uint32_t number, size_t nblocks)
{
    uint8_t block[16], out[3 * 16], right[16];
    block_of(block, b11, number);
    kernel->block.ctr32(&schedule, prefix.bytes, block, out, NULL, nblocks);
    block_of(block, b11, number + (uint32_t)nblocks - 1);
    kernel->block.encrypt_blocks(&schedule, right, block, 1);
    return memcmp(out + 16 * (nblocks - 1), right, 16) == 0;
}

/* Returns where the round key's XOR with the block's first bytes is cached; NULL: nowhere. */
static uint8_t *round_0(uint8_t b11)
{
    uint8_t block[16];
    block_of(block, b11, 0);
    for (unsigned i = 0; i < ROUND_0; i++)
        block[i] ^= key[i];
    for (unsigned at = 0; at + ROUND_0 <= PREFIX; at++)
        if (memcmp(prefix.bytes + at, block, ROUND_0) == 0)
            return prefix.bytes + at;
    return NULL;
}

static void start(uint32_t number)
{
    memset(prefix.whole, 0, sizeof prefix.whole);
    kernel->key(&schedule, key, sizeof key);
    uint8_t block[16];
    block_of(block, 1, number);
    kernel->block.nonce(&schedule, prefix.bytes, block);
}

/* A carry inside a call, into each of the bytes that count, from the lowest on, and the last block of all. */
static int stays_over_carries(void)
{
    static const uint32_t carries[] = {0xff, 0xffff, 0xffffff, 0xfffffffd};
    start(0);
    makes(1, 0, 1);
    uint8_t *cached = round_0(1);
    if (cached == NULL)
        return 0;
    cached[6] ^= 1;
    for (unsigned i = 0; i < sizeof carries / sizeof carries[0]; i++)
        makes(1, carries[i], 3);
    cached[6] ^= 1;
    return round_0(1) == cached;
}

static int is_read(uint32_t number)
{
    start(7);
    makes(1, 7, 1);
    uint8_t *cached = round_0(1);
    if (cached == NULL)
        return 0;
    cached[5] ^= 1; /* reaches column 0, which every block needs, */
    cached[4] ^= 1; /* and column 1, which every run needs */
    return !makes(1, number, 1);
}

/* b11 is changed by the carry after 2^32 blocks. */
static int is_new_after_all_blocks(void)
{
    start(0xfffffffd);
    return makes(1, 0xfffffffd, 3) && makes(2, 0, 3) && round_0(2) != NULL && round_0(1) == NULL;
}

int main(void)
{
    static const runnel_kernel *const kernels[] = {&runnel_aes_ctr_c, &runnel_aes_ctr_c_b14, &runnel_aes_ctr_c_2,
                                                   &runnel_aes_ctr_c_1, &runnel_aes_ctr_c_wu};
    for (unsigned i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        kernel = kernels[i];
        printf("%s", kernel->name);
        start(0);
        if (round_0(1) != NULL)
            printf(" with-the-nonce");
        if (stays_over_carries())
            printf(" stays");
        if (is_read(8))
            printf(" read-by-a-block");
        if (is_read(256))
            printf(" read-by-a-run");
        if (is_new_after_all_blocks())
            printf(" new-with-b11");
        printf("\n");
    }
    return 0;
}
