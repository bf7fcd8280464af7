/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The permutation of Ascon for 8-bit AVR, and whole blocks of the rate. Three of the five words are in registers: x0, x1
 * and, in every other round, x2 or x4; the others stay in the context. The S-box goes through the words byte by byte, so
 * that a round loads and stores two of them there and two more in the linear layer, where x2 and x4 change places.
 *
 * Some words are complemented after the first of two rounds: of the five complements of the S-box one remains, and two
 * more where the words change to that form. The linear layer, sums of three rotations, does not see complements.
 *
 * Of a rotation whole bytes are a choice of registers. What is left are shifts by one bit, shared by both rotations of a
 * word: x ^ (x >>> 10) ^ (x >>> 17) is x ^ ((y ^ (z >>> 1)) >>> 1), y and z being x with its bytes rotated. Four bits at
 * once are a product with 16; without a multiplier nibbles change places, which takes two cycles more for a byte.
 *
 * No branch or address depends on a secret, and nothing secret is pushed: only pointers and the round's constant. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR

/* The context's words, from Y. */
#define X2 16
#define X3 24
#define X4 32

/* x0, x1, and x2 before the first of two rounds, x4 before the second. Y is among the spare registers: the linear layer
 * pushes it where it needs all of them. */
#define X0_BYTES r2, r3, r4, r5, r6, r7, r8, r9
#define X1_BYTES r10, r11, r12, r13, r14, r15, r16, r17
#define THIRD_BYTES r18, r19, r20, r21, r22, r23, r30, r31
#define SPARE_BYTES r0, r1, r24, r25, r26, r27, r28, r29
#define THIRD_FROM_LAST r31, r18, r19, r20, r21, r22, r23, r30 /* the same, one byte on */
#define SPARE_FROM_LAST r29, r0, r1, r24, r25, r26, r27, r28
#define SPARE_FROM_SECOND r1, r24, r25, r26, r27, r28, r29, r0

#define T1 r0
#define T2 r1
#define T3 r24
#define CONSTANT r25
#define LOADED3 r26
#define LOADED r27 /* x4, or x2 */
#define FACTOR r24

/* ---- S-box, of one byte of each word ---- */

/* \x = \x ^ (\a & \b), or with or, eor */
.macro add_product x, a, operation, b
    mov T3, \a
    \operation T3, \b
    eor \x, T3
.endm

.macro add_product_of_complement x, a, b
    mov T3, \a
    com T3
    and T3, \b
    eor \x, T3
.endm

/* The terms added to x3 and x4 at the end, when x0 and x1 have changed. */
.macro products_for_last x0, x1, x4
    mov T1, \x4
    or T1, \x0
    mov T2, \x0
    and T2, \x1
.endm

/* x0 and x2 come out complemented. */
.macro first_column n, x0, x1, x2
    ldd LOADED3, Y+X3+\n
    ldd LOADED, Y+X4+\n
    eor \x0, LOADED
    eor LOADED, LOADED3
    eor \x2, \x1
    com \x0
    com LOADED3
    products_for_last \x0, \x1, LOADED
    add_product_of_complement \x0, \x1, \x2 /* complement of b0, and the next of b1 */
    add_product \x1, \x2, or, LOADED3
    add_product \x2, LOADED3, and, LOADED
    eor LOADED3, T1
    eor LOADED, T2
    eor \x1, \x0
    eor \x0, LOADED
    eor LOADED3, \x2
    std Y+X3+\n, LOADED3
    std Y+X4+\n, LOADED
.endm

/* The same where x0 and x2 are complemented before, and not after. */
.macro second_column n, x0, x1, x4
    ldd LOADED3, Y+X3+\n
    ldd LOADED, Y+X2+\n
    .if \n == 0
    eor LOADED, CONSTANT
    .endif
    eor \x0, \x4
    eor \x4, LOADED3
    eor LOADED, \x1
    products_for_last \x0, \x1, \x4
    add_product \x0, \x1, or, LOADED
    add_product \x1, LOADED, and, LOADED3
    add_product_of_complement LOADED, LOADED3, \x4 /* complement of b2, and the next of b3 */
    eor LOADED3, T1
    eor \x4, T2
    eor \x1, \x0
    eor \x0, \x4
    eor LOADED3, LOADED
    std Y+X3+\n, LOADED3
    std Y+X2+\n, LOADED
.endm

/* Runs \do for n and its registers. */
.macro columns do
    \do 0, r2, r10, r18
    \do 1, r3, r11, r19
    \do 2, r4, r12, r20
    \do 3, r5, r13, r21
    \do 4, r6, r14, r22
    \do 5, r7, r15, r23
    \do 6, r8, r16, r30
    \do 7, r9, r17, r31
.endm

/* ---- Linear layer ---- */

.macro copy_word t0, t1, t2, t3, t4, t5, t6, t7, x0, x1, x2, x3, x4, x5, x6, x7
    movw \t0, \x0
    movw \t2, \x2
    movw \t4, \x4
    movw \t6, \x6
.endm

.macro xor_word t0, t1, t2, t3, t4, t5, t6, t7, x0, x1, x2, x3, x4, x5, x6, x7
    eor \t0, \x0
    eor \t1, \x1
    eor \t2, \x2
    eor \t3, \x3
    eor \t4, \x4
    eor \t5, \x5
    eor \t6, \x6
    eor \t7, \x7
.endm

.macro rotate_right x0, x1, x2, x3, x4, x5, x6, x7
    bst \x0, 0
    .irp x, \x7, \x6, \x5, \x4, \x3, \x2, \x1, \x0
    ror \x
    .endr
    bld \x7, 7
.endm

.macro rotate_left x0, x1, x2, x3, x4, x5, x6, x7
    bst \x7, 7
    .irp x, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    rol \x
    .endr
    bld \x0, 0
.endm

.macro load_word offset, x0, x1, x2, x3, x4, x5, x6, x7
    ldd \x0, Y+\offset
    ldd \x1, Y+\offset+1
    ldd \x2, Y+\offset+2
    ldd \x3, Y+\offset+3
    ldd \x4, Y+\offset+4
    ldd \x5, Y+\offset+5
    ldd \x6, Y+\offset+6
    ldd \x7, Y+\offset+7
.endm

.macro store_word pointer, offset, x0, x1, x2, x3, x4, x5, x6, x7
    std \pointer+\offset, \x0
    std \pointer+\offset+1, \x1
    std \pointer+\offset+2, \x2
    std \pointer+\offset+3, \x3
    std \pointer+\offset+4, \x4
    std \pointer+\offset+5, \x5
    std \pointer+\offset+6, \x6
    std \pointer+\offset+7, \x7
.endm

/* From here on: t is a word with its bytes rotated where the order of the other one's in xor_word says so. */

/* x0 ^ (x0 >>> 19) ^ (x0 >>> 28) = x0 ^ ((x0 >>> 32 ^ (x0 >>> 24) <<< 1) <<< 4) */
#ifdef __AVR_HAVE_MUL__
.macro load_factor
    ldi FACTOR, 16
.endm

.macro product_with_16 t, x, next
    mul \t, FACTOR
    eor \x, r0
    eor \next, r1
.endm
#else
.macro load_factor
    ldi FACTOR, 0xf0
.endm

.macro product_with_16 t, x, next
    swap \t
    mov r0, \t
    and r0, FACTOR
    eor \x, r0
    eor \t, r0
    eor \next, \t
.endm
#endif

.macro spread_x0
    copy_word THIRD_BYTES, X0_BYTES
    rotate_left THIRD_BYTES
    xor_word THIRD_BYTES, r3, r4, r5, r6, r7, r8, r9, r2
    load_factor
    product_with_16 r21, r2, r3
    product_with_16 r22, r3, r4
    product_with_16 r23, r4, r5
    product_with_16 r30, r5, r6
    product_with_16 r31, r6, r7
    product_with_16 r18, r7, r8
    product_with_16 r19, r8, r9
    product_with_16 r20, r9, r2
.endm

/* x1 ^ (x1 >>> 61) ^ (x1 >>> 39) = x1 ^ ((x1 <<< 2 ^ x1 >>> 40) <<< 1) */
.macro spread_x1
    copy_word THIRD_BYTES, X1_BYTES
    rotate_left THIRD_BYTES
    rotate_left THIRD_BYTES
    xor_word THIRD_BYTES, r15, r16, r17, r10, r11, r12, r13, r14
    rotate_left THIRD_BYTES
    xor_word X1_BYTES, THIRD_BYTES
.endm

/* x2 ^ (x2 >>> 1) ^ (x2 >>> 6) in t, which has a copy; x is lost. */
.macro spread_copy_of_x2 t0, t1, t2, t3, t4, t5, t6, t7, x0, x1, x2, x3, x4, x5, x6, x7
    rotate_right \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7
    xor_word \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    rotate_left \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    rotate_left \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    xor_word \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7, \x1, \x2, \x3, \x4, \x5, \x6, \x7, \x0
.endm

/* x3 ^ (x3 >>> 10) ^ (x3 >>> 17) = x3 ^ ((x3 >>> 16 ^ (x3 >>> 8) >>> 1) >>> 1), its copy being in t. */
.macro spread_x3 x0, x1, x2, x3, x4, x5, x6, x7, t0, t1, t2, t3, t4, t5, t6, t7
    rotate_right \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7
    xor_word \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7, \x1, \x2, \x3, \x4, \x5, \x6, \x7, \x0
    rotate_right \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7
    xor_word \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7, \t1, \t2, \t3, \t4, \t5, \t6, \t7, \t0
.endm

/* x4 ^ (x4 >>> 7) ^ (x4 >>> 41) in t, which has a copy, from its second byte on; x is lost. */
.macro spread_copy_of_x4 t0, t1, t2, t3, t4, t5, t6, t7, x0, x1, x2, x3, x4, x5, x6, x7
    rotate_left \t0, \t1, \t2, \t3, \t4, \t5, \t6, \t7
    xor_word \t1, \t2, \t3, \t4, \t5, \t6, \t7, \t0, \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    rotate_right \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
    xor_word \t1, \t2, \t3, \t4, \t5, \t6, \t7, \t0, \x5, \x6, \x7, \x0, \x1, \x2, \x3, \x4
.endm

.macro push_y
    push r28
    push r29
.endm

.macro pop_y
    pop r29
    pop r28
.endm

/* The pointer comes back to Z, since Y has a part of the word. */
.macro store_spread_third offset, bytes:vararg
    pop r31
    pop r30
    store_word Z, \offset, \bytes
    movw r28, r30
.endm

.macro spread_words_of_both_rounds
    spread_x0
    spread_x1
    load_word X3, THIRD_BYTES
    push_y
    copy_word SPARE_BYTES, THIRD_BYTES
    spread_x3 THIRD_BYTES, SPARE_BYTES
    pop_y
    store_word Y, X3, THIRD_BYTES
.endm

.macro first_linear_layer
    push CONSTANT
    push_y
    copy_word SPARE_BYTES, THIRD_BYTES
    spread_copy_of_x2 SPARE_BYTES, THIRD_BYTES
    store_spread_third X2, SPARE_BYTES
    spread_words_of_both_rounds
    load_word X4, THIRD_FROM_LAST
    push_y
    copy_word SPARE_BYTES, THIRD_BYTES
    spread_copy_of_x4 THIRD_FROM_LAST, SPARE_FROM_LAST
    pop_y
    pop CONSTANT
.endm

.macro second_linear_layer
    push CONSTANT
    push_y
    copy_word SPARE_BYTES, THIRD_BYTES
    spread_copy_of_x4 SPARE_BYTES, THIRD_BYTES
    store_spread_third X4, SPARE_FROM_SECOND
    spread_words_of_both_rounds
    load_word X2, THIRD_BYTES
    push_y
    copy_word SPARE_BYTES, THIRD_BYTES
    spread_copy_of_x2 THIRD_BYTES, SPARE_BYTES
    pop_y
    pop CONSTANT
.endm

/* ---- Rounds ---- */

code runnel_ascon_avr

    /* Rounds from CONSTANT's on; their number is even. */
.Lrounds:
    eor r18, CONSTANT
    subi CONSTANT, 0x0f
    columns first_column
    first_linear_layer
    columns second_column
    subi CONSTANT, 0x0f
    second_linear_layer
    cpi CONSTANT, 0x3c
    breq .Lrounds_done
    rjmp .Lrounds
.Lrounds_done:
    ret

.Lload_words:
    load_word 0, X0_BYTES
    load_word 8, X1_BYTES
    load_word X2, THIRD_BYTES
    ret

.Lstore_words_and_return:
    store_word Y, 0, X0_BYTES
    store_word Y, 8, X1_BYTES
    store_word Y, X2, THIRD_BYTES
    pop_all_return

/* void rounds(r25:r24 state, r22 constant): from the round with this constant to the last */
entry runnel_ascon_avr_rounds
    push_all
    movw r28, r24
    mov CONSTANT, r22
    rcall .Lload_words
    rcall .Lrounds
    rjmp .Lstore_words_and_return
endfunc

/* ---- Blocks, each with eight rounds behind it ---- */

/* Runs \do for each register of the rate. */
.macro rate do
    .irp byte, X0_BYTES, X1_BYTES
    \do \byte
    .endr
.endm

.macro encrypt byte
    ld r0, X+
    eor \byte, r0
    st Z+, \byte
.endm

.macro decrypt byte
    ld r0, X+
    eor \byte, r0
    st Z+, \byte
    mov \byte, r0
.endm

.macro absorb byte
    ld r0, X+
    eor \byte, r0
.endm

/* void name(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks). Between the blocks nblocks, out and in are on the
 * stack; two bytes of x2 make room for Z. */
.macro blocks name, do
entry \name
    push_all
    movw r28, r24
    movw r26, r20
    push_registers 26, 27, 22, 23, 18, 19
    rcall .Lload_words
.Lblock\@:
    pop_registers 25, 24
    std Y+X2+6, r30
    std Y+X2+7, r31
    pop_registers 31, 30, 27, 26
    rate \do
    push_registers 26, 27, 30, 31
    ldd r30, Y+X2+6
    ldd r31, Y+X2+7
    push_registers 24, 25
    ldi CONSTANT, 0xb4
    rcall .Lrounds
    pop_registers 25, 24
    sbiw r24, 1
    push_registers 24, 25
    breq .Lblocks_done\@
    rjmp .Lblock\@
.Lblocks_done\@:
    pop_registers 25, 24, 25, 24, 25, 24
    rjmp .Lstore_words_and_return
endfunc
.endm

blocks runnel_ascon_avr_encrypt, encrypt
blocks runnel_ascon_avr_decrypt, decrypt
blocks runnel_ascon_avr_absorb, absorb

#endif
