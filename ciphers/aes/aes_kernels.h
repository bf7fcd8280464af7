/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of AES, each in the file of its name. */
#ifndef RUNNEL_AES_KERNELS_H
#define RUNNEL_AES_KERNELS_H

#include "../../core/kernel.h"
#include "aes.h"

extern const runnel_kernel runnel_aes_portable;
extern const runnel_kernel runnel_aes_x86_aesni;
extern const runnel_kernel runnel_aes_x86_vaes;
extern const runnel_kernel runnel_aes_x86_vaes512;

#endif
