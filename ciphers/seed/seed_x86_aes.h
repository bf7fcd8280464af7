/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* G with the AES instructions, for seed_x86_rounds.h. In matrices over GF(2), S0(x) = Q0 S(P x) ^ 0xe7 and
 * S1(x) = Q1 S(P x) ^ 0x2b, where S is the S-box of AES and P the isomorphism of fields, from that of
 * x^8 + x^6 + x^5 + x + 1 to that of x^8 + x^4 + x^3 + x + 1, that maps x to 0x19. An affine map of bytes is two
 * look-ups in a register, one a nibble. AESENCLAST also shifts the rows; the shuffles that pick bytes for the rest of
 * G take them from where they went. A kernel defines vec_and, vec_shuffle, vec_shift4 (16-bit parts right by 4),
 * vec_sub_bytes (AESENCLAST with a zero key) and vec_repeat (in every 128-bit part) before it includes this. */

#define TABLE(...) vec_repeat(_mm_setr_epi8(__VA_ARGS__))
#define B(x) ((char)0x##x)

#define P_LOW                                                                                                          \
    TABLE(B(00), B(01), B(19), B(18), B(5a), B(5b), B(43), B(42), B(6b), B(6a), B(72), B(73), B(31), B(30), B(28),     \
          B(29))
#define P_HIGH                                                                                                         \
    TABLE(B(00), B(f4), B(cc), B(38), B(82), B(76), B(4e), B(ba), B(06), B(f2), B(ca), B(3e), B(84), B(70), B(48),     \
          B(bc))

#define LOW_NIBBLES(v) vec_and(v, vec_broadcast(0x0f0f0f0f))
#define HIGH_NIBBLES(v) LOW_NIBBLES(vec_shift4(v))

/* The XOR of two look-ups. */
INLINE vec map_bytes(vec table0, vec index0, vec table1, vec index1)
{
    return vec_xor(vec_shuffle(table0, index0), vec_shuffle(table1, index1));
}

/* The bytes 0 0 2 2 of each word of S0's result and 1 1 3 3 of S1's, masked for the part of G that stays. */
#define EVEN_BYTES TABLE(0, 0, 10, 10, 4, 4, 14, 14, 8, 8, 2, 2, 12, 12, 6, 6)
#define ODD_BYTES TABLE(13, 13, 7, 7, 1, 1, 11, 11, 5, 5, 15, 15, 9, 9, 3, 3)
#define STAYING(even, odd) vec_xor(vec_and(even, vec_broadcast(0xf3fcf3fcu)), vec_and(odd, vec_broadcast(0xcff3cff3u)))

INLINE vec vec_g(vec x)
{
    const vec q0_low = TABLE(B(e7), B(9b), B(43), B(3f), B(fc), B(80), B(58), B(24), B(57), B(2b), B(f3), B(8f), B(4c),
                             B(30), B(e8), B(94));
    const vec q0_high = TABLE(B(00), B(5f), B(69), B(36), B(ff), B(a0), B(96), B(c9), B(8a), B(d5), B(e3), B(bc), B(75),
                              B(2a), B(1c), B(43));
    const vec q1_low = TABLE(B(2b), B(27), B(60), B(6c), B(6f), B(63), B(24), B(28), B(d6), B(da), B(9d), B(91), B(92),
                             B(9e), B(d9), B(d5));
    const vec q1_high = TABLE(B(00), B(2e), B(2a), B(04), B(7e), B(50), B(54), B(7a), B(12), B(3c), B(38), B(16), B(6c),
                              B(42), B(46), B(68));
    const vec half_turn = TABLE(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    const vec y = vec_sub_bytes(map_bytes(P_LOW, LOW_NIBBLES(x), P_HIGH, HIGH_NIBBLES(x)));
    const vec low = LOW_NIBBLES(y), high = HIGH_NIBBLES(y);
    const vec even = vec_shuffle(map_bytes(q0_low, low, q0_high, high), EVEN_BYTES);
    const vec odd = vec_shuffle(map_bytes(q1_low, low, q1_high, high), ODD_BYTES);
    const vec turning =
        vec_xor(vec_and(even, vec_broadcast(0x3fcf3fcfu)), vec_and(odd, vec_broadcast(0xfc3ffc3fu)));
    return vec_xor(STAYING(even, odd), vec_shuffle(turning, half_turn));
}

/* More operations in a shorter chain. Beside S(P x) it takes S(4 P x): the low nibbles of the two determine the inverse
 * and thereby S0 and S1 by two look-ups, and the shift that would part one result's nibbles is gone. */
INLINE vec vec_g_short(vec x)
{
    const vec p4_low = TABLE(B(00), B(04), B(64), B(60), B(73), B(77), B(17), B(13), B(b7), B(b3), B(d3), B(d7), B(c4),
                             B(c0), B(a0), B(a4));
    const vec p4_high = TABLE(B(00), B(fd), B(1d), B(e0), B(3e), B(c3), B(23), B(de), B(18), B(e5), B(05), B(f8), B(26),
                              B(db), B(3b), B(c6));
    const vec s0_first = TABLE(B(92), B(11), B(36), B(b5), B(ca), B(49), B(6e), B(ed), B(08), B(8b), B(ac), B(2f),
                               B(50), B(d3), B(f4), B(77));
    const vec s0_second = TABLE(B(00), B(c9), B(d5), B(1c), B(5f), B(96), B(8a), B(43), B(e3), B(2a), B(36), B(ff),
                                B(bc), B(75), B(69), B(a0));
    const vec s1_first = TABLE(B(47), B(35), B(0c), B(7e), B(6b), B(19), B(20), B(52), B(f8), B(8a), B(b3), B(c1),
                               B(d4), B(a6), B(9f), B(ed));
    const vec s1_second = TABLE(B(00), B(7a), B(3c), B(46), B(2e), B(54), B(12), B(68), B(38), B(42), B(04), B(7e),
                                B(16), B(6c), B(2a), B(50));
    const vec even_turned = TABLE(10, 10, 0, 0, 14, 14, 4, 4, 2, 2, 8, 8, 6, 6, 12, 12);
    const vec odd_turned = TABLE(7, 7, 13, 13, 11, 11, 1, 1, 15, 15, 5, 5, 3, 3, 9, 9);
    const vec low = LOW_NIBBLES(x), high = HIGH_NIBBLES(x);
    const vec first = LOW_NIBBLES(vec_sub_bytes(map_bytes(P_LOW, low, P_HIGH, high)));
    const vec second = LOW_NIBBLES(vec_sub_bytes(map_bytes(p4_low, low, p4_high, high)));
    const vec s0 = map_bytes(s0_first, first, s0_second, second), s1 = map_bytes(s1_first, first, s1_second, second);
    const vec turning = vec_xor(vec_and(vec_shuffle(s0, even_turned), vec_broadcast(0x3fcf3fcfu)),
                                vec_and(vec_shuffle(s1, odd_turned), vec_broadcast(0xfc3ffc3fu)));
    return vec_xor(STAYING(vec_shuffle(s0, EVEN_BYTES), vec_shuffle(s1, ODD_BYTES)), turning);
}

#define vec_xor3(a, b, c) vec_xor(vec_xor(a, b), c)

INLINE vec vec_swap_bytes(vec v)
{
    return vec_shuffle(v, TABLE(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}
