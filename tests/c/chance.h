/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Random numbers and hexadecimal words, for test programs that need nothing else of harness.h. */
#ifndef RUNNEL_TESTS_CHANCE_H
#define RUNNEL_TESTS_CHANCE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same numbers for the same seed. */
void seed_random(uint64_t seed);
uint32_t random_below(uint32_t n); /* 0 to n - 1; n > 0, below 2^31 */
void random_bytes(uint8_t *p, size_t n);

/* Reads the bytes that a word spells in hexadecimal, "-" being none; returns how many. Ends the program with status 2
 * if it is not hexadecimal or has more than `most` bytes. */
size_t from_hex(const char *text, uint8_t *out, size_t most);

#endif
