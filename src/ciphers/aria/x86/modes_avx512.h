/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages of any length for avx512.c: few blocks as rows, more in slices of 32 or 64. Tails are by masks. */

enum { ARIA_FEW = 4, ARIA_FEW_BLOCKS = 4 * ARIA_FEW, ARIA_HALF_BATCH = 32, ARIA_BATCH = 64 };

#define FIRST_BYTES(n) ((n) < 64 ? ((__mmask64)1 << (n)) - 1 : ~(__mmask64)0)

/* out = in XOR v for the first bytes of a register (in == NULL: v). */
INLINE void aria_put_bytes(uint8_t *out, const uint8_t *in, aria_vec512 v, size_t bytes)
{
    const __mmask64 mask = FIRST_BYTES(bytes);
    _mm512_mask_storeu_epi8(out, mask, in == NULL ? v : (aria_vec512)(v ^ _mm512_maskz_loadu_epi8(mask, in)));
}

/* The same for blocks in memory, with the block in which the bytes end to leftover, unless that is NULL. */
INLINE void aria_put_rest(uint8_t *out, const uint8_t *in, const uint8_t *blocks, size_t bytes, uint8_t *leftover)
{
    for (size_t at = 0; at < bytes; at += 64)
        aria_put_bytes(out + at, in == NULL ? NULL : in + at, _mm512_loadu_si512((const void *)(blocks + at)),
                       bytes - at < 64 ? bytes - at : 64);
    if (leftover != NULL)
        memcpy(leftover, blocks + bytes / 16 * 16, 16);
}

/* ---- few blocks ---- */

INLINE void aria_put_rows(uint8_t *out, const uint8_t *in, const aria_vec512 *x, const int registers, size_t bytes,
                          uint8_t *leftover)
{
    UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = i < registers - 1 ? 64 : bytes - 64 * (size_t)i;
        if (i == registers - 1 && leftover != NULL) {
            const aria_vec512 last =
                _mm512_permutexvar_epi64(_mm512_set1_epi64((long long)(m / 16 * 2)) + (aria_vec512){0, 1}, x[i]);
            _mm_storeu_si128((void *)leftover, _mm512_castsi512_si128(last));
        }
        aria_put_bytes(out + 64 * i, in == NULL ? NULL : in + 64 * i, x[i], m);
    }
}

INLINE void aria_ctr_rows(const int registers, const runnel_aria_schedule *schedule, __m128i block, uint8_t *out,
                          const uint8_t *in, size_t bytes, uint8_t *leftover)
{
    const aria_vec512 swap = TABLE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12);
    aria_vec512 next = _mm512_shuffle_epi8(aria_vec_repeat512(block), swap), x[ARIA_FEW];
    next = _mm512_add_epi32(next, _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3));
    UNROLL
    for (int i = 0; i < registers; i++) {
        x[i] = _mm512_shuffle_epi8(next, swap);
        next = _mm512_add_epi32(next, aria_vec_repeat512(_mm_setr_epi32(0, 0, 0, 4)));
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_put_rows(out, in, x, registers, bytes, leftover);
}

INLINE void aria_block_rows(const int registers, const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                            const size_t bytes)
{
    aria_vec512 x[ARIA_FEW];
    UNROLL
    for (int i = 0; i < registers; i++)
        x[i] = _mm512_maskz_loadu_epi8(FIRST_BYTES(i < registers - 1 ? 64 : bytes - 64 * (size_t)i), in + 64 * i);
    aria_encrypt_rows(x, registers, schedule);
    aria_put_rows(out, NULL, x, registers, bytes, NULL);
}

/* Calls f(registers, …) with the fewest that hold n <= ARIA_FEW_BLOCKS blocks. */
#define WITH_FEWEST_REGISTERS(n, f, ...)                                                                               \
    do {                                                                                                               \
        if ((n) > 12)                                                                                                  \
            f(4, __VA_ARGS__);                                                                                         \
        else if ((n) > 8)                                                                                              \
            f(3, __VA_ARGS__);                                                                                         \
        else if ((n) > 4)                                                                                              \
            f(2, __VA_ARGS__);                                                                                         \
        else                                                                                                           \
            f(1, __VA_ARGS__);                                                                                         \
    } while (0)

TARGET static RUNNEL_NOINLINE void aria_ctr_few(const runnel_aria_schedule *schedule, __m128i block, uint8_t *out,
                                                const uint8_t *in, size_t n, size_t bytes, uint8_t *leftover)
{
    WITH_FEWEST_REGISTERS(n, aria_ctr_rows, schedule, block, out, in, bytes, leftover);
}

TARGET static RUNNEL_NOINLINE void aria_encrypt_few(const runnel_aria_schedule *schedule, uint8_t *out,
                                                    const uint8_t *in, size_t n)
{
    WITH_FEWEST_REGISTERS(n, aria_block_rows, schedule, out, in, 16 * n);
}

#undef WIDTH
#define WIDTH 128

/* One block, for which the narrowest registers have the shortest way. */
INLINE void aria_one_block(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *block, const uint8_t *in)
{
    aria_vec128 x[1] = {_mm_loadu_si128((const void *)block)};
    aria_encrypt_rows(x, 1, schedule);
    _mm_storeu_si128((void *)out, in == NULL ? x[0] : (aria_vec128)(x[0] ^ _mm_loadu_si128((const void *)in)));
}

/* ---- many blocks ---- */

/* Memory that holds secrets, to be wiped. */
typedef struct aria_work {
    aria_spread_run run;
    aria_spread keys[16];
    RUNNEL_LINE_ALIGNED uint8_t rest[16 * ARIA_BATCH]; /* fewer blocks */
} aria_work;

/* Zeroes so many bytes, rounded up to lines. */
INLINE void aria_wipe_lines(void *p, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 64)
        _mm512_store_si512((void *)((uint8_t *)p + at), _mm512_setzero_si512());
    __asm__ volatile("" : : "r"(p) : "memory");
}

INLINE void aria_spread_keys(aria_work *w, const runnel_aria_schedule *schedule, unsigned first)
{
    for (unsigned r = first; r < schedule->rounds; r++)
        aria_spread_bytes(&w->keys[r], _mm_load_si128((const void *)schedule->folded[r]));
}

INLINE void aria_spread_this_run(aria_work *w, aria_run r)
{
    aria_spread_bytes(&w->run.first, r.first);
    aria_spread_bytes(&w->run.second, r.second);
}

INLINE void aria_spread_change(aria_work *w, aria_run a, aria_run b)
{
    aria_spread_bytes(&w->run.first_change, a.first ^ b.first);
    aria_spread_bytes(&w->run.second_change, a.second ^ b.second);
}

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
TARGET static void aria_ctr_many(const runnel_aria_schedule *schedule, const uint8_t *block, uint8_t *out,
                                 const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    aria_work w;
    uint32_t counter = runnel_load32be(block + 12);
    size_t n = nblocks + (leftover != NULL), bytes = 16 * nblocks + tail, used = 0;
    aria_run now = aria_start_run(schedule, aria_with_counter(block, counter)), next = now;
    int known = 0; /* next is the run after now: made long before it is used, since it is a long chain */
    aria_spread_this_run(&w, now);
    aria_spread_keys(&w, schedule, 3);
    while (n > ARIA_FEW_BLOCKS) {
        const size_t batch = n > ARIA_HALF_BATCH ? ARIA_BATCH : ARIA_HALF_BATCH;
        const unsigned left = 255 - (counter & 255); /* blocks of this run after the first */
        if (!known && n > left + 1) {
            next = aria_start_run(schedule, aria_with_counter(block, counter + left + 1));
            known = 1;
        }
        const int ends = known && left + 1 < batch;
        if (ends)
            aria_spread_change(&w, now, next);
        const int whole = bytes >= 16 * batch;
        uint8_t *const to = whole ? out : w.rest;
        const uint8_t *const from = whole ? in : NULL;
        if (batch == ARIA_BATCH)
            WIDE__(aria_slices_ctr, 512)(w.keys, schedule, &w.run, counter, ends ? left : 255, to, from);
        else
            WIDE__(aria_slices_ctr, 256)(w.keys, schedule, &w.run, counter, ends ? left : 255, to, from);
        if (!whole) {
            aria_put_rest(out, in, w.rest, bytes, leftover);
            used = 16 * n;
            bytes = 0;
            break;
        }
        if (left < batch) {
            now = next;
            known = 0;
            aria_spread_this_run(&w, now);
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
    aria_wipe_lines(&w.keys[3], (schedule->rounds - 3) * sizeof(aria_spread));
    aria_wipe_lines(w.rest, used);
}

INLINE void aria_ctr(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t nblocks,
                     size_t tail, uint8_t *leftover)
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
        aria_one_block(state, out, block, in);
    else
        aria_ctr(state, block, out, in, nblocks, 0, NULL);
}

TARGET static void aria_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    aria_ctr(state, block, out, in, nblocks, tail, leftover);
}

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
        if (batch == ARIA_BATCH)
            WIDE__(aria_slices_blocks, 512)(w.keys, schedule, whole ? out : w.rest, whole ? in : w.rest);
        else
            WIDE__(aria_slices_blocks, 256)(w.keys, schedule, whole ? out : w.rest, whole ? in : w.rest);
        if (!whole)
            aria_put_rest(out, NULL, w.rest, 16 * n, NULL);
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
    if (nblocks > 0)
        aria_encrypt_few(schedule, out, in, nblocks);
    aria_wipe_lines(&w.keys[1], (schedule->rounds - 1) * sizeof(aria_spread));
    aria_wipe_lines(w.rest, used);
}

TARGET static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks == 1)
        aria_one_block(state, out, in, NULL);
    else if (nblocks > ARIA_FEW_BLOCKS)
        aria_encrypt_many(state, out, in, nblocks);
    else
        aria_encrypt_few(state, out, in, nblocks);
}
