/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon's rounds for Thumb-2 (Cortex-M3 and later), and whole blocks of text, with the state in ten registers as even and
 * odd bits: a rotation is part of an XOR, and a round 54 instructions. The four other registers are just enough: the S-box
 * of the even bits writes each word one register on, and the linear layer brings it back. Rounds are written out, since a
 * loop would need a register, or a seventh more time. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

/* In the order in which they lie in memory: even and odd bits of the words 0 to 4. */
#define e0 r0
#define o0 r1
#define e1 r2
#define o1 r3
#define e2 r4
#define o2 r5
#define e3 r6
#define o3 r7
#define e4 r8
#define o4 r9
#define e5 r10                  /* word 4 between the S-box and the linear layer */
#define t0 r11
#define t1 r12
#define t2 lr

/* The NOT of word 2 is in the ORNs, whose other one it takes back in word 3. */
.macro substitute_even constant
    eor     e2, e2, #\constant
    eor     e0, e0, e4
    eor     e4, e4, e3
    eor     e2, e2, e1
    orn     t0, e3, e4
    bic     t1, e3, e2
    bic     t2, e1, e0
    eor     e5, e4, t2
    orn     t2, e4, e0
    eor     e4, e3, t2
    eor     e3, e2, t0
    bic     t2, e2, e1
    eor     e2, e1, t1
    eor     e1, e0, t2
    eor     e2, e2, e1
    eor     e4, e4, e3
    eor     e1, e1, e5
.endm

.macro substitute_odd constant
    eor     o2, o2, #\constant
    eor     o0, o0, o4
    eor     o4, o4, o3
    eor     o2, o2, o1
    orn     t0, o4, o0
    bic     t1, o1, o0
    bic     t2, o2, o1
    eor     o0, o0, t2
    bic     t2, o3, o2
    eor     o1, o1, t2
    orn     t2, o3, o4
    eor     o2, o2, t2
    eor     o3, o3, t0
    eor     o4, o4, t1
    eor     o1, o1, o0
    eor     o3, o3, o2
    eor     o0, o0, o4
.endm

/* to = first XOR half a word rotated by n of 64 bits: the odd bits, if into_odd, of the word that is \even and \odd. */
.macro add_rotated to, first, even, odd, n, into_odd
    .if \n % 2 == 0
    .if \into_odd
    eor     \to, \first, \odd, ror #(\n / 2)
    .else
    eor     \to, \first, \even, ror #(\n / 2)
    .endif
    .elseif \into_odd
    .if (\n + 1) / 2 % 32
    eor     \to, \first, \even, ror #((\n + 1) / 2 % 32)
    .else
    eor     \to, \first, \even
    .endif
    .elseif \n / 2
    eor     \to, \first, \odd, ror #(\n / 2)
    .else
    eor     \to, \first, \odd
    .endif
.endm

/* The even bits come from another register than they go to. Where n is odd, so is m: the odd bits change in place. */
.macro spread to, from, odd, n, m
    add_rotated \to, \from, \from, \odd, \n, 0
    add_rotated \to, \to, \from, \odd, \m, 0
    add_rotated \odd, \odd, \from, \odd, \n, 1
    add_rotated \odd, \odd, \from, \odd, \m, 1
.endm

.macro one_round even_constant, odd_constant
    substitute_even \even_constant
    substitute_odd \odd_constant
    spread  e0, e1, o0, 28, 19
    spread  e1, e2, o1, 61, 39
    spread  e2, e3, o2, 6, 1
    spread  e3, e4, o3, 10, 17
    spread  e4, e5, o4, 7, 41
.endm

code runnel_ascon_thumb2_rounds

subroutine .Ltwelve
    push    {lr}
    CFI     .cfi_adjust_cfa_offset 4
    CFI     .cfi_rel_offset 14, 0
    one_round 0xc, 0xc
    one_round 0x9, 0xc
    one_round 0xc, 0x9
    one_round 0x9, 0x9
    b       .Llast_eight
endsub

subroutine .Leight
    push    {lr}
    CFI     .cfi_adjust_cfa_offset 4
    CFI     .cfi_rel_offset 14, 0
.Llast_eight:
    one_round 0x6, 0xc
    one_round 0x3, 0xc
    one_round 0x6, 0x9
    one_round 0x3, 0x9
    one_round 0xc, 0x6
    one_round 0x9, 0x6
    one_round 0xc, 0x3
    one_round 0x9, 0x3
    pop     {pc}
endsub

.macro permutation rounds
    push_frame lowest=3
    str     r0, [sp]
    ldm     r0, {r0-r9}
    bl      \rounds
    ldr     r10, [sp]
    stm     r10, {r0-r9}
    pop_frame_return bytes=4, into=pc
.endm

/* void runnel_ascon_thumb2_twelve(uint32_t state[10]) */
entry runnel_ascon_thumb2_twelve
    permutation .Ltwelve
endfunc

/* void runnel_ascon_thumb2_eight(uint32_t state[10]) */
entry runnel_ascon_thumb2_eight
    permutation .Leight
endfunc

/* ---- Blocks ---- */

/* Exchanges the bits of x whose number has the bit `shift` and those of y whose number has it not. */
.macro exchange x, y, t, shift, mask
    eor     \t, \y, \x, lsr #\shift
    and     \t, \t, #\mask
    eor     \y, \y, \t
    eor     \x, \x, \t, lsl #\shift
.endm

.macro exchange_halves x, y, t
    lsr     \t, \x, #16
    bfi     \x, \y, #16, #16
    bfi     \y, \t, #0, #16
.endm

/* The lower and the upper half of a word become its even and its odd bits, and back. */
.macro separate x, y, t
    exchange_halves \x, \y, \t
    exchange \x, \y, \t, 8, 0x00ff00ff
    exchange \x, \y, \t, 4, 0x0f0f0f0f
    exchange \x, \y, \t, 2, 0x33333333
    exchange \x, \y, \t, 1, 0x55555555
.endm

.macro mix x, y, t
    exchange \x, \y, \t, 1, 0x55555555
    exchange \x, \y, \t, 2, 0x33333333
    exchange \x, \y, \t, 4, 0x0f0f0f0f
    exchange \x, \y, \t, 8, 0x00ff00ff
    exchange_halves \x, \y, \t
.endm

/* On the stack: */
    .equ    STATE, 0
    .equ    OUT, 4
    .equ    IN, 8
    .equ    BLOCKS, 12

/* Half a block: eight bytes and a word of the state. */
.macro crypt_word even, odd, decrypt
    ldr     r10, [sp, #IN]
    ldr     r11, [r10], #4
    ldr     r12, [r10], #4
    str     r10, [sp, #IN]
    separate r11, r12, lr
    .if \decrypt
    eor     r10, \even, r11
    mov     \even, r11
    eor     r11, \odd, r12
    mov     \odd, r12
    .else
    eor     \even, r11
    eor     \odd, r12
    mov     r10, \even
    mov     r11, \odd
    .endif
    mix     r10, r11, lr
    ldr     r12, [sp, #OUT]
    str     r10, [r12], #4
    str     r11, [r12], #4
    str     r12, [sp, #OUT]
.endm

.macro blocks decrypt
    push_frame lowest=0
    ldm     r0, {r0-r9}
.Lnext\@:
    crypt_word e0, o0, \decrypt
    crypt_word e1, o1, \decrypt
    bl      .Leight
    ldr     r10, [sp, #BLOCKS]
    subs    r10, #1
    str     r10, [sp, #BLOCKS]
    bne     .Lnext\@
    ldr     r10, [sp, #STATE]
    stm     r10, {r0-r9}
    pop_frame_return bytes=16, into=pc
.endm

/* void runnel_ascon_thumb2_encrypt(uint32_t state[10], uint8_t *out, const uint8_t *in, size_t nblocks); nblocks >= 1 */
entry runnel_ascon_thumb2_encrypt
    blocks  0
endfunc

/* void runnel_ascon_thumb2_decrypt(uint32_t state[10], uint8_t *out, const uint8_t *in, size_t nblocks); nblocks >= 1 */
entry runnel_ascon_thumb2_decrypt
    blocks  1
endfunc

#endif
