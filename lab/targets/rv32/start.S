/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Start-up: the loader has placed .data and zeroed .bss, in the simulator as under qemu-riscv32. */
    .section .text.start, "ax", @progbits
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    call    main
#if defined(__riscv_32e) || defined(__riscv_e) /* see linux_channel.c */
    li      t0, 93              /* exit */
#else
    li      a7, 93
#endif
    ecall
