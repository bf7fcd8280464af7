/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One context of an AEAD that a fuzz target drives, with another beside it for the portable kernels. */
#ifndef RUNNEL_TESTS_AEAD_MACHINE_H
#define RUNNEL_TESTS_AEAD_MACHINE_H

#include "fuzz.h"

#include <runnel/aead.h>

enum { MOST = 3000, MOST_AAD = 600, LONGEST_NONCE = 300, CANARY = 16, TAG = RUNNEL_AEAD_TAG_MAX };
enum { IDLE, STARTED, ENCRYPTING, DECRYPTING };

typedef struct message {
    uint8_t nonce[LONGEST_NONCE], aad[MOST_AAD], text[MOST], sealed[MOST], tag[TAG];
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
} message;

typedef struct machine {
    choices *c;
    const runnel_aead *aead;
    const char *kernel;
    uint32_t features;
    runnel_aead_context *s, *reference;
    uint8_t *before;
    int keyed, stage, has_lengths;
    uint8_t key[64];
    message m; /* in pieces: what has come so far */
    uint64_t aad_total, text_total;
} machine;

extern uint8_t aead_memory[MOST + 2 * CANARY]; /* where output goes */

void aead_check_error(const machine *m, const char *what, int result, unsigned may);
/* Copies context and memory before a call, so that aead_check_unchanged can compare them behind an error. */
void aead_keep(machine *m);
void aead_check_unchanged(const machine *m, const char *what);
/* Seals by portable code, in one call. */
void aead_reference_seal(machine *m, message *k);
/* Chooses nonce and length of the tag; returns the errors that they may give. */
unsigned aead_choose_head(machine *m, message *k);

/* Steps of a message in pieces (aead_pieces.c). */
void aead_step_start(machine *m);
void aead_step_lengths(machine *m);
void aead_step_aad(machine *m);
void aead_step_crypt(machine *m);
void aead_step_end(machine *m);

#endif
