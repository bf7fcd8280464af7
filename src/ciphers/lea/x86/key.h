/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA's key schedule on vectors. The words T of the key are independent of one another: in each round a word becomes
 * ROTL(T + constant, rotation), with a constant of its own for each round and each word. Of a 128-bit or 192-bit key a
 * round key is all of T. Of a 256-bit key it is the next six of the eight words in turn, so that eight consecutive words
 * of the schedule are always all of T: 24 such steps make its 32 rounds.
 *
 * The includer defines TARGET, and VECTOR_AVX512 if that has rotations. */
#ifndef LEA_X86_KEY_H
#define LEA_X86_KEY_H

#include "arch/x86/target.h"
#include "ciphers/lea/kernels.h"

typedef uint32_t lea_four_words __attribute__((vector_size(16)));
typedef uint32_t lea_eight_words __attribute__((vector_size(32)));

/* To the left, each word by a number of bits of its own. */
TARGET RUNNEL_INLINE lea_four_words lea_rotate_four(lea_four_words x, lea_four_words n)
{
#ifdef VECTOR_AVX512
    return (lea_four_words)_mm_rolv_epi32((__m128i)x, (__m128i)n);
#else
    return (lea_four_words)_mm_or_si128(_mm_sllv_epi32((__m128i)x, (__m128i)n),
                                        _mm_srlv_epi32((__m128i)x, (__m128i)(32 - n)));
#endif
}

TARGET RUNNEL_INLINE lea_eight_words lea_rotate_eight(lea_eight_words x, lea_eight_words n)
{
#ifdef VECTOR_AVX512
    return (lea_eight_words)_mm256_rolv_epi32((__m256i)x, (__m256i)n);
#else
    return (lea_eight_words)_mm256_or_si256(_mm256_sllv_epi32((__m256i)x, (__m256i)n),
                                            _mm256_srlv_epi32((__m256i)x, (__m256i)(32 - n)));
#endif
}

/* The constant of round i and word j: delta[i modulo the words of the key], rotated by i + j. */
TARGET RUNNEL_INLINE uint32_t lea_constant(unsigned i, unsigned j)
{
    static const uint32_t delta[8] = {0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                      0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957};
    return delta[i] << (i + j) | delta[i] >> (31 - i - j) >> 1;
}

/* Those of words 0 to 3 of a round, and of words 4 and 5. */
TARGET RUNNEL_INLINE lea_four_words lea_four_constants(unsigned i)
{
    return (lea_four_words){lea_constant(i, 0), lea_constant(i, 1), lea_constant(i, 2), lea_constant(i, 3)};
}

TARGET RUNNEL_INLINE lea_four_words lea_two_constants(unsigned i)
{
    return (lea_four_words){lea_constant(i, 4), lea_constant(i, 5)};
}

/* Those of eight words that follow each other, from word `at` on, of rounds with six words. */
TARGET RUNNEL_INLINE lea_eight_words lea_eight_constants(unsigned at)
{
    lea_eight_words x = {0};
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 8; i++)
        x[i] = lea_constant((at + i) / 6, (at + i) % 6);
    return x;
}

enum { LEA_KEY_PERIOD = 6 }; /* steps of a key of 192 or 256 bits after which the same deltas come again */

TARGET static void lea_expand_128(uint32_t *words, const uint8_t *key)
{
    const lea_four_words rotations = {1, 3, 6, 11};
    lea_four_words constants[4];
    lea_four_words t = (lea_four_words)_mm_loadu_si128((const void *)key);
    RUNNEL_UNROLL
    for (unsigned k = 0; k < 4; k++)
        constants[k] = lea_four_constants(k);
    for (unsigned i = 0; i < 24; i += 4) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < 4; k++, words += 4) {
            t = lea_rotate_four(t + constants[k], rotations);
            _mm_storeu_si128((void *)words, (__m128i)t);
            constants[k] = constants[k] << 4 | constants[k] >> (32 - 4);
        }
    }
}

TARGET static void lea_expand_192(uint32_t *words, const uint8_t *key)
{
    const lea_four_words rotations = {1, 3, 6, 11}, more_rotations = {13, 17};
    lea_four_words constants[LEA_KEY_PERIOD], more_constants[LEA_KEY_PERIOD];
    lea_four_words t = (lea_four_words)_mm_loadu_si128((const void *)key);
    lea_four_words more = (lea_four_words)_mm_loadl_epi64((const void *)(key + 16));
    RUNNEL_UNROLL
    for (unsigned k = 0; k < LEA_KEY_PERIOD; k++) {
        constants[k] = lea_four_constants(k);
        more_constants[k] = lea_two_constants(k);
    }
    for (unsigned i = 0;; i += LEA_KEY_PERIOD) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < LEA_KEY_PERIOD; k++, words += 6) {
            if (i + k == 28)
                return;
            t = lea_rotate_four(t + constants[k], rotations);
            more = lea_rotate_four(more + more_constants[k], more_rotations);
            _mm_storeu_si128((void *)words, (__m128i)t);
            _mm_storel_epi64((void *)(words + 4), (__m128i)more);
            constants[k] = constants[k] << LEA_KEY_PERIOD | constants[k] >> (32 - LEA_KEY_PERIOD);
            more_constants[k] = more_constants[k] << LEA_KEY_PERIOD | more_constants[k] >> (32 - LEA_KEY_PERIOD);
        }
    }
}

TARGET static void lea_expand_256(uint32_t *words, const uint8_t *key)
{
    const lea_eight_words rotations[3] = {
        {1, 3, 6, 11, 13, 17, 1, 3}, {6, 11, 13, 17, 1, 3, 6, 11}, {13, 17, 1, 3, 6, 11, 13, 17}};
    lea_eight_words constants[LEA_KEY_PERIOD];
    lea_eight_words t = (lea_eight_words)_mm256_loadu_si256((const void *)key);
    RUNNEL_UNROLL
    for (unsigned k = 0; k < LEA_KEY_PERIOD; k++)
        constants[k] = lea_eight_constants(8 * k);
    for (unsigned i = 0; i < 24; i += LEA_KEY_PERIOD) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < LEA_KEY_PERIOD; k++, words += 8) {
            t = lea_rotate_eight(t + constants[k], rotations[k % 3]);
            _mm256_storeu_si256((void *)words, (__m256i)t);
            constants[k] = constants[k] << 8 | constants[k] >> (32 - 8); /* eight rounds later */
        }
    }
}

TARGET static void lea_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_lea_schedule *schedule = state;
    schedule->rounds = (uint8_t)(16 + key_bytes / 2);
    if (key_bytes == 16)
        lea_expand_128(schedule->words, key);
    else if (key_bytes == 24)
        lea_expand_192(schedule->words, key);
    else
        lea_expand_256(schedule->words, key);
}

#endif
