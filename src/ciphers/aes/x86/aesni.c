/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES on 128-bit registers. */
#include "arch/x86/target.h"
#include "shared.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("aes,sse4.1,ssse3")
#include "arch/x86/blocks_128.h"
#include "ccm.h"
#include "cfb.h"
#include "ctr.h"
#include "keys.h"

/* Round keys for AESDEC in the order of use; InvMixColumns is applied to all but the first and the last. */
TARGET static void aes_set_decrypt_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    runnel_aes_x86_key(state, key, key_bytes);
    for (unsigned i = 0, j = s->rounds; i <= j; i++, j--) {
        __m128i a = vector_load(s->keys.bytes[i]), b = vector_load(s->keys.bytes[j]);
        if (i > 0) {
            a = _mm_aesimc_si128(a);
            b = _mm_aesimc_si128(b);
        }
        vector_store(s->keys.bytes[i], b);
        vector_store(s->keys.bytes[j], a);
    }
}

enum { AES_DECRYPT_BATCH = 8 };

TARGET RUNNEL_INLINE void aes_decrypt_batch(const runnel_aes_schedule *s, uint8_t *out, const uint8_t *in)
{
    __m128i x[AES_DECRYPT_BATCH], k = vector_load(s->keys.bytes[0]);
    RUNNEL_UNROLL
    for (int i = 0; i < AES_DECRYPT_BATCH; i++)
        x[i] = vector_xor(vector_load(in + 16 * i), k);
    for (unsigned r = 1; r < s->rounds; r++) {
        k = vector_load(s->keys.bytes[r]);
        RUNNEL_UNROLL
        for (int i = 0; i < AES_DECRYPT_BATCH; i++)
            x[i] = _mm_aesdec_si128(x[i], k);
    }
    k = vector_load(s->keys.bytes[s->rounds]);
    RUNNEL_UNROLL
    for (int i = 0; i < AES_DECRYPT_BATCH; i++)
        vector_store(out + 16 * i, _mm_aesdeclast_si128(x[i], k));
}

TARGET static void aes_decrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    for (; nblocks >= AES_DECRYPT_BATCH;
         nblocks -= AES_DECRYPT_BATCH, in += 16 * AES_DECRYPT_BATCH, out += 16 * AES_DECRYPT_BATCH)
        aes_decrypt_batch(state, out, in);
    if (nblocks > 0) {
        uint8_t last[16 * AES_DECRYPT_BATCH] = {0};
        memcpy(last, in, 16 * nblocks);
        aes_decrypt_batch(state, last, last);
        memcpy(out, last, 16 * nblocks);
        runnel_wipe(last, sizeof last);
    }
}

static const runnel_fused_functions aes_fused = {.chain = aes_chain,
                                                 .cfb = aes_cfb,
                                                 .cfb_decrypt = aes_cfb_decrypt,
                                                 .ccm = aes_ccm,
                                                 .ccm_lanes = aes_ccm_lanes,
                                                 .gcm = &runnel_aes_gcm_aesni_avx2,
                                                 .gcm_siv = &runnel_aes_gcm_siv_aesni};

const runnel_kernel runnel_aes_aesni = {
    .name = RUNNEL_TEXT("aesni"),
    .citation = RUNNEL_TEXT("AES-NI, 8 blocks in flight; prefix caching after Park, Lee (FACE), TCHES 2018/3"),
    .kind = RUNNEL_KIND_BLOCK,
    .cpu = RUNNEL_CPU_AES,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_aes_x86_key,
    .keys = aes_set_keys,
    .block = {.encrypt_blocks = aes_encrypt_blocks,
              .key_and_zero = runnel_aes_x86_key_and_zero,
              .fused = &aes_fused,
              .ctr32 = aes_ctr32,
              .ctr32_little = aes_ctr32_little,
              .ctr32_tail = aes_ctr32_tail,
              .packet = aes_packet,
              .packet_bytes = 16 * AES_GROUP,
              .prefix_used = aes_x86_prefix_used,
              .decrypt_key = aes_set_decrypt_key,
              .decrypt_blocks = aes_decrypt_blocks},
    .stack_bytes = 1024,
};

#endif
