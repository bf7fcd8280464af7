/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in WebAssembly: the bit planes of planes_128.h. Engines turn i8x16.swizzle into one instruction or two, and keep
 * some of the S-box's values on their stack where the processor has 16 registers. */
#include "arch/common/bytes.h"
#include "ciphers/aes/expand.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_WASM_SIMD128
#include <wasm_simd128.h>

typedef uint64_t aes_plane __attribute__((vector_size(16)));

#define PLANE aes_plane
#define PLANE_OF(word) ((aes_plane)wasm_u64x2_splat(word))
#define PLANES_INLINE RUNNEL_INLINE
#define RUNNEL_AES_SIZES_planes RUNNEL_AES_SIZES_wasm_simd128
#define TRANSPOSE_BITS PLANES_INLINE void aes_transpose
#include "arch/common/aes_sub_bytes.h"
#include "arch/common/transpose.h"

#define plane_load(p) ((aes_plane)wasm_v128_load(p))
#define plane_store(p, x) wasm_v128_store(p, (v128_t)(x))
#define plane_permute(x, from) ((aes_plane)wasm_i8x16_swizzle((v128_t)(x), (v128_t)(from)))
#define plane_of_byte(byte) ((aes_plane)wasm_u8x16_splat(byte))
#define plane_of_byte_at(byte, n) ((aes_plane)wasm_u8x16_replace_lane(wasm_u8x16_splat(0), n, byte))
#define plane_with_word_at(x, word, n) ((aes_plane)wasm_u32x4_replace_lane((v128_t)(x), n, word))

PLANES_INLINE aes_plane aes_plane_of_bit(aes_plane x, int i)
{
    const aes_plane bit = x & plane_of_byte((uint8_t)(1 << i));
    return (aes_plane)wasm_i8x16_ne((v128_t)bit, wasm_u8x16_splat(0));
}

static uint32_t aes_sub_word(uint32_t w, uint32_t *scratch)
{
    const aes_plane x = (aes_plane)wasm_u32x4_splat(w);
    aes_plane q[8], sum = plane_of_byte(NOTS);
    (void)scratch;
    UNROLLED
    for (int i = 0; i < 8; i++)
        q[i] = aes_plane_of_bit(x, i);
    aes_sub_bytes_without_nots(q);
    UNROLLED
    for (int i = 0; i < 8; i++)
        sum ^= q[i] & plane_of_byte((uint8_t)(1 << i));
    return wasm_u32x4_extract_lane((v128_t)sum, 0);
}

static void aes_expand_round_keys(uint8_t (*keys)[16], const uint8_t *key, size_t key_bytes)
{
    uint32_t w[60];
    const unsigned rounds = aes_expand_key(w, key, key_bytes, aes_sub_word, NULL);
    memcpy(keys, w, 16 * (rounds + 1));
    runnel_wipe(w, sizeof w);
}

#include "ciphers/aes/planes_128.h"

const runnel_kernel runnel_aes_wasm_simd128 = {
    .name = RUNNEL_TEXT("wasm-simd128"),
    .citation = RUNNEL_TEXT("Adomnicai, Peyrin (fixslicing), TCHES 2021/1, on 8 blocks; prefix caching after Park, Lee "
                            "(FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .prefix_used = aes_prefix_used,
              RUNNEL_DECRYPTION(aes_set_decrypt_key, aes_decrypt_blocks)},
};

#endif
