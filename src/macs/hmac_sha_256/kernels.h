/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of SHA-256, each in the file of its name: for one message, or for several side by side. Elsewhere than on
 * hosts there is one alone, the processor's own or the portable one, which is called directly. */
#ifndef RUNNEL_HMAC_SHA_256_KERNELS_H
#define RUNNEL_HMAC_SHA_256_KERNELS_H

#include "core/describe.h"

#include "hmac_sha_256.h"

#if RUNNEL_HOSTED || RUNNEL_AVR

#define RUNNEL_SHA_256_LANES_MOST 16

typedef RUNNEL_IN_FLASH struct runnel_sha_256_kernel {
    RUNNEL_KERNEL_HEAD /* lanes: how many messages it takes, always */
        uint8_t
            worth; /* from so many on it takes less time than the kernels behind it, if other lanes work for nothing */
    /* Goes on with nblocks >= 1 blocks of each message. Lanes may repeat one another: in is read, states then get the
     * same words. */
    void (*compress)(uint32_t *const *states, const uint8_t *const *in, size_t nblocks);
} runnel_sha_256_kernel;

#if RUNNEL_HOSTED
extern runnel_kernel_list runnel_sha_256_kernels;
#endif

/* Returns the first kernel for so many messages that this CPU can run: count >= worth. */
const runnel_sha_256_kernel *runnel_sha_256_kernel_for(size_t count);

#define KERNEL(on, name) extern const runnel_sha_256_kernel runnel_hmac_sha_256_##name;
#include "kernels.inc"

#endif

#if RUNNEL_AVR
/* In assembly: continues with a block of 64 bytes. */
void runnel_hmac_sha_256_avr_compress(uint32_t state[8], const uint8_t *block);
#endif

#endif
