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
enum { VECTOR_BYTES = 16 * LANES };
typedef uint8x16_t vector;

TARGET RUNNEL_INLINE vector vector_load(const void *p)
{
    return vld1q_u8(p);
}

TARGET RUNNEL_INLINE vector vector_repeat_at(const void *p)
{
    return vld1q_u8(p);
}

TARGET RUNNEL_INLINE void vector_store(void *p, vector v)
{
    vst1q_u8(p, v);
}

TARGET RUNNEL_INLINE vector vector_zero(void)
{
    return vdupq_n_u8(0);
}

TARGET RUNNEL_INLINE vector vector_xor(vector a, vector b)
{
    return veorq_u8(a, b);
}

TARGET RUNNEL_INLINE vector vector_xor3(vector a, vector b, vector c)
{
    return veorq_u8(veorq_u8(a, b), c);
}

TARGET RUNNEL_INLINE vector vector_and(vector a, vector b)
{
    return vandq_u8(a, b);
}

TARGET RUNNEL_INLINE vector vector_aes_round(vector x, vector key)
{
    return veorq_u8(vaesmcq_u8(vaeseq_u8(x, vdupq_n_u8(0))), key);
}

#define STORE_SUM(p, v) vst1q_u8(p, v)
#define TWO_WORDS(low, high) vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
#include "aead/aegis/lanes.h"

AEGIS_CIPHER(aegis_128l, 8, 1)
AEGIS_CIPHER(aegis_256, 6, 1)
AEGIS_CIPHER(aegis_128x2, 8, 2)
AEGIS_CIPHER(aegis_256x2, 6, 2)
AEGIS_CIPHER(aegis_128x4, 8, 4)
AEGIS_CIPHER(aegis_256x4, 6, 4)

const runnel_aegis_kernel runnel_aegis_aarch64_aes = {
    .name = RUNNEL_TEXT("aarch64-aes"),
    .citation = RUNNEL_TEXT("RFC 10032, Armv8-A AESE and AESMC"),
    .cpu = RUNNEL_CPU_AES,
    .ciphers = {[AEGIS_128L] = &aegis_128l,
                [AEGIS_256] = &aegis_256,
                [AEGIS_128X2] = &aegis_128x2,
                [AEGIS_256X2] = &aegis_256x2,
                [AEGIS_128X4] = &aegis_128x4,
                [AEGIS_256X4] = &aegis_256x4},
};

#endif
