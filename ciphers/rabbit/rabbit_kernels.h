/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Rabbit, each in the file of its name, and what they share. */
#ifndef RUNNEL_RABBIT_KERNELS_H
#define RUNNEL_RABBIT_KERNELS_H

#include "../../core/kernel.h"
#include "rabbit.h"

enum { RABBIT_BLOCK = 16 };

/* The counter constants a1:a0, a3:a2, a5:a4, a7:a6. */
#define RABBIT_A0 0xd34d34d34d34d34du
#define RABBIT_A1 0x4d34d34d34d34d34u
#define RABBIT_A2 0x34d34d34d34d34d3u
#define RABBIT_A3 0xd34d34d34d34d34du

/* Key and IV set-up of the portable kernel, with x in its order: x0 … x7. */
void runnel_rabbit_set_key(void *states, const uint8_t *key, size_t key_bytes);
void runnel_rabbit_set_iv(void *states, const uint8_t *iv, size_t iv_bytes);

#endif
