/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR, four rounds in a loop. The file that includes it defines WORDS, those of a round key, and
 * KERNEL(name), its symbols.
 *
 * Counter mode computes once what only byte 15 of the block, the highest of X3, does not change, for all blocks in
 * which nothing else changes: of round 1 all but the highest byte of one sum, of round 2 words 0 and 3 and the lower
 * halves of two sums, with the carries from them. A block then begins with the sum of two bytes, one multiplication,
 * and the upper halves of two sums. What is kept is wiped. */

#include "../../core/avr_frame.h"

/* What counter mode keeps, from SP + 1, and behind it the frame. */
#define WORD0 1      /* X0 and X3 after round 2, as they lie in their places */
#define WORD3 5
#define LOW1 9       /* round 2: the lower halves of the sums for X1 and X2 … */
#define LOW2 11
#define HIGH1 13     /* … and what the upper halves are the sums of: X2 ^ k3 but for what byte 15 does to it */
#define HIGH1_ADD 15 /* and X1 ^ k2 with the carry; */
#define HIGH2 17     /* X2 ^ k4, likewise */
#define HIGH2_ADD 19 /* and X3 ^ k5 with the carry */
#define TOP_ADD 21   /* round 1: the highest byte of X2 ^ k4, with the carry, */
#define TOP_KEY 22   /* and that of k5 */
#define KEPT_BYTES 22
#define FRAME(member) (KEPT_BYTES + (member))

#include "lea_avr_rounds.h"

/* Four round keys of four words are within reach of Y, but only two of six. */
#if WORDS == 4
#define KEY_OF_3 (2 * ROUND_KEY_BYTES)
#define STEP 0
#else
#define KEY_OF_3 0
#define STEP (2 * ROUND_KEY_BYTES)
#endif

    /* As rounds, from the third on: the words are in their places after two rounds, Y is STEP further. */
rounds_from_3:
    constants
    rjmp 2f

    /* The block is in its registers, Y: the round keys, TURNS: a fourth of the rounds. */
rounds:
    constants
1:  round PLACE0, 0, PLACE2, PLACE1, PLACE3, 0
    round PLACE3, 1, PLACE1, PLACE0, PLACE2, ROUND_KEY_BYTES
#if STEP != 0
    adiw r28, STEP
#endif
2:  round PLACE2, 2, PLACE0, PLACE3, PLACE1, KEY_OF_3
    round PLACE1, 3, PLACE3, PLACE2, PLACE0, KEY_OF_3 + ROUND_KEY_BYTES
    subi r28, lo8(STEP - 4 * ROUND_KEY_BYTES)
    sbci r29, hi8(STEP - 4 * ROUND_KEY_BYTES)
    dec TURNS
    breq 3f
    rjmp 1b
3:  ret

    .global KERNEL(encrypt_blocks)
KERNEL(encrypt_blocks):
    encrypt_blocks_by_rounds

    .global KERNEL(ctr32)
KERNEL(ctr32):
    enter_counter_mode
    frame_to_y
    sbiw r28, KEPT_BYTES
    set_stack_to_y

.macro keep place, from
    std Z+\place, \from
.endm

.macro frame_to_z
    in r30, 0x3d
    in r31, 0x3e
.endm

    /* For the counter block in the frame and those after it that differ in the last byte alone. */
prepare:
    frame_to_z
    ldd r28, Z+KEYS
    ldd r29, Z+KEYS+1
    movw r26, r30
    adiw r26, BLOCK
    for_block input
    clr PLACE1+2 /* byte 15 */
    constants
    load_common 0
    sum_01 PLACE0, 0, PLACE3, 0
    rotate_left_1 PLACE3, PLACE3+1, PLACE3+2, PLACE3+3
    .irp n, 0, 1, 2, 3
    keyed_12 \n, 0, PLACE2, 0
    add_with \n, X1+\n, PLACE2+\n
    .endr
    rotate_left_3 X1, X1+1, X1+2, X1+3
    .irp n, 0, 1, 2, 3
    keyed_23 \n, PLACE2, PLACE1, 0
    .endr
    add PLACE2, PLACE1+3
    adc PLACE2+1, PLACE1
    adc PLACE2+2, PLACE1+1
    adc PLACE2+3, ZERO
    frame_to_z
    keep TOP_ADD, PLACE2+3
    keep TOP_KEY, PLACE1+2
    clr PLACE2+3
    ldi TIMES32, 32
    rotate_right_3 PLACE2, PLACE1

    load_common ROUND_KEY_BYTES
    sum_01 PLACE3, 1, PLACE2, ROUND_KEY_BYTES
    rotate_left_1 PLACE2, PLACE2+1, PLACE2+2, PLACE2+3
    frame_to_z
    .irp n, 0, 1, 2, 3
    keep WORD0+\n, PLACE2+\n
    keep WORD3+\n, PLACE3+\n
    .endr
    .irp n, 0, 1, 2, 3
    keyed_12 \n, 1, PLACE1, ROUND_KEY_BYTES
    .endr
    add X1+1, PLACE1
    adc X1+2, PLACE1+1
    adc X1+3, ZERO
    adc X1, ZERO
    keep LOW1, X1+1
    keep LOW1+1, X1+2
    keep HIGH1_ADD, X1+3
    keep HIGH1_ADD+1, X1
    keep HIGH1, PLACE1+2
    keep HIGH1+1, PLACE1+3
    .irp n, 0, 1, 2, 3
    keyed_23 \n, PLACE1, PLACE0, ROUND_KEY_BYTES
    .endr
    add PLACE1, PLACE0+3
    adc PLACE1+1, PLACE0
    adc PLACE0+1, ZERO
    adc PLACE0+2, ZERO
    keep LOW2, PLACE1
    keep LOW2+1, PLACE1+1
    keep HIGH2, PLACE1+2
    keep HIGH2+1, PLACE1+3
    keep HIGH2_ADD, PLACE0+1
    keep HIGH2_ADD+1, PLACE0+2

/* b3:b2 = the upper half of a sum. */
.macro upper_half member, b2, b3
    ldd \b2, Y+\member
    eor \b2, 0
    ldd \b3, Y+\member+1
    eor \b3, 1
    ldd KEY, Y+\member+2
    add \b2, KEY
    ldd KEY, Y+\member+3
    adc \b3, KEY
.endm

next_counter_block:
    frame_to_y
    ldd KEY, Y+BLOCK+15
    ldd r27, Y+TOP_KEY
    eor KEY, r27
    ldd r27, Y+TOP_ADD
    add KEY, r27
    constants
    mul KEY, TIMES32
    ldd X1+1, Y+LOW1
    ldd X1+2, Y+LOW1+1
    upper_half HIGH1, X1+3, X1
    rotate_left_3 X1+1, X1+2, X1+3, X1
    ldd PLACE1, Y+LOW2
    ldd PLACE1+1, Y+LOW2+1
    upper_half HIGH2, PLACE1+2, PLACE1+3
    rotate_right_3 PLACE1, PLACE0
    .irp n, 0, 1, 2, 3
    ldd PLACE2+\n, Y+WORD0+\n
    ldd PLACE3+\n, Y+WORD3+\n
    .endr
    ldd TURNS, Y+LOOPS
    ldd KEY, Y+KEYS
    ldd r29, Y+KEYS+1
    mov r28, KEY
#if STEP != 0
    adiw r28, STEP
#endif
    rcall rounds_from_3
    write_block done
    adiw r28, BLOCK+16
    ld r16, -Y
    inc r16
    st Y, r16
    breq 1f
    rjmp next_counter_block
1:  ld r16, -Y
    inc r16
    st Y, r16
    breq 1b
    rjmp prepare

done:
    adiw r28, 1
    clr r16
    ldi r17, KEPT_BYTES / 2
1:  st Y+, r16
    st Y+, r16
    dec r17
    brne 1b
    adiw r28, FRAME_BYTES - KEPT_BYTES - 1
    set_stack_to_y
    pop_all_return
