/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED on 512-bit registers, 16 blocks in each, S-boxes by GFNI. */
#include "arch/common/barrier.h"
#include "arch/x86/target.h"
#include "few_avx512.h"
#include "gfni.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni")
#define INLINE TARGET RUNNEL_INLINE
#define LANES 16

typedef __m512i seed_vec;

#define vec_xor _mm512_xor_si512
#define vec_masked(a, mask) _mm512_and_si512(a, _mm512_set1_epi32((int)(mask)))
#define vec_add _mm512_add_epi32
#define vec_broadcast(word) _mm512_set1_epi32((int)(word))
#define vec_repeat(bytes16) _mm512_broadcast_i32x4(bytes16)
#define vec_shuffle _mm512_shuffle_epi8
#define vec_unpack_lo32 _mm512_unpacklo_epi32
#define vec_unpack_hi32 _mm512_unpackhi_epi32
#define vec_unpack_lo64 _mm512_unpacklo_epi64
#define vec_unpack_hi64 _mm512_unpackhi_epi64
#define vec_load(p) _mm512_loadu_si512((const void *)(p))
#define vec_store(p, v) _mm512_storeu_si512((void *)(p), v)
#define vec_lane_numbers() _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)

#define FIRST_BLOCKS(blocks) ((__mmask8)((1u << 2 * (blocks)) - 1))
#define seed_vec_get(p, blocks) _mm512_maskz_loadu_epi64(FIRST_BLOCKS(blocks), (const void *)(p))
#define seed_vec_put(p, v, blocks) _mm512_mask_storeu_epi64((void *)(p), FIRST_BLOCKS(blocks), v)

#define seed_vec_block(v, number)                                                                                      \
    _mm512_castsi512_si128(_mm512_permutexvar_epi64(_mm512_set1_epi64(2 * (long long)(number)) + (seed_vec){0, 1}, v))

#define vec_xor3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define vec_xor_masked(a, b, mask) _mm512_ternarylogic_epi32(a, b, _mm512_set1_epi32((int)(mask)), 0x78)

/* Byte by byte: the isomorphism P, and a matrix, given as rows, times the inverse plus a constant. */
#define TO_AES_FIELD(x) _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64(SEED_TO_AES_FIELD), 0)
#define FROM_INVERSE(x, rows, constant)                                                                                \
    _mm512_gf2p8affineinv_epi64_epi8(x, _mm512_set1_epi64((long long)(rows)), constant)
#define S0_OF(y) FROM_INVERSE(y, SEED_S0_MATRIX, SEED_S0_CONSTANT)
#define S1_OF(y) FROM_INVERSE(y, SEED_S1_MATRIX, SEED_S1_CONSTANT)
#define ODD_BYTES 0xaaaaaaaaaaaaaaaau

/* Byte j of the result is the XOR over k of byte j + k of the S-boxes, masked; a word is rotated for k = 1 after it is
 * joined with that rotated for k = 3. */
INLINE seed_vec seed_vec_g(seed_vec x)
{
    const seed_vec y = TO_AES_FIELD(x);
    const seed_vec s = _mm512_mask_mov_epi8(S0_OF(y), ODD_BYTES, S1_OF(y));
    const seed_vec half_turned = _mm512_ror_epi32(s, 16);
    const seed_vec turning = vec_xor_masked(vec_masked(s, 0xf33ff33f), half_turned, 0x3ff33ff3);
    const seed_vec staying = vec_xor_masked(vec_masked(s, 0xcffccffc), half_turned, 0xfccffccf);
    return vec_xor(staying, _mm512_ror_epi32(turning, 8));
}

INLINE void seed_g_begin(seed_vec x[2])
{
    (void)x;
}

INLINE void seed_g_end(seed_vec x[2])
{
    x[0] = seed_vec_g(x[0]);
    x[1] = seed_vec_g(x[1]);
}

#define REPEAT(...) vec_repeat(_mm_setr_epi8(__VA_ARGS__))

/* More operations in a shorter chain: bytes are picked from each S-box's result as it arrives. */
INLINE seed_vec seed_vec_g_short(seed_vec x)
{
    const seed_vec y = TO_AES_FIELD(x);
    const seed_vec s0 = S0_OF(y), s1 = S1_OF(y);
    const seed_vec even = vec_shuffle(s0, REPEAT(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
    const seed_vec odd = vec_shuffle(s1, REPEAT(1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15));
    const seed_vec even_turned = vec_shuffle(s0, REPEAT(2, 2, 0, 0, 6, 6, 4, 4, 10, 10, 8, 8, 14, 14, 12, 12));
    const seed_vec odd_turned = vec_shuffle(s1, REPEAT(3, 3, 1, 1, 7, 7, 5, 5, 11, 11, 9, 9, 15, 15, 13, 13));
    return vec_xor(vec_xor_masked(vec_masked(even, 0xf3fcf3fc), odd, 0xcff3cff3),
                   vec_xor_masked(vec_masked(even_turned, 0x3fcf3fcf), odd_turned, 0xfc3ffc3f));
}

INLINE seed_vec seed_vec_swap_bytes(seed_vec v)
{
    return vec_shuffle(v, REPEAT(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

/* Inputs of G for the round keys, all at once: in each 64 bits the two words of a round, which are a sum and a
 * difference of the key's halves, rotated so far. After eight rounds both halves have been rotated by 32 bits. */
#define ROUND_CONSTANT(i) (0x9e3779b9u << (i) | 0x9e3779b9u >> (31 - (i)) >> 1)
#define TWO_CONSTANTS(i) 0 - ROUND_CONSTANT(i), ROUND_CONSTANT(i) + 1 /* a - b is a + ~b + 1 */
#define EIGHT_ROUNDS(i)                                                                                                \
    {TWO_CONSTANTS(i),     TWO_CONSTANTS(i + 1), TWO_CONSTANTS(i + 2), TWO_CONSTANTS(i + 3),                           \
     TWO_CONSTANTS(i + 4), TWO_CONSTANTS(i + 5), TWO_CONSTANTS(i + 6), TWO_CONSTANTS(i + 7)}

INLINE void seed_key_words(uint32_t words[32], const uint8_t *key)
{
    RUNNEL_LINE_ALIGNED static const uint32_t constants[2][16] = {EIGHT_ROUNDS(0), EIGHT_ROUNDS(8)};
    seed_vec left = _mm512_set1_epi64((long long)runnel_load64be(key));
    seed_vec right = _mm512_set1_epi64((long long)runnel_load64be(key + 8));
    left = _mm512_rolv_epi64(left, _mm512_setr_epi64(32, 24, 24, 16, 16, 8, 8, 0));
    right = _mm512_rolv_epi64(right, _mm512_setr_epi64(32, 32, 40, 40, 48, 48, 56, 56));
    RUNNEL_UNROLL
    for (int i = 0; i < 2; i++) {
        const seed_vec second_inverted = vec_xor(right, _mm512_set1_epi64((long long)0xffffffff00000000));
        vec_store(words + 16 * i, vec_add(vec_add(left, second_inverted), vec_load(constants[i])));
        left = _mm512_ror_epi64(left, 32);
        right = _mm512_ror_epi64(right, 32);
    }
}
#define KEY_WORDS seed_key_words

#define FEW RUNNEL_SEED_FEW
#define encrypt_few runnel_seed_encrypt_few
#define xor_few runnel_seed_xor_few

#include "rounds.h"

const runnel_kernel runnel_seed_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("S-boxes by an isomorphism and GFNI's affine inverse; 16 blocks in a register"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = seed_set_key,
    .block = {.encrypt_blocks = seed_encrypt_blocks,
              .ctr32 = seed_ctr32,
              .ctr32_tail = seed_ctr32_tail,
              .ctr32_left = seed_ctr32_left,
              .fused = {.cfb = runnel_seed_cfb_avx512},
              RUNNEL_DECRYPTION(seed_set_decrypt_key, seed_encrypt_blocks)},
};

#endif
