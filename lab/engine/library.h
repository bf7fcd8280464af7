/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Libraries opened at run time: none of them is needed to build, and one that is absent is left out. */
#ifndef RUNNEL_BENCH_LIBRARY_H
#define RUNNEL_BENCH_LIBRARY_H

#include <stddef.h>

typedef struct library_symbol {
    const char *name;
    void *slot; /* address of the function pointer to be filled in */
} library_symbol;

/* Opens a library and fills in all of the functions. Returns 1, or 0 if it or one of them is not there. */
int library_load(const char *file, const library_symbol *symbols, size_t count);

#define LIBRARY_LOAD(file, symbols) library_load(file, symbols, sizeof(symbols) / sizeof((symbols)[0]))

#endif
