/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20 in WebAssembly: the blocks of four_blocks.h. Rotations by 16 and 8 bits are one instruction, the others three. */
#include "arch/wasm/words.h"
#include "ciphers/chacha20/kernels.h"

#if RUNNEL_WASM_SIMD128

#include "ciphers/chacha20/four_blocks.h"

const runnel_kernel runnel_chacha20_wasm_simd128 = {
    .name = RUNNEL_TEXT("wasm-simd128"),
    .citation = RUNNEL_TEXT("four blocks in parallel; Goll, Gueron 2014 (rows) for fewer"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_chacha20_set_key,
    .stream = {.iv = runnel_chacha20_set_iv, .xor_blocks = chacha20_xor_blocks},
};

#endif
