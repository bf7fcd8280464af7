/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128 by table look-ups in short instructions, for cores that decode a fixed number of bytes a cycle. After Jung,
 * Park: High Speed AES Implementation on 64 bits Processors, 2008, for the Athlon 64: 44 instructions a round, none
 * longer than five bytes, and no three loads in a row.
 *
 * One table of 256 entries of eight bytes, a column twice, stands for four: 32 bits from byte 0, 3, 2 or 1 of an entry
 * on are the column for row 0, 1, 2 or 3. Its address is in a register, and the round-key pointer points into the
 * middle of the keys, so that every displacement has one byte. The entry's own address has none, which makes a round
 * four bytes shorter than the paper's.
 *
 * Decryption is the same code with columns 1 and 3 swapped, for which InvShiftRows is ShiftRows.
 *
 * void NAME(const uint32_t keys[44], uint8_t *out, const uint8_t *in, size_t nblocks); nblocks > 0. Four loads and
 * four stores of text, 160 look-ups and 44 round-key words a block; nothing is spilled. */
#include "arch/x86/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

/* Words of the state: their bytes have names. Columns of the next: y. */
#define a %eax
#define a_0 %al
#define a_1 %ah
#define b %ebx
#define b_0 %bl
#define b_1 %bh
#define c %ecx
#define c_0 %cl
#define c_1 %ch
#define d %edx
#define d_0 %dl
#define d_1 %dh
#define ya %r10d
#define yb %r11d
#define yc %r12d
#define yd %r13d

/* A second byte cannot be moved to the upper eight registers. */
#define i %edi
#define i_64 %rdi
#define j %esi
#define j_64 %rsi
#define k %ebp
#define k_64 %rbp

#define table %r8
#define keys %r9
#define in %r14
#define out %r15
#define left %xmm0

#define KEY(round, column) (16 * (round) + 4 * (column) - 128)(keys)

/* The table of the last round follows; it has each byte of the S-box alone. */
#define LAST_ROWS 2051, 2050, 2049, 2048

/* b_column and d_column are 1 and 3, or 3 and 1; row0 to row3 where the table has each row's columns. */
    .macro ROUND name, number, b_column, d_column, row0=0, row1=3, row2=2, row3=1
    place \name\()_round_\number /* lab/targets/host counts the bytes from one to the next */
    movzbl a_0, i
    mov \row0(table, i_64, 8), ya
    movzbl b_0, j
    mov \row0(table, j_64, 8), yb
    movzbl c_0, i
    mov \row0(table, i_64, 8), yc
    movzbl d_0, j
    mov \row0(table, j_64, 8), yd
    movzbl a_1, k
    xor \row1(table, k_64, 8), yd
    movzbl b_1, i
    xor \row1(table, i_64, 8), ya
    movzbl c_1, j
    xor \row1(table, j_64, 8), yb
    movzbl d_1, k
    xor \row1(table, k_64, 8), yc
    shr $16, a
    shr $16, b
    shr $16, c
    shr $16, d
    movzbl a_0, i
    xor \row2(table, i_64, 8), yc
    movzbl b_0, j
    xor \row2(table, j_64, 8), yd
    movzbl c_0, i
    xor \row2(table, i_64, 8), ya
    movzbl d_0, j
    xor \row2(table, j_64, 8), yb
    movzbl d_1, i
    movzbl a_1, j
    movzbl b_1, k
    mov KEY(\number, 0), a
    xor ya, a
    xor \row3(table, i_64, 8), a
    movzbl c_1, i
    mov KEY(\number, \b_column), b
    xor yb, b
    xor \row3(table, j_64, 8), b
    mov KEY(\number, 2), c
    xor yc, c
    xor \row3(table, k_64, 8), c
    mov KEY(\number, \d_column), d
    xor yd, d
    xor \row3(table, i_64, 8), d
    .endm

#include "x86_frame.inc"

    .macro BLOCKS name, tables, b_column, d_column
    ENTER \name, \tables
    lea 128(%rdi), keys
    mov %rsi, out
    mov %rdx, in
    movq %rcx, left
    lea \tables(%rip), table
    .balign 32
.Lblock_\name:
    mov (in), a
    mov 4 * \b_column(in), b
    mov 8(in), c
    mov 4 * \d_column(in), d
    xor KEY(0, 0), a
    xor KEY(0, \b_column), b
    xor KEY(0, 2), c
    xor KEY(0, \d_column), d
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ROUND \name, \number, \b_column, \d_column
    .endr
    ROUND \name, 10, \b_column, \d_column, LAST_ROWS
    mov a, (out)
    mov b, 4 * \b_column(out)
    mov c, 8(out)
    mov d, 4 * \d_column(out)
    add $16, in
    add $16, out
    NEXT_BLOCK_OR_LEAVE \name
    .endm

    BLOCKS runnel_aes_x86_short_code_encrypt, runnel_aes_doubled_encryption, 1, 3
    BLOCKS runnel_aes_x86_short_code_decrypt, runnel_aes_doubled_decryption, 3, 1
#endif
