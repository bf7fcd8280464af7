/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In which batches kernels make a message whose blocks are of 64 bytes (Salsa20, ChaCha20). */
#ifndef RUNNEL_ARCH_X86_BATCHES_H
#define RUNNEL_ARCH_X86_BATCHES_H

#include "arch/common/bytes.h"
#include "arch/common/inline.h"

enum { RUNNEL_BATCHES_BLOCK = 64 };

typedef void runnel_xor_batch(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                              uint8_t *leftover);

/* For a kernel that makes up to `few` blocks at a time, up to `most` or most + 1. How long so many take in batches of
 * at_once, and whether it is shorter to begin with most + 1; in sixteenths of the time of `most`. */
RUNNEL_INLINE unsigned runnel_batches_cost(size_t blocks, size_t few, size_t at_once, unsigned each)
{
    const size_t rest = blocks % at_once;
    const unsigned of_few = rest > few / 2 ? 12 : 9;
    return (unsigned)(blocks / at_once) * each + (rest > few ? 16 : rest > 0 ? of_few : 0);
}

RUNNEL_INLINE int runnel_one_more_pays(size_t blocks, size_t few, size_t most)
{
    return blocks > most && (blocks > 16 * most || runnel_batches_cost(blocks, few, most + 1, 17) <
                                                       runnel_batches_cost(blocks, few, most, 16));
}

/* The loop of a kernel that makes up to `most` blocks at a time, or one more if `few` is not 0, including the one for
 * leftover: nblocks blocks and a tail, or no tail, and then leftover is NULL. */
RUNNEL_INLINE void runnel_xor_by_batches(runnel_xor_batch *xor_batch, size_t few, size_t most, void *state,
                                         uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail,
                                         uint8_t *leftover)
{
    for (;;) {
        const size_t blocks = nblocks + (leftover != NULL);
        const size_t at_once = most + (few > 0 && runnel_one_more_pays(blocks, few, most));
        const int last = blocks <= at_once;
        const size_t n = nblocks < at_once ? nblocks : at_once;
        xor_batch(state, index, out, in, n, last ? leftover : NULL);
        index += n;
        out += RUNNEL_BATCHES_BLOCK * n;
        if (in != NULL)
            in += RUNNEL_BATCHES_BLOCK * n;
        nblocks -= n;
        if (last)
            break;
    }
    if (leftover != NULL)
        runnel_xor_bytes(out, in, leftover, tail);
}

#endif
