/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The beginning of bare.c's program, as the ROM from which a PC starts: copies itself to RAM, where instructions can be put, and
 * turns on long mode and all vector registers. There are no interrupts: a fault stops the emulator. */
    .set ROM, 0xf0000
    .set RAM, 0x10000 /* where it is linked to */
    .set ROM_BYTES, 0x10000
    .set CODE_32, 8
    .set DATA, 16
    .set CODE_64, 24

    .section .reset, "ax" /* the last 16 bytes */
    .code16
    ljmp $ROM >> 4, $real - RAM
    .p2align 4, 0

    .text
real:
    cli
    lgdtl %cs:(descriptors_at - RAM)
    mov %cr0, %eax
    or $1, %al /* protected mode */
    mov %eax, %cr0
    ljmpl $CODE_32, $(protected - RAM + ROM)

    .code32
protected:
    mov $DATA, %eax
    mov %eax, %ds
    mov %eax, %es
    mov %eax, %ss
    mov $ROM, %esi
    mov $RAM, %edi
    mov $ROM_BYTES / 4, %ecx
    rep movsl
    ljmp $CODE_32, $copied
copied: /* the first 2 MB are where they are */
    movl $pointers + 3, root
    movl $directory + 3, pointers
    movl $0x83, directory
    mov $root, %eax
    mov %eax, %cr3
    mov $(1 << 18 | 1 << 10 | 1 << 9 | 1 << 5), %eax /* XSAVE, SSE, 64-bit page tables */
    mov %eax, %cr4
    mov $0xc0000080, %ecx
    rdmsr
    or $0x100, %eax /* long mode */
    wrmsr
    mov $(1 << 31 | 1 << 5 | 1 << 1 | 1), %eax /* paging */
    mov %eax, %cr0
    xor %ecx, %ecx
    xor %edx, %edx
    mov $0xe7, %eax /* SSE, AVX, masks, upper halves, 32 vectors */
    xsetbv
    ljmp $CODE_64, $long
    .code64
long:
    mov $stack_end, %esp
    call serve

    .p2align 3
descriptors:
    .quad 0, 0x00cf9a000000ffff, 0x00cf92000000ffff, 0x00af9a000000ffff
descriptors_at:
    .word descriptors_at - descriptors - 1
    .long descriptors - RAM + ROM

    .bss
    .p2align 12
root:
    .skip 4096
pointers:
    .skip 4096
directory:
    .skip 4096
    .skip 8192
stack_end:
    .section .note.GNU-stack, "", @progbits
