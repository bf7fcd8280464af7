/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What avx512.c is called for: few blocks as rows, more in slices of 32 or 64. The includer defines TARGET and
 * VECTOR_GFNI. */
#ifndef ARIA_X86_MODES_512_H
#define ARIA_X86_MODES_512_H

#include "arch/common/bytes.h"
#include "counter_block.h"
#include "few_512.h"
#include "slices_gfni.h"
#include "spread.h"

enum { ARIA_HALF_BATCH = 32, ARIA_BATCH = 64 };

/* Memory that holds secrets, to be wiped. */
typedef struct aria_work {
    runnel_aria_spread_run run;
    runnel_aria_spread keys[16];
    RUNNEL_LINE_ALIGNED runnel_aria_run runs[2];       /* this run, and the next if it is known */
    RUNNEL_LINE_ALIGNED uint8_t rest[16 * ARIA_BATCH]; /* fewer blocks */
} aria_work;

/* Zeroes so many bytes, rounded up to lines. */
TARGET RUNNEL_INLINE void aria_wipe_lines(void *p, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += VECTOR_BYTES)
        vector_store((uint8_t *)p + at, vector_zero());
    RUNNEL_KEEP_WRITES(p);
}

TARGET RUNNEL_INLINE void aria_spread_keys(aria_work *w, const runnel_aria_schedule *schedule, unsigned first)
{
    for (unsigned r = first; r < schedule->rounds; r++)
        aria_spread_bytes(&w->keys[r], _mm_load_si128((const void *)schedule->folded[r]));
}

TARGET RUNNEL_INLINE void aria_spread_this_run(aria_work *w)
{
    aria_spread_bytes(&w->run.first, w->runs[0].first);
    aria_spread_bytes(&w->run.second, w->runs[0].second);
}

TARGET RUNNEL_INLINE void aria_spread_change(aria_work *w)
{
    aria_spread_bytes(&w->run.first_change, _mm_xor_si128(w->runs[0].first, w->runs[1].first));
    aria_spread_bytes(&w->run.second_change, _mm_xor_si128(w->runs[0].second, w->runs[1].second));
}

/* ---- ARIA_BATCH blocks in slices, or ARIA_HALF_BATCH ---- */

TARGET static RUNNEL_NOINLINE void aria_batch_ctr(const aria_work *w, const runnel_aria_schedule *schedule,
                                                  uint32_t counter, unsigned left, uint8_t *out, const uint8_t *in)
{
    aria_slices_ctr(w->keys, schedule, &w->run, counter, left, out, in);
}

TARGET static RUNNEL_NOINLINE void aria_batch_blocks(const aria_work *w, const runnel_aria_schedule *schedule,
                                                     uint8_t *out, const uint8_t *in)
{
    aria_slices_blocks(w->keys, schedule, out, in);
}

TARGET RUNNEL_INLINE void aria_ctr_batch(const aria_work *w, size_t batch, const runnel_aria_schedule *schedule,
                                         uint32_t counter, unsigned left, uint8_t *out, const uint8_t *in)
{
    if (batch == ARIA_BATCH)
        aria_batch_ctr(w, schedule, counter, left, out, in);
    else
        runnel_aria_half_ctr(w->keys, schedule, &w->run, counter, left, out, in);
}

TARGET RUNNEL_INLINE void aria_encrypt_batch(const aria_work *w, size_t batch, const runnel_aria_schedule *schedule,
                                             uint8_t *out, const uint8_t *in)
{
    if (batch == ARIA_BATCH)
        aria_batch_blocks(w, schedule, out, in);
    else
        runnel_aria_half_blocks(w->keys, schedule, out, in);
}

/* out = in XOR blocks in memory (in == NULL: the blocks) for so many bytes; the block in which these end goes to leftover,
 * unless that is NULL. */
TARGET RUNNEL_INLINE void aria_put_rest(uint8_t *out, const uint8_t *in, const uint8_t *blocks, size_t bytes,
                                        uint8_t *leftover)
{
    for (size_t at = 0; at < bytes; at += VECTOR_BYTES)
        aria_put_bytes(out + at, in == NULL ? NULL : in + at, vector_load(blocks + at),
                       bytes - at < VECTOR_BYTES ? bytes - at : VECTOR_BYTES);
    if (leftover != NULL)
        memcpy(leftover, blocks + bytes / 16 * 16, 16);
}

/* ---- counter mode ---- */

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
TARGET static void aria_ctr_many(const runnel_aria_schedule *schedule, const uint8_t *block, uint8_t *out,
                                 const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    aria_work w;
    uint32_t counter = runnel_load32be(block + 12);
    size_t n = nblocks + (leftover != NULL), bytes = 16 * nblocks + tail, used = 0;
    int known = 0; /* the next run: made long before it is used, since it is a long chain */
    runnel_aria_start_run(&w.runs[0], schedule, block, counter);
    aria_spread_this_run(&w);
    aria_spread_keys(&w, schedule, 3);
    while (n > ARIA_FEW_BLOCKS) {
        const size_t batch = n > ARIA_HALF_BATCH ? ARIA_BATCH : ARIA_HALF_BATCH;
        const unsigned left = 255 - (counter & 255); /* blocks of this run after the first */
        if (!known && n > left + 1) {
            runnel_aria_start_run(&w.runs[1], schedule, block, counter + left + 1);
            known = 1;
        }
        const int ends = known && left + 1 < batch;
        if (ends)
            aria_spread_change(&w);
        const int whole = bytes >= 16 * batch;
        aria_ctr_batch(&w, batch, schedule, counter, ends ? left : 255, whole ? out : w.rest, whole ? in : NULL);
        if (!whole) {
            aria_put_rest(out, in, w.rest, bytes, leftover);
            used = 16 * n;
            bytes = 0;
            break;
        }
        if (known && left < batch) {
            w.runs[0] = w.runs[1];
            known = 0;
            aria_spread_this_run(&w);
        }
        counter += (uint32_t)batch;
        n -= batch;
        bytes -= 16 * batch;
        out += 16 * batch;
        in = in == NULL ? NULL : in + 16 * batch;
    }
    if (bytes > 0)
        aria_ctr_few(schedule, aria_with_counter(block, counter), out, in, n, bytes, leftover);
    aria_wipe_lines(&w.run, sizeof w.run);
    aria_wipe_lines(&w.keys[3], (schedule->rounds - 3) * sizeof w.keys[0]);
    aria_wipe_lines(w.runs, sizeof w.runs);
    aria_wipe_lines(w.rest, used);
}

TARGET RUNNEL_INLINE void aria_ctr(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                   size_t nblocks, size_t tail, uint8_t *leftover)
{
    const size_t n = nblocks + (leftover != NULL);
    if (n > ARIA_FEW_BLOCKS)
        aria_ctr_many(state, block, out, in, nblocks, tail, leftover);
    else
        aria_ctr_few(state, _mm_loadu_si128((const void *)block), out, in, n, 16 * nblocks + tail, leftover);
}

TARGET static void aria_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    if (nblocks == 1)
        runnel_aria_one_block(state, out, block, in);
    else
        aria_ctr(state, block, out, in, nblocks, 0, NULL);
}

TARGET static void aria_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    aria_ctr(state, block, out, in, nblocks, tail, leftover);
}

/* ---- blocks ---- */

TARGET static void aria_encrypt_many(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    aria_work w;
    size_t used = 0;
    aria_spread_keys(&w, schedule, 1);
    while (nblocks > ARIA_FEW_BLOCKS) {
        const size_t batch = nblocks > ARIA_HALF_BATCH ? ARIA_BATCH : ARIA_HALF_BATCH,
                     n = nblocks < batch ? nblocks : batch;
        const int whole = n == batch;
        if (!whole) {
            used = 16 * batch;
            memset(w.rest + 16 * n, 0, used - 16 * n);
            aria_put_rest(w.rest, NULL, in, 16 * n, NULL);
        }
        aria_encrypt_batch(&w, batch, schedule, whole ? out : w.rest, whole ? in : w.rest);
        if (!whole)
            aria_put_rest(out, NULL, w.rest, 16 * n, NULL);
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
    if (nblocks > 0)
        aria_encrypt_few(schedule, out, in, nblocks);
    aria_wipe_lines(&w.keys[1], (schedule->rounds - 1) * sizeof w.keys[0]);
    aria_wipe_lines(w.rest, used);
}

TARGET static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks == 1)
        runnel_aria_one_block(state, out, in, NULL);
    else if (nblocks > ARIA_FEW_BLOCKS)
        aria_encrypt_many(state, out, in, nblocks);
    else
        aria_encrypt_few(state, out, in, nblocks);
}

#endif
