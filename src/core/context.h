/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contents of a context and their places: the state of its kernel, the kernel's prefix, left-over keystream, the
 * position. */
#ifndef RUNNEL_CORE_CONTEXT_H
#define RUNNEL_CORE_CONTEXT_H

#include "kernel.h"

enum { RUNNEL_NOTHING_SET, RUNNEL_KEY_SET, RUNNEL_IV_SET }; /* stages of a context */

static inline void *runnel_state_of(runnel_stream *s)
{
    return (uint8_t *)s + s->cipher->state_offset;
}

/* The memory that a kernel of a block cipher keeps between calls, or NULL. */
static inline void *runnel_prefix_of(runnel_stream *s)
{
    return s->cipher->prefix_offset ? (uint8_t *)s + s->cipher->prefix_offset : NULL;
}

/* The block at the end of the array behind the head, see runnel_ctr_head. */
static inline uint8_t *runnel_leftover_array(runnel_stream *s)
{
#if RUNNEL_HOSTED
    return (uint8_t *)(s + 1) + s->cipher->ahead_bytes;
#else
    return (uint8_t *)(s + 1);
#endif
}

/* Turns a period in blocks, 0 for 2^64 or more, into what a context can count. */
static inline runnel_count runnel_narrow_count(uint64_t blocks)
{
#if RUNNEL_COUNT_BITS == 64
    return blocks;
#else
    return blocks > UINT32_MAX || (uint32_t)blocks == 0 ? UINT32_MAX : (uint32_t)blocks;
#endif
}

static inline size_t runnel_whole_blocks(size_t bytes, size_t block_bytes)
{
    if ((block_bytes & (block_bytes - 1)) != 0)
        return bytes / block_bytes;
#if RUNNEL_AVR /* where a shift by a variable is a loop, but still shorter than the division */
    if (block_bytes == 16)
        return bytes >> 4;
    for (; block_bytes > 1; block_bytes >>= 1)
        bytes >>= 1;
    return bytes;
#else
    return bytes >> __builtin_ctz((unsigned)block_bytes);
#endif
}

static inline const uint8_t *runnel_advance(const uint8_t *in, size_t bytes)
{
    return in == NULL ? NULL : in + bytes;
}

/* Starts a message at position 0; its limit is that many blocks. */
static inline void runnel_message_begins(runnel_stream *s, int layout, runnel_count blocks)
{
    s->blocks = blocks;
    s->layout = (uint8_t)layout;
    s->block = 0;
    s->leftover = 0;
#if RUNNEL_HOSTED
    s->made_ahead = 0;
#endif
    s->stage = RUNNEL_IV_SET;
}

#endif
