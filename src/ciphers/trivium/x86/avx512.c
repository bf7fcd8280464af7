/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Trivium in vectors, where compilers have ternary logic for what the registers give each other. */
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,avx2")

#include "vectors.h"

const runnel_kernel runnel_trivium_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("own: the three registers in the elements of a vector, ternary logic"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX512,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_trivium_set_key,
    .stream = {.iv = trivium_set_iv, .xor_blocks = trivium_xor_blocks},
    RUNNEL_BATCH_ON_X86_64(runnel_trivium_batch_avx2)};

#endif
