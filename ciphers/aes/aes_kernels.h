/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "../../core/kernel.h"
#include "aes.h"

/* The context's parts as kernels see them: it may lie in memory from malloc, aligned to less than its own type asks. */
typedef runnel_aes_schedule aes_schedule __attribute__((aligned(8)));
typedef runnel_aes_prefix aes_prefix __attribute__((aligned(8)));

extern const runnel_kernel runnel_aes_portable;
extern const runnel_kernel runnel_aes_x86_aesni;
extern const runnel_kernel runnel_aes_x86_vaes;
extern const runnel_kernel runnel_aes_x86_vaes512;

#endif
