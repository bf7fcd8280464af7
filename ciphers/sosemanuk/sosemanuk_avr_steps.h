/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK's keystream for 8-bit AVR; included by the assembly file of each kernel.
 *
 * r1, r2, s8 and s9 are in four sets of four registers. A step leaves them one set further: s9 is the next step's s8,
 * and the new word takes the place of the old r1. After four steps, a block, every set has its first name again.
 *
 * The shift register lies in a ring of twelve words, so that a block's oldest four stay until they are XORed to its
 * output; the block's last two new words, s8 and s9 of the next, take the first two's places after that. Three blocks
 * go once round the ring; a small kernel moves the ring instead.
 *
 * Multiplication by alpha moves the bytes of a word by one place, and adds a row of four bytes, looked up by the byte
 * that leaves. The rows stand in flash by columns of 256 bytes, so that the byte itself is the low half of the address.
 *
 * Output is XORed into `out`, where the input was put before. */

/* In the state, from Y. */
#define RING 0
#define RING_WORDS 12
#define F_WORDS 48 /* three words of a block, before the S-box */
#define R1_WORD 60 /* while a block is made: the end of the output */
#define R2_WORD 64
#define BLOCK 68   /* 0, 1 or 2: where in the ring the next one begins, in blocks */

#define A 2
#define B 6
#define C 10
#define D 14
#define F 18       /* the last word before the S-box; until then the multiplier, low byte first */
#define T0 r22
#define T1 r23
#define ZERO r24
#define T2 r25

/* Byte n of the word s_i of a block that begins at word `first`. */
#define AT(i, n) RING + 4 * ((first + i) % RING_WORDS) + n

.macro column_of_products factor
    .set c, 0
    .rept 256
    .set sum, 0
    .set power, \factor
    .irp bit, 0,1,2,3,4,5,6,7
    .set sum, sum ^ (((c >> \bit) & 1) * power)
    .set power, (power << 1) ^ ((power >> 7) * 0x1a9)
    .endr
    .byte sum
    .set c, c + 1
    .endr
.endm

/* One of the columns, and the next one's page. */
.macro add_product to
    lpm T0, Z
    eor \to, T0
    inc r31
.endm

.macro step number, r1, r2, s8, s9
    /* r2 becomes r1: it takes in s1, and s8 if the old r1 is odd */
    mov T1, \r1
    lsr T1
    sbc T1, T1
    .irp n, 0,1,2,3
    and \s8+\n, T1
    ldd T0, Y+AT(\number+1, \n)
    eor \s8+\n, T0
    .endr
    add \r2, \s8
    adc \r2+1, \s8+1
    adc \r2+2, \s8+2
    adc \r2+3, \s8+3
    /* s8 becomes r2: the old r1 times the multiplier, rotated by eight bits to the left, then one to the right */
    mul \r1+1, F+1
    mov \s8+3, r0
    mov \s8, r1
    mul \r1, F
    mov \s8+1, r0
    mov \s8+2, r1
    mul \r1, F+1
    add \s8+2, r0
    adc \s8+3, r1
    adc \s8, ZERO
    mul \r1+1, F
    add \s8+2, r0
    adc \s8+3, r1
    adc \s8, ZERO
    mul \r1, F+2
    add \s8+3, r0
    adc \s8, r1
    mul \r1+2, F
    add \s8+3, r0
    adc \s8, r1
    mul \r1, F+3
    add \s8, r0
    mul \r1+1, F+2
    add \s8, r0
    mul \r1+2, F+1
    add \s8, r0
    mul \r1+3, F
    add \s8, r0
    bst \s8, 0
    lsr \s8+3
    ror \s8+2
    ror \s8+1
    ror \s8
    bld \s8+3, 7
    /* f = (s9 + r1) ^ r2 */
    .if \number < 3
    word_before_s_box \r1, \r2, \s8, \s9
    .irp n, 0,1,2,3
    std Y+F_WORDS+4*\number+\n, \r1+\n
    .endr
    .else
    word_before_s_box F, \r2, \s8, \s9
    .endif
    /* the new word = s9 ^ alpha * s0 ^ s3 / alpha */
    movw \r1, \s9
    movw \r1+2, \s9+2
    ldi r31, hi8(columns)
    ldd r30, Y+AT(\number, 3)
    .irp n, 0,1,2,3
    add_product \r1+\n
    .endr
    ldd r30, Y+AT(\number+3, 0)
    .irp n, 0,1,2,3
    add_product \r1+\n
    .endr
    .irp n, 0,1,2
    ldd T0, Y+AT(\number, \n)
    eor \r1+\n+1, T0
    ldd T0, Y+AT(\number+3, \n+1)
    eor \r1+\n, T0
    .endr
    .if \number < 2
    store_ring_word \number+10, \r1
    .endif
.endm

.macro word_before_s_box to, r1, r2, s9
    movw \to, \s9
    movw \to+2, \s9+2
    add \to, \r1
    adc \to+1, \r1+1
    adc \to+2, \r1+2
    adc \to+3, \r1+3
    eor \to, \r2
    eor \to+1, \r2+1
    eor \to+2, \r2+2
    eor \to+3, \r2+3
.endm

.macro store_ring_word number, from
    .irp n, 0,1,2,3
    std Y+AT(\number, \n), \from+\n
    .endr
.endm

/* Byte n of output word i. */
.macro put i, n, byte
    ldd r1, Y+AT(\i, \n)
    eor r1, \byte
    ldd \byte, Z+4*\i+\n
    eor \byte, r1
    std Z+4*\i+\n, \byte
.endm

/* S-box 2 of byte n of four words. */
.macro substitute_byte n
    ldd T0, Y+F_WORDS+\n
    ldd T1, Y+F_WORDS+4+\n
    ldd T2, Y+F_WORDS+8+\n
    mov r0, T0
    and r0, T2
    eor F+\n, r0
    mov r0, T1
    com r0
    and r0, F+\n
    eor T0, r0
    eor T1, F+\n
    eor T1, T2
    mov r0, F+\n
    and r0, T0
    eor T2, r0
    eor T0, T1
    mov r0, T2
    com r0
    and r0, T0
    eor F+\n, r0
    eor T2, F+\n
    com T0
    put 0, \n, T1
    put 1, \n, T2
    put 2, \n, F+\n
    put 3, \n, T0
.endm

/* The block that begins at word `start` of the ring, XORed into the 16 bytes at X, which moves on. */
.macro block start
    .set first, \start
    ldi F, 0x07
    ldi F+1, 0x53
    ldi F+2, 0x65
    ldi F+3, 0x54
    step 0, A, B, C, D
    step 1, B, C, D, A
    step 2, C, D, A, B
    step 3, D, A, B, C
    movw r30, r26
    .irp n, 0,1,2,3
    substitute_byte \n
    .endr
    adiw r26, 16
.endm

.macro load_ring start
    .set first, \start
    .irp n, 0,1,2,3
    ldd C+\n, Y+AT(8, \n)
    ldd D+\n, Y+AT(9, \n)
    .endr
.endm

/* void xor_blocks(r25:r24 state, r23:r16 index, r15:r14 out, r13:r12 in, r11:r10 nblocks): the start, which leaves the
 * number of the block in T0, and from `more` on the end. */
.macro enter_xor_blocks
    push_all
    movw r28, r24
    .rept 4
    lsl r10
    rol r11
    .endr
    movw r24, r10
    bring_to_place r15, r14, r13, r12, r24
    movw r26, r14
    movw r18, r10
    add r18, r26
    adc r19, r27
    adiw r28, 32
    ldd T0, Y+BLOCK-32
    .irp n, 0,1,2,3
    ldd A+\n, Y+R1_WORD-32+\n
    ldd B+\n, Y+R2_WORD-32+\n
    .endr
    sbiw r28, 32
    std Y+R1_WORD, r18
    std Y+R1_WORD+1, r19
    clr ZERO
.endm

/* Goes to `again` if there are more blocks to make. */
.macro more again
    ldd r0, Y+R1_WORD
    ldd r1, Y+R1_WORD+1
    cp r26, r0
    cpc r27, r1
    breq 1f
    rjmp \again
1:
.endm

.macro leave_xor_blocks
    adiw r28, 32
    std Y+BLOCK-32, T0
    .irp n, 0,1,2,3
    std Y+R1_WORD-32+\n, A+\n
    std Y+R2_WORD-32+\n, B+\n
    .endr
    pop_all_return
.endm

    .section .progmem.data.runnel_sosemanuk_avr, "a", @progbits
    .balign 256
columns: /* of products with alpha, then with its inverse; the lowest byte first */
    .irp factor, 0x13,0xcf,0x9f,0xe1, 0xcd,0x40,0x0f,0x18
    column_of_products \factor
    .endr
