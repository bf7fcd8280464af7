/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the C tests: checks that are counted, randomness from a seed, contexts, and the ciphers and kernels of
 * the registry as targets. A test knows no cipher by name. */
#ifndef RUNNEL_TESTS_HARNESS_H
#define RUNNEL_TESTS_HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/driver.h"

#include <runnel/cipher.h>
#include <runnel/cpu.h>

/* A cipher through one of its kernels. */
typedef struct target {
    const runnel_cipher *cipher;
    const runnel_kernel *kernel;
} target;

extern uint64_t checks;   /* how many checks passed */
enum { EMULATED = 200 };  /* a scale from which nothing long is done: under emulators and sanitizers */
extern unsigned scale;    /* divides the number of repetitions: 1 normally, more under a sanitizer */
extern const char *doing; /* what is being tested, for messages */

/* Ends the program with status 1 and a line that says what failed, unless ok. */
#define CHECK(ok, ...)                                                                                                 \
    do {                                                                                                               \
        if (!(ok))                                                                                                     \
            fail(__FILE__, __LINE__, __VA_ARGS__);                                                                     \
        checks++;                                                                                                      \
    } while (0)
/* The bytes are equal; says where they differ first. */
#define CHECK_BYTES(got, wanted, bytes, ...) check_bytes(__FILE__, __LINE__, got, wanted, bytes, __VA_ARGS__)
/* The call gives this result. */
#define CHECK_RESULT(call, wanted) check_result(__FILE__, __LINE__, #call, call, wanted)
#define CHECK_OK(call) CHECK_RESULT(call, RUNNEL_OK)

_Noreturn void fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void check_bytes(const char *file, int line, const void *got, const void *wanted, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void check_result(const char *file, int line, const char *call, int got, int wanted);

/* Random numbers, the same for the same seed. */
void seed_random(uint64_t seed);
uint64_t random64(void);
size_t random_below(size_t n); /* 0 to n - 1; n > 0 */
size_t stride(size_t most);    /* from one repetition to the next: 1, or 1 to most where nothing long is done */
void random_bytes(void *out, size_t bytes);
/* A length that is often short or near a multiple of the block, sometimes up to most. */
size_t random_length(size_t block_bytes, size_t most);

/* Where a context may begin: as malloc aligns, in cache lines of LINE bytes. */
enum { LINE = 64, MALLOC_ALIGN = 2 * sizeof(void *), PLACES = LINE / MALLOC_ALIGN };
/* Zero-filled memory for a context, as a caller has it, and not a byte more; at the given place in a cache line, or at
 * all places in turn. */
runnel_stream *new_context_at(const runnel_cipher *cipher, unsigned place);
runnel_stream *new_context(const runnel_cipher *cipher);
void free_context(runnel_stream *s);
/* Sets the key through the target's kernel, and the IV; the calls must succeed. */
void start(runnel_stream *s, const target *t, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
           int layout);

enum { LONGEST_KEY = 256, LONGEST_IV = 256 }; /* of all ciphers */

/* One of the lengths at random, and whether a length is among them. */
size_t random_of(const runnel_lengths *lengths);
int is_among(const runnel_lengths *lengths, size_t bytes);
/* Pairs of lengths of key and IV to try: all of them or, where there are many, the outermost and some at random. Returns
 * their number. */
enum { MOST_PAIRS = 16 };
typedef struct pair {
    size_t key_bytes, iv_bytes;
} pair;
size_t pairs_of(const runnel_cipher *cipher, pair pairs[MOST_PAIRS]);
pair random_pair(const runnel_cipher *cipher);
pair longest_pair(const runnel_cipher *cipher);
/* Layouts in which the cipher can be asked to count: 1 to RUNNEL_LAYOUTS - 1, or {0} if it is not counter mode. Returns
 * their number. */
size_t layouts_of(const runnel_cipher *cipher, int layouts[RUNNEL_LAYOUTS]);
int random_layout(const runnel_cipher *cipher);
/* The kernel of that name, or NULL. */
const runnel_kernel *kernel_of(const runnel_cipher *cipher, const char *name);
/* The kernel that all others are compared with: the portable constant-time one, else the last. */
const runnel_kernel *reference_kernel(const runnel_cipher *cipher);

/* Kinds of tests: ciphers that XOR a keystream, ciphers in which encryption and decryption differ. */
enum { KEYSTREAM = 1, DIRECTIONAL = 2, ANY = KEYSTREAM | DIRECTIONAL };
int kind_of(const runnel_cipher *cipher);

/* Calls test for each kernel that this CPU can run of each cipher of these kinds; either name may be NULL for all.
 * Prints a line with the number of checks for each. Returns the number of targets. */
size_t for_targets(int kinds, const char *cipher, const char *kernel, void (*test)(const target *t));

#endif
