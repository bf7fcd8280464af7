/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA with AVX-512 and GFNI: 64 blocks in slices of bytes; 32 on 256 bits, for which there is a third port; up to 16
 * with 4 in a register, where slices would be empty for the most part; one on 128 bits, the shortest chain. */
#include "arch/common/bytes.h"
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni,aes,vaes")
#define INLINE TARGET RUNNEL_INLINE
#define UNROLL RUNNEL_UNROLL

/* Headers are included for several widths: each of these names stands for one that ends in WIDTH, as that is where the
 * name is used. */
#define WIDE(name) WIDE_(name, WIDTH)
#define WIDE_(name, width) WIDE__(name, width)
#define WIDE__(name, width) name##width
#define aria_vec WIDE(aria_vec)
#define aria_vec_repeat WIDE(aria_vec_repeat)
#define aria_unaligned WIDE(aria_unaligned)
#define aria_rows_round WIDE(aria_rows_round)
#define aria_rows_last_round WIDE(aria_rows_last_round)
#define aria_rows_diffuse WIDE(aria_rows_diffuse)
#define aria_rows_key WIDE(aria_rows_key)
#define aria_two_taps WIDE(aria_two_taps)
#define aria_encrypt_rows WIDE(aria_encrypt_rows)
#define aria_transpose_part WIDE(aria_transpose_part)
#define aria_transpose_half WIDE(aria_transpose_half)
#define aria_slices_substitute WIDE(aria_slices_substitute)
#define aria_slices_diffuse WIDE(aria_slices_diffuse)
#define aria_slices_finish WIDE(aria_slices_finish)
#define aria_slices_blocks WIDE(aria_slices_blocks)
#define aria_slices_ctr WIDE(aria_slices_ctr)
#define aria_vec_block_numbers WIDE(aria_vec_block_numbers)

/* No typedefs: the single file gives those a prefix, and WIDE would not find them. */
#define aria_vec128 __m128i
#define aria_vec256 __m256i
#define aria_vec512 __m512i

#define MM128(name) _mm_##name
#define MM256(name) _mm256_##name
#define MM512(name) _mm512_##name
#define MM(name) WIDE(MM)(name)
#define MATRIX(rows) ((aria_vec){0} + (long long)(rows))

#define aria_vec_repeat128(bytes16) (bytes16)
#define aria_vec_repeat256(bytes16) _mm256_broadcastsi128_si256(bytes16)
#define aria_vec_repeat512(bytes16) _mm512_broadcast_i32x4(bytes16)
#define vec_shuffle MM(shuffle_epi8)
#define vec_dec MM(aesdeclast_epi128)
#define vec_affine(x, rows, constant) MM(gf2p8affine_epi64_epi8)(x, MATRIX(rows), constant)
#define vec_inverse(x, rows, constant) MM(gf2p8affineinv_epi64_epi8)(x, MATRIX(rows), constant)
#define vec_xor3(a, b, c) MM(ternarylogic_epi32)(a, b, c, 0x96)
#define vec_xor_masked(a, b, mask) MM(ternarylogic_epi32)(a, b, mask, 0x78)
#define vec_spread(word) MM(set1_epi32)((int)(word))
#define vec_bytes MM(set1_epi8)
#define vec_add8 MM(add_epi8)
#define vec_after(numbers, left) MM(movm_epi8)(MM(cmpgt_epu8_mask)(numbers, vec_bytes((char)(left))))
#define vec_unpack_low MM(unpacklo_epi8)
#define vec_unpack_high MM(unpackhi_epi8)
#define vec_load(p) (*(const aria_unaligned *)(p))
#define vec_store(p, v) (*(aria_unaligned *)(p) = (v))

#define aria_unaligned256 __m256i_u
#define aria_unaligned512 __m512i_u

#define EVERY_FOURTH(a)                                                                                                \
    a, a + 4, a + 8, a + 12, a + 16, a + 20, a + 24, a + 28, a + 32, a + 36, a + 40, a + 44, a + 48, a + 52, a + 56,   \
        a + 60
#define EVERY_SECOND(a)                                                                                                \
    a, a + 2, a + 4, a + 6, a + 8, a + 10, a + 12, a + 14, a + 16, a + 18, a + 20, a + 22, a + 24, a + 26, a + 28,     \
        a + 30
static const RUNNEL_LINE_ALIGNED uint8_t aria_fourths[64] = {EVERY_FOURTH(0), EVERY_FOURTH(1), EVERY_FOURTH(2),
                                                             EVERY_FOURTH(3)};
static const RUNNEL_LINE_ALIGNED uint8_t aria_seconds[32] = {EVERY_SECOND(0), EVERY_SECOND(1)};
#define aria_vec_block_numbers512 _mm512_load_si512((const void *)aria_fourths)
#define aria_vec_block_numbers256 _mm256_load_si256((const void *)aria_seconds)

#include "boxes_gfni.h"
#include "tables.h"
#include "spread.h"

#define WIDTH 512
#include "rows_gfni.h"
#include "rows.h"
#include "transpose.h"
#include "slices_gfni.h"

#undef WIDTH
#define WIDTH 256
#include "transpose.h"
#include "slices_gfni.h"

#undef WIDTH
#define WIDTH 128
enum { ARIA_KEY_STACK = 256 }; /* nothing, by the compilers of today */
#define vec_low(v) (v)
#define vec_first_word(v, n) _mm_shuffle_epi32(v, (n) == 0 ? 0xe4 : (n) == 1 ? 0x39 : (n) == 2 ? 0x4e : 0x93)
#define vec_shift_left32 _mm_slli_epi32
#define vec_shift_right32 _mm_srli_epi32
#include "rows_gfni.h"
#include "rows.h"
#include "runs.h"
#include "key.h"
#undef WIDTH
#define WIDTH 512

#include "modes_avx512.h"

const runnel_kernel runnel_aria_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("64 blocks in slices of bytes; S-boxes by GFNI's affine inverse"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI | RUNNEL_CPU_VAES | RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = aria_set_key,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(aria_set_decrypt_key, aria_encrypt_blocks)},
};

#endif
