/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES by the scalar instructions of Zkne on RV64: what surrounds the assembly. */
#include "ciphers/aes/kernels.h"

#if RUNNEL_RV64_ZKNE

#include "arch/common/bytes.h"
#include "arch/common/wipe.h"
#include "zkne.h"

static void aes_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_schedule *s = state;
    uint64_t words[4];
    s->rounds = (uint8_t)(key_bytes / 4 + 6);
    memcpy(words, key, key_bytes);
    runnel_aes_rv64_zkne_expand((uint8_t *)s->keys.words, words, key_bytes);
    runnel_wipe(words, sizeof words);
}

static int aes_aligned(const uint8_t *out, const uint8_t *in)
{
    return (((uintptr_t)out | (uintptr_t)in) & 7) == 0;
}

/* Any alignment; without input the keystream. */
static void aes_run(aes_rv64_zkne_job *job, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    if (in != NULL && aes_aligned(out, in)) {
        if (nblocks > 0)
            runnel_aes_rv64_zkne_blocks(job, out, in, nblocks);
        return;
    }
    uint64_t buffer[8];
    uint8_t *const bytes = (uint8_t *)buffer;
    for (size_t n; nblocks > 0; nblocks -= n) {
        n = nblocks < 4 ? nblocks : 4;
        if (in == NULL)
            memset(bytes, 0, 16 * n);
        else
            memcpy(bytes, in, 16 * n);
        runnel_aes_rv64_zkne_blocks(job, bytes, bytes, n);
        memcpy(out, bytes, 16 * n);
        out += 16 * n;
        in = in == NULL ? NULL : in + 16 * n;
    }
    runnel_wipe(buffer, sizeof buffer);
}

static aes_rv64_zkne_job aes_job_of(const runnel_aes_schedule *s)
{
    const uint8_t *const keys = (const uint8_t *)s->keys.words;
    return (aes_rv64_zkne_job){.keys = keys, .last = keys + 16 * s->rounds};
}

static void aes_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    aes_rv64_zkne_job job = aes_job_of(state);
    job.raw = 1;
    aes_run(&job, out, in, nblocks);
}

static void aes_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                      size_t nblocks)
{
    (void)prefix;
    aes_rv64_zkne_job job = aes_job_of(state);
    memcpy(job.block, block, 16);
    aes_run(&job, out, in, nblocks);
}

const runnel_kernel runnel_aes_rv64_zkne = {
    .name = RUNNEL_TEXT("rv64-zkne"),
    .citation = RUNNEL_TEXT("RISC-V scalar cryptography, Zkne; two blocks share the loads of round keys"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .run_bits = 8,
    .key = aes_set_key,
    .block = {.encrypt_blocks = aes_encrypt_blocks, .ctr32 = aes_ctr32},
};

#endif
