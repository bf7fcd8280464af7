/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The method. Every cell (one subject doing one operation on so many bytes) is visited again and again, all cells in
 * turn, so that what disturbs the machine disturbs them all. A visit is a warm-up and a few windows of about 0.1 ms.
 * The core clock wanders by some per cent within milliseconds, so it is read before and after each window, and the
 * window's cycles are its time by the higher of the two; a window beside a disturbed reading is dropped. The fewest
 * cycles of all windows count.
 *
 * A load may have to wait for a store whose address only looks the same to the processor, for instance when a round
 * key and the output lie at the same place of their pages. That nearly doubles the time of a short message, ours or a
 * library's, in one layout of memory out of ten. So each round has another layout: output, contexts and stack move. */
#ifndef RUNNEL_BENCH_MEASURE_H
#define RUNNEL_BENCH_MEASURE_H

#include "subject.h"

typedef enum operation {
    OPERATION_KEY,     /* set a key */
    OPERATION_IV,      /* set an IV */
    OPERATION_MESSAGE, /* a message under a new IV */
    OPERATION_STREAM,  /* so many bytes more of one stream, or of one message of an AEAD */
    OPERATION_NEW_KEY, /* a message under a new key and a new IV */
    OPERATIONS
} operation;

/* "key", "iv", "message", "stream", "new-key" */
extern const char *const operation_names[OPERATIONS];

typedef struct cell {
    const bench_shape *shape;
    const bench_subject *subject;
    operation operation;
    size_t bytes;   /* 0 for key and IV set-up */
    double cycles;  /* result: the fewest of one call */
    unsigned calls; /* in one window */
    double ns;      /* the shortest time of one call */
    int failed;     /* result: 1 if a call gave an error */
} cell;

typedef struct measured {
    double clock_ghz; /* the median */
    double clock_ghz_highest;
    unsigned rounds;
} measured;

enum { MEASURE_LONGEST = 8 * 16384 };

/* Visits all cells in turn for so many seconds, at least three times. */
measured measure(cell *cells, size_t count, double seconds);

#endif
