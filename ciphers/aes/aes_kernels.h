/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "../../core/kernel.h"
#include "aes.h"

/* The schedule as kernels see it: a context may lie in memory from malloc, aligned to less than its own type asks. */
#if RUNNEL_ALIGN < 8
typedef runnel_aes_schedule aes_schedule;
#else
typedef runnel_aes_schedule aes_schedule __attribute__((aligned(8)));
#endif

extern const runnel_kernel runnel_aes_portable;
extern const runnel_kernel runnel_aes_aesni;
extern const runnel_kernel runnel_aes_vaes;
extern const runnel_kernel runnel_aes_vaes512;
extern const runnel_kernel runnel_aes_aarch64_aes;
extern const runnel_kernel runnel_aes_ttable;
extern const runnel_kernel runnel_aes_ctr_c_1;
extern const runnel_kernel runnel_aes_ctr_c_2;
extern const runnel_kernel runnel_aes_ctr_c;

#endif
