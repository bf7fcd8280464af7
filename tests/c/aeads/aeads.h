/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the parts of runnel-aeads: the AEAD that is being tested, messages in buffers, checks. */
#ifndef RUNNEL_TESTS_AEADS_H
#define RUNNEL_TESTS_AEADS_H

#include <stdio.h>
#include <stdlib.h>

#include <runnel/runnel.h>

#include "core/aead.h"

#include "chance.h"

enum { CONTEXT = 1 << 15, MOST = 1 << 17 }; /* bytes of a context and of a text, at most */

extern const runnel_aead *now;
extern const char *kernel_now, *about; /* for messages */

/* Ends the program with status 1 and a line that says what is not so. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s/%s %s: not so: %s\n", __FILE__, __LINE__, now->name,                            \
                    kernel_now != NULL ? kernel_now : "-", about, #condition);                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

typedef struct message {
    uint8_t key[64], nonce[1024], tag[RUNNEL_AEAD_TAG_MAX];
    uint8_t *aad, *text, *sealed;
    size_t nonce_bytes, aad_bytes, bytes, tag_bytes;
} message;

/* Room for messages, with some more behind it where outputs begin at odd addresses. */
extern uint8_t buffer_aad[MOST], buffer_text[MOST], buffer_sealed[MOST], scratch[MOST + 64];

int all_zeros(const uint8_t *p, size_t n);
/* Ends the program with status 2 if there is none of that name. */
const runnel_aead *find(const char *name);
/* Zero-filled memory for a context: number 0 or 1. It lies where malloc might put it, and no better. */
runnel_aead_context *context(unsigned number);
/* Calls f with a keyed context for each kernel and each way to hide features. Returns how often. */
unsigned for_every_kernel(const uint8_t *key, void (*f)(runnel_aead_context *c, const void *), const void *with);

/* The message in one call, in place, in pieces and several at once, sealed and opened; with: a message. */
void check_message(runnel_aead_context *c, const void *with);
/* Keystream that was made ahead of small pieces is gone when the message has ended, and when another one starts or another
 * key is set in its midst; the next message is right. with: a message of 5000 bytes. */
void check_ahead(runnel_aead_context *c, const void *with);

/* Variants of `main`: see there. */
void run_vectors(void);
void answer(void);
void properties(uint64_t seed, const char *only);
int secrets(const char *kernel);

/* Errors change nothing, limits are where they should be, wiping leaves zeros, the descriptor is one. */
void check_errors(void);
void check_wipe(void);
void check_descriptor(void);

#endif
