/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a kernel of ARIA on vectors is called for: long messages in slices of bytes, as many blocks at once as a register
 * has bytes, the rest as whole blocks where these are few. The includer defines TARGET, and VECTOR_GFNI if that has GFNI,
 * and includes the vectors of its width, 128 or 256 bits. */
#ifndef ARIA_X86_MODES_H
#define ARIA_X86_MODES_H

#include "arch/common/bytes.h"
#include "few.h"
#include "slices_aes.h"
#include "start_run.h"

/* Memory that holds secrets, to be wiped: all before `rest`, and that if it was used. */
typedef struct aria_work {
    aria_call_keys keys;
    runnel_aria_run now, next;
    vector first[16], second[16]; /* of blocks whose counters differ in the last byte only */
    vector rest[16];              /* fewer blocks, or what another run has in first or second */
} aria_work;

TARGET RUNNEL_INLINE void aria_wipe_work(aria_work *w, int rest_used)
{
    runnel_wipe(w, sizeof *w - (rest_used ? 0 : sizeof w->rest));
}

TARGET RUNNEL_INLINE void aria_fill(aria_work *w, const runnel_aria_run *r)
{
    aria_repeat_bytes(w->first, r->first);
    aria_repeat_bytes(w->second, r->second);
}

/* Where mask is set, the bytes of a block instead. */
TARGET RUNNEL_INLINE void aria_replace(aria_work *w, vector bytes[16], __m128i block, vector mask)
{
    aria_repeat_bytes(w->rest, block);
    for (int i = 0; i < 16; i++)
        bytes[i] = vector_blend(bytes[i], w->rest[i], mask);
}

/* For blocks of two runs: the next one's where mask is set. The rows have been shifted once in `first`, twice in
 * `second`. */
TARGET RUNNEL_INLINE void aria_fill_from_two(aria_work *w, vector mask)
{
    aria_fill(w, &w->now);
    aria_replace(w, w->first, w->next.first, aria_shift_rows(mask));
    aria_replace(w, w->second, w->next.second, aria_turn_rows(mask));
}

/* out = in XOR the blocks with these last bytes; in == NULL: the blocks. */
TARGET RUNNEL_INLINE void aria_ctr_sliced(const aria_work *w, const runnel_aria_schedule *schedule, vector counters,
                                          uint8_t *out, const uint8_t *in)
{
    const vector zero = vector_zero(), key = vector_repeat_byte(schedule->keys[0][15]);
    const vector v = aria_turn_rows(aria_slice_s4(vector_xor(counters, key), zero));
    const vector *c = w->first;
    vector x[16];
    x[1] = aria_turn_rows(aria_slice_s4(vector_xor(v, c[1]), zero));
    x[2] = aria_slice_s1(vector_xor(v, c[2]), zero);
    x[4] = aria_turn_rows(aria_slice_s3(vector_xor(v, c[4]), zero));
    x[5] = aria_turn_rows(aria_slice_s4(vector_xor(v, c[5]), zero));
    x[8] = aria_turn_rows(aria_slice_s3(vector_xor(v, c[8]), zero));
    x[10] = aria_slice_s1(vector_xor(v, c[10]), zero);
    x[15] = aria_slice_s2(vector_xor(v, c[15]), zero);
    aria_slices_diffuse_seven(x, w->second);
    aria_slices_finish(x, &w->keys, schedule, 3, out, in);
}

/* nblocks blocks and, unless leftover is NULL, the one after them as it is. */
TARGET static void aria_ctr_many(const runnel_aria_schedule *schedule, const uint8_t *block, uint32_t counter,
                                 uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    aria_work w;
    uint8_t *const rest = (uint8_t *)w.rest;
    int rest_used = 0;
    aria_make_call_keys(&w.keys, schedule);
    aria_start_run(&w.now, schedule, aria_with_counter(block, counter));
    aria_fill(&w, &w.now);
    size_t to_make = nblocks + (leftover != NULL);
    /* Not with run_bits: batches may lie in two runs. */
    while (to_make > ARIA_FEW_BLOCKS) {
        const vector numbers = vector_transposed_byte_numbers();
        const vector counters = vector_add8(numbers, vector_repeat_byte((uint8_t)counter));
        const size_t made = to_make < VECTOR_BYTES ? to_make : VECTOR_BYTES, n = made < nblocks ? made : nblocks;
        const unsigned left = 255 - (counter & 255); /* blocks of this run after the first */
        const int ends = left < VECTOR_BYTES;
        if (ends) {
            aria_start_run(&w.next, schedule, aria_with_counter(block, counter + left + 1));
            aria_fill_from_two(&w, vector_greater8(numbers, vector_repeat_byte((uint8_t)left)));
            rest_used = 1;
        }
        const int whole = n == VECTOR_BYTES;
        aria_ctr_sliced(&w, schedule, counters, whole ? out : rest, whole ? in : NULL);
        if (!whole) {
            runnel_xor_bytes(out, in, rest, 16 * n);
            if (made > n)
                memcpy(leftover, rest + 16 * n, 16);
            rest_used = 1;
        }
        if (ends) {
            w.now = w.next;
            aria_fill(&w, &w.now);
        }
        to_make -= made;
        nblocks -= n;
        counter += (uint32_t)made;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    if (to_make > 0)
        aria_ctr_few(schedule, block, counter, out, in, nblocks, leftover);
    aria_wipe_work(&w, rest_used);
}

TARGET RUNNEL_INLINE void aria_ctr(const runnel_aria_schedule *schedule, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = runnel_load32be(block + 12);
    if (nblocks + (leftover != NULL) > ARIA_FEW_BLOCKS)
        aria_ctr_many(schedule, block, counter, out, in, nblocks, leftover);
    else
        aria_ctr_few(schedule, block, counter, out, in, nblocks, leftover);
}

TARGET static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    aria_ctr(state, block, out, in, nblocks, NULL);
}

TARGET static void aria_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    aria_ctr(state, block, out, in, nblocks, leftover);
    runnel_xor_bytes(out + 16 * nblocks, in == NULL ? NULL : in + 16 * nblocks, leftover, tail);
}

/* As many blocks as a register has bytes. */
TARGET RUNNEL_INLINE void aria_block_sliced(const aria_call_keys *keys, const runnel_aria_schedule *schedule,
                                            uint8_t *out, const uint8_t *in)
{
    vector x[16], y[16];
    const vector key = aria_rows_key(schedule, 0);
    for (int i = 0; i < 16; i++)
        x[i] = vector_xor(vector_load(in + VECTOR_BYTES * i), key);
    aria_transpose_half(y, x);
    aria_transpose_half(x, y);
    aria_slices_finish(x, keys, schedule, 1, out, NULL);
}

TARGET static void aria_encrypt_many(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    aria_work w;
    uint8_t *const rest = (uint8_t *)w.rest;
    int rest_used = 0;
    aria_make_call_keys(&w.keys, schedule);
    while (nblocks > ARIA_FEW_BLOCKS) {
        const size_t n = nblocks < VECTOR_BYTES ? nblocks : VECTOR_BYTES;
        const int whole = n == VECTOR_BYTES;
        if (!whole) {
            memset(rest, 0, sizeof w.rest);
            memcpy(rest, in, 16 * n);
        }
        aria_block_sliced(&w.keys, schedule, whole ? out : rest, whole ? in : rest);
        if (!whole) {
            memcpy(out, rest, 16 * n);
            rest_used = 1;
        }
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
    if (nblocks > 0)
        aria_encrypt_few(schedule, out, in, nblocks);
    aria_wipe_work(&w, rest_used);
}

TARGET static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks > ARIA_FEW_BLOCKS)
        aria_encrypt_many(state, out, in, nblocks);
    else
        aria_encrypt_few(state, out, in, nblocks);
}

#endif
