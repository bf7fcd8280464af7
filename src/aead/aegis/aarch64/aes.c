/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEGIS by the AES instructions of Armv8-A. AESE adds the key before the S-box: with zeros there and AESMC behind it, which
 * run as one, the key comes last, as AEGIS has it. */
#include "arch/arch.h"

#if RUNNEL_AARCH64
#include <arm_neon.h>
#include <string.h>

#include "arch/common/bytes.h"
#include "core/describe.h"

#if defined(__clang__)
#define TARGET __attribute__((target("aes")))
#else
#define TARGET __attribute__((target("+crypto")))
#endif
#define RUNNEL_UNROLL _Pragma("GCC unroll 16")

/* As arch/x86/blocks_128.h has them. */
#define LANES 1
#define VECTOR_BYTES 16
typedef uint8x16_t aegis_vector;
#define vector aegis_vector

TARGET RUNNEL_INLINE vector aegis_neon_load(const void *p)
{
    return vld1q_u8(p);
}

TARGET RUNNEL_INLINE vector aegis_neon_repeat_at(const void *p)
{
    return vld1q_u8(p);
}

TARGET RUNNEL_INLINE void aegis_neon_store(void *p, vector v)
{
    vst1q_u8(p, v);
}

TARGET RUNNEL_INLINE vector aegis_neon_zero(void)
{
    return vdupq_n_u8(0);
}

TARGET RUNNEL_INLINE vector aegis_neon_xor(vector a, vector b)
{
    return veorq_u8(a, b);
}

TARGET RUNNEL_INLINE vector aegis_neon_xor3(vector a, vector b, vector c)
{
    return veorq_u8(veorq_u8(a, b), c);
}

TARGET RUNNEL_INLINE vector aegis_neon_and(vector a, vector b)
{
    return vandq_u8(a, b);
}

TARGET RUNNEL_INLINE vector aegis_neon_aes_round(vector x, vector key)
{
    return veorq_u8(vaesmcq_u8(vaeseq_u8(x, vdupq_n_u8(0))), key);
}

#define vector_load aegis_neon_load
#define vector_repeat_at aegis_neon_repeat_at
#define vector_store aegis_neon_store
#define vector_zero aegis_neon_zero
#define vector_xor aegis_neon_xor
#define vector_xor3 aegis_neon_xor3
#define vector_and aegis_neon_and
#define vector_aes_round aegis_neon_aes_round
#define STORE_SUM(p, v) vst1q_u8(p, v)
#define TWO_WORDS(low, high) vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
#include "aead/aegis/lanes.h"

const runnel_aegis_kernel runnel_aegis_aarch64_aes = {
    .name = RUNNEL_TEXT("aarch64-aes"),
    .citation = RUNNEL_TEXT("RFC 10032, Armv8-A AESE and AESMC"),
    .cpu = RUNNEL_CPU_AES,
    .ciphers = {AEGIS_OF_1_LANE, AEGIS_OF_2_LANES, AEGIS_OF_4_LANES},
};

#endif
