/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the vector kernels: SEED on registers that hold one 32-bit word of each of LANES blocks, and several sets
 * of such registers in flight, because F is a long chain. A kernel includes this after defining TARGET (its features),
 * INLINE, and for its register width vec, LANES, vec_xor, vec_xor3, vec_add, vec_broadcast, seed_vec_swap_bytes (in
 * each word), vec_lane_numbers (see below), vec_unpack_lo32, vec_unpack_hi32, vec_unpack_lo64, vec_unpack_hi64 (inside
 * the 128-bit parts), vec_load, vec_store, seed_vec_get and seed_vec_put: the same for the first 0 … LANES / 4 blocks
 * of a register alone, seed_vec_block: one block of a register, by number, seed_vec_g: G; seed_g_begin and seed_g_end:
 * the two halves of G of two registers, in the fewest operations, and seed_vec_g_short: G in the shortest chain; and,
 * if it has them, KEY_WORDS, which is as runnel_seed_key_words, and FEW, a number of blocks, with encrypt_few and
 * xor_few, for so many and fewer (see few_avx512.h).
 *
 * The blocks of a set are in the lanes in an order such that a 4 x 4 transposition inside the 128-bit parts leaves
 * whole blocks, in order, in the registers: lane 4 * p + k belongs to block k * LANES / 4 + p, vec_lane_numbers. */

enum {
    SEED_WORDS = 4,
    SEED_REGISTER_BLOCKS = LANES / 4,
    SEED_WIDE = 8,
    SEED_WIDE_BLOCKS = SEED_WIDE * LANES
}; /* WIDE: the most sets in flight */

typedef struct seed_set {
    seed_vec word[SEED_WORDS];
} seed_set;

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define EACH_SET UNROLL for (int i = 0; i < sets; i++)
#define EACH_OF_TWO UNROLL for (int i = 0; i < 2; i++)
#define EACH_WORD UNROLL for (int w = 0; w < SEED_WORDS; w++)

INLINE void seed_transpose(seed_set *s)
{
    const seed_vec a = vec_unpack_lo32(s->word[0], s->word[1]), b = vec_unpack_lo32(s->word[2], s->word[3]);
    const seed_vec c = vec_unpack_hi32(s->word[0], s->word[1]), d = vec_unpack_hi32(s->word[2], s->word[3]);
    s->word[0] = vec_unpack_lo64(a, b);
    s->word[1] = vec_unpack_hi64(a, b);
    s->word[2] = vec_unpack_lo64(c, d);
    s->word[3] = vec_unpack_hi64(c, d);
}

/* One of the three G of a round, for two sets: what goes into it, and its first half. */
INLINE void seed_prepare(const int step, const int sets, seed_vec *c, seed_vec *d, const seed_set *s, const int r,
                         const seed_vec k0, const seed_vec k1)
{
    EACH_OF_TWO {
        if (step == 0) {
            c[i] = vec_xor(s[i].word[r], k0);
            d[i] = vec_xor3(c[i], s[i].word[r + 1], k1);
        } else if (step == 1)
            c[i] = vec_add(c[i], d[i]);
        else
            d[i] = vec_add(d[i], c[i]);
    }
    if (sets > 2)
        seed_g_begin(step == 1 ? c : d);
}

INLINE void seed_finish(const int sets, seed_vec x[2])
{
    if (sets > 2)
        seed_g_end(x);
    else
        EACH_OF_TWO x[i] = seed_vec_g(x[i]);
}

/* For every set: words l and l + 1 ^= F(words r and r + 1). Each G for all sets before the next, two by two, and half
 * of the next two between the halves of each two, so that independent chains are interleaved. */
INLINE void seed_half_round(seed_set *s, const int sets, const int l, const int r, const uint32_t *key)
{
    const seed_vec k0 = vec_broadcast(key[0]), k1 = vec_broadcast(key[1]);
    seed_vec c[SEED_WIDE], d[SEED_WIDE];
    seed_prepare(0, sets, c, d, s, r, k0, k1);
    UNROLL for (int step = 0; step < 3; step++) {
        UNROLL for (int at = 0; at < sets; at += 2) {
            const int next = at + 2 < sets ? at + 2 : 0, next_step = step + (next == 0);
            if (next != at && next_step < 3)
                seed_prepare(next_step, sets, c + next, d + next, s + next, r, k0, k1);
            seed_finish(sets, (step == 1 ? c : d) + at);
            if (next == at && next_step < 3)
                seed_prepare(next_step, sets, c, d, s, r, k0, k1);
            if (step == 2)
                EACH_OF_TWO {
                    c[at + i] = vec_add(c[at + i], d[at + i]);
                    s[at + i].word[l] = vec_xor(s[at + i].word[l], c[at + i]);
                    s[at + i].word[l + 1] = vec_xor(s[at + i].word[l + 1], d[at + i]);
                }
        }
    }
}

/* One set alone, from the round whose keys are first and first + 1: only the length of the chain counts. What the next
 * round adds to its input is computed off that chain. */
INLINE void seed_encrypt_one_set(seed_set *s, const int first, const uint32_t *key)
{
    const int l = first & 2;
    seed_vec l0 = s->word[l], l1 = s->word[l + 1], r0 = s->word[2 - l], r1 = s->word[3 - l];
    seed_vec c = vec_xor(r0, vec_broadcast(key[first])), sum = vec_xor3(c, r1, vec_broadcast(key[first + 1]));
    for (int i = first + 2; i <= 32; i += 2) {
        const int next = i & 31; /* after the last round any will do */
        const seed_vec c_part = vec_xor(l0, vec_broadcast(key[next]));
        const seed_vec sum_part = vec_xor3(c_part, l1, vec_broadcast(key[next + 1]));
        seed_vec d = seed_vec_g_short(sum);
        c = seed_vec_g_short(vec_add(c, d));
        d = seed_vec_g_short(vec_add(d, c));
        c = vec_add(c, d);
        sum = vec_xor3(sum_part, d, c);
        const seed_vec new_r0 = vec_xor(l0, c), new_r1 = vec_xor(l1, d);
        c = vec_xor(c_part, c);
        l0 = r0;
        l1 = r1;
        r0 = new_r0;
        r1 = new_r1;
    }
    *s = (seed_set){{l0, l1, r0, r1}};
}

/* Leaves the halves swapped, since there is no swap after the last round. Functions of their own, and the halves
 * selected by the loop's counter: otherwise the compilers split the array into sets and move them around in memory. */
#define DEFINE_ENCRYPT(name, sets)                                                                                     \
    TARGET static RUNNEL_NOINLINE void name(seed_set *s, int first, const uint32_t *key)                               \
    {                                                                                                                  \
        for (int i = first; i < 32; i += 2)                                                                            \
            seed_half_round(s, sets, i & 2, 2 - (i & 2), key + i);                                                     \
    }
DEFINE_ENCRYPT(seed_encrypt_wide, SEED_WIDE)
DEFINE_ENCRYPT(seed_encrypt_six_sets, 6)
DEFINE_ENCRYPT(seed_encrypt_four_sets, 4)
DEFINE_ENCRYPT(seed_encrypt_two_sets, 2)

INLINE void seed_encrypt_sets(seed_set *s, const int sets, const int first, const uint32_t *key)
{
    if (sets == 1)
        seed_encrypt_one_set(s, first, key);
    else if (sets == 2)
        seed_encrypt_two_sets(s, first, key);
    else if (sets == 4)
        seed_encrypt_four_sets(s, first, key);
    else if (sets == 6)
        seed_encrypt_six_sets(s, first, key);
    else
        seed_encrypt_wide(s, first, key);
}

/* Writes n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. The one after them goes to
 * leftover, as it is, unless leftover is NULL. */
INLINE void seed_write_sets(uint8_t *out, const uint8_t *in, const seed_set *s, const int sets, size_t n,
                            uint8_t *leftover)
{
    const int all = n == (size_t)sets * LANES;
    EACH_SET {
        seed_set t = {{s[i].word[2], s[i].word[3], s[i].word[0], s[i].word[1]}};
        seed_transpose(&t);
        EACH_WORD {
            const seed_vec v = seed_vec_swap_bytes(t.word[w]);
            if (all) {
                const int at = 4 * LANES * (SEED_WORDS * i + w);
                vec_store(out + at, in == NULL ? v : vec_xor(v, vec_load(in + at)));
            } else {
                const size_t m = n < SEED_REGISTER_BLOCKS ? n : SEED_REGISTER_BLOCKS;
                seed_vec_put(out, in == NULL ? v : vec_xor(v, seed_vec_get(in, m)), m);
                out += 16 * m;
                in = in == NULL ? NULL : in + 16 * m;
                n -= m;
                if (m < SEED_REGISTER_BLOCKS && leftover != NULL) {
                    _mm_storeu_si128((void *)leftover, seed_vec_block(v, m));
                    leftover = NULL;
                }
            }
        }
    }
}

/* words: of the first block, and where the left half counts, after round 1; there words[1] is what it adds to them. */
INLINE void seed_ctr_sets(seed_set *s, const int sets, const uint32_t *key, const int left, const uint32_t *words,
                          uint32_t counter, uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    EACH_SET {
        EACH_WORD s[i].word[w] = vec_broadcast(words[w]);
        const seed_vec counters = vec_add(vec_broadcast(counter + (uint32_t)i * LANES), vec_lane_numbers());
        if (left)
            s[i].word[1] = vec_xor(s[i].word[1], counters);
        else
            s[i].word[3] = counters;
    }
    seed_encrypt_sets(s, sets, left ? 2 : 0, key);
    seed_write_sets(out, in, s, sets, n, leftover);
}

INLINE void seed_block_sets(seed_set *s, const int sets, const uint32_t *key, uint8_t *out, const uint8_t *in,
                            const size_t n)
{
    size_t left = n;
    EACH_SET {
        EACH_WORD {
            const size_t m = left < SEED_REGISTER_BLOCKS ? left : SEED_REGISTER_BLOCKS;
            s[i].word[w] = seed_vec_swap_bytes(seed_vec_get(in, m));
            in += 16 * m;
            left -= m;
        }
        seed_transpose(&s[i]);
    }
    seed_encrypt_sets(s, sets, 0, key);
    seed_write_sets(out, NULL, s, sets, n, NULL);
}

/* Calls f(sets, …) with the fewest sets that hold n <= SEED_WIDE_BLOCKS blocks; s is several sets, one is one. */
#define WITH_FEWEST_SETS(n, f, ...)                                                                                    \
    do {                                                                                                               \
        if ((n) > 6 * LANES)                                                                                           \
            f(s, SEED_WIDE, __VA_ARGS__);                                                                              \
        else if ((n) > 4 * LANES)                                                                                      \
            f(s, 6, __VA_ARGS__);                                                                                      \
        else if ((n) > 2 * LANES)                                                                                      \
            f(s, 4, __VA_ARGS__);                                                                                      \
        else if ((n) > LANES)                                                                                          \
            f(s, 2, __VA_ARGS__);                                                                                      \
        else                                                                                                           \
            f(&one, 1, __VA_ARGS__);                                                                                   \
    } while (0)

#ifndef KEY_WORDS
#define KEY_WORDS runnel_seed_key_words
#endif

TARGET static void seed_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    KEY_WORDS(words, key);
    for (int i = 0; i < 32; i += LANES)
        vec_store(words + i, seed_vec_g(vec_load(words + i)));
}

RUNNEL_DECRYPT_KEY(seed_set_decrypt_key, seed_set_key, runnel_seed_reverse)

TARGET static void seed_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
#ifdef FEW
    if (nblocks <= FEW) {
        encrypt_few(key, out, in, nblocks);
        return;
    }
#endif
    const int several = nblocks > LANES;
    seed_set s[SEED_WIDE], one;
    while (nblocks > 0) {
        const size_t n = nblocks < SEED_WIDE_BLOCKS ? nblocks : SEED_WIDE_BLOCKS;
        WITH_FEWEST_SETS(n, seed_block_sets, key, out, in, n);
        nblocks -= n;
        in += 16 * n;
        out += 16 * n;
    }
    if (several)
        runnel_wipe(s, sizeof s);
}

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
INLINE void seed_xor_counted(const uint32_t *key, const int left, const uint32_t *words, uint32_t counter, uint8_t *out,
                             const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    const int several = to_make > LANES;
    seed_set s[SEED_WIDE], one;
    while (to_make > 0) {
        const size_t n = to_make < SEED_WIDE_BLOCKS ? to_make : SEED_WIDE_BLOCKS, whole = n < nblocks ? n : nblocks;
        WITH_FEWEST_SETS(n, seed_ctr_sets, key, left, words, counter, out, in, whole, n > whole ? leftover : NULL);
        to_make -= n;
        nblocks -= whole;
        counter += (uint32_t)n;
        out += 16 * whole;
        in = in == NULL ? NULL : in + 16 * whole;
    }
    if (leftover != NULL)
        runnel_xor_bytes(out, in, leftover, tail);
    if (several)
        runnel_wipe(s, sizeof s);
}

INLINE void seed_xor_right(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t nblocks,
                           size_t tail, uint8_t *leftover)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
#ifdef FEW
    if (nblocks + (leftover != NULL) <= FEW) {
        xor_few(key, block, out, in, nblocks, leftover);
        if (leftover != NULL)
            runnel_xor_bytes(out + 16 * nblocks, in == NULL ? NULL : in + 16 * nblocks, leftover, tail);
        return;
    }
#endif
    uint32_t words[SEED_WORDS];
    EACH_WORD words[w] = runnel_load32be(block + 4 * w);
    seed_xor_counted(key, 0, words, words[3], out, in, nblocks, tail, leftover);
}

TARGET static void seed_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    seed_xor_right(state, block, out, in, nblocks, 0, NULL);
}

TARGET static void seed_ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    seed_xor_right(state, block, out, in, nblocks, tail, leftover);
}

/* The right half stays, so that round 1 adds the same to all: it is done here, once. */
TARGET static void seed_ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out,
                                   const uint8_t *in, size_t nblocks)
{
    (void)prefix;
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
    RUNNEL_LINE_ALIGNED uint32_t words[SEED_WORDS], sum[2][LANES];
    EACH_WORD words[w] = runnel_load32be(block + 4 * w);
    seed_vec c = vec_broadcast(words[2] ^ key[0]), d = seed_vec_g_short(vec_xor(c, vec_broadcast(words[3] ^ key[1])));
    c = seed_vec_g_short(vec_add(c, d));
    d = seed_vec_g_short(vec_add(d, c));
    vec_store(sum[0], vec_add(c, d));
    vec_store(sum[1], d);
    words[0] ^= sum[0][0];
    const uint32_t counter = words[1];
    words[1] = sum[1][0];
    seed_xor_counted(key, 1, words, counter, out, in, nblocks, 0, NULL);
    runnel_wipe(words, sizeof words);
    runnel_wipe(sum, sizeof sum);
}
