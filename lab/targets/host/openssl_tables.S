/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Single blocks by the full-table routines of OpenSSL's aes-x86_64, which the newer AES_encrypt leaves to CBC: its code
 * is included as its script prints it (see openssl_tables.py), and called as its own functions do. The state is in %eax
 * to %edx, the table in %r14, the round keys in %r15.
 *
 * void NAME(const uint8_t *in, uint8_t *out, const AES_KEY *key); */
    .include "aes-x86_64.s"

    .comm OPENSSL_ia32cap_P, 16, 4

    .text
    .macro SINGLE name, table, routine
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .irp register, %rbx, %rbp, %r12, %r13, %r14, %r15, %rsi
    push \register
    .endr
    mov %rdx, %r15
    mov (%rdi), %eax
    mov 4(%rdi), %ebx
    mov 8(%rdi), %ecx
    mov 12(%rdi), %edx
    lea \table(%rip), %r14
    call \routine
    pop %rsi
    mov %eax, (%rsi)
    mov %ebx, 4(%rsi)
    mov %ecx, 8(%rsi)
    mov %edx, 12(%rsi)
    .irp register, %r15, %r14, %r13, %r12, %rbp, %rbx
    pop \register
    .endr
    ret
    .size \name, . - \name
    .endm

    SINGLE lab_openssl_full_encrypt, .LAES_Te, _x86_64_AES_encrypt
    SINGLE lab_openssl_full_decrypt, .LAES_Td, _x86_64_AES_decrypt

    .section .note.GNU-stack, "", @progbits
