/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for 8-bit AVR: sections, functions, tables, saved registers, the stack.
 *
 * `function name` … `endfunc` has a section of its own. Functions that share code share a section, which `code` begins:
 * each is `entry name` … `endfunc` in it, with labels for what is local, which begin with .L as all of these do.
 * `flash_tables` and `sram_tables` begin sections of constants, in which `const name` … `endconst` is a table that
 * other files see. */
#ifndef RUNNEL_ARCH_AVR_ASM_H
#define RUNNEL_ARCH_AVR_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_AVR

#define SPL 0x3d /* for in and out */
#define SPH 0x3e
#define SREG 0x3f

/* ---- Sections ---- */

.macro code name
    .section .text.\name, "ax", @progbits
.endm

/* Aligned to 256 where the low half of an address is an index. */
.macro flash_tables name, alignment=1
    .section .progmem.data.\name, "a", @progbits
    .balign \alignment
.endm

.macro sram_tables name, alignment=1
    .global __do_copy_data /* the start-up code fills SRAM */
    .section .data.\name, "aw", @progbits
    .balign \alignment
.endm

/* ---- What other files see ---- */

.macro entry name
    .global \name
    .hidden \name
    .type   \name, @function
\name:
    .macro endfunc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

.macro function name
    code \name
    entry \name
.endm

.macro const name
    .global \name
    .hidden \name
    .type   \name, @object
\name:
    .macro endconst
    .size   \name, . - \name
    .purgem endconst
    .endm
.endm

/* Another name, for a place in a table. */
.macro alias name, place
    .global \name
    .hidden \name
    .set    \name, \place
.endm

/* ---- Registers and stack ---- */

.macro push_registers registers:vararg
    .irp n, \registers
    push \n
    .endr
.endm

.macro pop_registers registers:vararg
    .irp n, \registers
    pop \n
    .endr
.endm

/* Prologue and epilogue of a function that uses all registers. */
.macro push_all
    push_registers 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
.endm

.macro pop_all
    pop_registers 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
.endm

.macro pop_all_return
    pop_all
    clr r1
    ret
.endm

.macro stack_to_y
    in r28, SPL
    in r29, SPH
.endm

.macro stack_to_z
    in r30, SPL
    in r31, SPH
.endm

/* Sets the stack pointer to Y and leaves the interrupt flag as it is; r0 is lost. */
.macro set_stack_to_y
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
.endm

/* The same in fewer words where it is needed twice, by a subroutine, which `stack_setter` is: it returns without a stack.
 * Z is lost. Return addresses of three bytes would not fit into Z. */
.macro set_stack_to_y_by setter
#if defined(__AVR_3_BYTE_PC__)
    set_stack_to_y
#else
    rcall \setter
#endif
.endm
.macro stack_setter name
#if !defined(__AVR_3_BYTE_PC__)
\name:
    pop r31
    pop r30
    set_stack_to_y
    ijmp
#endif
.endm

/* Copies the input, or zeros, to the output, so that the keystream only has to be XORed there. `out` and `in` are
 * pairs of registers, as `count` is, the number of bytes, not 0; it is lost, and r0, X and Z. */
.macro bring_to_place out_high, out, in_high, in, count
    cp \in, \out
    cpc \in_high, \out_high
    breq .Lin_place\@
    movw r26, \out
    movw r30, \in
    cp \in, r1
    cpc \in_high, r1
    brne .Lcopy_input\@
.Lzero_output\@:
    st X+, r1
    sbiw \count, 1
    brne .Lzero_output\@
    rjmp .Lin_place\@
.Lcopy_input\@:
    ld r0, Z+
    st X+, r0
    sbiw \count, 1
    brne .Lcopy_input\@
.Lin_place\@:
.endm

#endif
#endif
