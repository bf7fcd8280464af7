/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the parts of runnel-macs. */
#ifndef RUNNEL_TESTS_MACS_H
#define RUNNEL_TESTS_MACS_H

#include <stdio.h>
#include <stdlib.h>

#include <runnel/runnel.h>

#include "core/define.h"
#include "core/mac.h"

#include "chance.h"
#ifdef RUNNEL_TEST_SECRETS
#include "secrets.h"
#endif

enum { LONGEST_CONTEXT = 4096, LONGEST_MESSAGE = 4096, LONGEST_KEY = 4096 };

extern const runnel_mac *now; /* what is being tested */

/* Ends the program with status 1 and a line that says what is not so. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__, __LINE__, now->name, #condition);                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Ends the program with status 2 if there is none of that name. */
const runnel_mac *find(const char *name);

#if RUNNEL_HOSTED
/* HMAC-SHA-256 of several messages at once, through every kernel that this CPU runs, alone and beside others. */
void check_batches(void);
/* See batch-tags in main.c. */
void answer_batch_tags(void);
#ifdef RUNNEL_TEST_SECRETS
/* Twenty messages, so that every lane has some, made and compared at once; key and data are secret. */
void batch_of_secrets(const uint8_t *key, const uint8_t *data);
#endif
#endif

#endif
