/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SHA-1, each in the file of its name, and HMAC of a packet that lies in memory as a whole. */
#ifndef RUNNEL_HMAC_SHA_1_KERNELS_H
#define RUNNEL_HMAC_SHA_1_KERNELS_H

#include "core/kernel.h"

#include "hmac_sha_1.h"

enum { SHA_1_BLOCK = 64, SHA_1_DIGEST = 20 };

typedef struct runnel_hmac_sha_1_kernel {
    const char *name;
    const char *citation;
    uint32_t cpu; /* RUNNEL_CPU_* bits, all needed */
    void (*compress)(uint32_t state[5], const uint8_t *data, size_t nblocks); /* nblocks >= 1 */
} runnel_hmac_sha_1_kernel;

/* The first kernel that this CPU can run. */
const runnel_hmac_sha_1_kernel *runnel_hmac_sha_1_choose(void);

/* Key set-up: the states after the two blocks of a key of any length. */
void runnel_hmac_sha_1_make_pads(runnel_hmac_sha_1_pads *pads, const runnel_hmac_sha_1_kernel *kernel,
                                 const uint8_t *key, size_t key_bytes);

#define KERNEL(on, name) extern const runnel_hmac_sha_1_kernel runnel_hmac_sha_1_##name;
#include "kernels.inc"

#endif
