/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The properties that every cipher keeps through every kernel. Each test takes one target. */
#ifndef RUNNEL_TESTS_PROPERTIES_H
#define RUNNEL_TESTS_PROPERTIES_H

#include "model.h"

/* A random key and IV for a target, with the first bytes of its keystream by the model. */
typedef struct message {
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    size_t key_bytes, iv_bytes;
    int layout;
} message;

message random_message(const target *t);
/* The same with an IV that goes with a key of so many bytes. */
message next_message(const target *t, size_t key_bytes);
/* Sets the message's key and IV. */
void start_message(runnel_stream *s, const target *t, const message *m);
void model_message(naive *model, const message *m);

void test_lengths(const target *t); /* buffers.c */
void test_alignments(const target *t);
void test_guard(const target *t);
void test_overlap(const target *t);
void test_tails(const target *t);
void test_splits(const target *t); /* streaming.c */
void test_machine(const target *t);
void test_random(const target *t);
void test_nonces(const target *t);
void test_places(const target *t);
void test_seek(const target *t); /* counters.c */
void test_boundaries(const target *t);
void test_limits(const target *t);
void test_parameters(const target *t); /* contract.c */
void test_sensitivity(const target *t);
void test_errors(const target *t);
void test_wipe(const target *t);
void test_abi(const target *t); /* abi.c */
void test_abi_corrupters(void);
void test_directions(const target *t); /* directions.c */
void test_blocks(const target *t);
void test_batch(const target *t);       /* src/core/batch.c */
void test_keys(const target *t);        /* keys.c */
void test_packets(const target *t);     /* packets.c */
void test_ahead(const target *t);       /* ahead.c */
void test_dispatch(const char *cipher); /* dispatch.c */
void test_environment(const char *features);
void test_unknown(const char *list);

#endif
