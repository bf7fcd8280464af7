/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For kernels of cores that cannot load words from any address: those see aligned blocks only. */
#ifndef RUNNEL_ARCH_COMMON_ALIGNED_H
#define RUNNEL_ARCH_COMMON_ALIGNED_H

#include "bytes.h"
#include "wipe.h"

/* out = in XOR keystream for nblocks >= 1 blocks, out and in aligned to 4 bytes; out == in is allowed. Advances the
 * job by nblocks. */
typedef void (*runnel_aligned_xor)(void *job, uint8_t *out, const uint8_t *in, size_t nblocks);

/* The same at any alignment and for in == NULL, which gives the keystream. Blocks of up to 80 bytes. */
static inline void runnel_xor_aligned(runnel_aligned_xor xor_blocks, void *job, uint8_t *out, const uint8_t *in,
                                      size_t nblocks, size_t block_bytes)
{
    if (in != NULL && (((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
        xor_blocks(job, out, in, nblocks);
        return;
    }
    uint32_t keystream[20];
    uint8_t *const bytes = (uint8_t *)keystream;
    for (; nblocks > 0; nblocks--) {
        memset(bytes, 0, block_bytes);
        xor_blocks(job, bytes, bytes, 1);
        runnel_xor_bytes(out, in, bytes, block_bytes);
        out += block_bytes;
        in = in == NULL ? NULL : in + block_bytes;
    }
    runnel_wipe(keystream, sizeof keystream);
}

#endif
