/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA's key set-up in registers, the same in each 128-bit part. A kernel also defines vec_first_word (turns the 32-bit
 * words such that the one of this number is first), vec_shift_left32, vec_shift_right32, vec_low (the first 128 bits);
 * and aria_store_key (keeps a round key) and aria_fold_keys (makes of all of them what its slices want); and
 * ARIA_KEY_STACK, what compilers may spill of that. */

/* The byte order reversed: a block becomes a number whose first word is the least significant. */
#define REVERSED(v) vec_shuffle(v, TABLE(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))

/* Such a number rotated to the right by n bits, n not a multiple of 32. */
#define ROTATED(v, n)                                                                                                  \
    (vec_shift_right32(vec_first_word(v, (n) / 32), (n) % 32) |                                                        \
     vec_shift_left32(vec_first_word(v, ((n) / 32 + 1) & 3), 32 - (n) % 32))

INLINE void aria_expand_key(runnel_aria_schedule *schedule, const uint8_t *key, size_t key_bytes)
{
    const unsigned first = (unsigned)(key_bytes - 16) / 8;
    const aria_vec constant0 = LOAD_TABLE(runnel_aria_constants[first]);
    const aria_vec constant1 = LOAD_TABLE(runnel_aria_constants[first == 2 ? 0 : first + 1]);
    const aria_vec constant2 = LOAD_TABLE(runnel_aria_constants[first == 0 ? 2 : first - 1]);
    __m128i rest = _mm_setzero_si128();
    if (key_bytes == 24)
        rest = _mm_loadl_epi64((const void *)(key + 16));
    else if (key_bytes == 32)
        rest = _mm_loadu_si128((const void *)(key + 16));
    aria_vec w[4];
    w[0] = aria_vec_repeat(_mm_loadu_si128((const void *)key));
    w[1] = aria_rows_round(w[0] ^ constant0, 1, aria_vec_repeat(rest));
    w[2] = aria_rows_round(w[1] ^ constant1, 0, w[0]);
    w[3] = aria_rows_round(w[2] ^ constant2, 1, w[1]);
    UNROLL
    for (int i = 0; i < 4; i++)
        w[i] = REVERSED(w[i]);
    schedule->rounds = (uint8_t)(key_bytes / 4 + 8);
    UNROLL
    for (int i = 0; i < 4; i++) {
        const aria_vec a = w[i], b = w[(i + 1) & 3];
        aria_store_key(schedule, (unsigned)i, REVERSED(a ^ ROTATED(b, 19)));
        aria_store_key(schedule, (unsigned)i + 4, REVERSED(a ^ ROTATED(b, 31)));
        aria_store_key(schedule, (unsigned)i + 8, REVERSED(a ^ ROTATED(b, 128 - 61)));
        if (i == 0 || (i < 3 && schedule->rounds > 12) || schedule->rounds > 14)
            aria_store_key(schedule, (unsigned)i + 12, REVERSED(a ^ ROTATED(b, 128 - 31)));
    }
    if (schedule->rounds == 16)
        aria_store_key(schedule, 16, REVERSED(w[0] ^ ROTATED(w[1], 128 - 19)));
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
        const aria_vec a = aria_rows_key(schedule, i), b = aria_rows_key(schedule, j);
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
