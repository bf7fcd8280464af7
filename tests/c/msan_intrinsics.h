/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Included before everything in a build with clang's MSan, which does not know how some instructions treat secret
 * bits and would report any use of them. Each of these computes on what is made public for the moment, and its result
 * is as secret as the instruction makes it: GF2P8AFFINEQB and GF2P8AFFINEINVQB byte by byte (their matrices are
 * constants), VPTERNLOGD bit by bit, SHA1RNDS4 and ADC as a whole. None of them takes longer for some operands. */
#ifndef RUNNEL_TESTS_MSAN_INTRINSICS_H
#define RUNNEL_TESTS_MSAN_INTRINSICS_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <sanitizer/msan_interface.h>

/* Notes which bytes are secret and makes them public. Out of line, as the next: kernels have hundreds of calls. */
__attribute__((noinline, unused)) static void runnel_msan_take(void *value, unsigned char *secret, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        secret[i] = __msan_test_shadow((char *)value + i, 1) >= 0;
    __msan_unpoison(value, bytes);
}

/* Makes the noted bytes secret. */
__attribute__((noinline, unused)) static void runnel_msan_give(void *value, const unsigned char *secret, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        if (secret[i])
            __msan_poison((char *)value + i, 1);
}

#define RUNNEL_MSAN_BYTES(type, vector, builtin, x, matrix, constant)                                                  \
    __extension__({                                                                                                    \
        type runnel_value_ = (x);                                                                                      \
        unsigned char runnel_secret_[sizeof(type)];                                                                    \
        runnel_msan_take(&runnel_value_, runnel_secret_, sizeof(type));                                                \
        runnel_value_ = (type)builtin((vector)runnel_value_, (vector)(matrix), (char)(constant));                      \
        runnel_msan_give(&runnel_value_, runnel_secret_, sizeof(type));                                                \
        runnel_value_;                                                                                                 \
    })

#undef _mm_gf2p8affine_epi64_epi8
#undef _mm256_gf2p8affine_epi64_epi8
#undef _mm512_gf2p8affine_epi64_epi8
#undef _mm_gf2p8affineinv_epi64_epi8
#undef _mm256_gf2p8affineinv_epi64_epi8
#undef _mm512_gf2p8affineinv_epi64_epi8
#define _mm_gf2p8affine_epi64_epi8(x, m, c)                                                                            \
    RUNNEL_MSAN_BYTES(__m128i, __v16qi, __builtin_ia32_vgf2p8affineqb_v16qi, x, m, c)
#define _mm256_gf2p8affine_epi64_epi8(x, m, c)                                                                         \
    RUNNEL_MSAN_BYTES(__m256i, __v32qi, __builtin_ia32_vgf2p8affineqb_v32qi, x, m, c)
#define _mm512_gf2p8affine_epi64_epi8(x, m, c)                                                                         \
    RUNNEL_MSAN_BYTES(__m512i, __v64qi, __builtin_ia32_vgf2p8affineqb_v64qi, x, m, c)
#define _mm_gf2p8affineinv_epi64_epi8(x, m, c)                                                                         \
    RUNNEL_MSAN_BYTES(__m128i, __v16qi, __builtin_ia32_vgf2p8affineinvqb_v16qi, x, m, c)
#define _mm256_gf2p8affineinv_epi64_epi8(x, m, c)                                                                      \
    RUNNEL_MSAN_BYTES(__m256i, __v32qi, __builtin_ia32_vgf2p8affineinvqb_v32qi, x, m, c)
#define _mm512_gf2p8affineinv_epi64_epi8(x, m, c)                                                                      \
    RUNNEL_MSAN_BYTES(__m512i, __v64qi, __builtin_ia32_vgf2p8affineinvqb_v64qi, x, m, c)

/* XOR with the copy made public is zero in value, and as secret as the three operands. */
#define RUNNEL_MSAN_TERNARY(type, vector, mask, builtin, x, y, z, function)                                            \
    __extension__({                                                                                                    \
        type runnel_x_ = (x), runnel_y_ = (y), runnel_z_ = (z);                                                        \
        type runnel_secret_ = runnel_x_ ^ runnel_y_ ^ runnel_z_, runnel_public_ = runnel_secret_;                      \
        __msan_unpoison(&runnel_public_, sizeof(type));                                                                \
        runnel_secret_ ^= runnel_public_;                                                                              \
        __msan_unpoison(&runnel_x_, sizeof(type));                                                                     \
        __msan_unpoison(&runnel_y_, sizeof(type));                                                                     \
        __msan_unpoison(&runnel_z_, sizeof(type));                                                                     \
        (type) builtin((vector)runnel_x_, (vector)runnel_y_, (vector)runnel_z_, (unsigned char)(function),             \
                       (mask) - 1) ^                                                                                   \
            runnel_secret_;                                                                                            \
    })

#undef _mm_ternarylogic_epi32
#undef _mm256_ternarylogic_epi32
#undef _mm512_ternarylogic_epi32
#define _mm_ternarylogic_epi32(x, y, z, f)                                                                             \
    RUNNEL_MSAN_TERNARY(__m128i, __v4si, __mmask8, __builtin_ia32_pternlogd128_mask, x, y, z, f)
#define _mm256_ternarylogic_epi32(x, y, z, f)                                                                          \
    RUNNEL_MSAN_TERNARY(__m256i, __v8si, __mmask8, __builtin_ia32_pternlogd256_mask, x, y, z, f)
#define _mm512_ternarylogic_epi32(x, y, z, f)                                                                          \
    RUNNEL_MSAN_TERNARY(__m512i, __v16si, __mmask16, __builtin_ia32_pternlogd512_mask, x, y, z, f)

#undef _mm_sha1rnds4_epu32
#define _mm_sha1rnds4_epu32(x, y, function)                                                                            \
    __extension__({                                                                                                    \
        __m128i runnel_x_ = (x), runnel_y_ = (y);                                                                      \
        const int runnel_secret_ = __msan_test_shadow(&runnel_x_, sizeof runnel_x_) >= 0 ||                            \
                                   __msan_test_shadow(&runnel_y_, sizeof runnel_y_) >= 0;                              \
        __msan_unpoison(&runnel_x_, sizeof runnel_x_);                                                                 \
        __msan_unpoison(&runnel_y_, sizeof runnel_y_);                                                                 \
        runnel_x_ = (__m128i)__builtin_ia32_sha1rnds4((__v4si)runnel_x_, (__v4si)runnel_y_, function);                 \
        if (runnel_secret_)                                                                                            \
            __msan_poison(&runnel_x_, sizeof runnel_x_);                                                               \
        runnel_x_;                                                                                                     \
    })

static inline unsigned char runnel_msan_addcarry(unsigned char carry, unsigned long long a, unsigned long long b,
                                                 unsigned long long *out)
{
    int secret = __msan_test_shadow(&carry, sizeof carry) >= 0 || __msan_test_shadow(&a, sizeof a) >= 0 ||
                 __msan_test_shadow(&b, sizeof b) >= 0;
    __msan_unpoison(&carry, sizeof carry);
    __msan_unpoison(&a, sizeof a);
    __msan_unpoison(&b, sizeof b);
    carry = __builtin_ia32_addcarryx_u64(carry, a, b, out);
    __msan_unpoison(out, sizeof *out);
    if (secret) {
        __msan_poison(&carry, sizeof carry);
        __msan_poison(out, sizeof *out);
    }
    return carry;
}
#define _addcarry_u64(carry, a, b, out) runnel_msan_addcarry(carry, a, b, out)

#endif
#endif
