/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the verbs of all ciphers. */
#ifndef RUNNEL_CORE_DRIVER_H
#define RUNNEL_CORE_DRIVER_H

#include <runnel/ranges.h>

#include "arch/avr/copy.h"
#include "choose.h"
#include "context.h"
#include "counter.h"
#include "define.h"

/* Keeps what is rarely needed out of functions that are needed often, which would save registers for it. */
#if RUNNEL_HOSTED
#define RUNNEL_COLD RUNNEL_NOINLINE
#else
#define RUNNEL_COLD
#endif

static inline int runnel_has_length(const RUNNEL_IN_FLASH runnel_lengths *lengths, size_t bytes)
{
    size_t length = lengths->first; /* added up, because small processors have no division */
    while (length < bytes && length < lengths->last)
        length += lengths->step;
    return length == bytes;
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
#if RUNNEL_HOSTED
    s->made_ahead = 0;
#endif
    s->key_bytes = (uint16_t)key_bytes;
    if (cipher->variant_offset)
        *((uint8_t *)s + cipher->variant_offset) = cipher->variant;
    if (cipher->prefix_offset)
        RUNNEL_CLEAR((uint8_t *)s + cipher->prefix_offset, 8);
}

/* The kernel's own, and zero = E(0), 16 bytes. */
static inline void runnel_key_and_zero(const runnel_kernel *kernel, void *state, const uint8_t *key, size_t key_bytes,
                                       uint8_t *zero)
{
#if RUNNEL_HOSTED
    if (kernel->block.key_and_zero != NULL) {
        kernel->block.key_and_zero(state, key, key_bytes, zero);
        return;
    }
#endif
    kernel->key(state, key, key_bytes);
    memset(zero, 0, 16);
    kernel->block.encrypt_blocks(state, zero, zero, 1);
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
        runnel_counter_begins(s, layout, known != NULL ? *known : runnel_counter_period(layout));
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
    if (in != NULL && runnel_partial_overlap(out, in, bytes))
        return RUNNEL_ERR_OVERLAP;
    if (s->blocks != 0 && bytes > s->leftover && bytes - s->leftover > s->blocks - s->block && /* spares the division */
        runnel_whole_blocks(bytes - s->leftover - 1, s->cipher->block_bytes) >= s->blocks - s->block)
        return RUNNEL_ERR_LIMIT;
    return RUNNEL_OK;
}

/* Does the work of runnel_stream_xor after its checks. A packet has its own checks and goes straight there; in
 * firmware, where one copy of the code is enough, it goes through runnel_stream_xor. */
#if RUNNEL_HOSTED
#define RUNNEL_SHARED_ON_HOSTS
int runnel_xor_message(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
#define RUNNEL_XOR_CHECKED runnel_xor_message
#else
#define RUNNEL_SHARED_ON_HOSTS RUNNEL_INLINE
#define RUNNEL_XOR_CHECKED runnel_stream_xor
#endif

#endif
