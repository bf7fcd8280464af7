/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of LEA, each in the file of its name, and the key set-up in C that they may share. */
#ifndef RUNNEL_LEA_KERNELS_H
#define RUNNEL_LEA_KERNELS_H

#include "core/describe.h"
#include "lea.h"

/* The ciphers in counter mode, by the length of their keys; ends with NULL. */
extern runnel_cipher_list runnel_lea_ctr_family;

#define KERNEL(on, name) extern const runnel_kernel runnel_lea_##name;
#define PAPER KERNEL
#include "kernels.inc"

/* Key set-up in C: the schedule as lea.h describes it. */
void runnel_lea_set_key(void *state, const uint8_t *key, size_t key_bytes);

/* The same for Thumb-2. */
void runnel_lea_thumb2_key(void *state, const uint8_t *key, size_t key_bytes);

#endif
