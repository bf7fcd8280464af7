/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The processors that kernels are made for, each 1 or 0, for C and for assembly. Every file of a kernel guards itself
 * with one of these, so that every file compiles on every target; the rows of kernels.inc do the same. What a guard stands
 * for is stated in words beside it, as <guard>_NAME, where a row has it. */
#ifndef RUNNEL_ARCH_H
#define RUNNEL_ARCH_H

#include <runnel/config.h>

#define RUNNEL_ANYWHERE 1
#define RUNNEL_ANYWHERE_NAME "any"
/* <runnel/config.h> has the guard. */
#define RUNNEL_HOSTED_NAME "any with an operating system"

#define RUNNEL_X86_64_NAME "x86-64"
#if defined(__x86_64__) && RUNNEL_HOSTED && !defined(RUNNEL_NO_X86)
#define RUNNEL_X86_64 1
#else
#define RUNNEL_X86_64 0
#endif

/* Kernels in assembly, which MSan cannot follow, and which take pointers and lengths of 64 bits, as x32 does not have them. */
#define RUNNEL_X86_64_ASSEMBLY_NAME "x86-64"
#if RUNNEL_X86_64 && defined(__ELF__) && !defined(__ILP32__)
#define RUNNEL_X86_64_ASSEMBLY 1
#else
#define RUNNEL_X86_64_ASSEMBLY 0
#endif
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#undef RUNNEL_X86_64_ASSEMBLY
#define RUNNEL_X86_64_ASSEMBLY 0
#endif
#endif

#define RUNNEL_AARCH64_NAME "AArch64"
#if defined(__aarch64__) && defined(__ELF__) && !defined(__AARCH64EB__) && !defined(__ILP32__) && RUNNEL_HOSTED
#define RUNNEL_AARCH64 1
#else
#define RUNNEL_AARCH64 0
#endif

/* 32-bit ARM with an operating system. */
#if defined(__arm__) && __ARM_ARCH >= 7 && RUNNEL_HOSTED
#define RUNNEL_ARMV7 1
#else
#define RUNNEL_ARMV7 0
#endif

/* The same with NEON's registers in the ABI; whether the CPU has NEON is found at run time. */
#define RUNNEL_ARMV7_NEON_NAME "Armv7-A"
#if RUNNEL_ARMV7 && defined(__ARM_FP) && !defined(__ARMEB__)
#define RUNNEL_ARMV7_NEON 1
#else
#define RUNNEL_ARMV7_NEON 0
#endif

/* Thumb-2: Cortex-M3 and later, and ARMv7-A, where it may be called from ARM code. */
#define RUNNEL_THUMB2_NAME "Thumb-2"
#if defined(__arm__) && __ARM_ARCH >= 7 && __ARM_ARCH_ISA_THUMB >= 2 && !defined(__ARMEB__)
#define RUNNEL_THUMB2 1
#else
#define RUNNEL_THUMB2 0
#endif

/* Thumb-1 on Cortex-M0, M0+ and M23: low registers, no second operand that shifts, no IT. */
#define RUNNEL_THUMB1_NAME "Thumb-1"
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH_ISA_THUMB == 1 && !defined(__ARMEB__)
#define RUNNEL_THUMB1 1
#else
#define RUNNEL_THUMB1 0
#endif

/* Thumb-2 with the DSP instructions (additions of the bytes of a word), which Cortex-M3 lacks. */
#define RUNNEL_THUMB2_DSP_NAME "Thumb-2 with DSP"
#if RUNNEL_THUMB2 && defined(__ARM_FEATURE_SIMD32)
#define RUNNEL_THUMB2_DSP 1
#else
#define RUNNEL_THUMB2_DSP 0
#endif

/* The same where C becomes Thumb-2 too, for assembly in C. */
#if RUNNEL_THUMB2_DSP && defined(__thumb2__)
#define RUNNEL_THUMB2_DSP_IN_C 1
#else
#define RUNNEL_THUMB2_DSP_IN_C 0
#endif

/* RISC-V with 32 registers: the embedded variants RV32E and RV64E, which have 16, run C alone. */
#define RUNNEL_RV32_NAME "RV32"
#if defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e) && !defined(__riscv_e)
#define RUNNEL_RV32 1
#else
#define RUNNEL_RV32 0
#endif

/* The same with multiplication. */
#define RUNNEL_RV32_MUL_NAME "RV32 with M"
#if RUNNEL_RV32 && defined(__riscv_mul)
#define RUNNEL_RV32_MUL 1
#else
#define RUNNEL_RV32_MUL 0
#endif

#if defined(__riscv) && __riscv_xlen == 64 && !defined(__riscv_64e) && !defined(__riscv_e)
#define RUNNEL_RV64 1
#else
#define RUNNEL_RV64 0
#endif

/* There is an instruction that multiplies. Where there is none, see arch/common/multiply.h. */
#if (defined(__AVR__) && !defined(__AVR_HAVE_MUL__)) || (defined(__riscv) && !defined(__riscv_mul))
#define RUNNEL_MULTIPLIES 0
#else
#define RUNNEL_MULTIPLIES 1
#endif

/* Scalar cryptography: rotations in one instruction (Zbkb; Zbb has them too), and the rounds of AES. */
#if defined(__riscv_zbkb) || defined(__riscv_zbb)
#define RUNNEL_RISCV_ROTATES 1
#else
#define RUNNEL_RISCV_ROTATES 0
#endif

#define RUNNEL_RV32_ZKNE_NAME "RV32 with Zkne"
#if RUNNEL_RV32 && defined(__riscv_zkne)
#define RUNNEL_RV32_ZKNE 1
#else
#define RUNNEL_RV32_ZKNE 0
#endif

#define RUNNEL_RV64_ZKNE_NAME "RV64 with Zkne"
#if RUNNEL_RV64 && defined(__riscv_zkne)
#define RUNNEL_RV64_ZKNE 1
#else
#define RUNNEL_RV64_ZKNE 0
#endif

#define RUNNEL_RV64_ZBKB_NAME "RV64 with Zbkb or Zbb"
#if RUNNEL_RV64 && RUNNEL_RISCV_ROTATES
#define RUNNEL_RV64_ZBKB 1
#else
#define RUNNEL_RV64_ZBKB 0
#endif

/* Where RV32's code for 32-bit words runs unchanged: RV64's word rotations ignore the upper halves of registers. */
#if RUNNEL_RV32 || RUNNEL_RV64_ZBKB
#define RUNNEL_RISCV_WORDS 1
#else
#define RUNNEL_RISCV_WORDS 0
#endif

/* Words of 32 bits with rotations of one instruction or none: 32-bit ARM, RV32 with Zbb. */
#define RUNNEL_ROTATES_32_NAME "32-bit, with rotations"
#if defined(__arm__) || (RUNNEL_RV32 && defined(__riscv_zbb))
#define RUNNEL_ROTATES_32 1
#else
#define RUNNEL_ROTATES_32 0
#endif

/* WebAssembly has no instructions to ask for: a module with vectors loads or does not. -msimd128 decides. */
#define RUNNEL_WASM_SIMD128_NAME "WebAssembly, with -msimd128"
#if defined(__wasm_simd128__) && RUNNEL_HOSTED
#define RUNNEL_WASM_SIMD128 1
#else
#define RUNNEL_WASM_SIMD128 0
#endif

/* AVR cores from the ATtiny of 2005 on: they copy pairs of registers, and load from flash into any register. Older ones
 * and reduced ones, which also have fewer registers, run C alone. */
#define RUNNEL_AVR_NAME "AVR"
#define RUNNEL_NOT_AVR_NAME "any but AVR"
#if defined(__AVR__) && defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__) && !defined(__AVR_TINY__)
#define RUNNEL_AVR 1
#define RUNNEL_NOT_AVR 0
#else
#define RUNNEL_AVR 0
#define RUNNEL_NOT_AVR 1
#endif

/* The same with a multiplier, which most ATtiny lack. */
#define RUNNEL_AVR_MUL_NAME "AVR with MUL"
#if RUNNEL_AVR && defined(__AVR_HAVE_MUL__)
#define RUNNEL_AVR_MUL 1
#else
#define RUNNEL_AVR_MUL 0
#endif

#endif
