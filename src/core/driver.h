/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the verbs of all ciphers share. */
#ifndef RUNNEL_CORE_DRIVER_H
#define RUNNEL_CORE_DRIVER_H

#include "arch/avr/copy.h"
#include "arch/common/bytes.h"
#include "choose.h"
#include "ctr.h"
#include "define.h"

enum { RUNNEL_NOTHING_SET, RUNNEL_KEY_SET, RUNNEL_IV_SET }; /* stages of a context */

/* How many blocks the modes keep on the stack at a time. */
#if RUNNEL_HOSTED
#define RUNNEL_BUFFERED_BLOCKS 32
#elif RUNNEL_AVR
#define RUNNEL_BUFFERED_BLOCKS 1
#else
#define RUNNEL_BUFFERED_BLOCKS 8
#endif

/* The block at the end of the array behind the head, see runnel_ctr_head. */
static inline uint8_t *runnel_leftover_array(runnel_stream *s)
{
#if RUNNEL_HOSTED
    return (uint8_t *)(s + 1) + s->cipher->ahead_bytes;
#else
    return (uint8_t *)(s + 1);
#endif
}

static inline int runnel_has_length(const RUNNEL_IN_FLASH runnel_lengths *lengths, size_t bytes)
{
    size_t length = lengths->first; /* added up, because small processors have no division */
    while (length < bytes && length < lengths->last)
        length += lengths->step;
    return length == bytes;
}

static inline const uint8_t *runnel_advance(const uint8_t *in, size_t bytes)
{
    return in == NULL ? NULL : in + bytes;
}

static inline void *runnel_state_of(runnel_stream *s)
{
    return (uint8_t *)s + s->cipher->state_offset;
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

static inline int runnel_overlap(const uint8_t *out, const uint8_t *in, size_t bytes)
{
    const uintptr_t o = (uintptr_t)out, i = (uintptr_t)in;
    return o != i && (o - i < bytes || i - o < bytes);
}

/* Decides every error of a new IV, and puts the cipher's layout in place of the default one. */
static inline int runnel_check_iv(const runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int *layout)
{
    if (s == NULL || (iv == NULL && iv_bytes > 0))
        return RUNNEL_ERR_NULL;
    if (s->stage == RUNNEL_NOTHING_SET)
        return RUNNEL_ERR_STATE;
    const runnel_cipher *cipher = s->cipher;
    if (!runnel_has_length(&cipher->iv_bytes, iv_bytes) || (cipher->iv_as_key && iv_bytes != s->key_bytes))
        return RUNNEL_ERR_IV_LENGTH;
    if (*layout == RUNNEL_LAYOUT_DEFAULT)
        *layout = cipher->layout;
    else if (*layout < 0 || *layout >= RUNNEL_LAYOUTS || !(cipher->layouts >> *layout & 1))
        return RUNNEL_ERR_LAYOUT;
    return RUNNEL_OK;
}

/* All of key set-up but the kernel's own. */
static inline void runnel_key_begins(runnel_stream *s, const runnel_cipher *cipher, const runnel_kernel *kernel,
                                     size_t key_bytes)
{
    s->cipher = cipher;
    s->kernel = kernel;
    s->block = s->blocks = 0;
    s->leftover = 0;
    s->stage = RUNNEL_KEY_SET;
    s->layout = 0;
    s->key_bytes = (uint16_t)key_bytes;
    if (cipher->variant_offset)
        *((uint8_t *)s + cipher->variant_offset) = cipher->variant;
    if (cipher->prefix_offset)
        RUNNEL_CLEAR((uint8_t *)s + cipher->prefix_offset, 8);
}

#if RUNNEL_HOSTED
/* The kernel's own, and zero = E(0), 16 bytes. */
static inline void runnel_key_and_zero(const runnel_kernel *kernel, void *state, const uint8_t *key, size_t key_bytes,
                                       uint8_t *zero)
{
    if (kernel->block.key_and_zero != NULL) {
        kernel->block.key_and_zero(state, key, key_bytes, zero);
        return;
    }
    kernel->key(state, key, key_bytes);
    memset(zero, 0, 16);
    kernel->block.encrypt_blocks(state, zero, zero, 1);
}
#endif

static inline void runnel_message_begins(runnel_stream *s, int layout, runnel_count blocks)
{
    s->blocks = blocks;
    s->layout = (uint8_t)layout;
    s->block = 0;
    s->leftover = 0;
    s->stage = RUNNEL_IV_SET;
}

/* Starts a message in counter mode whose first block is in the context. */
static inline void runnel_counter_begins(runnel_stream *s, int layout, runnel_count blocks)
{
    const runnel_cipher *cipher = s->cipher;
    if (s->kernel->block.nonce != NULL && cipher->prefix_offset)
        s->kernel->block.nonce(runnel_state_of(s), (uint8_t *)s + cipher->prefix_offset, ((runnel_ctr_head *)s)->first);
    runnel_message_begins(s, layout, blocks);
}

/* Starts a message with a checked IV and the layout that runnel_check_iv found; *known is its limit in blocks, if the
 * caller has it, else known is NULL. */
RUNNEL_INLINE void runnel_begin(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout,
                                const runnel_count *known)
{
    const runnel_cipher *cipher = s->cipher;
    if (cipher->mode == RUNNEL_MODE_CTR) {
        if (iv_bytes == 16) /* a copy of known length is a load and a store */
            RUNNEL_COPY(((runnel_ctr_head *)s)->first, iv, 16);
        else
            memcpy(((runnel_ctr_head *)s)->first, iv, iv_bytes);
        runnel_counter_begins(s, layout, known != NULL ? *known : runnel_ctr_blocks(layout));
        return;
    }
    if (cipher->mode == RUNNEL_MODE_STREAM)
        s->kernel->stream.iv(runnel_state_of(s), iv, iv_bytes);
    else
        memcpy(runnel_leftover_array(s), iv, iv_bytes);
    runnel_message_begins(s, layout, known != NULL ? *known : runnel_narrow_count(cipher->blocks));
}

/* Decides every error of a call that makes `bytes` > 0 bytes. */
static inline int runnel_check_call(const runnel_stream *s, const uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (out == NULL)
        return RUNNEL_ERR_NULL;
    if (in != NULL && runnel_overlap(out, in, bytes))
        return RUNNEL_ERR_OVERLAP;
    if (s->blocks != 0 && bytes > s->leftover && bytes - s->leftover > s->blocks - s->block && /* spares the division */
        runnel_whole_blocks(bytes - s->leftover - 1, s->cipher->block_bytes) >= s->blocks - s->block)
        return RUNNEL_ERR_LIMIT;
    return RUNNEL_OK;
}

/* What runnel_stream_xor does after its checks. A packet has its own checks and goes straight there; in firmware, where
 * one copy of the code is enough, it goes through runnel_stream_xor. */
#if RUNNEL_HOSTED
#define RUNNEL_SHARED_ON_HOSTS
int runnel_xor_message(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
#define RUNNEL_XOR_CHECKED runnel_xor_message
#else
#define RUNNEL_SHARED_ON_HOSTS RUNNEL_INLINE
#define RUNNEL_XOR_CHECKED runnel_stream_xor
#endif

#if RUNNEL_TAILS
/* For kernels with `packet`. Whether counters that begin with `word`, the last one of a block of 16 bytes, stay in their
 * run. Not all of a run does: it has 2^32 blocks, one more than a count of 32 bits. */
static inline int runnel_stays_in_run(uint64_t word, size_t bytes)
{
    return word + (bytes - 1) / 16 <= UINT32_MAX - (RUNNEL_COUNT_BITS == 32);
}

/* All of these layouts exist for blocks of 16 bytes. */
static inline int runnel_counts_in_last_word(int layout)
{
    _Static_assert(RUNNEL_BE64 == RUNNEL_BE128 + 1 && RUNNEL_BE32 == RUNNEL_BE128 + 2, "one comparison tells them");
    return (unsigned)layout - RUNNEL_BE128 <= 2;
}

static inline int runnel_counts_in_first_word(int layout)
{
    _Static_assert(RUNNEL_LE64 == RUNNEL_LE128 + 1 && RUNNEL_LE32 == RUNNEL_LE128 + 2, "one comparison tells them");
    return (unsigned)layout - RUNNEL_LE128 <= 2;
}

/* The next bytes > 0 of a checked message of which nothing is left over, by one call of the kernel's packet; returns 0, and
 * has done nothing, where it has none or that does not fit. */
RUNNEL_INLINE int runnel_short_piece(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (s->kernel->kind != RUNNEL_KIND_BLOCK || bytes > s->kernel->block.packet_bytes ||
        !runnel_counts_in_last_word(s->layout))
        return 0;
    const uint8_t *first = ((runnel_ctr_head *)s)->first, *block = first;
    const uint64_t word = runnel_load32be(first + 12) + s->block;
    if (!runnel_stays_in_run(word, bytes))
        return 0;
    uint8_t *leftover = ((runnel_ctr_head *)s)->leftover;
    if (s->block > 0) { /* stored by halves, as kernels load it: there is no store-forwarding from smaller parts */
        memcpy(leftover, first, 8);
        runnel_store64be_at_once(leftover + 8, runnel_load64be(first + 8) >> 32 << 32 | word);
        block = leftover;
    }
    s->block += (bytes + 15) / 16;
    s->leftover = (uint16_t)(-bytes % 16);
    return !s->kernel->block.packet((const uint8_t *)s + s->cipher->state_offset, block, out, in, bytes, leftover);
}
#endif

#endif
