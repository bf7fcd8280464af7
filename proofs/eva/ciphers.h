/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers whose kernels do what core/kernel.h allows and no more: they read all that they may read, and write anything to
 * all that they must write. */
#ifndef RUNNEL_PROOFS_EVA_CIPHERS_H
#define RUNNEL_PROOFS_EVA_CIPHERS_H

#include "any.h"

#include "core/driver.h"
#include "modes/cfb/mode.h"

enum { SCHEDULE = 32, PREFIX = 24, PACKET = 40, FEATURE = 1 };

typedef struct ctr_context {
    runnel_ctr_head head;
    uint8_t schedule[SCHEDULE], prefix[PREFIX];
} ctr_context;

typedef struct cfb_context {
    runnel_cfb_head head;
    uint8_t schedule[SCHEDULE];
} cfb_context;

/* Stream ciphers: one that seeks and has room for keystream made ahead, of which at most 2^40 blocks are made, and one
 * that does neither, whose IV is as long as its key. */
enum { STREAM_BLOCK = 32, AHEAD = 224, STREAM_STATE = 40, LANES = 2, MOST_BLOCKS = 1 << 20 };

typedef struct stream_context {
    runnel_stream head;
    uint8_t leftover[AHEAD + STREAM_BLOCK], state[STREAM_STATE];
} stream_context;

typedef struct plain_context {
    runnel_stream head;
    uint8_t leftover[STREAM_BLOCK], state[STREAM_STATE];
} plain_context;

extern const runnel_kernel full_16, runs_16, plain_16, full_8, runs_8, plain_8, stream_kernel, lanes_kernel;
extern const runnel_cipher ctr_16, ctr_8, cfb_16, cfb_8, ahead_cipher, lanes_cipher;
extern runnel_cipher_list ctr_family;

/* Puts a key into a context, for the kernel of that name, and makes any message of it: any IV, any position. */
void any_message(runnel_stream *s, const runnel_cipher *cipher, const runnel_kernel *kernel, int layout,
                 size_t leftover);
/* The assumptions of any_message, which must hold after every call too. */
void check_message_state(const runnel_stream *s);

#endif
