/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA with AVX-512 and GFNI: 64 blocks in slices of bytes; up to 16 with 4 in a register, where slices would be empty for
 * the most part. What is on narrower registers: parts_avx512.h. */
#include "arch/x86/target.h"
#include "ciphers/aria/kernels.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx512f,avx512bw,avx512dq,avx512vl,gfni,aes,vaes")
#define VECTOR_GFNI
#include "arch/x86/blocks_512.h"
#include "modes_512.h"

const runnel_kernel runnel_aria_avx512 = {
    .name = RUNNEL_TEXT("avx512"),
    .citation = RUNNEL_TEXT("64 blocks in slices of bytes; S-boxes by GFNI's affine inverse"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AVX512 | RUNNEL_CPU_GFNI | RUNNEL_CPU_VAES | RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_aria_set_key_avx512,
    .block = {.encrypt_blocks = aria_encrypt_blocks,
              .ctr32 = aria_ctr32,
              .ctr32_tail = aria_ctr32_tail,
              RUNNEL_DECRYPTION(runnel_aria_set_decrypt_key_avx512, aria_encrypt_blocks)},
};

#endif
