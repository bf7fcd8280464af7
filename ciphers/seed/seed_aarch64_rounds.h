/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For the assembly of the AArch64 kernels: rounds of 8 and 16 blocks, and the second half of G.
 *
 * The state is in memory, four words of all blocks one after another; each word of F's input is in two or four
 * registers. A file defines
 *   g_8a x, y and g_8b x, y              G on two registers; rounds do a b a, then b a b;
 *   g_16a, g_16b w, x, y, z              G on four;
 *   partner to, from                     see mix;
 *   bits_0145, bits_0123 and bits_2345   masks of those bits in all bytes.
 * Registers go by their numbers. v0 to v3 (8 blocks) or v0 to v7 (16) are F's two words, and the next two or four are
 * free between two G. */

#define STATE  x0
#define KEYS   x1
#define ROUNDS w2
#define WORD_1 x3
#define WORD_2 x4
#define WORD_3 x5

/* The S-boxes' results s0 to s3 go into byte j of G all but for one in each pair of bits: bits 2 k and 2 k + 1 do
 * without that of byte k - j modulo 4. (The masks fc, f3, cf, 3f turn round.) Of one set of blocks, register `even`
 * holds s0 and s2, and `odd`, at the same places, s1 and s3; `partner` exchanges s0 with s2 and s1 with s3. Let E be
 * even ^ odd, E' its partner, and a be `even` in bits 0, 1, 4 and 5 and `odd` elsewhere. Then bytes 0 and 2 of G are
 * E' ^ E ^ a in bits 0 to 3 and the partner of that in the others, and bytes 1 and 3 are E' ^ a in bits 2 to 5 and the
 * partner of that in the others. They come to be in `odd` and in `third`. */
.macro mix_first even, odd, third, fourth
    eor     v\third\().16b, v\even\().16b, v\odd\().16b
    bif     v\even\().16b, v\odd\().16b, bits_0145
    partner \fourth, \third
.endm

.macro mix_second even, odd, third, fourth
    eor     v\third\().16b, v\third\().16b, v\even\().16b
    eor     v\odd\().16b, v\fourth\().16b, v\third\().16b
    eor     v\fourth\().16b, v\fourth\().16b, v\even\().16b
.endm

.macro mix_third even, odd, third, fourth
    partner \even, \odd
    partner \third, \fourth
.endm

.macro mix_last even, odd, third, fourth
    bif     v\odd\().16b, v\even\().16b, bits_0123
    bit     v\third\().16b, v\fourth\().16b, bits_2345
.endm

.macro mix set:vararg
    mix_first \set
    mix_second \set
    mix_third \set
    mix_last \set
.endm

/* Two sets, each working while the other waits, for processors that keep to the order. */
.macro mix_two e0, o0, third_0, fourth_0, e1, o1, third_1, fourth_1
    .irp    step, mix_first, mix_second, mix_third, mix_last
    \step   \e0, \o0, \third_0, \fourth_0
    \step   \e1, \o1, \third_1, \fourth_1
    .endr
.endm

.macro xor_one to, from
    eor     v\to\().16b, v\to\().16b, v\from\().16b
.endm

.macro add_one to, from
    add     v\to\().4s, v\to\().4s, v\from\().4s
.endm

/* The operation on two registers, on four. */
.macro each_2 operation, to_0, to_1, from_0, from_1
    \operation \to_0, \from_0
    \operation \to_1, \from_1
.endm

.macro each_4 operation, to_0, to_1, to_2, to_3, from_0, from_1, from_2, from_3
    each_2  \operation, \to_0, \to_1, \from_0, \from_1
    each_2  \operation, \to_2, \to_3, \from_2, \from_3
.endm

/* to ^= F(from), to being at offset in the state and from in the registers, where then to is. */
.macro round_8 offset, g_first, g_second
    ld2r    {v4.4s, v5.4s}, [KEYS], #8
    each_2  xor_one, 0, 1, 4, 4
    each_2  xor_one, 2, 3, 5, 5
    each_2  xor_one, 2, 3, 0, 1
    \g_first 2, 3
    each_2  add_one, 0, 1, 2, 3
    \g_second 0, 1
    each_2  add_one, 2, 3, 0, 1
    \g_first 2, 3
    each_2  add_one, 0, 1, 2, 3
    ldp     q4, q5, [STATE, #\offset]
    each_2  xor_one, 0, 1, 4, 5
    stp     q0, q1, [STATE, #\offset]
    ldp     q4, q5, [STATE, #\offset + 32]
    each_2  xor_one, 2, 3, 4, 5
    stp     q2, q3, [STATE, #\offset + 32]
.endm

.macro round_16 word_0, word_1, g_first, g_second
    ld2r    {v8.4s, v9.4s}, [KEYS], #8
    each_4  xor_one, 0, 1, 2, 3, 8, 8, 8, 8
    each_4  xor_one, 4, 5, 6, 7, 9, 9, 9, 9
    each_4  xor_one, 4, 5, 6, 7, 0, 1, 2, 3
    \g_first 4, 5, 6, 7
    each_4  add_one, 0, 1, 2, 3, 4, 5, 6, 7
    \g_second 0, 1, 2, 3
    each_4  add_one, 4, 5, 6, 7, 0, 1, 2, 3
    \g_first 4, 5, 6, 7
    each_4  add_one, 0, 1, 2, 3, 4, 5, 6, 7
    ld1     {v8.4s - v11.4s}, [\word_0]
    each_4  xor_one, 0, 1, 2, 3, 8, 9, 10, 11
    st1     {v0.4s - v3.4s}, [\word_0]
    ld1     {v8.4s - v11.4s}, [\word_1]
    each_4  xor_one, 4, 5, 6, 7, 8, 9, 10, 11
    st1     {v4.4s - v7.4s}, [\word_1]
.endm

/* An odd number of rounds begins with one that changes words 2 and 3; after before_odd. */
.macro rounds_8 before_odd
    tbz     ROUNDS, #0, 1f
    \before_odd
    ld1     {v0.4s - v3.4s}, [STATE]
    b       2f
1:  add     x3, STATE, #64
    ld1     {v0.4s - v3.4s}, [x3]
3:  round_8 0, g_8a, g_8b
2:  round_8 64, g_8b, g_8a
    subs    ROUNDS, ROUNDS, #2
    b.gt    3b
.endm

.macro rounds_16 before_odd
    add     WORD_1, STATE, #64
    add     WORD_2, STATE, #128
    add     WORD_3, STATE, #192
    tbz     ROUNDS, #0, 1f
    \before_odd
    ld1     {v0.4s - v3.4s}, [STATE]
    ld1     {v4.4s - v7.4s}, [WORD_1]
    b       2f
1:  ld1     {v0.4s - v3.4s}, [WORD_2]
    ld1     {v4.4s - v7.4s}, [WORD_3]
3:  round_16 STATE, WORD_1, g_16a, g_16b
2:  round_16 WORD_2, WORD_3, g_16b, g_16a
    subs    ROUNDS, ROUNDS, #2
    b.gt    3b
.endm
