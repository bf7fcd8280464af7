/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of the assembly kernels for 8-bit AVR whose block is sixteen words that are mixed and then added to what
 * they were (Salsa20, ChaCha20). The words being mixed are in 64 bytes of stack at Y; six of them fit into registers.
 * A register is written as its number, a word in registers as the number of its first one.
 *
 * void xor_blocks(r25:r24 state, r23..r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks); the state begins with the
 * sixteen words. */

/* Sets the stack pointer to Y and keeps interrupts as they are. */
.macro arx_set_stack
    in r0, 0x3f
    cli
    out 0x3e, r29
    out 0x3f, r0
    out 0x3d, r28
.endm

/* Pushes what the caller keeps and takes the frame. Z: the state, whose \counter_bytes at \counter become the index. */
.macro arx_enter counter, counter_bytes
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push \n
    .endr
    in r28, 0x3d
    in r29, 0x3e
    subi r28, 64
    sbci r29, 0
    arx_set_stack
    adiw r28, 1
    movw r30, r24
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    .if \n < \counter_bytes
    std Z+\counter+\n, 16+\n
    .endif
    .endr
.endm

/* At the start of a block: keeps the pointers. */
.macro arx_push_pointers
    .irp n, 10, 11, 14, 15, 12, 13, 30, 31
    push \n
    .endr
.endm

/* A word between registers and Y. */
.macro load to, word
    .irp n, 0, 1, 2, 3
    ldd \to+\n, Y+4*\word+\n
    .endr
.endm

.macro store from, word
    .irp n, 0, 1, 2, 3
    std Y+4*\word+\n, \from+\n
    .endr
.endm

.macro store_bytes word, b0, b1, b2, b3
    std Y+4*\word, \b0
    std Y+4*\word+1, \b1
    std Y+4*\word+2, \b2
    std Y+4*\word+3, \b3
.endm

/* A word of the state, into registers or to Y. */
.macro first to, word
    .irp n, 0, 1, 2, 3
    ldd \to+\n, Z+4*\word+\n
    .endr
.endm

.macro copy_first word
    first 24, \word
    store 24, \word
.endm

.macro add_words to, from
    add \to, \from
    adc \to+1, \from+1
    adc \to+2, \from+2
    adc \to+3, \from+3
.endm

.macro xor_words to, from
    .irp n, 0, 1, 2, 3
    eor \to+\n, \from+\n
    .endr
.endm

/* ---- For small code: quarter-rounds in a loop ---- */

/* The whole state to Y; Z: behind it. */
.macro copy_all
    ldi r20, 16
1:  .rept 4
    ld r0, Z+
    st Y+, r0
    .endr
    dec r20
    brne 1b
    subi r28, 64
    sbci r29, 0
.endm

/* X = Y + the next offset in the table at Z; register \zero is 0. */
.macro next_place zero
    lpm r0, Z+
    movw r26, r28
    add r26, r0
    adc r27, \zero
.endm

.macro load_next to, zero
    next_place \zero
    .irp n, 0, 1, 2, 3
    ld \to+\n, X+
    .endr
.endm

.macro store_next b0, b1, b2, b3, zero
    next_place \zero
    st X+, \b0
    st X+, \b1
    st X+, \b2
    st X+, \b3
.endm

/* Offsets of words. */
.macro places a, b, c, d
    .byte 4*\a, 4*\b, 4*\c, 4*\d
.endm

/* ---- The end of a block ---- */

/* After the rounds: adds the state, writes the block, moves the counter, and goes to \next with Z the state, r15:r14
 * out, r13:r12 in and r11:r10 nblocks as at the start, or wipes the frame and returns. */
.macro arx_finish counter, counter_bytes, next
    pop r31
    pop r30
    pop r27 /* X: in */
    pop r26
    pop r25 /* out */
    pop r24
    movw r22, r30
    ldi r20, 4
1:  .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld \n, Y+
    .endr
    .irp n, 2, 6, 10, 14
    ld r18, Z+
    add \n, r18
    .irp m, 1, 2, 3
    ld r18, Z+
    adc \n+\m, r18
    .endr
    .endr
    sbiw r26, 0
    breq 2f
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r18, X+
    eor \n, r18
    .endr
2:  movw r18, r26
    movw r26, r24
    .irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st X+, \n
    .endr
    movw r24, r26
    movw r26, r18
    dec r20
    breq 3f
    rjmp 1b
3:  subi r28, 64
    sbci r29, 0
    pop r11
    pop r10
    movw r18, r10
    subi r18, 1
    sbci r19, 0
    breq 5f
    movw r10, r18
    movw r12, r26
    movw r14, r24
    movw r30, r22
    adiw r30, \counter
    ldi r20, \counter_bytes
4:  ld r18, Z
    inc r18
    st Z+, r18
    brne 4f
    dec r20
    brne 4b
4:  movw r30, r22
    rjmp \next
5:  ldi r20, 8
6:  .rept 8
    st Y+, r1
    .endr
    dec r20
    brne 6b
    sbiw r28, 1
    arx_set_stack
    .irp n, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop \n
    .endr
    ret
.endm
