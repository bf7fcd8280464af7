/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "core/describe.h"
#include "aes.h"

/* LLVM 19 cannot select instructions for it ("do not know how to split this operator's operand"). */
#define RUNNEL_AES_ARMV7_NEON_NAME "Armv7-A"
#if RUNNEL_ARMV7_NEON && !defined(__clang__)
#define RUNNEL_AES_ARMV7_NEON 1
#else
#define RUNNEL_AES_ARMV7_NEON 0
#endif

/* The ciphers in counter mode, by the length of their keys; ends with NULL. */
extern runnel_cipher_list runnel_aes_ctr_family;

#define KERNEL(on, name) extern const runnel_kernel runnel_aes_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
