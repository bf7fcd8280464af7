/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A file of gpu/runnel_gpu/cuda as a library for this processor: PROGRAM names it. */
#include <stdint.h>

uint32_t block_index, block_count = 1;

#include PROGRAM
