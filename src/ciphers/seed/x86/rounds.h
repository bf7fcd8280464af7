/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the vector kernels share: SEED on registers that hold one 32-bit word of each of LANES blocks, and several sets
 * of such registers in flight, because F is a long chain. A kernel includes this after defining TARGET (its features),
 * INLINE, and for its register width
 *   vec, LANES,
 *   vec_xor, vec_xor3, vec_add, vec_broadcast, vec_swap_bytes (in each word), vec_lane_numbers (see below),
 *   vec_unpack_lo32, vec_unpack_hi32, vec_unpack_lo64, vec_unpack_hi64 (inside the 128-bit parts),
 *   vec_load, vec_store, vec_get and vec_put: the same for the first 0 … LANES / 4 blocks of a register alone,
 *   vec_block: one block of a register, by number,
 *   vec_g: G; g_begin and g_end: the two halves of G of two registers, in the fewest operations, and
 *   vec_g_short: G in the shortest chain;
 * and, if it has them, KEY_WORDS, which is as runnel_seed_key_words, and FEW, a number of blocks, with encrypt_few and
 * xor_few, for so many and fewer (see few_avx512.h).
 *
 * The blocks of a set are in the lanes in an order such that a 4 x 4 transposition inside the 128-bit parts leaves
 * whole blocks, in order, in the registers: lane 4 * p + k belongs to block k * LANES / 4 + p, vec_lane_numbers. */

enum { WORDS = 4, REGISTER_BLOCKS = LANES / 4, WIDE = 8, WIDE_BLOCKS = WIDE * LANES }; /* WIDE: the most sets in flight */

typedef struct set {
    vec word[WORDS];
} set;

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define EACH_SET UNROLL for (int i = 0; i < sets; i++)
#define EACH_OF_TWO UNROLL for (int i = 0; i < 2; i++)
#define EACH_WORD UNROLL for (int w = 0; w < WORDS; w++)

INLINE void transpose(set *s)
{
    const vec a = vec_unpack_lo32(s->word[0], s->word[1]), b = vec_unpack_lo32(s->word[2], s->word[3]);
    const vec c = vec_unpack_hi32(s->word[0], s->word[1]), d = vec_unpack_hi32(s->word[2], s->word[3]);
    s->word[0] = vec_unpack_lo64(a, b);
    s->word[1] = vec_unpack_hi64(a, b);
    s->word[2] = vec_unpack_lo64(c, d);
    s->word[3] = vec_unpack_hi64(c, d);
}

/* One of the three G of a round, for two sets: what goes into it, and its first half. */
INLINE void prepare(const int step, const int sets, vec *c, vec *d, const set *s, const int r, const vec k0,
                    const vec k1)
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
        g_begin(step == 1 ? c : d);
}

INLINE void finish(const int sets, vec x[2])
{
    if (sets > 2)
        g_end(x);
    else
        EACH_OF_TWO x[i] = vec_g(x[i]);
}

/* For every set: words l and l + 1 ^= F(words r and r + 1). Each G for all sets before the next, two by two, and half
 * of the next two between the halves of each two, so that independent chains are interleaved. */
INLINE void half_round(set *s, const int sets, const int l, const int r, const uint32_t *key)
{
    const vec k0 = vec_broadcast(key[0]), k1 = vec_broadcast(key[1]);
    vec c[WIDE], d[WIDE];
    prepare(0, sets, c, d, s, r, k0, k1);
    UNROLL for (int step = 0; step < 3; step++) {
        UNROLL for (int at = 0; at < sets; at += 2) {
            const int next = at + 2 < sets ? at + 2 : 0, next_step = step + (next == 0);
            if (next != at && next_step < 3)
                prepare(next_step, sets, c + next, d + next, s + next, r, k0, k1);
            finish(sets, (step == 1 ? c : d) + at);
            if (next == at && next_step < 3)
                prepare(next_step, sets, c, d, s, r, k0, k1);
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
INLINE void encrypt_one_set(set *s, const int first, const uint32_t *key)
{
    const int l = first & 2;
    vec l0 = s->word[l], l1 = s->word[l + 1], r0 = s->word[2 - l], r1 = s->word[3 - l];
    vec c = vec_xor(r0, vec_broadcast(key[first])), sum = vec_xor3(c, r1, vec_broadcast(key[first + 1]));
    for (int i = first + 2; i <= 32; i += 2) {
        const int next = i & 31; /* after the last round any will do */
        const vec c_part = vec_xor(l0, vec_broadcast(key[next]));
        const vec sum_part = vec_xor3(c_part, l1, vec_broadcast(key[next + 1]));
        vec d = vec_g_short(sum);
        c = vec_g_short(vec_add(c, d));
        d = vec_g_short(vec_add(d, c));
        c = vec_add(c, d);
        sum = vec_xor3(sum_part, d, c);
        const vec new_r0 = vec_xor(l0, c), new_r1 = vec_xor(l1, d);
        c = vec_xor(c_part, c);
        l0 = r0;
        l1 = r1;
        r0 = new_r0;
        r1 = new_r1;
    }
    *s = (set){{l0, l1, r0, r1}};
}

/* Leaves the halves swapped, since there is no swap after the last round. Functions of their own, and the halves
 * selected by the loop's counter: otherwise the compilers split the array into sets and move them around in memory. */
#define DEFINE_ENCRYPT(name, sets)                                                                                     \
    TARGET static RUNNEL_NOINLINE void name(set *s, int first, const uint32_t *key)                          \
    {                                                                                                                  \
        for (int i = first; i < 32; i += 2)                                                                            \
            half_round(s, sets, i & 2, 2 - (i & 2), key + i);                                                          \
    }
DEFINE_ENCRYPT(encrypt_wide, WIDE)
DEFINE_ENCRYPT(encrypt_six_sets, 6)
DEFINE_ENCRYPT(encrypt_four_sets, 4)
DEFINE_ENCRYPT(encrypt_two_sets, 2)

INLINE void encrypt_sets(set *s, const int sets, const int first, const uint32_t *key)
{
    if (sets == 1)
        encrypt_one_set(s, first, key);
    else if (sets == 2)
        encrypt_two_sets(s, first, key);
    else if (sets == 4)
        encrypt_four_sets(s, first, key);
    else if (sets == 6)
        encrypt_six_sets(s, first, key);
    else
        encrypt_wide(s, first, key);
}

/* Writes n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. The one after them goes to
 * leftover, as it is, unless leftover is NULL. */
INLINE void write_sets(uint8_t *out, const uint8_t *in, const set *s, const int sets, size_t n, uint8_t *leftover)
{
    const int all = n == (size_t)sets * LANES;
    EACH_SET {
        set t = {{s[i].word[2], s[i].word[3], s[i].word[0], s[i].word[1]}};
        transpose(&t);
        EACH_WORD {
            const vec v = vec_swap_bytes(t.word[w]);
            if (all) {
                const int at = 4 * LANES * (WORDS * i + w);
                vec_store(out + at, in == NULL ? v : vec_xor(v, vec_load(in + at)));
            } else {
                const size_t m = n < REGISTER_BLOCKS ? n : REGISTER_BLOCKS;
                vec_put(out, in == NULL ? v : vec_xor(v, vec_get(in, m)), m);
                out += 16 * m;
                in = in == NULL ? NULL : in + 16 * m;
                n -= m;
                if (m < REGISTER_BLOCKS && leftover != NULL) {
                    _mm_storeu_si128((void *)leftover, vec_block(v, m));
                    leftover = NULL;
                }
            }
        }
    }
}

/* words: of the first block, and where the left half counts, after round 1; there words[1] is what it adds to them. */
INLINE void ctr_sets(set *s, const int sets, const uint32_t *key, const int left, const uint32_t *words,
                     uint32_t counter, uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    EACH_SET {
        EACH_WORD s[i].word[w] = vec_broadcast(words[w]);
        const vec counters = vec_add(vec_broadcast(counter + (uint32_t)i * LANES), vec_lane_numbers());
        if (left)
            s[i].word[1] = vec_xor(s[i].word[1], counters);
        else
            s[i].word[3] = counters;
    }
    encrypt_sets(s, sets, left ? 2 : 0, key);
    write_sets(out, in, s, sets, n, leftover);
}

INLINE void block_sets(set *s, const int sets, const uint32_t *key, uint8_t *out, const uint8_t *in, const size_t n)
{
    size_t left = n;
    EACH_SET {
        EACH_WORD {
            const size_t m = left < REGISTER_BLOCKS ? left : REGISTER_BLOCKS;
            s[i].word[w] = vec_swap_bytes(vec_get(in, m));
            in += 16 * m;
            left -= m;
        }
        transpose(&s[i]);
    }
    encrypt_sets(s, sets, 0, key);
    write_sets(out, NULL, s, sets, n, NULL);
}

/* Calls f(sets, …) with the fewest sets that hold n <= WIDE_BLOCKS blocks; s is several sets, one is one. */
#define WITH_FEWEST_SETS(n, f, ...)                                                                                    \
    do {                                                                                                               \
        if ((n) > 6 * LANES)                                                                                           \
            f(s, WIDE, __VA_ARGS__);                                                                                   \
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

TARGET static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    KEY_WORDS(words, key);
    for (int i = 0; i < 32; i += LANES)
        vec_store(words + i, vec_g(vec_load(words + i)));
}

RUNNEL_DECRYPT_KEY(set_key, runnel_seed_reverse)

TARGET static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
#ifdef FEW
    if (nblocks <= FEW) {
        encrypt_few(key, out, in, nblocks);
        return;
    }
#endif
    const int several = nblocks > LANES;
    set s[WIDE], one;
    while (nblocks > 0) {
        const size_t n = nblocks < WIDE_BLOCKS ? nblocks : WIDE_BLOCKS;
        WITH_FEWEST_SETS(n, block_sets, key, out, in, n);
        nblocks -= n;
        in += 16 * n;
        out += 16 * n;
    }
    if (several)
        runnel_wipe(s, sizeof s);
}

/* nblocks blocks and a tail, or none, and then leftover is NULL. */
INLINE void xor_counted(const uint32_t *key, const int left, const uint32_t *words, uint32_t counter, uint8_t *out,
                        const uint8_t *in, size_t nblocks, size_t tail, uint8_t *leftover)
{
    size_t to_make = nblocks + (leftover != NULL);
    const int several = to_make > LANES;
    set s[WIDE], one;
    while (to_make > 0) {
        const size_t n = to_make < WIDE_BLOCKS ? to_make : WIDE_BLOCKS, whole = n < nblocks ? n : nblocks;
        WITH_FEWEST_SETS(n, ctr_sets, key, left, words, counter, out, in, whole, n > whole ? leftover : NULL);
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

INLINE void xor_right(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t nblocks,
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
    uint32_t words[WORDS];
    EACH_WORD words[w] = runnel_load32be(block + 4 * w);
    xor_counted(key, 0, words, words[3], out, in, nblocks, tail, leftover);
}

TARGET static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                         size_t nblocks)
{
    (void)prefix;
    xor_right(state, block, out, in, nblocks, 0, NULL);
}

TARGET static void ctr32_tail(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks, size_t tail, uint8_t *leftover)
{
    (void)prefix;
    xor_right(state, block, out, in, nblocks, tail, leftover);
}

/* The right half stays, so that round 1 adds the same to all: it is done here, once. */
TARGET static void ctr32_left(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                              size_t nblocks)
{
    (void)prefix;
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
    RUNNEL_LINE_ALIGNED uint32_t words[WORDS], sum[2][LANES];
    EACH_WORD words[w] = runnel_load32be(block + 4 * w);
    vec c = vec_broadcast(words[2] ^ key[0]), d = vec_g_short(vec_xor(c, vec_broadcast(words[3] ^ key[1])));
    c = vec_g_short(vec_add(c, d));
    d = vec_g_short(vec_add(d, c));
    vec_store(sum[0], vec_add(c, d));
    vec_store(sum[1], d);
    words[0] ^= sum[0][0];
    const uint32_t counter = words[1];
    words[1] = sum[1][0];
    xor_counted(key, 1, words, counter, out, in, nblocks, 0, NULL);
    runnel_wipe(words, sizeof words);
    runnel_wipe(sum, sizeof sum);
}
