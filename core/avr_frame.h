/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For assembly on 8-bit AVR: what a function that takes all registers does first and last, and where output goes. */

.macro push_all
    .irp n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
    push r\n
    .endr
.endm

.macro pop_all_return
    .irp n, 29,28,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2
    pop r\n
    .endr
    clr r1
    ret
.endm

/* Sets the stack pointer to Y and keeps interrupts as they are; r0 is lost. */
.macro set_stack_to_y
    in r0, 0x3f
    cli
    out 0x3e, r29
    out 0x3f, r0
    out 0x3d, r28
.endm

/* Copies the input to where the output goes, or zeros, so that the keystream need only be XORed there.
 * `out` and `in` are pairs of registers, as `count` is, the number of bytes, not 0; it is lost, and r0, X and Z. */
.macro bring_to_place out_high, out, in_high, in, count
    cp \in, \out
    cpc \in_high, \out_high
    breq 9f
    movw r26, \out
    movw r30, \in
    cp \in, r1
    cpc \in_high, r1
    brne 8f
7:  st X+, r1
    sbiw \count, 1
    brne 7b
    rjmp 9f
8:  ld r0, Z+
    st X+, r0
    sbiw \count, 1
    brne 8b
9:
.endm
