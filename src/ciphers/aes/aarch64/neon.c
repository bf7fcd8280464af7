/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on NEON without AES instructions: the bit planes of planes_128.h, which all stay in registers, including the
 * S-box's intermediate values. Bytes are permuted by TBL. */
#include "arch/common/aes_s_box.h"
#include "arch/common/bytes.h"
#include "ciphers/aes/kernels.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>

#define PLANE uint8x16_t
#define PLANES_INLINE RUNNEL_INLINE
#define RUNNEL_AES_SIZES_planes RUNNEL_AES_SIZES_aarch64_neon
#include "arch/common/aes_sub_bytes.h"

#define plane_load vld1q_u8
#define plane_store vst1q_u8
#define plane_permute vqtbl1q_u8
#define plane_of_byte vdupq_n_u8
#define aes_plane_of_bit(x, i) vtstq_u8(x, vdupq_n_u8((uint8_t)(1 << (i))))
#define plane_of_byte_at(byte, n) vsetq_lane_u8(byte, vdupq_n_u8(0), n)
#define plane_with_word_at(x, word, n) vreinterpretq_u8_u32(vsetq_lane_u32(word, vreinterpretq_u32_u8(x), n))

/* Exchanges the bits of *a that mask lacks with those of *b that it has, n places further right. */
#define SWAP_BITS(a, b, n, mask)                                                                                       \
    {                                                                                                                  \
        const uint8x16_t down = vshlq_n_u8(b, n), up = vshrq_n_u8(a, n);                                               \
        a = vbslq_u8(vdupq_n_u8(mask), a, down);                                                                       \
        b = vbslq_u8(vdupq_n_u8(mask), up, b);                                                                         \
    }

/* Transposes the 8 x 8 bits of each byte position: planes to blocks, and back. */
PLANES_INLINE void aes_transpose(uint8x16_t q[8])
{
    _Pragma("GCC unroll 4") for (int i = 0; i < 8; i += 2)
        SWAP_BITS(q[i], q[i + 1], 1, 0x55)
    _Pragma("GCC unroll 2") for (int i = 0; i < 8; i += 4) {
        SWAP_BITS(q[i], q[i + 2], 2, 0x33)
        SWAP_BITS(q[i + 1], q[i + 3], 2, 0x33)
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) {
        const uint8x16_t up = q[i];
        q[i] = vsliq_n_u8(q[i], q[i + 4], 4);
        q[i + 4] = vsriq_n_u8(q[i + 4], up, 4);
    }
}

#define BYTE(s) 0x##s,
static const RUNNEL_LINE_ALIGNED uint8_t aes_s_box[256] = {RUNNEL_AES_S_BOX(BYTE)};

#define TARGET

/* The whole table is looked up each time, in registers: constant time. */
static inline uint8x16_t aes_sub_words(uint8x16_t x)
{
    uint8x16_t y = vqtbl4q_u8(vld1q_u8_x4(aes_s_box), x);
    for (int i = 64; i < 256; i += 64) {
        x = vsubq_u8(x, vdupq_n_u8(64));
        y = vqtbx4q_u8(y, vld1q_u8_x4(aes_s_box + i), x);
    }
    return y;
}

#include "key.h"
#include "ciphers/aes/planes_128.h"

const runnel_kernel runnel_aes_aarch64_neon = {
    .name = RUNNEL_TEXT("aarch64-neon"),
    .citation = RUNNEL_TEXT("Adomnicai, Peyrin (fixslicing), TCHES 2021/1, on 8 blocks; prefix caching after Park, Lee "
                            "(FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_NEON,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .prefix_used = aes_prefix_used,
              RUNNEL_DECRYPTION(aes_set_decrypt_key, aes_decrypt_blocks)},
};

#endif
