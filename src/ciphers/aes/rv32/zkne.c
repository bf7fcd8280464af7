/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by the scalar instructions of Zkne on RV32: what surrounds the assembly. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV32_ZKNE

#include "arch/common/aligned.h"
#include "zkne.h"

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint32_t *const words = s->keys.words;
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    for (size_t i = 0; i < key_bytes / 4; i++)
        words[i] = runnel_load32le(key + 4 * i);
    runnel_aes_rv32_zkne_expand(words, words + 4 * (s->rounds + 1u), key_bytes);
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    const runnel_aes_schedule *s = state;
    aes_rv32_zkne_job job = {.keys = s->keys.words, .last = s->keys.words + 4 * s->rounds, .raw = 1};
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
        if (nblocks > 0)
            runnel_aes_rv32_zkne_blocks(&job, out, in, nblocks);
        return;
    }
    uint32_t aligned[4];
    uint8_t *const bytes = (uint8_t *)aligned;
    for (; nblocks > 0; nblocks--, in += 16, out += 16) {
        memcpy(bytes, in, 16);
        runnel_aes_rv32_zkne_blocks(&job, bytes, bytes, 1);
        memcpy(out, bytes, 16);
    }
    runnel_wipe(aligned, sizeof aligned);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    const runnel_aes_schedule *s = state;
    aes_rv32_zkne_job job = {.keys = s->keys.words, .last = s->keys.words + 4 * s->rounds};
    for (unsigned c = 0; c < 4; c++)
        job.block[c] = runnel_load32le(block + 4 * c);
    runnel_xor_aligned(runnel_aes_rv32_zkne_blocks, &job, out, in, nblocks, 16);
}

const runnel_kernel runnel_aes_rv32_zkne = {
    .name = RUNNEL_TEXT("rv32-zkne"),
    .citation =
        RUNNEL_TEXT("RISC-V scalar cryptography, Zkne; two rounds of the counter's last byte in nine instructions"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
