/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A round of LEA for the assembly kernels of 8-bit AVR. Registers are written as numbers. The file that includes it
 * defines WORDS, those of a round key: 4 or 6.
 *
 * Round keys are kept as k0, k1, k1 ^ k2, k3, k3 ^ k4, k5, and for 128 bits, where k1 = k3 = k5, as k0, k1, k1 ^ k2,
 * k1 ^ k4: a word that was XORed with one key for one sum needs no copy for the other.
 *
 * Four words of the state and one being made are in five places of four registers. The first sum comes into the free
 * one, the second stays where word 1 is, the third is rotated by a multiplication, which puts it where word 3 was:
 * nothing is moved, and after four rounds every word is in its place again. Rotations by whole bytes are a choice of
 * registers: word 1 goes back by one of its registers a round, words 0 and 3 have their highest byte in the first. */

#define X1 2      /* four registers, byte n of the word in X1 + (n + o modulo 4) in round o */
#define PLACE0 6  /* words 0, 3 and 2, and free, in the first round */
#define PLACE1 10
#define PLACE2 14
#define PLACE3 18
#define COMMON 22 /* four: k1 of 128 bits */
#define KEY 26    /* a byte of a round key */
#define ZERO 27
#define TIMES32 30
#define TURNS 31

/* Bytes of a round key; the second word of the pairs that are kept XORed. */
#define ROUND_KEY_BYTES (4 * WORDS)
#define K12 8
#if WORDS == 4
#define K34 12
#else
#define K34 16
#endif

.macro constants
    clr ZERO
    ldi TIMES32, 32
.endm

.macro rotate_left_1 b0, b1, b2, b3
    lsl \b0
    rol \b1
    rol \b2
    rol \b3
    adc \b0, ZERO
.endm

.macro rotate_left_3 b0, b1, b2, b3
    .rept 3
    rotate_left_1 \b0, \b1, \b2, \b3
    .endr
.endm

/* The word at \to = that at \from, rotated to the right by 3. */
.macro rotate_right_3 from, to
    mul \from+1, TIMES32
    movw \to, 0
    mul \from+3, TIMES32
    movw \to+2, 0
    mul \from, TIMES32
    eor \to+3, 0
    eor \to, 1
    mul \from+2, TIMES32
    eor \to+1, 0
    eor \to+2, 1
.endm

/* \to ^= byte \n of k1, k3 or k5, which is at \key. */
.macro xor_common n, key, to
#if WORDS == 4
    eor \to, COMMON+\n
#else
    ldd KEY, Y+\key+\n
    eor \to, KEY
#endif
.endm

.macro load_common key
#if WORDS == 4
    .irp n, 0, 1, 2, 3
    ldd COMMON+\n, Y+\key+4+\n
    .endr
#endif
.endm

.macro add_with carry, to, from
    .if \carry
    adc \to, \from
    .else
    add \to, \from
    .endif
.endm

/* \sum = (X0 ^ k0) + (X1 ^ k1); X1 remains XORed with k1. */
.macro sum_01 x0, o, sum, key
    .irp n, 0, 1, 2, 3
    ldd \sum+\n, Y+\key+\n
    eor \sum+\n, \x0+((\n+3)&3)
    xor_common \n, \key+4, X1+((\n+\o)&3)
    add_with \n, \sum+\n, X1+((\n+\o)&3)
    .endr
.endm

/* Byte \n of X1 ^ k1 becomes that of X1 ^ k2, and that of X2 that of X2 ^ k3. */
.macro keyed_12 n, o, x2, key
    ldd KEY, Y+\key+K12+\n
    eor X1+((\n+\o)&3), KEY
    xor_common \n, \key+12, \x2+\n
.endm

/* Byte \n of X2 ^ k3 becomes that of X2 ^ k4, and that of X3 that of X3 ^ k5. */
.macro keyed_23 n, x2, x3, key
    ldd KEY, Y+\key+K34+\n
    eor \x2+\n, KEY
    xor_common \n, \key+20, \x3+((\n+3)&3)
.endm

/* Round \o of four: its words X0, X2 and X3 are at \x0, \x2 and \x3; X0, X2 and X3 of the next are at \sum, \x3 and
 * \x0. */
.macro round x0, o, x2, x3, sum, key
    load_common \key
    sum_01 \x0, \o, \sum, \key
    rotate_left_1 \sum, \sum+1, \sum+2, \sum+3
    .irp n, 0, 1, 2, 3
    keyed_12 \n, \o, \x2, \key
    add_with \n, X1+((\n+\o)&3), \x2+\n
    .endr
    rotate_left_3 X1+((\o)&3), X1+((1+\o)&3), X1+((2+\o)&3), X1+((3+\o)&3)
    .irp n, 0, 1, 2, 3
    keyed_23 \n, \x2, \x3, \key
    add_with \n, \x2+\n, \x3+((\n+3)&3)
    .endr
    rotate_right_3 \x2, \x3
.endm

/* Carries out \do for the registers of the block before the first round and after the last, byte by byte. */
.macro for_block do
    .irp n, 9, 6, 7, 8, 2, 3, 4, 5, 14, 15, 16, 17, 13, 10, 11, 12
    \do \n
    .endr
.endm

.macro input n
    ld \n, X+
.endm

.macro output n
    st Z+, \n
.endm

.macro xor_output n
    ld COMMON, X+
    eor \n, COMMON
    st Z+, \n
.endm

/* ---- Block by block ---- */

/* void encrypt_blocks(r25:r24 round keys, r23:r22 out, r21:r20 in, r19:r18 nblocks, r16 turns) by the subroutine
 * rounds, which may use all registers. */
.macro encrypt_blocks_by_rounds
    push_all
    movw r26, r20
    movw r30, r22
1:  .irp n, 18, 19, 24, 25, 30, 31, 16
    push \n
    .endr
    movw r28, r24
    mov TURNS, r16
    for_block input
    push r26
    push r27
    rcall rounds
    .irp n, 27, 26, 24, 31, 30
    pop \n
    .endr
    for_block output
    mov r16, r24
    pop r25
    pop r24
    pop r19
    pop r18
    subi r18, 1
    sbci r19, 0
    breq 2f
    rjmp 1b
2:  pop_all_return
.endm

/* ---- Counter mode ---- */

/* The frame, from FRAME(0), which the file that includes this one may put behind others of its own. */
#define BLOCK FRAME(1)
#define KEYS FRAME(17)
#define IN FRAME(19)
#define OUT FRAME(21)
#define BLOCKS FRAME(23)
#define LOOPS FRAME(25)
#define FRAME_BYTES FRAME(25)

/* void ctr32(r25:r24 round keys, r23:r22 block, r21:r20 out, r19:r18 in, r17:r16 nblocks, r14 turns): pushes that. */
.macro enter_counter_mode
    push_all
    .irp n, 14, 17, 16, 21, 20, 19, 18, 25, 24
    push \n
    .endr
    movw r26, r22
    adiw r26, 16
    ldi r16, 16
1:  ld r17, -X
    push r17
    dec r16
    brne 1b
.endm

.macro frame_to_y
    in r28, 0x3d
    in r29, 0x3e
.endm

/* Writes a block and goes to \done after the last one. Y: the frame */
.macro write_block done
    frame_to_y
    ldd r30, Y+OUT
    ldd r31, Y+OUT+1
    ldd r26, Y+IN
    ldd r27, Y+IN+1
    sbiw r26, 0
    breq 1f
    for_block xor_output
    std Y+IN, r26
    std Y+IN+1, r27
    rjmp 2f
1:  for_block output
2:  std Y+OUT, r30
    std Y+OUT+1, r31
    ldd r26, Y+BLOCKS
    ldd r27, Y+BLOCKS+1
    sbiw r26, 1
    breq \done
    std Y+BLOCKS, r26
    std Y+BLOCKS+1, r27
.endm
