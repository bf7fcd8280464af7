/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the x86 kernels share besides aes_x86_ctr.h. */
#ifndef RUNNEL_AES_X86_H
#define RUNNEL_AES_X86_H

#include "aes_kernels.h"

/* Key set-up: round keys in keys.bytes. */
void runnel_aes_x86_key(void *state, const uint8_t *key, size_t key_bytes);

#endif
