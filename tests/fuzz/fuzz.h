/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the fuzz targets: choices that are read off an input, and targets by name. A target makes calls as its
 * input says and checks what they do with the CHECK… of harness.h, which end the program: to libFuzzer, AFL++ and
 * replay.c alike that is a crash. */
#ifndef RUNNEL_TESTS_FUZZ_H
#define RUNNEL_TESTS_FUZZ_H

#include "harness.h"

/* The rest of an input. Behind its end all choices are 0. */
typedef struct choices {
    const uint8_t *next;
    size_t left;
} choices;

/* A target: its name and what it does with an input. */
typedef struct fuzz_target {
    const char *name;
    void (*run)(choices *c);
} fuzz_target;

#define FUZZ_TARGET(name) extern const fuzz_target fuzz_##name;
#include "fuzz_targets.inc"
#undef FUZZ_TARGET

uint64_t choose(choices *c, unsigned bytes); /* a number of so many bytes, up to 8 */
size_t choose_below(choices *c, size_t n);   /* 0 to n - 1; n > 0 */
int choose_bit(choices *c);
/* Mostly 0 to 127; also up to most. */
size_t choose_length(choices *c, size_t most);
/* Bytes for keys and messages: random ones from a seed of two bytes. */
void choose_random(choices *c, uint8_t *out, size_t bytes);
/* Bytes for IVs and counters: random ones of which some may be ff or 00, so that counters carry. */
void choose_iv(choices *c, uint8_t *out, size_t bytes);
/* Bytes of the input itself, at most so many. Returns how many. */
size_t choose_text(choices *c, uint8_t *out, size_t most);

/* The set of one error. In a set of those that a call may give, RUNNEL_OK is where there may be none. */
unsigned one_of(int error);

#endif
