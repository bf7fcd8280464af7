/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT on RV32I, one block: bytes i and i + 4 in the halves of a word, since a round does the same to both. A byte
 * that is duplicated in its half is rotated by a shift. Carries above the byte are cleared when the byte is read next.
 * No byte ever moves; bytes 3 and 7 are combined with bytes 4 and 0, which are in the other halves, after a rotation
 * by 16. */
#include "arch/rv32/asm.h"

#if RUNNEL_RV32

#include "ciphers/hight/places.h"

#define KEYS a0
#define OUT a1
#define IN a2
#define KEYS_END a3
#define P0 a4
#define P1 a5
#define P2 a6
#define P3 a7
#define BYTES t0   /* 0x00ff00ff */
#define KEY t1
#define T t2
#define U t3
#define V t4
#define LOW t5     /* 0x0000ffff */

/* T = x, cleaned in x, twice in each half */
.macro twice x
    and     \x, \x, BYTES
    slli    T, \x, 8
    or      T, T, \x
.endm

.macro rotate_16 to, x
    slli    U, \x, 16
    srli    \to, \x, 16
    or      \to, \to, U
.endm

/* T = the sum of T shifted by three numbers, which grow */
.macro shifts first, second, third
    srli    U, T, \third - \second
    xor     U, U, T
    srli    U, U, \second - \first
    xor     T, T, U
    srli    T, T, \first
.endm

/* to += F1(from) ^ even bytes of KEY */
.macro add_f1 to, from, crossing
    twice   \from
    .ifnb \crossing
    rotate_16 T, T
    .endif
    shifts  2, 4, 5
    xor     T, T, KEY
    and     T, T, BYTES
    add     \to, \to, T
.endm

/* to ^= F0(from) + odd bytes of KEY, which is lost */
.macro xor_f0 to, from, crossing
    twice   \from
    .ifnb \crossing
    rotate_16 T, T
    .endif
    shifts  1, 6, 7
    srli    KEY, KEY, 8
    and     T, T, BYTES
    and     KEY, KEY, BYTES
    add     T, T, KEY
    xor     \to, \to, T
.endm

/* The high half of x for the low half of y. */
.macro exchange x, y
    srli    T, \x, 16
    xor     T, T, \y
    and     T, T, LOW
    xor     \y, \y, T
    slli    T, T, 16
    xor     \x, \x, T
.endm

/* void runnel_hight_rv32_block(const runnel_hight_schedule *keys, uint32_t out[2], const uint32_t in[2]): subkeys in
 * the order of runnel_hight_rv32_set_key */
function runnel_hight_rv32_block
    li      BYTES, 0x00ff00ff
    li      LOW, 0xffff
    lw      U, 0(IN)
    lw      V, 4(IN)
    lw      KEY, HIGHT_WHITENING(KEYS)
    addi    KEYS_END, KEYS, 128
    srli    P1, U, 8          /* bytes 0 and 2, 4 and 6, 1 and 3, 5 and 7 */
    srli    P3, V, 8
    and     P0, U, BYTES
    and     P2, V, BYTES
    and     P1, P1, BYTES
    and     P3, P3, BYTES
    exchange P0, P2
    exchange P1, P3
    and     T, KEY, BYTES
    srli    KEY, KEY, 8
    add     P0, P0, T
    and     KEY, KEY, BYTES
    xor     P2, P2, KEY
.Lfour_rounds:
    lw      KEY, HIGHT_SUBKEYS(KEYS)
    add_f1  P1, P0
    xor_f0  P3, P2
    lw      KEY, HIGHT_SUBKEYS+4(KEYS)
    add_f1  P0, P3, crossing
    xor_f0  P2, P1
    lw      KEY, HIGHT_SUBKEYS+8(KEYS)
    add_f1  P3, P2
    xor_f0  P1, P0
    lw      KEY, HIGHT_SUBKEYS+12(KEYS)
    add_f1  P2, P1
    xor_f0  P0, P3, crossing
    addi    KEYS, KEYS, 16
    bne     KEYS, KEYS_END, .Lfour_rounds
    lw      KEY, HIGHT_WHITENING+4-128(KEYS) /* whitening keys 4 to 7 */
    and     P2, P2, BYTES
    and     P0, P0, BYTES
    and     T, KEY, BYTES
    srli    KEY, KEY, 8
    add     P1, P1, T
    and     KEY, KEY, BYTES
    and     P1, P1, BYTES
    xor     P3, P3, KEY
    rotate_16 P0, P0
    slli    P2, P2, 8
    slli    P0, P0, 8
    or      P1, P1, P2         /* bytes 0 and 1, 4 and 5 of the block */
    or      P3, P3, P0         /* bytes 2 and 3, 6 and 7 */
    exchange P1, P3
    sw      P1, 0(OUT)
    sw      P3, 4(OUT)
    ret
endfunc

#endif
