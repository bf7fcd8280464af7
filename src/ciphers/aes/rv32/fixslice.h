/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the RV32 kernels of AES: bitslicing in C, where speed matters less, and the way from a message to their
 * loops in assembly, which take whole batches of aligned blocks. */
#ifndef RUNNEL_AES_RV32_FIXSLICE_H
#define RUNNEL_AES_RV32_FIXSLICE_H

#include "arch/common/bytes.h"
#include "arch/common/offsets.h"
#include "ciphers/aes/kernels.h"
#include "job.h"

#if RUNNEL_RV32

/* Before a loop over bit planes: they are to stay in registers. */
#if defined(__GNUC__)
#define AES_RV32_UNROLLED _Pragma("GCC unroll 8")
#else
#define AES_RV32_UNROLLED
#endif

/* A loop's work; it leaves out, in and from behind what it has done, and batches at 0. */
typedef struct aes_rv32_job {
    uint8_t *out;      /* aligned */
    const uint8_t *in; /* aligned */
    uint32_t in_step;  /* bytes of a batch, or 0: always the same input, zeros */
    uint32_t batches;  /* at least 1 */
    const uint32_t *keys;
    const uint32_t *last;
    const void *from;
    int32_t from_step;
    const uint32_t *last_3;
    uint32_t words[8];
} aes_rv32_job;

RUNNEL_CHECK_OFFSET(aes_rv32_job, out, AES_RV32_JOB_OUT);
RUNNEL_CHECK_OFFSET(aes_rv32_job, in, AES_RV32_JOB_IN);
RUNNEL_CHECK_OFFSET(aes_rv32_job, in_step, AES_RV32_JOB_IN_STEP);
RUNNEL_CHECK_OFFSET(aes_rv32_job, batches, AES_RV32_JOB_BATCHES);
RUNNEL_CHECK_OFFSET(aes_rv32_job, keys, AES_RV32_JOB_KEYS);
RUNNEL_CHECK_OFFSET(aes_rv32_job, last, AES_RV32_JOB_LAST);
RUNNEL_CHECK_OFFSET(aes_rv32_job, from, AES_RV32_JOB_FROM);
RUNNEL_CHECK_OFFSET(aes_rv32_job, from_step, AES_RV32_JOB_FROM_STEP);
RUNNEL_CHECK_OFFSET(aes_rv32_job, last_3, AES_RV32_JOB_LAST_3);
RUNNEL_CHECK_OFFSET(aes_rv32_job, words, AES_RV32_JOB_WORDS);

typedef void (*aes_rv32_loop)(aes_rv32_job *job);

/* In assembly: S-boxes without NOTs on eight planes. */
void runnel_aes_rv32_sub_bytes(uint32_t planes[8]);

#define AES_RV32_LOOK_UP (-1) /* from_step: from is a table */
#define AES_RV32_NOTS 0x63    /* bit i: sub_bytes gives the complement of plane i */

/* By words, where memcpy and memset of a small C library move bytes. */
static inline void aes_rv32_copy(uint32_t *to, const uint32_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        to[i] = from[i];
}

static inline void aes_rv32_wipe(uint32_t *p, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        p[i] = 0;
    __asm__ volatile("" : : "r"(p) : "memory");
}

static inline uint32_t aes_rv32_rotated(uint32_t w, unsigned n)
{
    return w >> n | w << (32 - n);
}

/* In the low bit of each byte: bit i of it. */
static inline uint32_t aes_rv32_bit(uint32_t w, unsigned i)
{
    return w >> i & 0x01010101;
}

/* Each byte all ones or zeros, as bit i of it. */
static inline uint32_t aes_rv32_spread_bit(uint32_t w, unsigned i)
{
    const uint32_t bits = aes_rv32_bit(w, i);
    return (bits << 8) - bits;
}

/* Column c of SR^-v of a block (SR = ShiftRows), rows from the low byte up. */
static inline uint32_t aes_rv32_column_back(const uint32_t block[4], unsigned c, unsigned v)
{
    return (block[c] & 0xff) | (block[(c - v) % 4] & 0xff00) | (block[(c - 2 * v) % 4] & 0xff0000) |
           (block[(c - 3 * v) % 4] & 0xff000000);
}

/* MixColumns on one column. */
static inline uint32_t aes_rv32_mix_column(uint32_t a)
{
    const uint32_t below = aes_rv32_rotated(a, 8), sum = a ^ below, high = sum >> 7 & 0x01010101;
    return below ^ aes_rv32_rotated(sum, 16) ^ (sum & 0x7f7f7f7f) << 1 ^ high ^ high << 1 ^ high << 3 ^ high << 4;
}

/* Bit i of every byte of plane j is bit j of that byte of word i, and back. */
void runnel_aes_rv32_transpose(uint32_t planes[8]);

/* The S-box on the bytes of a word, and of a block. */
uint32_t runnel_aes_rv32_sub_word(uint32_t word);
void runnel_aes_rv32_sub_block(uint32_t words[4]);

/* The round keys, 4 words each. Returns the number of rounds. */
unsigned runnel_aes_rv32_expand_key(uint32_t words[60], const uint8_t *key, size_t key_bytes);

/* In assembly: packs the same round key for two blocks, under SR^-v; not for the whitening key: with the NOTs. */
void runnel_aes_rv32_pack_key(uint32_t planes[8], const uint32_t key[4], unsigned v, int nots);

/* In assembly: packs the same block, each column XOR `added`, for eight blocks (the layout of prefix8_groups.S). */
void runnel_aes_rv32_spread_block(uint32_t packed[32], const uint32_t block[4], uint32_t added);

/* The state of a counter block after two rounds, given round keys 0, 1 and 2. */
void runnel_aes_rv32_two_rounds(uint32_t block[4], const uint32_t keys[12]);

/* Runs the loop over whole batches of batch_bytes each (at most 128), for any alignment; in may be NULL. */
void runnel_aes_rv32_run(aes_rv32_job *job, aes_rv32_loop loop, size_t batch_bytes, uint8_t *out, const uint8_t *in,
                         size_t batches);

/* The same for a part of a batch: count blocks from block number first on. */
void runnel_aes_rv32_run_part(aes_rv32_job *job, aes_rv32_loop loop, uint8_t *out, const uint8_t *in, size_t first,
                              size_t count);

/* In assembly, prefix_pairs.S: what follows goes through it. */
void runnel_aes_rv32_prefix_pairs(aes_rv32_job *job);

/* ShiftRows omitted before round 1: determined by how that loop ends (v = 2 in the last round but one). */
static inline unsigned aes_rv32_phase(unsigned rounds)
{
    return rounds == 12 ? 3 : 1;
}

/* Makes the job continue at this round: 1 or 3. packed: the round keys. */
static inline void aes_rv32_start_pairs(aes_rv32_job *job, const uint32_t *packed, unsigned rounds, unsigned round)
{
    const unsigned v = (round + aes_rv32_phase(rounds)) % 4;
    job->keys = packed + 8 * round - 8 * v;
    job->from_step = (int32_t)v; /* not 0: the loop starts at v = 2 */
    job->last = packed + 8 * (rounds - 1u) - 16;
    job->last_3 = NULL;
}

/* The keys of all rounds, 8 words each; raw blocks; counter blocks from this one on, whose last 32 bits count. */
void runnel_aes_rv32_pack_keys(uint32_t *packed, const uint32_t *words, unsigned rounds);
void runnel_aes_rv32_encrypt_pairs(const uint32_t *packed, unsigned rounds, uint8_t *out, const uint8_t *in,
                                   size_t nblocks);
void runnel_aes_rv32_count_pairs(const uint32_t *packed, unsigned rounds, const uint8_t *block, uint8_t *out,
                                 const uint8_t *in, size_t nblocks);

static inline int aes_rv32_is_aligned(const void *p)
{
    return (uintptr_t)p % 4 == 0;
}

static inline void aes_rv32_load_block(uint32_t words[4], const uint8_t *block)
{
    if (aes_rv32_is_aligned(block)) {
        aes_rv32_copy(words, (const void *)block, 4);
        return;
    }
    for (int c = 0; c < 4; c++)
        words[c] = runnel_load32le(block + 4 * c);
}

#endif
#endif
