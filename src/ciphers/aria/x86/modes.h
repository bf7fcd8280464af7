/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA on registers: long messages in slices of bytes, BLOCKS blocks at once, the rest as whole blocks where these are
 * few. A kernel also defines REGISTER_BLOCKS (the blocks that fit a register), aria_vec_get and aria_vec_put (which
 * load and store the first 0 … REGISTER_BLOCKS of them alone), vec_add32, vec_lane_numbers (the block's number in the
 * last 32-bit word of each 128-bit part), vec_block (one block of a register, by number), aria_spread_bytes (repeats
 * each of 16 bytes in a register) and aria_call_keys, aria_make_call_keys and CALL_KEYS (what a call makes of the
 * folded keys for its slices). */

enum { ARIA_FEW = 4, ARIA_FEW_BLOCKS = ARIA_FEW * REGISTER_BLOCKS };

/* ---- few blocks ---- */

/* n blocks; the one after them goes to leftover, as it is, unless leftover is NULL. */
INLINE void aria_write_rows(uint8_t *out, const uint8_t *in, const aria_vec *x, const int registers, size_t n,
                            uint8_t *leftover)
{
    UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = n < REGISTER_BLOCKS ? n : REGISTER_BLOCKS;
        aria_vec_put(out, in == NULL ? x[i] : (aria_vec)(x[i] ^ aria_vec_get(in, m)), m);
        out += 16 * m;
        in = in == NULL ? NULL : in + 16 * m;
        n -= m;
        if (m < REGISTER_BLOCKS && leftover != NULL) {
            _mm_storeu_si128((void *)leftover, vec_block(x[i], m));
            leftover = NULL;
        }
    }
}

INLINE void aria_ctr_rows(const int registers, const runnel_aria_schedule *schedule, const uint8_t *block,
                          uint32_t counter, uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    const aria_vec swap = TABLE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 14, 13, 12);
    const __m128i nonce = _mm_loadu_si128((const void *)block);
    aria_vec next = aria_vec_repeat(_mm_insert_epi32(nonce, (int)counter, 3)), x[ARIA_FEW];
    next = vec_add32(next, vec_lane_numbers());
    UNROLL
    for (int i = 0; i < registers; i++) {
        x[i] = vec_shuffle(next, swap);
        next = vec_add32(next, aria_vec_repeat(_mm_setr_epi32(0, 0, 0, REGISTER_BLOCKS)));
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_write_rows(out, in, x, registers, n, leftover);
}

INLINE void aria_block_rows(const int registers, const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                            const size_t n)
{
    aria_vec x[ARIA_FEW];
    size_t left = n;
    UNROLL
    for (int i = 0; i < registers; i++) {
        const size_t m = left < REGISTER_BLOCKS ? left : REGISTER_BLOCKS;
        x[i] = aria_vec_get(in, m);
        in += 16 * m;
        left -= m;
    }
    aria_encrypt_rows(x, registers, schedule);
    aria_write_rows(out, NULL, x, registers, n, NULL);
}

/* Calls f(registers, …) with the fewest that hold n <= ARIA_FEW_BLOCKS blocks. */
#define WITH_FEWEST_REGISTERS(n, f, ...)                                                                               \
    do {                                                                                                               \
        if ((n) > 3 * REGISTER_BLOCKS)                                                                                 \
            f(4, __VA_ARGS__);                                                                                         \
        else if ((n) > 2 * REGISTER_BLOCKS)                                                                            \
            f(3, __VA_ARGS__);                                                                                         \
        else if ((n) > REGISTER_BLOCKS)                                                                                \
            f(2, __VA_ARGS__);                                                                                         \
        else                                                                                                           \
            f(1, __VA_ARGS__);                                                                                         \
    } while (0)

/* ---- many blocks ---- */

/* Memory that holds secrets, to be wiped. */
typedef struct aria_work {
    aria_call_keys keys;
    aria_vec first[16], second[16];
    uint8_t rest[16 * BLOCKS]; /* fewer blocks */
} aria_work;

INLINE void aria_fill(aria_work *w, const aria_run *r)
{
    aria_spread_bytes(w->first, r->first);
    aria_spread_bytes(w->second, r->second);
}

/* For blocks of two runs: b's where mask is set. The rows have been shifted once in `first`, twice in `second`. */
INLINE void aria_fill_from_two(aria_work *w, const aria_run *a, const aria_run *b, aria_vec mask)
{
    aria_vec first[16], second[16];
    aria_fill(w, a);
    aria_spread_bytes(first, b->first);
    aria_spread_bytes(second, b->second);
    const aria_vec once = vec_shuffle(mask, TABLE(0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11));
    for (int i = 0; i < 16; i++) {
        w->first[i] = vec_blend(w->first[i], first[i], once);
        w->second[i] = vec_blend(w->second[i], second[i], TURNED(mask));
    }
}

/* out = in XOR BLOCKS blocks with these last bytes; in == NULL: the blocks. */
INLINE void aria_ctr_sliced(const aria_work *w, const runnel_aria_schedule *schedule, aria_vec counters, uint8_t *out,
                            const uint8_t *in)
{
    const aria_vec zero = counters ^ counters;
    const aria_vec v = TURNED(SLICED_S4(counters ^ aria_vec_repeat(_mm_set1_epi8((char)schedule->keys[0][15])), zero));
    const aria_vec *c = w->first;
    aria_vec x[16];
    x[1] = TURNED(SLICED_S4(v ^ c[1], zero));
    x[2] = SLICED_S1(v ^ c[2], zero);
    x[4] = TURNED(SLICED_S3(v ^ c[4], zero));
    x[5] = TURNED(SLICED_S4(v ^ c[5], zero));
    x[8] = TURNED(SLICED_S3(v ^ c[8], zero));
    x[10] = SLICED_S1(v ^ c[10], zero);
    x[15] = SLICED_S2(v ^ c[15], zero);
    aria_sliced_diffuse_seven(x, w->second);
    aria_finish_sliced(x, CALL_KEYS(&w->keys, schedule), 3, schedule->rounds, out, in);
}

/* nblocks blocks and, unless leftover is NULL, the one after them as it is. */
TARGET static void aria_ctr_many(const runnel_aria_schedule *schedule, const uint8_t *block, uint32_t counter,
                                 uint8_t *out, const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    aria_work w;
    aria_make_call_keys(&w.keys, schedule);
    aria_run now = aria_start_run(schedule, aria_with_counter(block, counter));
    aria_fill(&w, &now);
    size_t most = 0, to_make = nblocks + (leftover != NULL);
    /* Not with run_bits: batches may lie in two runs. */
    while (to_make > ARIA_FEW_BLOCKS) {
        const aria_vec numbers = vec_block_numbers();
        const aria_vec counters = vec_add8(numbers, aria_vec_repeat(_mm_set1_epi8((char)counter)));
        const size_t made = to_make < BLOCKS ? to_make : BLOCKS, n = made < nblocks ? made : nblocks;
        const unsigned left = 255 - (counter & 255); /* blocks of this run after the first */
        const int ends = left < BLOCKS;
        aria_run next = now;
        if (ends) {
            next = aria_start_run(schedule, aria_with_counter(block, counter + left + 1));
            aria_fill_from_two(&w, &now, &next, vec_less8(aria_vec_repeat(_mm_set1_epi8((char)left)), numbers));
        }
        const int whole = n == BLOCKS;
        aria_ctr_sliced(&w, schedule, counters, whole ? out : w.rest, whole ? in : NULL);
        if (!whole) {
            runnel_xor_bytes(out, in, w.rest, 16 * n);
            if (made > n)
                memcpy(leftover, w.rest + 16 * n, 16);
            most = sizeof w.rest;
        }
        if (ends) {
            now = next;
            aria_fill(&w, &now);
        }
        to_make -= made;
        nblocks -= n;
        counter += (uint32_t)made;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    if (to_make > 0)
        WITH_FEWEST_REGISTERS(to_make, aria_ctr_rows, schedule, block, counter, out, in, nblocks, leftover);
    runnel_wipe(&w, sizeof w - sizeof w.rest + most);
}

INLINE void aria_ctr(const runnel_aria_schedule *schedule, const uint8_t *block, uint8_t *out, const uint8_t *in,
                     size_t nblocks, uint8_t *leftover)
{
    const uint32_t counter = runnel_load32be(block + 12);
    const size_t to_make = nblocks + (leftover != NULL);
    if (to_make > ARIA_FEW_BLOCKS)
        aria_ctr_many(schedule, block, counter, out, in, nblocks, leftover);
    else
        WITH_FEWEST_REGISTERS(to_make, aria_ctr_rows, schedule, block, counter, out, in, nblocks, leftover);
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

/* BLOCKS blocks. */
INLINE void aria_block_sliced(const aria_key_byte (*keys)[16], const runnel_aria_schedule *schedule, uint8_t *out,
                              const uint8_t *in)
{
    aria_vec x[16], y[16];
    const aria_vec key = aria_rows_key(schedule, 0);
    for (int i = 0; i < 16; i++)
        x[i] = vec_load(in + BLOCKS * i) ^ key;
    aria_transpose_half(y, x);
    aria_transpose_half(x, y);
    aria_finish_sliced(x, keys, 1, schedule->rounds, out, NULL);
}

TARGET static void aria_encrypt_many(const runnel_aria_schedule *schedule, uint8_t *out, const uint8_t *in,
                                     size_t nblocks)
{
    aria_work w;
    aria_make_call_keys(&w.keys, schedule);
    size_t most = 0;
    while (nblocks > ARIA_FEW_BLOCKS) {
        const size_t n = nblocks < BLOCKS ? nblocks : BLOCKS;
        const int whole = n == BLOCKS;
        if (!whole) {
            memset(w.rest, 0, sizeof w.rest);
            memcpy(w.rest, in, 16 * n);
        }
        aria_block_sliced(CALL_KEYS(&w.keys, schedule), schedule, whole ? out : w.rest, whole ? in : w.rest);
        if (!whole) {
            memcpy(out, w.rest, 16 * n);
            most = sizeof w.rest;
        }
        nblocks -= n;
        out += 16 * n;
        in += 16 * n;
    }
    if (nblocks > 0)
        WITH_FEWEST_REGISTERS(nblocks, aria_block_rows, schedule, out, in, nblocks);
    runnel_wipe(&w, sizeof w - sizeof w.rest + most);
}

TARGET static void aria_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (nblocks > ARIA_FEW_BLOCKS)
        aria_encrypt_many(state, out, in, nblocks);
    else
        WITH_FEWEST_REGISTERS(nblocks, aria_block_rows, state, out, in, nblocks);
}
