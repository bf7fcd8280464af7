/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The modes of SEED's kernels for 8-bit AVR. The file that includes it defines KERNEL(name), the kernel's symbols, and
 * has before it the subroutine rounds, which makes of the block in r0..r15, with the round keys at Y, the encrypted one
 * with its halves in each other's place, and may use all registers. Nothing secret goes to memory. */

/* What counter mode keeps at SP + 1. */
#define COUNTER 1
#define KEYS 17
#define IN 19
#define OUT 21
#define BLOCKS 23
#define FRAME_BYTES 24

/* Carries out \do for each register in the order of the output. */
.macro for_output do
    .irp n, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7
    \do \n
    .endr
.endm

.macro output n
    st Z+, \n
.endm

.macro xor_output n
    ld r16, X+
    eor \n, r16
    st Z+, \n
.endm

/* void encrypt_blocks(r25:r24 state, r23:r22 out, r21:r20 in, r19:r18 nblocks) */
    .global KERNEL(encrypt_blocks)
KERNEL(encrypt_blocks):
    push_all
    movw r26, r20
    movw r30, r22
1:  movw r28, r24
    push r18
    push r19
    push r30
    push r31
    push r24
    push r25
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ld \n, X+
    .endr
    push r26
    push r27
    rcall rounds
    pop r27
    pop r26
    pop r25
    pop r24
    pop r31
    pop r30
    for_output output
    pop r19
    pop r18
    subi r18, 1
    sbci r19, 0
    breq 2f
    rjmp 1b
2:  pop_all_return

/* void ctr32(r25:r24 state, r23:r22 prefix, r21:r20 block, r19:r18 out, r17:r16 in, r15:r14 nblocks) */
    .global KERNEL(ctr32)
KERNEL(ctr32):
    push_all
    .irp n, 15, 14, 19, 18, 17, 16, 25, 24
    push \n
    .endr
    movw r26, r20
    adiw r26, 16
    ldi r16, 16
1:  ld r17, -X
    push r17
    dec r16
    brne 1b
next_counter_block:
    in r28, 0x3d
    in r29, 0x3e
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd \n, Y+COUNTER+\n
    .endr
    ldd r26, Y+KEYS
    ldd r29, Y+KEYS+1
    mov r28, r26
    rcall rounds
    in r28, 0x3d
    in r29, 0x3e
    ldd r30, Y+OUT
    ldd r31, Y+OUT+1
    ldd r26, Y+IN
    ldd r27, Y+IN+1
    sbiw r26, 0
    breq 1f
    for_output xor_output
    std Y+IN, r26
    std Y+IN+1, r27
    rjmp 2f
1:  for_output output
2:  std Y+OUT, r30
    std Y+OUT+1, r31
    ldd r30, Y+BLOCKS
    ldd r31, Y+BLOCKS+1
    sbiw r30, 1
    breq 4f
    std Y+BLOCKS, r30
    std Y+BLOCKS+1, r31
    adiw r28, COUNTER+16
3:  ld r16, -Y
    inc r16
    st Y, r16
    brne 5f
    rjmp 3b
5:  rjmp next_counter_block
4:  adiw r28, FRAME_BYTES
    set_stack_to_y
    pop_all_return
