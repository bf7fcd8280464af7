/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128 by table look-ups on x86-64 as others designed it: one kernel for each way of taking bytes out of a word, of
 * reading round keys and of keeping tables, so that two kernels differ in one of them. Techniques, and their names, are
 * those of Bernstein, Schwabe: New AES software speed records, Indocrypt 2008; the designs as a whole are those of Table
 * 4 in Jung, Park: High Speed AES Implementation on 64 bits Processors, 2008. Written anew, from the descriptions.
 *
 * void NAME(const uint32_t keys[44], uint8_t *out, const uint8_t *in, size_t nblocks); nblocks > 0. Encryption alone. */
#include "arch/x86/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

#define KEY(number, column) 16 * (number) + 4 * (column)(%r8)
#define base %r9
#define last_base %rbp
#define index %rdi
#define index_32 %edi
#define in %r14
#define out %xmm1
#define left %xmm0
#define spare %rdi /* of x86_frame.inc */

/* Tables: y op= what a byte of some row contributes. Where an index is scaled already, scale is 1. */

/* One of 256 entries of eight bytes, a column twice; a load between its words rotates the column. */
    .macro TABLE_2K op, row, at, y, scale=8
    \op ((4-\row)&3)(base, \at, \scale), \y
    .endm

/* The last round by the same table: the S-box's byte, where the row has it, without the others. */
    .macro TABLE_2K_MASKED op, row, at, y, scale=8
    .if \row == 0
    movzbl 1(base, \at, \scale), %r15d
    .elseif \row == 3
    movl 2(base, \at, \scale), %r15d
    .else
    movl (base, \at, \scale), %r15d
    .endif
    .if \row != 0
    andl $(0xff<<(8*\row)), %r15d
    .endif
    \op %r15d, \y
    .endm

/* A table of columns for each row. */
    .macro TABLE_4K op, row, at, y
    \op 1024*\row(base, \at, 4), \y
    .endm

    .macro TABLE_4K_MASKED op, row, at, y
    movl 1024*((\row+2)&3)(base, \at, 4), %r15d
    andl $(0xff<<(8*\row)), %r15d
    \op %r15d, \y
    .endm

/* The last round by four more tables, of lone bytes. */
    .macro TABLE_4K_LAST op, row, at, y
    \op 1024*\row(last_base, \at, 4), \y
    .endm

/* Bytes of word w, a to d for %eax to %edx, and what each contributes: row 0 to y0, row 1 to y1, … */

/* The second-byte instruction. */
    .macro SECOND_BYTE table, op, w, y0, y1, y2, y3
    movzbq %\w\()l, index
    \table \op, 0, index, \y0
    movzbl %\w\()h, index_32
    \table \op, 1, index, \y1
    shrl $16, %e\w\()x
    movzbq %\w\()l, index
    \table \op, 2, index, \y2
    movzbl %\w\()h, index_32
    \table \op, 3, index, \y3
    .endm

/* Shifts and masks; the load scales the index. */
    .macro SCALED_INDEX table, op, w, y0, y1, y2, y3
    movl %e\w\()x, index_32
    andl $0xff, index_32
    \table \op, 0, index, \y0
    movl %e\w\()x, index_32
    shrl $8, index_32
    andl $0xff, index_32
    \table \op, 1, index, \y1
    movl %e\w\()x, index_32
    shrl $16, index_32
    andl $0xff, index_32
    \table \op, 2, index, \y2
    shrl $24, %e\w\()x
    \table \op, 3, %r\w\()x, \y3
    .endm

/* Shifts and masks that scale the index too, as where loads cannot. */
    .macro SHIFT_AND_MASK table, op, w, y0, y1, y2, y3
    movl %e\w\()x, index_32
    shll $3, index_32
    andl $0x7f8, index_32
    \table \op, 0, index, \y0, 1
    movl %e\w\()x, index_32
    shrl $5, index_32
    andl $0x7f8, index_32
    \table \op, 1, index, \y1, 1
    movl %e\w\()x, index_32
    shrl $13, index_32
    andl $0x7f8, index_32
    \table \op, 2, index, \y2, 1
    shrl $21, %e\w\()x
    andl $0x7f8, %e\w\()x
    \table \op, 3, %r\w\()x, \y3, 1
    .endm

/* The word to memory, below the stack, and its bytes from there. */
    .macro BYTE_LOADS table, op, w, y0, y1, y2, y3
    movl %e\w\()x, -8(%rsp)
    movzbl -8(%rsp), index_32
    \table \op, 0, index, \y0
    movzbl -7(%rsp), index_32
    \table \op, 1, index, \y1
    movzbl -6(%rsp), index_32
    \table \op, 2, index, \y2
    movzbl -5(%rsp), index_32
    \table \op, 3, index, \y3
    .endm

/* Rounds. */

/* Into other registers, with a word of the round key as soon as a register is free: four instructions more, but loads
 * of keys are spread. */
    .macro APART name, number, bytes, table
    place \name\()_round_\number /* lab/targets/host counts what is between the two places */
    \bytes \table, movl, a, %r10d, %r13d, %r12d, %r11d
    movl KEY(\number, 0), %eax
    \bytes \table, xorl, b, %r11d, %r10d, %r13d, %r12d
    movl KEY(\number, 1), %ebx
    \bytes \table, xorl, c, %r12d, %r11d, %r10d, %r13d
    movl KEY(\number, 2), %ecx
    \bytes \table, xorl, d, %r13d, %r12d, %r11d, %r10d
    movl KEY(\number, 3), %edx
    xorl %r10d, %eax
    xorl %r11d, %ebx
    xorl %r12d, %ecx
    xorl %r13d, %edx
    place \name\()_after_\number
    .endm

/* In place: a word's register takes the next word as soon as its four bytes are out, in the order of appendix 1 of Jung
 * and Park; the round key is added from memory at the end. bytes is SECOND_BYTE, which the text has in it. */
    .macro IN_PLACE name, number, bytes, table
    place \name\()_round_\number
    movzbq %dl, %rsi
    movzbl %dh, %edi
    shrl $16, %edx
    movzbq %dl, %r10
    movzbl %dh, %ebp
    \table movl, 0, %rsi, %edx
    movzbq %al, %r11
    movzbl %ah, %esi
    \table xorl, 1, %rsi, %edx
    shrl $16, %eax
    movzbq %al, %r12
    movzbl %ah, %esi
    \table movl, 3, %rbp, %eax
    \table xorl, 0, %r11, %eax
    movzbq %bl, %r11
    movzbl %bh, %ebp
    \table xorl, 1, %rbp, %eax
    shrl $16, %ebx
    movzbq %bl, %rbp
    \table xorl, 2, %rbp, %edx
    movzbl %bh, %ebp
    \table movl, 2, %r10, %ebx
    \table xorl, 3, %rsi, %ebx
    \table xorl, 0, %r11, %ebx
    movzbq %cl, %r10
    movzbl %ch, %esi
    \table xorl, 1, %rsi, %ebx
    shrl $16, %ecx
    movzbq %cl, %rsi
    \table xorl, 2, %rsi, %eax
    movzbl %ch, %ecx
    \table xorl, 3, %rcx, %edx
    \table movl, 1, %rdi, %ecx
    \table xorl, 2, %r12, %ecx
    \table xorl, 3, %rbp, %ecx
    \table xorl, 0, %r10, %ecx
    xorl KEY(\number, 0), %eax
    xorl KEY(\number, 1), %ebx
    xorl KEY(\number, 2), %ecx
    xorl KEY(\number, 3), %edx
    place \name\()_after_\number
    .endm

#include "x86_frame.inc"

/* A kernel: its rounds, its table, and how its last round takes it. */
    .macro DESIGN name, table_symbol, round, bytes, table, last
    ENTER \name, \table_symbol
    mov %rdi, %r8
    movq %rsi, out
    mov %rdx, in
    movq %rcx, left
    lea \table_symbol(%rip), base
    .ifc \last, TABLE_4K_LAST
    external runnel_aes_last_columns
    lea runnel_aes_last_columns(%rip), last_base
    .endif
    .balign 32
.Lblock_\name:
    movl (in), %eax
    movl 4(in), %ebx
    movl 8(in), %ecx
    movl 12(in), %edx
    xorl KEY(0, 0), %eax
    xorl KEY(0, 1), %ebx
    xorl KEY(0, 2), %ecx
    xorl KEY(0, 3), %edx
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9
    \round \name, \number, \bytes, \table
    .endr
    \round \name, 10, \bytes, \last
    movq out, %rsi
    movl %eax, (%rsi)
    movl %ebx, 4(%rsi)
    movl %ecx, 8(%rsi)
    movl %edx, 12(%rsi)
    add $16, in
    add $16, %rsi
    movq %rsi, out
    NEXT_BLOCK_OR_LEAVE \name
    .endm

#define DOUBLED runnel_aes_doubled_encryption
#define FOUR runnel_aes_ttable_encryption

    DESIGN runnel_aes_x86_shift_mask_encrypt, DOUBLED, APART, SHIFT_AND_MASK, TABLE_2K, TABLE_2K_MASKED
    DESIGN runnel_aes_x86_scaled_index_encrypt, DOUBLED, APART, SCALED_INDEX, TABLE_2K, TABLE_2K_MASKED
    DESIGN runnel_aes_x86_byte_loads_encrypt, DOUBLED, APART, BYTE_LOADS, TABLE_2K, TABLE_2K_MASKED
    DESIGN runnel_aes_x86_second_byte_encrypt, DOUBLED, APART, SECOND_BYTE, TABLE_2K, TABLE_2K_MASKED
    DESIGN runnel_aes_x86_in_place_encrypt, DOUBLED, IN_PLACE, SECOND_BYTE, TABLE_2K, TABLE_2K_MASKED
    DESIGN runnel_aes_x86_4k_encrypt, FOUR, APART, SECOND_BYTE, TABLE_4K, TABLE_4K_MASKED
    DESIGN runnel_aes_x86_4k_4k_encrypt, FOUR, APART, SECOND_BYTE, TABLE_4K, TABLE_4K_LAST
#endif
