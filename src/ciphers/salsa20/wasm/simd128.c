/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 in WebAssembly: the blocks of four_blocks.h. A rotation is three instructions. */
#include "arch/wasm/words.h"
#include "ciphers/salsa20/kernels.h"

#if RUNNEL_WASM_SIMD128

#include "ciphers/salsa20/four_blocks.h"

const runnel_kernel runnel_salsa20_wasm_simd128 = {
    .name = RUNNEL_TEXT("wasm-simd128"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Bernstein's diagonals for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key,
    .stream = {.iv = runnel_salsa20_set_iv, .xor_blocks = salsa20_xor_blocks},
};

#endif
