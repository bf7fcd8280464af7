/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA's key schedule on vectors. The words T of the key are independent of one another: in each round a word becomes
 * ROTL(T + constant, rotation), with a constant of its own for each round and each word. Of a 128-bit or 192-bit key a
 * round key is all of T. Of a 256-bit key it is the next six of the eight words in turn, so that eight consecutive words
 * of the schedule are always all of T: 24 such steps make its 32 rounds.
 *
 * The includer defines TARGET, and rotate4_by and rotate8_by, which rotate four or eight words to the left, each by the
 * number of bits in a vector. */
#include "arch/x86/words_old.h"
#include "ciphers/lea/kernels.h"

/* The constant of round i and word j: delta[i modulo the words of the key], rotated by i + j. */
#define DELTA0 0xc3efe9dbu
#define DELTA1 0x44626b02u
#define DELTA2 0x79e27c8au
#define DELTA3 0x78df30ecu
#define DELTA4 0x715ea49eu
#define DELTA5 0xc785da0au
#define DELTA6 0xe04ef22au
#define DELTA7 0xe5c40957u
#define CONSTANT(i, j) (DELTA##i << ((i) + (j)) | DELTA##i >> (31 - (i) - (j)) >> 1)
#define FOUR_CONSTANTS(i) CONSTANT(i, 0), CONSTANT(i, 1), CONSTANT(i, 2), CONSTANT(i, 3)
#define TWO_CONSTANTS(i) CONSTANT(i, 4), CONSTANT(i, 5)

enum { LEA_KEY_PERIOD = 6 }; /* steps of a key of 192 or 256 bits after which the same deltas come again */

TARGET static void lea_expand_128(uint32_t *words, const uint8_t *key)
{
    const runnel_words128 rotations = {1, 3, 6, 11};
    runnel_words128 constants[4] = {{FOUR_CONSTANTS(0)}, {FOUR_CONSTANTS(1)}, {FOUR_CONSTANTS(2)}, {FOUR_CONSTANTS(3)}};
    runnel_words128 t = (runnel_words128)_mm_loadu_si128((const void *)key);
    for (unsigned i = 0; i < 24; i += 4) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < 4; k++, words += 4) {
            t = rotate4_by(t + constants[k], rotations);
            _mm_storeu_si128((void *)words, (__m128i)t);
            constants[k] = RUNNEL_ROTL_WORDS(constants[k], 4);
        }
    }
}

TARGET static void lea_expand_192(uint32_t *words, const uint8_t *key)
{
    const runnel_words128 rotations = {1, 3, 6, 11}, more_rotations = {13, 17};
    runnel_words128 constants[LEA_KEY_PERIOD] = {{FOUR_CONSTANTS(0)}, {FOUR_CONSTANTS(1)}, {FOUR_CONSTANTS(2)},
                                                 {FOUR_CONSTANTS(3)}, {FOUR_CONSTANTS(4)}, {FOUR_CONSTANTS(5)}};
    runnel_words128 more_constants[LEA_KEY_PERIOD] = {{TWO_CONSTANTS(0)}, {TWO_CONSTANTS(1)}, {TWO_CONSTANTS(2)},
                                                      {TWO_CONSTANTS(3)}, {TWO_CONSTANTS(4)}, {TWO_CONSTANTS(5)}};
    runnel_words128 t = (runnel_words128)_mm_loadu_si128((const void *)key);
    runnel_words128 more = (runnel_words128)_mm_loadl_epi64((const void *)(key + 16));
    for (unsigned i = 0;; i += LEA_KEY_PERIOD) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < LEA_KEY_PERIOD; k++, words += 6) {
            if (i + k == 28)
                return;
            t = rotate4_by(t + constants[k], rotations);
            more = rotate4_by(more + more_constants[k], more_rotations);
            _mm_storeu_si128((void *)words, (__m128i)t);
            _mm_storel_epi64((void *)(words + 4), (__m128i)more);
            constants[k] = RUNNEL_ROTL_WORDS(constants[k], LEA_KEY_PERIOD);
            more_constants[k] = RUNNEL_ROTL_WORDS(more_constants[k], LEA_KEY_PERIOD);
        }
    }
}

TARGET static void lea_expand_256(uint32_t *words, const uint8_t *key)
{
    const runnel_words256 rotations[3] = {
        {1, 3, 6, 11, 13, 17, 1, 3}, {6, 11, 13, 17, 1, 3, 6, 11}, {13, 17, 1, 3, 6, 11, 13, 17}};
    runnel_words256 constants[LEA_KEY_PERIOD] = {{FOUR_CONSTANTS(0), TWO_CONSTANTS(0), CONSTANT(1, 0), CONSTANT(1, 1)},
                                                 {CONSTANT(1, 2), CONSTANT(1, 3), TWO_CONSTANTS(1), FOUR_CONSTANTS(2)},
                                                 {TWO_CONSTANTS(2), FOUR_CONSTANTS(3), TWO_CONSTANTS(3)},
                                                 {FOUR_CONSTANTS(4), TWO_CONSTANTS(4), CONSTANT(5, 0), CONSTANT(5, 1)},
                                                 {CONSTANT(5, 2), CONSTANT(5, 3), TWO_CONSTANTS(5), FOUR_CONSTANTS(6)},
                                                 {TWO_CONSTANTS(6), FOUR_CONSTANTS(7), TWO_CONSTANTS(7)}};
    runnel_words256 t = (runnel_words256)_mm256_loadu_si256((const void *)key);
    for (unsigned i = 0; i < 24; i += LEA_KEY_PERIOD) {
        RUNNEL_UNROLL
        for (unsigned k = 0; k < LEA_KEY_PERIOD; k++, words += 8) {
            t = rotate8_by(t + constants[k], rotations[k % 3]);
            _mm256_storeu_si256((void *)words, (__m256i)t);
            constants[k] = RUNNEL_ROTL_WORDS(constants[k], 8); /* eight rounds later */
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
