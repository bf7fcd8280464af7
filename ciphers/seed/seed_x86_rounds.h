/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the vector kernels share: SEED on registers that hold one 32-bit word of each of LANES blocks, and several sets
 * of such registers in flight, because F is a long chain. A kernel includes this after defining TARGET (its features),
 * INLINE, and for its register width
 *   vec, LANES, WIDE (sets in flight in long messages: 4 or 8),
 *   vec_xor, vec_xor3, vec_add, vec_broadcast, vec_swap_bytes (in each word), vec_lane_numbers (see below),
 *   vec_unpack_lo32, vec_unpack_hi32, vec_unpack_lo64, vec_unpack_hi64 (inside the 128-bit parts),
 *   vec_load, vec_store, vec_get and vec_put: the same for the first 0 … LANES / 4 blocks of a register alone,
 *   vec_g: G in the fewest operations, and vec_g_short: G in the shortest chain.
 *
 * The blocks of a set are in the lanes in an order such that a 4 x 4 transposition inside the 128-bit parts leaves
 * whole blocks, in order, in the registers: lane 4 * p + k belongs to block k * LANES / 4 + p, vec_lane_numbers. */

enum { WORDS = 4, REGISTER_BLOCKS = LANES / 4, WIDE_BLOCKS = WIDE * LANES };

typedef struct set {
    vec word[WORDS];
} set;

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
#define EACH_SET UNROLL for (int i = 0; i < sets; i++)
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

/* For every set: words l and l + 1 ^= F(words r and r + 1). Each G for all sets before the next, so that the processor
 * finds other chains beside each. */
INLINE void half_round(set *s, const int sets, const int l, const int r, const uint32_t *key)
{
    const vec k0 = vec_broadcast(key[0]), k1 = vec_broadcast(key[1]);
    vec c[WIDE], d[WIDE];
    EACH_SET {
        c[i] = vec_xor(s[i].word[r], k0);
        d[i] = vec_g(vec_xor3(c[i], s[i].word[r + 1], k1));
    }
    EACH_SET c[i] = vec_g(vec_add(c[i], d[i]));
    EACH_SET {
        d[i] = vec_g(vec_add(d[i], c[i]));
        c[i] = vec_add(c[i], d[i]);
        s[i].word[l] = vec_xor(s[i].word[l], c[i]);
        s[i].word[l + 1] = vec_xor(s[i].word[l + 1], d[i]);
    }
}

/* One set alone: only the length of the chain counts. What the next round adds to its input is made beside it. */
INLINE void encrypt_one_set(set *s, const uint32_t *key)
{
    vec l0 = s->word[0], l1 = s->word[1], r0 = s->word[2], r1 = s->word[3];
    vec c = vec_xor(r0, vec_broadcast(key[0])), sum = vec_xor3(c, r1, vec_broadcast(key[1]));
    for (int i = 2; i <= 32; i += 2) {
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

/* Leaves the halves in each other's place, since there is no swap after the last round. */
INLINE void encrypt_sets(set *s, const int sets, const uint32_t *key)
{
    if (sets == 1) {
        encrypt_one_set(s, key);
        return;
    }
    for (int i = 0; i < 32; i += 4) {
        half_round(s, sets, 0, 2, key + i);
        half_round(s, sets, 2, 0, key + i + 2);
    }
}

/* Writes n blocks, at most those of the sets: in XOR the sets; in == NULL: the sets. */
INLINE void write_sets(uint8_t *out, const uint8_t *in, const set *s, const int sets, size_t n)
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
            }
        }
    }
}

INLINE void ctr_sets(set *s, const int sets, const uint32_t *key, const uint8_t *block, uint32_t counter, uint8_t *out,
                     const uint8_t *in, size_t n)
{
    EACH_SET {
        for (int w = 0; w < WORDS - 1; w++)
            s[i].word[w] = vec_broadcast(runnel_load32be(block + 4 * w));
        s[i].word[WORDS - 1] = vec_add(vec_broadcast(counter + (uint32_t)i * LANES), vec_lane_numbers());
    }
    encrypt_sets(s, sets, key);
    write_sets(out, in, s, sets, n);
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
    encrypt_sets(s, sets, key);
    write_sets(out, NULL, s, sets, n);
}

/* Calls f(sets, …) with the fewest sets that hold n <= WIDE_BLOCKS blocks; s is several sets, one is one. */
#define WITH_FEWEST_SETS(n, f, ...)                                                                                    \
    do {                                                                                                               \
        if ((n) > WIDE / 2 * LANES)                                                                                    \
            f(s, WIDE, __VA_ARGS__);                                                                                   \
        else if ((n) > 2 * LANES)                                                                                      \
            f(s, 4, __VA_ARGS__);                                                                                      \
        else if ((n) > LANES)                                                                                          \
            f(s, 2, __VA_ARGS__);                                                                                      \
        else                                                                                                           \
            f(&one, 1, __VA_ARGS__);                                                                                   \
    } while (0)

TARGET static void set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    (void)key_bytes;
    uint32_t *words = ((runnel_seed_schedule *)state)->words;
    runnel_seed_key_words(words, key);
    for (int i = 0; i < 32; i += LANES)
        vec_store(words + i, vec_g(vec_load(words + i)));
}

#if RUNNEL_DECRYPT
TARGET static void set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    set_key(state, key, key_bytes);
    runnel_seed_reverse(((runnel_seed_schedule *)state)->words);
}
#endif

TARGET static void encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
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

TARGET static void ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                         size_t nblocks)
{
    (void)prefix;
    const uint32_t *key = ((const runnel_seed_schedule *)state)->words;
    const int several = nblocks > LANES;
    uint32_t counter = runnel_load32be(block + 12);
    set s[WIDE], one;
    while (nblocks > 0) {
        const size_t n = nblocks < WIDE_BLOCKS ? nblocks : WIDE_BLOCKS;
        WITH_FEWEST_SETS(n, ctr_sets, key, block, counter, out, in, n);
        nblocks -= n;
        counter += (uint32_t)n;
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    if (several)
        runnel_wipe(s, sizeof s);
}
