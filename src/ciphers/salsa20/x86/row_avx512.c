/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arch/x86/target.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl")
#define VECTOR_AVX512
#include "arch/x86/blocks_128.h"
#include "row.h"

TARGET void runnel_salsa20_avx512_xor_row(const runnel_salsa20_state *s, uint64_t index, uint8_t *out,
                                          const uint8_t *in, size_t nblocks, uint8_t *leftover)
{
    salsa20_xor_row_beside(s, index, out, in, nblocks, leftover, 0);
}

#endif
