/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cipher feedback without GFNI. One block takes as long as its chain of rounds, whatever fits into a register. The
 * includer has defined TARGET and INLINE and included nibbles.h.
 *
 * As in pairs.h a register has byte i of the block and byte i + 4, here in 16 bits each. The others are zero: a shift
 * leaves high nibbles alone then, without a mask. A round is
 *     b += F1(a) ^ key      and      d ^= F0(c) + other key
 * where a is the d of the round before. F1 is linear, so its key is XORed one round earlier, as F1^-1(key) and with the
 * old d, off the chain. */

typedef uint8_t spaced __attribute__((vector_size(16)));

#define spaced_lookup(table, index) ((spaced)_mm_shuffle_epi8((__m128i)(table), (__m128i)(index)))
#define spaced_high_nibbles(v) ((spaced)_mm_srli_epi16((__m128i)(v), 4))
#define spaced_places(a, b) ((spaced)_mm_setr_epi8(a, -1, b, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1))
#define spaced_turn(v) ((spaced)_mm_shufflelo_epi16((__m128i)(v), 0xe1)) /* exchanges the two */

INLINE spaced spaced_load(const uint8_t *two)
{
    uint32_t bytes;
    memcpy(&bytes, two, sizeof bytes);
    return (spaced)_mm_cvtsi32_si128((int)bytes);
}

typedef struct nibble_table {
    spaced of_low, of_high;
} nibble_table;

INLINE spaced spaced_map(const nibble_table *t, spaced x)
{
    const spaced nibble = (spaced)_mm_set1_epi8(0x0f);
    return spaced_lookup(t->of_low, x & nibble) ^ spaced_lookup(t->of_high, spaced_high_nibbles(x));
}

/* The inverse of F1, whose eighth power is the identity. */
#define F1_INVERSE(x) ((ROTL8(x, 2) ^ ROTL8(x, 3) ^ ROTL8(x, 4) ^ ROTL8(x, 5) ^ ROTL8(x, 7)) & 255)

RUNNEL_LINE_ALIGNED static const uint8_t spaced_values[6][16] = {
    SIXTEEN(F0, 1), SIXTEEN(F0, 16), SIXTEEN(F1, 1), SIXTEEN(F1, 16), SIXTEEN(F1_INVERSE, 1), SIXTEEN(F1_INVERSE, 16)};

INLINE nibble_table get_nibble_table(unsigned number)
{
    return (nibble_table){(spaced)_mm_load_si128((const void *)spaced_values[2 * number]),
                          (spaced)_mm_load_si128((const void *)spaced_values[2 * number + 1])};
}

/* For each round its two keys of a kind, 16 bits apart and turned as the register is that they go into. */
typedef struct spaced_keys {
    RUNNEL_LINE_ALIGNED uint8_t added[128]; /* to F0 */
    uint8_t moved[128 + 16];                /* F1^-1 of what is XORed with F1; zeros after the last round's */
} spaced_keys;

INLINE void make_spaced_keys(spaced_keys *keys, const uint8_t *subkeys)
{
    const nibble_table inverse = get_nibble_table(2);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 128; i += 16) {
        const spaced four_rounds = (spaced)_mm_loadu_si128((const void *)(subkeys + i));
        const spaced added =
            spaced_lookup(four_rounds, _mm_setr_epi8(1, -1, 3, -1, 5, -1, 7, -1, 11, -1, 9, -1, 15, -1, 13, -1));
        const spaced xored =
            spaced_lookup(four_rounds, _mm_setr_epi8(0, -1, 2, -1, 6, -1, 4, -1, 10, -1, 8, -1, 12, -1, 14, -1));
        _mm_store_si128((void *)(keys->added + i), (__m128i)added);
        _mm_store_si128((void *)(keys->moved + i), (__m128i)spaced_map(&inverse, xored));
    }
    _mm_store_si128((void *)(keys->moved + 128), _mm_setzero_si128());
}

/* One round. *with_key is a XOR the moved key of this round; it becomes d XOR that of the next. */
INLINE void spaced_round(const nibble_table f[2], spaced *with_key, spaced *b, const spaced *c, spaced *d,
                         const spaced_keys *keys, unsigned round)
{
    const spaced next = spaced_load(keys->moved + 4 * round + 4), added = spaced_load(keys->added + 4 * round);
    *b += spaced_map(&f[1], *with_key);
    *with_key = (*d ^ next) ^ (spaced_map(&f[0], *c) + added);
    *d = *with_key ^ next;
}

INLINE void spaced_block(spaced x[4], const uint8_t *block)
{
    const __m128i bytes = _mm_loadl_epi64((const void *)block);
    x[0] = spaced_lookup(bytes, spaced_places(0, 4));
    x[1] = spaced_lookup(bytes, spaced_places(1, 5));
    x[2] = spaced_lookup(bytes, spaced_places(2, 6));
    x[3] = spaced_lookup(bytes, spaced_places(3, 7));
}

INLINE __m128i united(const spaced x[4])
{
    const __m128i even = _mm_unpacklo_epi16((__m128i)x[0], (__m128i)x[2]);
    const __m128i odd = _mm_unpacklo_epi16((__m128i)x[1], (__m128i)x[3]);
    return _mm_or_si128(even, _mm_slli_epi16(odd, 8));
}

/* The block stays in registers from one to the next, and is put together beside the chain. */
TARGET static void cfb(const void *state, uint8_t *last, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    const nibble_table f[2] = {get_nibble_table(0), get_nibble_table(1)};
    const spaced even = (spaced)_mm_set1_epi16(255);
    const spaced first = spaced_load(schedule->whitening), at_end = spaced_load(schedule->whitening + 4);
    const spaced first0 = first & even, first2 = (spaced)_mm_srli_epi16((__m128i)first, 8);
    const spaced last0 = at_end & even, last2 = (spaced)_mm_srli_epi16((__m128i)at_end, 8);
    spaced_keys keys;
    spaced x[4], text[4];
    __m128i made;
    make_spaced_keys(&keys, schedule->subkeys);
    spaced_block(x, last);
    do {
        spaced a = x[0] + first0, b = x[1], c = x[2] ^ first2, d = x[3];
        spaced with_key = a ^ spaced_load(keys.moved);
        spaced_block(text, in);
        for (unsigned i = 0; i < 32; i += 4) { /* turned: the one whose bytes have been ready longest, as in pairs.h */
            spaced_round(f, &with_key, &b, &c, &d, &keys, i);
            a = spaced_turn(a);
            spaced_round(f, &with_key, &a, &b, &c, &keys, i + 1);
            b = spaced_turn(b);
            spaced_round(f, &with_key, &d, &a, &b, &keys, i + 2);
            c = spaced_turn(c);
            spaced_round(f, &with_key, &c, &d, &a, &keys, i + 3);
            d = spaced_turn(d);
        }
        x[0] = (b + last0) ^ text[0];
        x[1] = c ^ text[1];
        x[2] = d ^ last2 ^ text[2];
        x[3] = spaced_turn(a) ^ text[3];
        made = united(x);
        _mm_storel_epi64((void *)out, made);
        in += 8;
        out += 8;
    } while (--nblocks > 0);
    _mm_storel_epi64((void *)last, made);
    runnel_wipe(&keys, sizeof keys);
}
