/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counter mode, for all block ciphers: how a message gets to its kernel is decided here and in counter.c, for everybody who
 * has a counter: which function of the kernel, the counter block of a position, how many blocks there are before a wrap,
 * and the tail.
 *
 * A run is what a kernel sees of a message: blocks in which only one 32-bit word of the counter block moves, without a carry
 * out of it, or out of its run_bits low bits. */
#ifndef RUNNEL_CORE_COUNTER_H
#define RUNNEL_CORE_COUNTER_H

#include "arch/common/bytes.h"
#include "context.h"

/* The number of blocks that the modes keep on the stack at a time. */
#if RUNNEL_HOSTED
#define RUNNEL_BUFFERED_BLOCKS 32
#elif RUNNEL_AVR
#define RUNNEL_BUFFERED_BLOCKS 1
#else
#define RUNNEL_BUFFERED_BLOCKS 8
#endif

/* Where in the block the counter field is. */
enum { RUNNEL_COUNTS_LAST, RUNNEL_COUNTS_LAST_16, RUNNEL_COUNTS_FROM }; /* LAST has 32 bits at least; LAST_16 has 16 */

/* The meaning of a layout's number in <runnel/stream.h>. */
typedef RUNNEL_IN_FLASH struct runnel_layout {
    const char *name;
    uint8_t bits; /* width of the counter field */
    uint8_t place;
    uint8_t offset; /* of the field, for RUNNEL_COUNTS_FROM */
    uint8_t little; /* 1: little-endian */
} runnel_layout;

extern const runnel_layout runnel_layouts[RUNNEL_LAYOUTS];

/* Returns the blocks in one period of a counter layout, as a context counts them. */
RUNNEL_INLINE runnel_count runnel_layout_period(const runnel_layout *l)
{
#if RUNNEL_COUNT_BITS == 32
    return l->bits < 32 ? (runnel_count)1 << l->bits : UINT32_MAX; /* as below, without 64-bit shifts */
#else
    return runnel_narrow_count(l->bits < 64 ? (uint64_t)1 << l->bits : 0);
#endif
}
runnel_count runnel_counter_period(int layout);

/* Starts a message whose first counter block is in the context. */
static inline void runnel_counter_begins(runnel_stream *s, int layout, runnel_count blocks)
{
    if (s->kernel->block.nonce != NULL && s->cipher->prefix_offset)
        s->kernel->block.nonce(runnel_state_of(s), runnel_prefix_of(s), ((runnel_ctr_head *)s)->first);
    runnel_message_begins(s, layout, blocks);
}

/* Returns how many blocks of its run follow the one whose counter word that is. */
RUNNEL_INLINE uint32_t runnel_blocks_after(const runnel_kernel *kernel, uint32_t word)
{
    uint32_t after = ~word;
#if RUNNEL_NOT_AVR             /* whose kernels have no runs shorter than the word */
    if (kernel->run_bits != 0) /* without a run, masking all bits would only take time */
        after &= UINT32_MAX >> (32 - kernel->run_bits);
#else
    (void)kernel;
#endif
    return after;
}

/* Tells whether a layout counts in the last bytes of the block. */
RUNNEL_INLINE int runnel_counts_last(int layout)
{
    _Static_assert(RUNNEL_BE64 == RUNNEL_BE128 + 1 && RUNNEL_BE32 == RUNNEL_BE128 + 2 &&
                       RUNNEL_BE16 == RUNNEL_BE128 + 3,
                   "one comparison tells them");
    return (unsigned)layout - RUNNEL_BE128 <= RUNNEL_BE16 - RUNNEL_BE128;
}

/* Returns the word of a counter block that moves, as a number; of be16 the half that stays counts as ones, so that a run ends
 * where these 16 bits wrap. */
RUNNEL_INLINE uint32_t runnel_counter_word(const uint8_t *block, size_t block_bytes, int layout)
{
    if (runnel_counts_last(layout))
        return runnel_load32be(block + block_bytes - 4) | (layout == RUNNEL_BE16 ? 0xffff0000 : 0);
#if RUNNEL_NOT_AVR /* where kernels count in no little-endian field */
    if (layout != RUNNEL_BE32_LEFT)
        return runnel_load32le(block);
#endif
    return runnel_load32be(block + 4);
}

/* Writes the counter block `index` blocks after `first`, in a block of 16 bytes that counts in its last ones without a
 * carry out of the field. */
static inline void runnel_counter_block_after(uint8_t *block, const uint8_t *first, runnel_count index)
{
#if RUNNEL_HOSTED /* by halves, as kernels load it: there is no store-forwarding from smaller parts */
    memcpy(block, first, 8);
    runnel_store64be_at_once(block + 8, runnel_load64be(first + 8) + index);
#else
    memcpy(block, first, 16);
    for (uint8_t *p = block + 15; index > 0; p--, index >>= 8) {
        index += *p;
        *p = (uint8_t)index;
    }
#endif
}

/* Writes the counter block of the next block to be made. */
void runnel_counter_block(const runnel_ctr_head *context, uint8_t *block);

/* Makes nblocks blocks of keystream by encrypt_blocks alone and moves the position: for contexts whose prefix belongs to a
 * mode, and where a block by itself takes less time. */
void runnel_counter_encrypt(runnel_ctr_head *context, uint8_t *out, size_t nblocks);

/* The same for one block at the start of a message, whose counter block is in the context. */
static inline void runnel_counter_encrypt_first(runnel_ctr_head *context, uint8_t *out)
{
    runnel_stream *const s = &context->stream;
    s->kernel->block.encrypt_blocks(runnel_state_of(s), out, context->first, 1);
    s->block = 1;
}

#if RUNNEL_TAILS
/* The next bytes > 0 of a message from block `index` on, of which nothing is left over: out = in XOR keystream, and the
 * position moves. RUNNEL_OK, so that the call may be the caller's last.
 * _from goes through any wrap. _first begins with block 0, and a message of one run needs no copy of its counter block, which
 * would be a third of the time of 16 bytes. */
int runnel_counter_xor_from(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                            size_t bytes);
int runnel_counter_xor_first(runnel_ctr_head *context, uint8_t *out, const uint8_t *in, size_t bytes);

/* The same for every message; a short one in one run is made in place. `first` is counter block 0, in the context or where
 * the caller has it too. */
RUNNEL_INLINE int runnel_counter_xor(runnel_ctr_head *context, const uint8_t *first, runnel_count index, uint8_t *out,
                                     const uint8_t *in, size_t bytes)
{
    runnel_stream *const s = &context->stream;
    const runnel_block_functions *f = &s->kernel->block;
    if (bytes > f->packet_bytes || !runnel_counts_last(s->layout) ||
        index + (bytes - 1) / 16 > runnel_blocks_after(s->kernel, runnel_counter_word(first, 16, s->layout)))
        return index == 0 ? runnel_counter_xor_first(context, out, in, bytes)
                          : runnel_counter_xor_from(context, index, out, in, bytes);
    const uint8_t *block = first;
    if (index > 0) {
        runnel_counter_block_after(context->leftover, first, index);
        block = context->leftover;
    }
    s->block = index + (runnel_count)((bytes + 15) / 16);
    s->leftover = (uint16_t)(-bytes % 16);
    return f->packet((const uint8_t *)s + s->cipher->state_offset, block, out, in, bytes, context->leftover);
}
#else
/* As runnel_stream_functions.xor_blocks; the driver moves the position and makes the tail's block. */
void runnel_counter_xor_blocks(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                               size_t nblocks);
#endif

#endif
