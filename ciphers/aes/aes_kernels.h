/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "../../core/kernel.h"
#include "aes.h"

typedef runnel_aes_schedule aes_schedule;

/* Kernels in assembly, which MSan cannot follow. */
#if RUNNEL_X86_64 && defined(__ELF__)
#define RUNNEL_AES_X86_ASSEMBLY 1
#else
#define RUNNEL_AES_X86_ASSEMBLY 0
#endif
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#undef RUNNEL_AES_X86_ASSEMBLY
#define RUNNEL_AES_X86_ASSEMBLY 0
#endif
#endif

/* NEON on 32-bit ARM: not without its registers in the ABI, and not on big-endian machines. LLVM 19 cannot select
 * instructions for it ("do not know how to split this operator's operand"). */
#if RUNNEL_ARMV7 && defined(__ARM_FP) && !defined(__ARMEB__) && !defined(__clang__)
#define RUNNEL_AES_ARMV7_NEON 1
#else
#define RUNNEL_AES_ARMV7_NEON 0
#endif

extern const runnel_kernel runnel_aes_portable;
extern const runnel_kernel runnel_aes_avr_sram_512;
extern const runnel_kernel runnel_aes_avr_sram;
extern const runnel_kernel runnel_aes_avr_flash;
extern const runnel_kernel runnel_aes_avr_small;
extern const runnel_kernel runnel_aes_rv32_prefix;
extern const runnel_kernel runnel_aes_rv32_prefix8;
extern const runnel_kernel runnel_aes_rv32_fixslice_semi;
extern const runnel_kernel runnel_aes_rv32_fixslice_full;
extern const runnel_kernel runnel_aes_rv32_fixslice_semi_table;
extern const runnel_kernel runnel_aes_rv32_fixslice_full_table;
extern const runnel_kernel runnel_aes_rv32_ttable;
extern const runnel_kernel runnel_aes_rv32_small;
extern const runnel_kernel runnel_aes_aesni;
extern const runnel_kernel runnel_aes_vaes;
extern const runnel_kernel runnel_aes_vaes512;
extern const runnel_kernel runnel_aes_aarch64_aes;
extern const runnel_kernel runnel_aes_aarch64_neon;
extern const runnel_kernel runnel_aes_ttable;
extern const runnel_kernel runnel_aes_ctr_c_1;
extern const runnel_kernel runnel_aes_ctr_c_2;
extern const runnel_kernel runnel_aes_ctr_c;
extern const runnel_kernel runnel_aes_x86_partial_key;
extern const runnel_kernel runnel_aes_x86_short_code;
extern const runnel_kernel runnel_aes_armv7_neon;
extern const runnel_kernel runnel_aes_thumb2_fixslice;
extern const runnel_kernel runnel_aes_thumb2_table;
extern const runnel_kernel runnel_aes_thumb2_small;

#endif
