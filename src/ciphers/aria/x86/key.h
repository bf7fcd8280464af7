/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's key set-up in registers, the same in each lane. The includer defines TARGET, and VECTOR_GFNI and VECTOR_AVX512 if
 * that has these, and includes the vectors of its width: with AVX-512, those of 128 bits. */
#ifndef ARIA_X86_KEY_H
#define ARIA_X86_KEY_H

#include "arch/x86/words.h"
#include "folded_keys.h"

/* What compilers may spill: the key has more parts than there are registers. With AVX-512 nothing, by those of today. */
#ifdef VECTOR_AVX512
enum { ARIA_KEY_STACK = 256 };
#else
enum { ARIA_KEY_STACK = 1024 };
#endif

/* The byte order reversed: a block becomes a number whose first word is the least significant. */
TARGET RUNNEL_INLINE vector aria_reverse(vector x)
{
    return vector_shuffle_bytes(x, _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
}

/* Word number `first` modulo 4 comes first. */
TARGET RUNNEL_INLINE vector_words aria_first_word(vector x, const int first)
{
    return (vector_words)(first % 4 == 0 ? x : vector_turn_words(x, first % 4));
}

/* Such a number rotated to the right by n bits, n not a multiple of 32. */
TARGET RUNNEL_INLINE vector aria_rotate(vector x, const int n)
{
    return (vector)(aria_first_word(x, n / 32) >> n % 32 | aria_first_word(x, n / 32 + 1) << (32 - n % 32));
}

/* Round key number i: a, and b rotated; both are numbers. */
TARGET RUNNEL_INLINE void aria_make_round_key(runnel_aria_schedule *schedule, unsigned i, vector a, vector b,
                                              const int n)
{
    aria_store_key(schedule, i, aria_reverse(vector_xor(a, aria_rotate(b, n))));
}

/* The second 16 bytes of a key, or zeros for what it does not have. */
TARGET RUNNEL_INLINE __m128i aria_key_rest(const uint8_t *key, size_t key_bytes)
{
    if (key_bytes == 24)
        return _mm_loadl_epi64((const void *)(key + 16));
    return key_bytes == 32 ? _mm_loadu_si128((const void *)(key + 16)) : _mm_setzero_si128();
}

TARGET RUNNEL_INLINE void aria_expand_key(runnel_aria_schedule *schedule, const uint8_t *key, size_t key_bytes)
{
    const unsigned first = (unsigned)(key_bytes - 16) / 8;
    const vector constant0 = vector_repeat_at(runnel_aria_constants[first]);
    const vector constant1 = vector_repeat_at(runnel_aria_constants[first == 2 ? 0 : first + 1]);
    const vector constant2 = vector_repeat_at(runnel_aria_constants[first == 0 ? 2 : first - 1]);
    const vector rest = vector_repeat(aria_key_rest(key, key_bytes));
    vector w[4];
    w[0] = vector_repeat_at(key);
    w[1] = aria_rows_round(vector_xor(w[0], constant0), 1, rest);
    w[2] = aria_rows_round(vector_xor(w[1], constant1), 0, w[0]);
    w[3] = aria_rows_round(vector_xor(w[2], constant2), 1, w[1]);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++)
        w[i] = aria_reverse(w[i]);
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    RUNNEL_UNROLL
    for (int i = 0; i < 4; i++) {
        const vector a = w[i], b = w[(i + 1) & 3];
        aria_make_round_key(schedule, (unsigned)i, a, b, 19);
        aria_make_round_key(schedule, (unsigned)i + 4, a, b, 31);
        aria_make_round_key(schedule, (unsigned)i + 8, a, b, 128 - 61);
        if (i == 0 || (i < 3 && schedule->rounds > 12) || schedule->rounds > 14)
            aria_make_round_key(schedule, (unsigned)i + 12, a, b, 128 - 31);
    }
    if (schedule->rounds == 16)
        aria_make_round_key(schedule, 16, w[0], w[1], 128 - 19);
}

TARGET static RUNNEL_NOINLINE void aria_make_key(runnel_aria_schedule *schedule, const uint8_t *key, size_t key_bytes)
{
    aria_expand_key(schedule, key, key_bytes);
    aria_fold_keys(schedule);
}

/* Registers that compilers spill are cleared here. */
TARGET static void aria_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    aria_make_key(state, key, key_bytes);
    runnel_wipe_stack(ARIA_KEY_STACK);
}

#if RUNNEL_DECRYPT
TARGET static RUNNEL_NOINLINE void aria_make_decrypt_key(runnel_aria_schedule *schedule, const uint8_t *key,
                                                         size_t key_bytes)
{
    aria_expand_key(schedule, key, key_bytes);
    for (unsigned i = 0, j = schedule->rounds; i <= j; i++, j--) {
        const vector a = aria_rows_key(schedule, i), b = aria_rows_key(schedule, j);
        aria_store_key(schedule, i, i == 0 ? b : aria_rows_diffuse(b));
        aria_store_key(schedule, j, i == 0 ? a : aria_rows_diffuse(a));
    }
    aria_fold_keys(schedule);
}

TARGET static void aria_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    aria_make_decrypt_key(state, key, key_bytes);
    runnel_wipe_stack(ARIA_KEY_STACK);
}
#endif

#endif
