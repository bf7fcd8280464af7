/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR, one round in a loop, after which the words move to their places. The file that includes it defines
 * WORDS, those of a round key, and KERNEL(name), its symbols. */

#include "../../core/avr_frame.h"

#define FRAME(member) (member)

#include "lea_avr_rounds.h"

    /* The block is in its registers, Y: the round keys, TURNS: a fourth of the rounds. */
rounds:
    constants
    lsl TURNS
    lsl TURNS
1:  round PLACE0, 0, PLACE2, PLACE1, PLACE3, 0
    movw PLACE2, PLACE1
    movw PLACE2+2, PLACE1+2
    movw PLACE1, PLACE0
    movw PLACE1+2, PLACE0+2
    movw PLACE0, PLACE3
    movw PLACE0+2, PLACE3+2
    mov KEY, X1
    mov X1, X1+1
    mov X1+1, X1+2
    mov X1+2, X1+3
    mov X1+3, KEY
    adiw r28, ROUND_KEY_BYTES
    dec TURNS
    breq 2f
    rjmp 1b
2:  ret

    .global KERNEL(encrypt_blocks)
KERNEL(encrypt_blocks):
    encrypt_blocks_by_rounds

    .global KERNEL(ctr32)
KERNEL(ctr32):
    enter_counter_mode
next_counter_block:
    frame_to_y
    movw r26, r28
    adiw r26, BLOCK
    for_block input
    ldd TURNS, Y+LOOPS
    ldd KEY, Y+KEYS
    ldd r29, Y+KEYS+1
    mov r28, KEY
    rcall rounds
    write_block done
    adiw r28, BLOCK+16
1:  ld r16, -Y
    inc r16
    st Y, r16
    breq 1b
    rjmp next_counter_block
done:
    adiw r28, FRAME_BYTES
    set_stack_to_y
    pop_all_return
