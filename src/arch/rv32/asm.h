/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The frame of every assembly file for RV32 and RV64: sections, functions, tables, saved registers.
 *
 * `function name` … `endfunc` has a section of its own. Functions that share code share a section, which `code` begins:
 * each is `entry name` … `endfunc` in it, with labels for what is local, which begin with .L as all of these do.
 * `tables` begins a section of constants, in which `const name` … `endconst` is a table that other files see. */
#ifndef RUNNEL_ARCH_RV32_ASM_H
#define RUNNEL_ARCH_RV32_ASM_H

#include "arch/common/asm.h"

#if RUNNEL_RV32 || RUNNEL_RV64

#if RUNNEL_RV64
#define STORE_REGISTER sd
#define LOAD_REGISTER ld
#define ROTATE_WORD roriw
#else
#define STORE_REGISTER sw
#define LOAD_REGISTER lw
#define ROTATE_WORD rori
#endif
#define REGISTER_BYTES (__riscv_xlen / 8)

/* ---- Sections ---- */

.macro code name
    .section .text.\name, "ax", @progbits
    .balign 4
.endm

.macro tables name
    .section .rodata.\name, "a", @progbits
    .balign 4
.endm

/* ---- What other files see ---- */

.macro entry name
    .global \name
    .hidden \name
    .type   \name, @function
\name:
    CFI     .cfi_startproc
    .macro endfunc
    CFI     .cfi_endproc
    .size   \name, . - \name
    .purgem endfunc
    .endm
.endm

.macro function name
    code    \name
    entry   \name
.endm

/* `subroutine label` … `endsub`: local, called by `jal t0, label`. */
.macro subroutine label
\label:
    CFI     .cfi_startproc
    CFI     .cfi_return_column 5
    .macro endsub
    CFI     .cfi_endproc
    .purgem endsub
    .endm
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

/* ---- Rotations ---- */

/* to = the word from rotated to the right; scratch is neither, and untouched where one instruction rotates. */
.macro rotate_right to, from, bits, scratch
#if RUNNEL_RISCV_ROTATES
    ROTATE_WORD \to, \from, \bits
#else
    srli    \scratch, \from, \bits
    slli    \to, \from, 32 - (\bits)
    or      \to, \to, \scratch
#endif
.endm

/* ---- Saved registers ---- */

#define SAVED s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11

/* Takes `bytes` of stack and stores registers in them from `place` on. */
.macro push_frame bytes, place, registers:vararg
    take_stack \bytes
    save_registers \place, \registers
.endm

.macro take_stack bytes
    addi    sp, sp, -(\bytes)
    CFI     .cfi_adjust_cfa_offset \bytes
.endm

.macro save_registers place, registers:vararg
    .set    at, \place
    .irp    register, \registers
    STORE_REGISTER \register, at(sp)
    CFI     .cfi_rel_offset \register, at
    .set    at, at + REGISTER_BYTES
    .endr
.endm

/* After the call of a subroutine that did that. */
.macro frame_is_pushed bytes, place, registers:vararg
    CFI     .cfi_adjust_cfa_offset \bytes
    .set    at, \place
    .irp    register, \registers
    CFI     .cfi_rel_offset \register, at
    .set    at, at + REGISTER_BYTES
    .endr
.endm

/* Restores them and returns; the code after it has the frame again. */
.macro pop_frame_return bytes, place, registers:vararg
    CFI     .cfi_remember_state
    .set    at, \place
    .irp    register, \registers
    LOAD_REGISTER \register, at(sp)
    CFI     .cfi_restore \register
    .set    at, at + REGISTER_BYTES
    .endr
    addi    sp, sp, \bytes
    CFI     .cfi_adjust_cfa_offset -(\bytes)
    ret
    CFI     .cfi_restore_state
.endm

#endif
#endif
