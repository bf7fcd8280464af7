/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-128 by table look-ups with most of the round keys kept out of memory, for cores limited by loads. After Jung,
 * Park: High Speed AES Implementation on 64 bits Processors, 2008, for the Core 2.
 *
 * Words 1 to 3 of a round key are XORs of the word before and the same word of the round key before, so that three
 * registers carry them along and only word 0 of each round is read: 14 round-key words a block instead of 44. With
 * four loads and four stores of text and 160 look-ups that makes 182 accesses; nothing is spilled to memory, only to
 * vector registers. Decryption computes the schedule backwards, by XORs too. Its keys are under InvMixColumns except
 * for the first and the last, so that six more words are read: 188 accesses.
 *
 * One table of 256 entries of eight bytes, a column twice, stands for four: 32 bits from byte 0, 3, 2 or 1 of an entry
 * on are the column for row 0, 1, 2 or 3. The paper puts the table's absolute address into each instruction, which
 * frees a register; so does this code in programs at fixed addresses. Position-independent code has the address in
 * that register: a look-up takes five bytes there instead of eight.
 *
 * void NAME(const uint32_t *keys, uint8_t *out, const uint8_t *in, size_t nblocks); nblocks > 0. For encryption keys
 * are the four words of round key 0 and word 0 of round keys 1 to 10; for decryption, in the order of its rounds, the
 * four words of the first and of the second, word 0 of the third to the tenth, the four words of the last. */
#include "arch/x86/asm.h"

#if RUNNEL_X86_64_ASSEMBLY

/* Words of the state: their bytes have names. */
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

/* The round key; key_a is another name of a word that is free then. */
#define key_a %r13d
#define key_b %r9d
#define key_c %r10d
#define key_d %r11d

/* Extracted bytes; a second byte cannot be moved to the upper eight registers. */
#define h %esi
#define h_64 %rsi
#define i %edi
#define i_64 %rdi
#define j %ebp
#define j_64 %rbp
#define u %r13d
#define u_64 %r13
#define v %r14d
#define v_64 %r14
#define w %r15d
#define w_64 %r15

#define keys %r8
#define KEY(n) 4 * (n)(keys)
#define in %xmm0
#define out %xmm1
#define left %xmm2

#if defined(__PIC__) || defined(__PIE__)
#define ROW(byte, index) byte(%r12, index, 8)
#define NEEDS_ADDRESS 1
#else
#define ROW(byte, index) \tables + byte(, index, 8)
#define NEEDS_ADDRESS 0
#endif

/* One round. keying is FORWARD, BACKWARD or LAST_BACKWARD, key where its words are; row0 to row3 where the table has
 * each row's columns. */
    .macro ROUND name, tables, number, keying, key, row0=0, row1=3, row2=2, row3=1
    place \name\()_round_\number /* lab/targets/host counts the bytes from one to the next */
    movzbl d_0, u
    movzbl d_1, h
    shr $16, d
    movzbl d_0, v
    movzbl d_1, i
    mov ROW(\row0, u_64), d
    movzbl a_0, u
    movzbl a_1, j
    xor ROW(\row1, j_64), d
    shr $16, a
    movzbl a_0, w
    movzbl a_1, j
    mov ROW(\row3, i_64), a
    movzbl b_1, i
    xor ROW(\row0, u_64), a
    movzbl b_0, u
    xor ROW(\row1, i_64), a
    shr $16, b
    movzbl b_0, i
    xor ROW(\row2, i_64), d
    movzbl b_1, i
    mov ROW(\row2, v_64), b
    movzbl c_0, v
    xor ROW(\row3, j_64), b
    movzbl c_1, j
    xor ROW(\row0, u_64), b
    \keying\()_KEY \key
    shr $16, c
    xor ROW(\row1, j_64), b
    movzbl c_0, j
    xor ROW(\row2, j_64), a
    movzbl c_1, j
    mov ROW(\row1, h_64), c
    xor ROW(\row3, j_64), d
    xor ROW(\row2, w_64), c
    \keying\()_KEY_C \key
    xor ROW(\row3, i_64), c
    xor ROW(\row0, v_64), c
    .endm

/* The round key from the one before: rkA is read, rkB ^= rkA, rkC ^= rkB, rkD ^= rkC. */
    .macro FORWARD_KEY key
    mov KEY(\key), key_a
    xor key_a, key_b
    xor key_a, a
    xor key_b, key_c
    xor key_b, b
    xor key_c, key_d
    xor key_d, d
    .endm

    .macro FORWARD_KEY_C key
    xor key_c, c
    .endm

/* Columns 1 and 3, and their keys, are swapped: InvShiftRows is ShiftRows then. After its use each word becomes that
 * of the next round: rkD ^= rkC, rkC ^= rkB, rkB ^= rkA. */
    .macro BACKWARD_KEY key
    mov KEY(\key), key_a
    xor key_a, a
    xor key_b, b
    xor key_c, key_b
    xor key_d, d
    .endm

    .macro BACKWARD_KEY_C key
    xor key_c, c
    xor key_d, key_c
    xor key_a, key_d
    .endm

    .macro LAST_BACKWARD_KEY key
    xor KEY(\key), a
    xor KEY(\key + 3), b
    xor KEY(\key + 1), d
    .endm

    .macro LAST_BACKWARD_KEY_C key
    xor KEY(\key + 2), c
    .endm

/* The table of the last round follows; it has each byte of the S-box alone. */
#define LAST_ROWS 2051, 2050, 2049, 2048

#include "x86_frame.inc"

/* From here to END_BLOCKS: the rounds of one block. */
    .macro BEGIN_BLOCKS name, tables, b_column, d_column
    ENTER \name, \tables
    mov %rdi, keys
    movq %rsi, out
    movq %rdx, in
    movq %rcx, left
    .if NEEDS_ADDRESS
    lea \tables(%rip), %r12
    .endif
    .balign 32
.Lblock_\name:
    movq in, h_64
    mov (h_64), a
    mov 4 * \b_column(h_64), b
    mov 8(h_64), c
    mov 4 * \d_column(h_64), d
    add $16, h_64
    movq h_64, in
    .endm

    .macro END_BLOCKS name, b_column, d_column
    movq out, h_64
    mov a, (h_64)
    mov b, 4 * \b_column(h_64)
    mov c, 8(h_64)
    mov d, 4 * \d_column(h_64)
    add $16, h_64
    movq h_64, out
    NEXT_BLOCK_OR_LEAVE \name
    .endm

#define ENCRYPT runnel_aes_x86_partial_key_encrypt
#define DECRYPT runnel_aes_x86_partial_key_decrypt

    BEGIN_BLOCKS ENCRYPT, runnel_aes_doubled_encryption, 1, 3
    mov KEY(1), key_b
    mov KEY(2), key_c
    mov KEY(3), key_d
    xor KEY(0), a
    xor key_b, b
    xor key_c, c
    xor key_d, d
    .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ROUND ENCRYPT, runnel_aes_doubled_encryption, \number, FORWARD, 3+\number
    .endr
    ROUND ENCRYPT, runnel_aes_doubled_encryption, 10, FORWARD, 13, LAST_ROWS
    END_BLOCKS ENCRYPT, 1, 3

    BEGIN_BLOCKS DECRYPT, runnel_aes_doubled_decryption, 3, 1
    mov KEY(7), key_b
    mov KEY(6), key_c
    mov KEY(5), key_d
    xor KEY(0), a
    xor KEY(3), b
    xor KEY(2), c
    xor KEY(1), d
    ROUND DECRYPT, runnel_aes_doubled_decryption, 1, BACKWARD, 4
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9
    ROUND DECRYPT, runnel_aes_doubled_decryption, \number, BACKWARD, 6+\number
    .endr
    ROUND DECRYPT, runnel_aes_doubled_decryption, 10, LAST_BACKWARD, 16, LAST_ROWS
    END_BLOCKS DECRYPT, 3, 1
#endif
