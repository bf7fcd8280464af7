/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128 by table look-ups in short instructions, for cores that decode a fixed number of bytes a cycle. After Jung,
 * Park: High Speed AES Implementation on 64 bits Processors, 2008, for the Athlon 64.
 *
 * ROUND is appendix 2 of the paper: its 44 instructions in its order and registers, 168 bytes, none longer than five and
 * no three loads in a row.
 *
 * One table of 256 entries of eight bytes, a column twice, stands for four: 32 bits from byte 0, 3, 2 or 1 of an entry
 * on are the column for row 0, 1, 2 or 3. Its address is in a register. Every displacement has one byte, as in the paper:
 * the table's because the register points four bytes before it, the round keys' because their pointer is moved once, and
 * those of the table of the last round because the table's register is moved too.
 *
 * Decryption is the same code with columns 1 and 3 swapped, for which InvShiftRows is ShiftRows.
 *
 * void NAME(const uint32_t keys[44], uint8_t *out, const uint8_t *in, size_t nblocks); nblocks > 0. Four loads and
 * four stores of text, 160 look-ups and 44 round-key words a block; nothing is spilled. */
#include "arch/x86/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

#define in %r14
#define out %r15
#define left %xmm0
#define spare %rdi /* of x86_frame.inc */

/* 32 bits of an entry, for each row; the paper's table0 to table3. */
#define ROW0(index) 4(%r9, index, 8)
#define ROW1(index) 7(%r9, index, 8)
#define ROW2(index) 6(%r9, index, 8)
#define ROW3(index) 5(%r9, index, 8)
#define TO_LAST_TABLE 2048

/* rkA to rkD: where the words of the round key are, of columns 0 to 3 (for decryption 0, 3, 2, 1). */
    .macro ROUND name, number, rkA, rkB, rkC, rkD
    place \name\()_round_\number /* lab/targets/host counts what is between the two places */
    movzbl %al, %edi
    movl ROW0(%rdi), %r10d
    movzbl %bl, %edi
    movl ROW0(%rdi), %r11d
    movzbl %cl, %edi
    movl ROW0(%rdi), %r12d
    movzbl %dl, %edi
    movl ROW0(%rdi), %r13d
    movzbl %ah, %edi
    xorl ROW1(%rdi), %r13d
    movzbl %bh, %edi
    xorl ROW1(%rdi), %r10d
    movzbl %ch, %edi
    xorl ROW1(%rdi), %r11d
    movzbl %dh, %edi
    xorl ROW1(%rdi), %r12d
    shr $16, %edx
    shr $16, %ebx
    shr $16, %ecx
    shr $16, %eax
    movzbl %al, %edi
    xorl ROW2(%rdi), %r12d
    movzbl %bl, %edi
    xorl ROW2(%rdi), %r13d
    movzbl %cl, %edi
    xorl ROW2(%rdi), %r10d
    movzbl %dl, %edi
    xorl ROW2(%rdi), %r11d
    movzbl %ah, %edi
    xorl ROW3(%rdi), %r11d
    movzbl %bh, %edi
    xorl ROW3(%rdi), %r12d
    movzbl %ch, %edi
    xorl ROW3(%rdi), %r13d
    movzbl %dh, %edi
    xorl ROW3(%rdi), %r10d
    movl \rkA(%r8), %eax
    movl \rkB(%r8), %ebx
    xorq %r10, %rax
    xorq %r11, %rbx
    movl \rkC(%r8), %ecx
    movl \rkD(%r8), %edx
    xorq %r12, %rcx
    xorq %r13, %rdx
    place \name\()_after_\number
    .endm

/* moved: how many round keys the pointer has been moved on. */
    .macro ROUND_AT name, number, moved, b_column, d_column
    ROUND \name, \number, 16*(\number-\moved), 16*(\number-\moved)+4*\b_column, 16*(\number-\moved)+8, 16*(\number-\moved)+4*\d_column
    .endm

#include "x86_frame.inc"

    .macro BLOCKS name, tables, b_column, d_column
    ENTER \name, \tables
    mov %rdi, %r8
    mov %rsi, out
    mov %rdx, in
    movq %rcx, left
    lea \tables-4(%rip), %r9
    .balign 32
.Lblock_\name:
    movl (in), %eax
    movl 4 * \b_column(in), %ebx
    movl 8(in), %ecx
    movl 4 * \d_column(in), %edx
    xorl (%r8), %eax
    xorl 4 * \b_column(%r8), %ebx
    xorl 8(%r8), %ecx
    xorl 4 * \d_column(%r8), %edx
    .irp number, 1, 2, 3, 4, 5, 6, 7
    ROUND_AT \name, \number, 0, \b_column, \d_column
    .endr
    add $16 * 7, %r8 /* before displacements come to 0x80 */
    .irp number, 8, 9
    ROUND_AT \name, \number, 7, \b_column, \d_column
    .endr
    add $TO_LAST_TABLE, %r9
    ROUND_AT \name, 10, 7, \b_column, \d_column
    sub $TO_LAST_TABLE, %r9
    sub $16 * 7, %r8
    movl %eax, (out)
    movl %ebx, 4 * \b_column(out)
    movl %ecx, 8(out)
    movl %edx, 4 * \d_column(out)
    add $16, in
    add $16, out
    NEXT_BLOCK_OR_LEAVE \name
    .endm

    BLOCKS runnel_aes_x86_short_code_encrypt, runnel_aes_doubled_encryption, 1, 3
    BLOCKS runnel_aes_x86_short_code_decrypt, runnel_aes_doubled_decryption, 3, 1
#endif
