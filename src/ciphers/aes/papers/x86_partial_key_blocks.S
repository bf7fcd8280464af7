/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128 by table look-ups with most of the round keys kept out of memory, for cores limited by loads. After Jung,
 * Park: High Speed AES Implementation on 64 bits Processors, 2008, for the Core 2.
 *
 * ROUND is appendix 1 of the paper: its 44 instructions in its order and registers, 207 bytes. Words 1 to 3 of a round
 * key are XORs of the word before and the same word of the round key before, so that three registers carry them along and
 * only word 0 of each round is read: 14 round-key words a block instead of 44. With four loads and four stores of text
 * and 160 look-ups that makes 182 accesses; nothing is spilled to memory, only to vector registers.
 *
 * The paper prints the encryption's round; decryption is the same code around another recurrence, for the schedule
 * backwards. Its keys are under InvMixColumns except for the first and the last, so that six more words are read: 188
 * accesses.
 *
 * One table of 256 entries of eight bytes, a column twice, stands for four: 32 bits from byte 0, 3, 2 or 1 of an entry
 * on are the column for row 0, 1, 2 or 3. The paper's instructions have the table's absolute address in them. So has this
 * code in programs at fixed addresses; position-independent code needs a register for it, %r9: word 0 of the round key
 * moves from there to %rsi, which is free at the end of a round, and four instructions with it.
 *
 * void NAME(const uint64_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks); nblocks > 0. Each word of a key has
 * eight bytes, as the paper's movq reads them. For encryption they are the four words of round key 0 and word 0 of round
 * keys 1 to 10; for decryption, in the order of its rounds, the four words of the first and of the second, word 0 of the
 * third to the tenth, the four words of the last. */
#include "arch/x86/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

#define KEY(n) 8 * (n)(%r8)
#define in %xmm0
#define out %xmm1
#define left %xmm2
#define spare %rdi /* of x86_frame.inc */

#if defined(__PIC__) || defined(__PIE__)
#define FIXED_ADDRESSES 0
#define ENTRY(byte, index) \table + byte(%r9, index, 8)
#define rkA %rsi
#else
#define FIXED_ADDRESSES 1
#define ENTRY(byte, index) \tables + \table + byte(, index, 8)
#define rkA %r9
#endif

/* 32 bits of an entry, for each row; the paper's table0 to table3. */
#define ROW0(index) ENTRY(0, index)
#define ROW1(index) ENTRY(3, index)
#define ROW2(index) ENTRY(2, index)
#define ROW3(index) ENTRY(1, index)

/* An instruction of the key's recurrence where the paper has it; see the top. */
    .macro AS_PRINTED step, key
    .if FIXED_ADDRESSES
    \step \key
    .endif
    .endm

/* One round. keying is FORWARD, BACKWARD or LAST_BACKWARD, key where its words are, table 0 or LAST_TABLE. */
    .macro ROUND name, tables, number, keying, key, table=0
    place \name\()_round_\number /* lab/targets/host counts what is between the two places */
    movzbl %dl, %esi
    movzbl %dh, %edi
    shr $16, %edx
    movzbl %dl, %r13d
    movzbl %dh, %ebp
    movl ROW0(%rsi), %edx
    movzbl %al, %r14d
    movzbl %ah, %esi
    xorl ROW1(%rsi), %edx
    shr $16, %eax
    movzbl %al, %r15d
    movzbl %ah, %esi
    movl ROW3(%rbp), %eax
    AS_PRINTED \keying\()_A, \key
    xorl ROW0(%r14), %eax
    movzbl %bl, %r14d
    movzbl %bh, %ebp
    xorl ROW1(%rbp), %eax
    shr $16, %ebx
    movzbl %bl, %ebp
    xorl ROW2(%rbp), %edx
    movzbl %bh, %ebp
    movl ROW2(%r13), %ebx
    AS_PRINTED \keying\()_B, \key
    xorl ROW3(%rsi), %ebx
    AS_PRINTED \keying\()_C, \key
    xorl ROW0(%r14), %ebx
    movzbl %cl, %r13d
    movzbl %ch, %esi
    xorl ROW1(%rsi), %ebx
    shr $16, %ecx
    movzbl %cl, %esi
    xorl ROW2(%rsi), %eax
    movzbl %ch, %ecx
    xorl ROW3(%rcx), %edx
    .if !FIXED_ADDRESSES
    \keying\()_A \key
    \keying\()_B \key
    \keying\()_C \key
    .endif
    \keying\()_D \key
    movl ROW1(%rdi), %ecx
    xorq rkA, %rax
    xorl ROW2(%r15), %ecx
    xorq %r10, %rbx
    xorl ROW3(%rbp), %ecx
    xorq %r11, %rcx
    xorl ROW0(%r13), %ecx
    xorq %r12, %rdx
    \keying\()_AFTER
    place \name\()_after_\number
    .endm

/* The round key from the one before: rkA is read, rkB ^= rkA, rkC ^= rkB, rkD ^= rkC. */
    .macro FORWARD_A key
    movq KEY(\key), rkA
    .endm
    .macro FORWARD_B key
    xorq rkA, %r10
    .endm
    .macro FORWARD_C key
    xorq %r10, %r11
    .endm
    .macro FORWARD_D key
    xorq %r11, %r12
    .endm
    .macro FORWARD_AFTER
    .endm

/* Columns 1 and 3, and their keys, are swapped: InvShiftRows is ShiftRows then. After its use each word becomes that of
 * the next round: rkD ^= rkC, rkC ^= rkB, rkB ^= rkA, where rkD is in %r10 and rkB in %r12. */
    .macro BACKWARD_A key
    movq KEY(\key), rkA
    .endm
    .macro BACKWARD_B key
    .endm
    .macro BACKWARD_C key
    .endm
    .macro BACKWARD_D key
    .endm
    .macro BACKWARD_AFTER
    xorq %r11, %r10
    xorq %r12, %r11
    xorq rkA, %r12
    .endm

    .macro LAST_BACKWARD_A key
    movq KEY(\key), rkA
    .endm
    .macro LAST_BACKWARD_B key
    movq KEY(\key + 3), %r10
    .endm
    .macro LAST_BACKWARD_C key
    movq KEY(\key + 2), %r11
    .endm
    .macro LAST_BACKWARD_D key
    movq KEY(\key + 1), %r12
    .endm
    .macro LAST_BACKWARD_AFTER
    .endm

/* After the other rounds' table; it has each byte of the S-box alone. */
#define LAST_TABLE 2048

#include "x86_frame.inc"

/* From here to END_BLOCKS: the rounds of one block. */
    .macro BEGIN_BLOCKS name, tables, b_column, d_column
    ENTER \name, \tables
    mov %rdi, %r8
    movq %rsi, out
    movq %rdx, in
    movq %rcx, left
    .if !FIXED_ADDRESSES
    lea \tables(%rip), %r9
    .endif
    .balign 32
.Lblock_\name:
    movq in, %rsi
    movl (%rsi), %eax
    movl 4 * \b_column(%rsi), %ebx
    movl 8(%rsi), %ecx
    movl 4 * \d_column(%rsi), %edx
    add $16, %rsi
    movq %rsi, in
    .endm

    .macro END_BLOCKS name, b_column, d_column
    movq out, %rsi
    movl %eax, (%rsi)
    movl %ebx, 4 * \b_column(%rsi)
    movl %ecx, 8(%rsi)
    movl %edx, 4 * \d_column(%rsi)
    add $16, %rsi
    movq %rsi, out
    NEXT_BLOCK_OR_LEAVE \name
    .endm

#define ENCRYPT runnel_aes_x86_partial_key_encrypt
#define DECRYPT runnel_aes_x86_partial_key_decrypt

    BEGIN_BLOCKS ENCRYPT, runnel_aes_doubled_encryption, 1, 3
    movq KEY(1), %r10
    movq KEY(2), %r11
    movq KEY(3), %r12
    xorq KEY(0), %rax
    xorq %r10, %rbx
    xorq %r11, %rcx
    xorq %r12, %rdx
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ROUND ENCRYPT, runnel_aes_doubled_encryption, \number, FORWARD, 3+\number
    .endr
    ROUND ENCRYPT, runnel_aes_doubled_encryption, 10, FORWARD, 13, LAST_TABLE
    END_BLOCKS ENCRYPT, 1, 3

    BEGIN_BLOCKS DECRYPT, runnel_aes_doubled_decryption, 3, 1
    movq KEY(7), %r10
    movq KEY(6), %r11
    movq KEY(5), %r12
    xorq KEY(0), %rax
    xorq KEY(3), %rbx
    xorq KEY(2), %rcx
    xorq KEY(1), %rdx
    ROUND DECRYPT, runnel_aes_doubled_decryption, 1, BACKWARD, 4
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9
    ROUND DECRYPT, runnel_aes_doubled_decryption, \number, BACKWARD, 6+\number
    .endr
    ROUND DECRYPT, runnel_aes_doubled_decryption, 10, LAST_BACKWARD, 16, LAST_TABLE
    END_BLOCKS DECRYPT, 3, 1
#endif
