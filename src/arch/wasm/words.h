/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For WebAssembly kernels of ciphers whose keystream block is sixteen little-endian 32-bit words (Salsa20, ChaCha20): what
 * arch/aarch64/words.h has, under the same names. */
#ifndef RUNNEL_ARCH_WASM_WORDS_H
#define RUNNEL_ARCH_WASM_WORDS_H

#include "core/describe.h"

#if RUNNEL_WASM_SIMD128
#include <wasm_simd128.h>

/* Unrolls a loop whose number of iterations is a constant. */
#define RUNNEL_EACH(i, n) _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)

typedef uint32_t runnel_words __attribute__((vector_size(16)));
typedef uint64_t runnel_word_pairs __attribute__((vector_size(16)));

enum { RUNNEL_WORDS_BLOCK = 64 };

typedef struct runnel_rows {
    runnel_words a, b, c, d;
} runnel_rows;

#define RUNNEL_ROTL_WORDS(x, n) ((x) << (n) | (x) >> (32 - (n)))
/* By whole bytes: one instruction, where a rotation takes three. */
#define RUNNEL_PERMUTE_BYTES(x, ...) ((runnel_words)wasm_i8x16_shuffle((v128_t)(x), (v128_t)(x), __VA_ARGS__))
#define RUNNEL_PERMUTE_WORDS(x, y, ...) ((runnel_words)wasm_i32x4_shuffle((v128_t)(x), (v128_t)(y), __VA_ARGS__))

RUNNEL_INLINE runnel_words runnel_rotl_words_16(runnel_words x)
{
    return RUNNEL_PERMUTE_BYTES(x, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
}

RUNNEL_INLINE runnel_words runnel_rotl_words_8(runnel_words x)
{
    return RUNNEL_PERMUTE_BYTES(x, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
}

/* Element i of the result is element (i + n) % 4 of x; n is a constant. */
#define RUNNEL_TURN_WORDS(x, n) RUNNEL_PERMUTE_WORDS(x, x, (n) % 4, ((n) + 1) % 4, ((n) + 2) % 4, ((n) + 3) % 4)

/* At any address. */
RUNNEL_INLINE runnel_words runnel_words_at(const void *p)
{
    return (runnel_words)wasm_v128_load(p);
}

/* Element i of the result is element i of argument number i. */
RUNNEL_INLINE runnel_words runnel_pick_words(runnel_words r0, runnel_words r1, runnel_words r2, runnel_words r3)
{
    return RUNNEL_PERMUTE_WORDS(RUNNEL_PERMUTE_WORDS(r0, r1, 0, 5, 2, 7), RUNNEL_PERMUTE_WORDS(r2, r3, 0, 5, 2, 7), 0,
                                1, 6, 7);
}

/* No barrier: LLVM 19 takes no vector into inline assembly, and the engine decides what is kept in registers. */
#define RUNNEL_WORDS_BARRIER(x) ((void)0)

/* The words of a row, each in a vector of its own, for an array's initializer. */
#define RUNNEL_WORD_OF(row, i) RUNNEL_PERMUTE_WORDS(row, row, i, i, i, i)
#define RUNNEL_WORDS_OF(row)                                                                                           \
    RUNNEL_WORD_OF(row, 0), RUNNEL_WORD_OF(row, 1), RUNNEL_WORD_OF(row, 2), RUNNEL_WORD_OF(row, 3)

/* Transposes the 4 x 4 words of a, b, c, d: word i of a becomes word 0 of the i-th of them, and so on. */
RUNNEL_INLINE void runnel_transpose_words(runnel_words *a, runnel_words *b, runnel_words *c, runnel_words *d)
{
    const runnel_words ab_low = RUNNEL_PERMUTE_WORDS(*a, *b, 0, 4, 1, 5),
                       ab_high = RUNNEL_PERMUTE_WORDS(*a, *b, 2, 6, 3, 7);
    const runnel_words cd_low = RUNNEL_PERMUTE_WORDS(*c, *d, 0, 4, 1, 5),
                       cd_high = RUNNEL_PERMUTE_WORDS(*c, *d, 2, 6, 3, 7);
    *a = RUNNEL_PERMUTE_WORDS(ab_low, cd_low, 0, 1, 4, 5);
    *b = RUNNEL_PERMUTE_WORDS(ab_low, cd_low, 2, 3, 6, 7);
    *c = RUNNEL_PERMUTE_WORDS(ab_high, cd_high, 0, 1, 4, 5);
    *d = RUNNEL_PERMUTE_WORDS(ab_high, cd_high, 2, 3, 6, 7);
}

/* Four blocks: row number i of block number j is then in x[4 i + j]. */
RUNNEL_INLINE void runnel_words_to_rows(runnel_words x[16])
{
    RUNNEL_EACH(i, 4) runnel_transpose_words(&x[4 * i], &x[4 * i + 1], &x[4 * i + 2], &x[4 * i + 3]);
}

/* One block; in == NULL: the keystream. */
RUNNEL_INLINE void runnel_put_rows(uint8_t *out, const uint8_t *in, runnel_rows r)
{
    if (in != NULL) {
        r.a ^= runnel_words_at(in);
        r.b ^= runnel_words_at(in + 16);
        r.c ^= runnel_words_at(in + 32);
        r.d ^= runnel_words_at(in + 48);
    }
    wasm_v128_store(out, (v128_t)r.a);
    wasm_v128_store(out + 16, (v128_t)r.b);
    wasm_v128_store(out + 32, (v128_t)r.c);
    wasm_v128_store(out + 48, (v128_t)r.d);
}

#endif
#endif
