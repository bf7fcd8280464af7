/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 256-bit registers, two blocks each. */
#include "arch/x86/target.h"
#include "shared.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,avx2,vaes")
#include "arch/x86/blocks_256.h"
#include "ccm.h"
#include "cfb.h"
#include "ctr.h"
#include "keys.h"

static const runnel_fused_functions aes_fused = {.chain = aes_chain,
                                                 .cfb = aes_cfb,
                                                 .cfb_decrypt = aes_cfb_decrypt,
                                                 .ccm = aes_ccm,
                                                 .ccm_lanes = aes_ccm_lanes,
                                                 .gcm = &runnel_aes_gcm_vaes,
                                                 .gcm_siv = &runnel_aes_gcm_siv_vaes};

const runnel_kernel runnel_aes_vaes = {
    .name = RUNNEL_TEXT("vaes"),
    .citation = RUNNEL_TEXT("VAES, 16 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES | RUNNEL_CPU_AVX2 | RUNNEL_CPU_VAES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_aes_x86_key,
    .keys = aes_set_keys,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .key_and_zero = runnel_aes_x86_key_and_zero,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .ctr32_tail = aes_ctr32_tail,
              .packet = aes_packet,
              .packet_bytes = 16 * AES_GROUP,
              .prefix_used = aes_x86_prefix_used,
              .fused = &aes_fused},
    .stack_bytes = 1024,
};

#endif
