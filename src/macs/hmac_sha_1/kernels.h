/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SHA-1, each in the file of its name, and HMAC of a packet that lies in memory as a whole. */
#ifndef RUNNEL_HMAC_SHA_1_KERNELS_H
#define RUNNEL_HMAC_SHA_1_KERNELS_H

#include "core/describe.h"

#include "hmac_sha_1.h"

enum { RUNNEL_SHA_1_BLOCK = 64, RUNNEL_SHA_1_DIGEST = 20 };

typedef RUNNEL_IN_FLASH struct runnel_hmac_sha_1_kernel {
    RUNNEL_KERNEL_HEAD
    void (*compress)(uint32_t state[5], const uint8_t *data, size_t nblocks); /* nblocks >= 1 */
} runnel_hmac_sha_1_kernel;

/* The first kernel that this CPU can run. */
const runnel_hmac_sha_1_kernel *runnel_hmac_sha_1_choose(void);

/* Key set-up: the states after the two blocks of a key of any length. */
void runnel_hmac_sha_1_make_pads(runnel_hmac_sha_1_pads *pads, const runnel_hmac_sha_1_kernel *kernel,
                                 const uint8_t *key, size_t key_bytes);

/* A message that lies in memory as a whole, with the key's states at hand. */
typedef struct runnel_hmac_sha_1_text {
    const runnel_hmac_sha_1_pads *pads;
    const runnel_hmac_sha_1_kernel *kernel;
    const uint8_t *data;
    size_t bytes;
    uint8_t suffix[4];                   /* what follows the data, if anything does */
    uint8_t suffix_bytes;                /* 0 or 4 */
    uint8_t digest[RUNNEL_SHA_1_DIGEST]; /* the result */
} runnel_hmac_sha_1_text;

/* Computes the digests of several messages, side by side where that is faster. */
void runnel_hmac_sha_1_texts(runnel_hmac_sha_1_text *texts, size_t count);

/* Several messages in the lanes of vectors. */
enum { RUNNEL_HMAC_SHA_1_LANES = 16 };
typedef struct runnel_hmac_sha_1_lanes {
    RUNNEL_KERNEL_HEAD
    uint8_t worth; /* so many messages or more take less time together than one after another */
    /* nblocks >= 1 blocks of each lane, from data[lane]; word i of a lane's state is states[i][lane]. */
    void (*compress)(uint32_t states[5][RUNNEL_HMAC_SHA_1_LANES], const uint8_t *const data[RUNNEL_HMAC_SHA_1_LANES],
                     size_t nblocks);
} runnel_hmac_sha_1_lanes;

#if RUNNEL_X86_64
extern const runnel_hmac_sha_1_lanes runnel_hmac_sha_1_lanes_avx512;
#endif

#define KERNEL(on, name) extern const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_##name;
#include "kernels.inc"

#if RUNNEL_AVR
/* In assembly: continues with a block of 64 bytes. In firmware the kernel is the only one and called directly. */
void runnel_hmac_sha_1_avr_compress(uint32_t state[5], const uint8_t *block);
#endif

#endif
