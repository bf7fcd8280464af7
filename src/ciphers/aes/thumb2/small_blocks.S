/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The smallest AES for Thumb-2: SubBytes and ShiftRows byte by byte through a table of 256 bytes, MixColumns on a
 * column as four bytes of a word, the key schedule word by word. One loop serves every length of key. */
#include "arch/thumb2/asm.h"

#if RUNNEL_THUMB2

#include <runnel/config.h>

    .equ    KEYS, RUNNEL_ALIGN      /* in runnel_aes_schedule, which begins with the number of rounds */

code runnel_aes_thumb2_small
/* void runnel_aes_thumb2_small_key(void *state, const uint8_t *key, size_t key_bytes) */
#define word r0         /* the word one key length before the new one, which is key_bytes further on */
#define last r1         /* from `word` to the word before the new one */
#define key_bytes r2
#define key_words r3
#define to_do r4
#define column r7       /* number of the word modulo key_words */
#define s_box r8
#define rcon r9
#define sum r10
entry runnel_aes_thumb2_small_key
    push_frame
    adr.w   s_box, .Ltable
    lsrs    key_words, key_bytes, #2
    adds    to_do, key_words, #6
    strb    to_do, [r0], #KEYS
    movs    r5, #0
.Lcopy:
    ldr     r6, [r1, r5]
    str     r6, [r0, r5]
    adds    r5, #4
    cmp     r5, key_bytes
    bne     .Lcopy

    adds    to_do, #22              /* 3 key_words + 28 */
    add     to_do, to_do, key_words, lsl #1
    subs    last, key_bytes, #4
    movs    column, #0
    mov     rcon, #1
.Lnext_word:
    ldr     r5, [word, last]
    mov     sum, #0
    cbnz    column, .Lnot_first
    ror     r5, r5, #8
    mov     sum, rcon
    lsl     rcon, rcon, #1
    tst     rcon, #0x100
    it      ne
    movne   rcon, #0x1b
    b       .Lsubstitute
.Lnot_first:
    cmp     column, #4
    it      eq
    cmpeq   key_words, #8
    bne     .Ladd_words
.Lsubstitute:
    mov     r11, #4
.Lfour_bytes:
    uxtb    r6, r5
    ldrb    r6, [s_box, r6]
    lsrs    r5, r5, #8
    orr     r5, r5, r6, lsl #24
    subs    r11, #1
    bne     .Lfour_bytes
.Ladd_words:
    ldr     r6, [word]
    eor     r5, r5, sum
    eors    r5, r6
    str     r5, [word, key_bytes]
    adds    word, #4
    adds    column, #1
    cmp     column, key_words
    it      eq
    moveq   column, #0
    subs    to_do, #1
    bne     .Lnext_word
    pop_frame_return into=pc
endfunc
#undef s_box

/* void runnel_aes_thumb2_small_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks) */
#define out r1
#define in r2
#define mix r3          /* 0: without MixColumns; also counts bytes */
#define key r4
#define from r5
#define value r6
#define s_box r7
#define rounds r8
#define to r9
#define nblocks r11
entry runnel_aes_thumb2_small_blocks
    push_frame 32                   /* the state, and behind it the state after SubBytes and ShiftRows */
    mov     nblocks, r3
    adr.w   s_box, .Ltable
.Lblock:
    add     key, r0, #KEYS
    ldrb    rounds, [r0]
    mov     from, in
    mov     to, sp
    movs    mix, #0
.Lfour_words:
    mov     lr, #4
.Lone_word:
    ldr     value, [from], #4
    cbz     mix, .Lmixed
    and     r12, value, #0x80808080  /* double = w << 1, and 0x1b where a bit was lost */
    eor     r10, value, r12
    sub     r12, r12, r12, lsr #7
    and     r12, r12, #0x1b1b1b1b
    eor     r12, r12, r10, lsl #1
    eor     r10, r12, value          /* 2 w + 3 w1 + w2 + w3, where w1 is the row below */
    eor     r12, r12, r10, ror #8
    eor     r12, r12, value, ror #16
    eor     value, r12, value, ror #24
.Lmixed:
    ldr     r12, [key], #4
    eor     value, value, r12
    str     value, [to], #4
    subs    lr, #1
    bne     .Lone_word
    subs    rounds, #1
    bmi     .Lblock_done

    movs    mix, #15
    add     from, sp, #16
.Lsub_and_shift:                      /* byte i comes from byte 5 i, modulo 16 */
    add     value, mix, mix, lsl #2
    and     value, value, #15
    ldrb    value, [sp, value]
    ldrb    value, [s_box, value]
    strb    value, [from, mix]
    subs    mix, #1
    bpl     .Lsub_and_shift
    mov     to, sp
    cmp     rounds, #0
    itt     eq
    moveq   mix, #0
    moveq   to, out
    b       .Lfour_words

.Lblock_done:
    adds    out, #16
    adds    in, #16
    subs    nblocks, #1
    bne     .Lblock
    movs    r0, #7
.Lwipe:
    str     nblocks, [sp, r0, lsl #2]
    subs    r0, #1
    bpl     .Lwipe
    pop_frame_return 32, into=pc
endfunc

#include "ciphers/aes/s_box.inc"
    .balign 4
.Ltable:
    .set    x, 0
    .rept   256
    set_to_s s, %x
    .byte   s
    .set    x, x + 1
    .endr

#endif
