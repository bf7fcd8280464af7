/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* G with the AES instructions, for rounds.h. In matrices over GF(2), S0(x) = Q0 S(P x) ^ 0xe7 and
 * S1(x) = Q1 S(P x) ^ 0x2b, where S is the S-box of AES and P the isomorphism of fields, from that of
 * x^8 + x^6 + x^5 + x + 1 to that of x^8 + x^4 + x^3 + x + 1, that maps x to 0x19. An affine map of bytes is two
 * look-ups in a register, one a nibble. AESENCLAST also shifts the rows; the shuffles that pick bytes for the rest of
 * G take them from where they went. A kernel defines vec_and, vec_shuffle, vec_shift4 (16-bit parts right by 4),
 * vec_sub_bytes_xor (AESENCLAST), vec_blend (bytes of the second where the third's top bit is set) and vec_repeat (in
 * every 128-bit part) before it includes this. */

#define TABLE(...) vec_repeat(_mm_setr_epi8(__VA_ARGS__))
#define B(x) ((char)0x##x)

#define P_LOW                                                                                                          \
    TABLE(B(00), B(01), B(19), B(18), B(5a), B(5b), B(43), B(42), B(6b), B(6a), B(72), B(73), B(31), B(30), B(28),     \
          B(29))
#define P_HIGH                                                                                                         \
    TABLE(B(00), B(f4), B(cc), B(38), B(82), B(76), B(4e), B(ba), B(06), B(f2), B(ca), B(3e), B(84), B(70), B(48),     \
          B(bc))
#define Q0_LOW                                                                                                         \
    TABLE(B(e7), B(9b), B(43), B(3f), B(fc), B(80), B(58), B(24), B(57), B(2b), B(f3), B(8f), B(4c), B(30), B(e8),     \
          B(94))
#define Q0_HIGH                                                                                                        \
    TABLE(B(00), B(5f), B(69), B(36), B(ff), B(a0), B(96), B(c9), B(8a), B(d5), B(e3), B(bc), B(75), B(2a), B(1c),     \
          B(43))
#define Q1_LOW                                                                                                         \
    TABLE(B(2b), B(27), B(60), B(6c), B(6f), B(63), B(24), B(28), B(d6), B(da), B(9d), B(91), B(92), B(9e), B(d9),     \
          B(d5))
#define Q1_HIGH                                                                                                        \
    TABLE(B(00), B(2e), B(2a), B(04), B(7e), B(50), B(54), B(7a), B(12), B(3c), B(38), B(16), B(6c), B(42), B(46),     \
          B(68))

#define vec_sub_bytes(v) vec_sub_bytes_xor(v, vec_broadcast(0))
#define LOW_NIBBLES(v) vec_and(v, vec_broadcast(0x0f0f0f0f))
#define HIGH_NIBBLES(v) LOW_NIBBLES(vec_shift4(v))

/* The XOR of two look-ups. */
INLINE seed_vec seed_map_bytes(seed_vec table0, seed_vec index0, seed_vec table1, seed_vec index1)
{
    return vec_xor(vec_shuffle(table0, index0), vec_shuffle(table1, index1));
}

/* The bytes 0 0 2 2 of each word of S0's result and 1 1 3 3 of S1's, masked for the part of G that stays. */
#define EVEN_BYTES TABLE(0, 0, 10, 10, 4, 4, 14, 14, 8, 8, 2, 2, 12, 12, 6, 6)
#define ODD_BYTES TABLE(13, 13, 7, 7, 1, 1, 11, 11, 5, 5, 15, 15, 9, 9, 3, 3)
#define STAYING(even, odd) vec_xor(vec_and(even, vec_broadcast(0xf3fcf3fcu)), vec_and(odd, vec_broadcast(0xcff3cff3u)))

INLINE seed_vec seed_vec_g(seed_vec x)
{
    const seed_vec half_turn = TABLE(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    const seed_vec y = vec_sub_bytes(seed_map_bytes(P_LOW, LOW_NIBBLES(x), P_HIGH, HIGH_NIBBLES(x)));
    const seed_vec low = LOW_NIBBLES(y), high = HIGH_NIBBLES(y);
    const seed_vec even = vec_shuffle(seed_map_bytes(Q0_LOW, low, Q0_HIGH, high), EVEN_BYTES);
    const seed_vec odd = vec_shuffle(seed_map_bytes(Q1_LOW, low, Q1_HIGH, high), ODD_BYTES);
    const seed_vec turning =
        vec_xor(vec_and(even, vec_broadcast(0x3fcf3fcfu)), vec_and(odd, vec_broadcast(0xfc3ffc3fu)));
    return vec_xor(STAYING(even, odd), vec_shuffle(turning, half_turn));
}

/* Two registers' G in 49 operations, not 52: the bytes for S0 of both share a register, and so do those for S1, so
 * that no look-up's result is wasted. Its halves are two functions, so that another pair's work can be interleaved.
 *
 * The constants of these functions are operands in memory. Compilers would load them into registers, of which there
 * are too few, and spill the data instead; they cannot if the address always looks new. */
#define TWICE(...) {{__VA_ARGS__, __VA_ARGS__}}
#define MASK(a, b) TWICE(a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b)

typedef union seed_constant {
    uint8_t bytes[32];
    seed_vec value;
} seed_constant;

static const struct seed_constants {
    seed_constant swap, even, odd, half_turn, even_turning, odd_turning, even_staying, odd_staying, zero;
} seed_constants = {
    .swap = TWICE(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14),
    .even = TWICE(0, 0, 10, 10, 4, 4, 14, 14, 8, 8, 2, 2, 12, 12, 6, 6),
    .odd = TWICE(13, 13, 7, 7, 1, 1, 11, 11, 5, 5, 15, 15, 9, 9, 3, 3),
    .half_turn = TWICE(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13),
    .even_turning = MASK(0xcf, 0x3f),
    .odd_turning = MASK(0x3f, 0xfc),
    .even_staying = MASK(0xfc, 0xf3),
    .odd_staying = MASK(0xf3, 0xcf),
};

INLINE const struct seed_constants *seed_anew(const struct seed_constants **c)
{
    RUNNEL_VALUE_BARRIER(*c);
    return *c;
}
#define CONSTANT(name) (seed_anew(&c)->name.value)

INLINE void seed_g_begin(seed_vec x[2])
{
    const struct seed_constants *c = &seed_constants;
    const seed_vec second = vec_shuffle(x[1], CONSTANT(swap)), odd = vec_broadcast(0xff00ff00u);
    const seed_vec for_s0 = vec_blend(x[0], second, odd), for_s1 = vec_blend(second, x[0], odd);
    seed_vec low0 = LOW_NIBBLES(for_s0), low1 = LOW_NIBBLES(for_s1);
    seed_vec high0 = vec_shift4(for_s0), high1 = vec_shift4(for_s1);
    high0 = LOW_NIBBLES(high0);
    high1 = LOW_NIBBLES(high1);
    low0 = vec_shuffle(P_LOW, low0);
    low1 = vec_shuffle(P_LOW, low1);
    high0 = vec_shuffle(P_HIGH, high0);
    high1 = vec_shuffle(P_HIGH, high1);
    x[0] = vec_sub_bytes_xor(vec_xor(high0, low0), CONSTANT(zero));
    x[1] = vec_sub_bytes_xor(vec_xor(high1, low1), CONSTANT(zero));
}

INLINE void seed_g_end(seed_vec x[2])
{
    const struct seed_constants *c = &seed_constants;
    seed_vec s0 = LOW_NIBBLES(x[0]), s1 = LOW_NIBBLES(x[1]);
    seed_vec high0 = vec_shift4(x[0]), high1 = vec_shift4(x[1]);
    high0 = LOW_NIBBLES(high0);
    high1 = LOW_NIBBLES(high1);
    s0 = vec_shuffle(Q0_LOW, s0);
    s1 = vec_shuffle(Q1_LOW, s1);
    high0 = vec_shuffle(Q0_HIGH, high0);
    high1 = vec_shuffle(Q1_HIGH, high1);
    s0 = vec_xor(s0, high0);
    s1 = vec_xor(s1, high1);
    /* the second's bytes are swapped with their neighbours: its even ones are where the first's odd ones are */
    seed_vec even[2] = {vec_shuffle(s0, CONSTANT(even)), vec_shuffle(s0, CONSTANT(odd))};
    seed_vec odd[2] = {vec_shuffle(s1, CONSTANT(odd)), vec_shuffle(s1, CONSTANT(even))};
    seed_vec turning[2];
    RUNNEL_UNROLL for (int i = 0; i < 2; i++)
        turning[i] =
            vec_xor(vec_and(even[i], CONSTANT(even_turning)), vec_and(odd[i], CONSTANT(odd_turning)));
    RUNNEL_UNROLL for (int i = 0; i < 2; i++)
        x[i] = vec_xor(vec_and(even[i], CONSTANT(even_staying)), vec_and(odd[i], CONSTANT(odd_staying)));
    RUNNEL_UNROLL for (int i = 0; i < 2; i++)
        turning[i] = vec_shuffle(turning[i], CONSTANT(half_turn));
    RUNNEL_UNROLL for (int i = 0; i < 2; i++)
        x[i] = vec_xor(x[i], turning[i]);
}

/* A shorter chain, with the shift between nibbles or the half turn replaced by more look-ups, was no faster: its
 * operations compete for ports. */
#define seed_vec_g_short seed_vec_g

#define vec_xor3(a, b, c) vec_xor(vec_xor(a, b), c)

INLINE seed_vec seed_vec_swap_bytes(seed_vec v)
{
    return vec_shuffle(v, TABLE(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}
