/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The measuring plan: which implementations of which cipher, doing what on how many bytes. */
#ifndef RUNNEL_BENCH_PLAN_H
#define RUNNEL_BENCH_PLAN_H

#include <runnel/aead.h>
#include <runnel/cipher.h>

#include "measure.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Ends the program with a line on stderr. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
_Noreturn void
fail(int status, const char *format, ...);

typedef struct selection {
    int named;          /* 1: ciphers were named, 0: it is all of them */
    const char *kernel; /* ours; NULL: what runs by default */
    int all_kernels;
    int no_peers;
    int full;            /* all sizes with all operations, of what runs by default and of the libraries */
    unsigned operations; /* bit 1 << operation; 0: all, a new key only if full */
    size_t batch;        /* streams at once; 0: the usual, one and its peers */
} selection;

typedef struct plan {
    cell *cells; /* in order of cipher */
    size_t count, room;
} plan;

/* Each opens all implementations, compares their bytes and adds what is measured of them; where the bytes differ, the
 * program ends. */
void plan_cipher(plan *p, const selection *s, const runnel_cipher *cipher);
void plan_aead(plan *p, const selection *s, const runnel_aead *aead);
/* Several streams, one by one and at once, of the kernels that have functions for it. */
void plan_batch(plan *p, const selection *s, const runnel_cipher *cipher);

#endif
