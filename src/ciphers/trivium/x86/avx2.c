/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium in vectors, with AVX2. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

#include "vectors.h"

const runnel_kernel runnel_trivium_avx2 = {.name = RUNNEL_TEXT("avx2"),
                                           .citation =
                                               RUNNEL_TEXT("own: the three registers in the elements of a vector"),
                                           .kind = RUNNEL_KIND_STREAM,
                                           .cpu = RUNNEL_CPU_AVX2,
                                           .timing = RUNNEL_CONSTANT_TIME,
                                           .key = runnel_trivium_set_key,
                                           .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
                                           RUNNEL_BATCH_ON_X86_64(runnel_trivium_batch_avx2)};

#endif
