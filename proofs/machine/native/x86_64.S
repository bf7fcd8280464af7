/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes one instruction of x86-64 on a state: all registers, masks, vectors and flags are loaded, the instruction that lies
 * in forms_slot runs, and all are stored. The state is addressed from the instruction pointer, so that no register is lost. On a
 * processor without AVX-512 the vectors are the low halves of the first sixteen, and the rest of the state stays as it is. */
    .text
    .globl forms_run, forms_slot
    .hidden forms_run, forms_slot, forms_state, forms_wide
    .p2align 12
forms_run:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    pushfq
    mov %rsp, saved(%rip)
    cmpb $0, forms_wide(%rip)
    je 1f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vmovdqu64 forms_state + 64 * \n(%rip), %zmm\n
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq forms_state + 2048 + 8 * \n(%rip), %k\n
    .endr
    jmp 2f
1:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovdqu forms_state + 64 * \n(%rip), %ymm\n
    .endr
2:
    pushq forms_state + 2240(%rip)
    popfq
    mov forms_state + 2112(%rip), %rax
    mov forms_state + 2120(%rip), %rcx
    mov forms_state + 2128(%rip), %rdx
    mov forms_state + 2136(%rip), %rbx
    mov forms_state + 2144(%rip), %rsp
    mov forms_state + 2152(%rip), %rbp
    mov forms_state + 2160(%rip), %rsi
    mov forms_state + 2168(%rip), %rdi
    mov forms_state + 2176(%rip), %r8
    mov forms_state + 2184(%rip), %r9
    mov forms_state + 2192(%rip), %r10
    mov forms_state + 2200(%rip), %r11
    mov forms_state + 2208(%rip), %r12
    mov forms_state + 2216(%rip), %r13
    mov forms_state + 2224(%rip), %r14
    mov forms_state + 2232(%rip), %r15
forms_slot:
    .fill 32, 1, 0x90
    mov %rax, forms_state + 2112(%rip)
    mov %rcx, forms_state + 2120(%rip)
    mov %rdx, forms_state + 2128(%rip)
    mov %rbx, forms_state + 2136(%rip)
    mov %rsp, forms_state + 2144(%rip)
    mov %rbp, forms_state + 2152(%rip)
    mov %rsi, forms_state + 2160(%rip)
    mov %rdi, forms_state + 2168(%rip)
    mov %r8, forms_state + 2176(%rip)
    mov %r9, forms_state + 2184(%rip)
    mov %r10, forms_state + 2192(%rip)
    mov %r11, forms_state + 2200(%rip)
    mov %r12, forms_state + 2208(%rip)
    mov %r13, forms_state + 2216(%rip)
    mov %r14, forms_state + 2224(%rip)
    mov %r15, forms_state + 2232(%rip)
    mov saved(%rip), %rsp
    pushfq
    popq forms_state + 2240(%rip)
    cmpb $0, forms_wide(%rip)
    je 1f
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    vmovdqu64 %zmm\n, forms_state + 64 * \n(%rip)
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    kmovq %k\n, forms_state + 2048 + 8 * \n(%rip)
    .endr
    jmp 2f
1:
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    vmovdqu %ymm\n, forms_state + 64 * \n(%rip)
    .endr
2:
    vzeroupper
    popfq
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret
    .p2align 12

    .bss
    .p2align 12
    .globl forms_state
saved:
    .skip 64
/* Vectors, masks, general registers, flags, and memory for operands. */
forms_state:
    .skip 4096 - 64
    .section .note.GNU-stack, "", @progbits
