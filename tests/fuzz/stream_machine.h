/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One context of a cipher that a fuzz target drives, and the naive model beside it. */
#ifndef RUNNEL_TESTS_STREAM_MACHINE_H
#define RUNNEL_TESTS_STREAM_MACHINE_H

#include "fuzz.h"
#include "model.h"

#include <runnel/runnel.h>

enum { MOST = 4400, CANARY = 16 }; /* bytes of a call, and around its output */
enum { XOR, ENCRYPT, DECRYPT };

__extension__ typedef unsigned __int128 wide;

typedef struct machine {
    choices *c;
    const runnel_cipher *cipher;
    const runnel_kernel *kernel;
    runnel_stream *s;
    uint8_t *before; /* the context before a call */
    naive model;
    runnel_stream *twin; /* where directions differ and it is no feedback mode: the same through the reference kernel */
    int stage;           /* 0 nothing, 1 key, 2 IV */
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    size_t key_bytes, iv_bytes;
    int layout;
    wide position;
    int directed; /* where directions differ: 1 encrypting, 2 decrypting, 0 not known yet */
    uint8_t feedback[16];
} machine;

void check_error(const machine *m, const char *what, int result, unsigned may);
/* Copies the context before a call, so that check_unchanged can compare it behind an error. */
void keep(machine *m);
void check_unchanged(const machine *m, const char *what);
/* The end of the keystream in bytes, 0 if it has none or no message has begun. */
wide end_of(const machine *m);
void check_position(const machine *m);
/* Mostly a length that is allowed. */
size_t any_length(choices *c, const runnel_lengths *lengths);
/* What a call that worked did: the model follows. */
void keyed(machine *m, size_t key_bytes);
void started(machine *m, const uint8_t *iv, size_t iv_bytes, int layout);
/* The model's output of a verb, and its position behind it. */
void model_verb(machine *m, uint8_t *out, const uint8_t *in, size_t bytes, int verb);
/* The model of this context again, after it served others; m->position stays. */
void restore_model(machine *m);

/* Steps that use other contexts (stream_others.c). */
void step_batch(machine *m);
void step_blocks(machine *m);
void step_once(machine *m);
/* Calls that make no sense with this cipher, whatever the input says. */
void check_nonsense(const machine *m);

#endif
