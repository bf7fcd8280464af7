/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CMAC: CBC-MAC with the library's AES, and one of two subkeys added to the last block. */
#include "arch/common/doubling.h"
#include "ciphers/aes/kernels.h"
#include "core/define.h"
#include "core/mac.h"
#include "modes/fused.h"

#include "aes_cmac.h"

static void aes_cmac_encrypt(runnel_aes_cmac *c, uint8_t *block)
{
    const int never = runnel_aes_blocks_encrypt(&c->aes, block, block, 1);
    (void)never;
}

static int aes_cmac_set_key(void *context, const uint8_t *key, size_t key_bytes)
{
    runnel_aes_cmac *c = context;
#if RUNNEL_HOSTED
    const int error = runnel_blocks_key_and_zero(runnel_aes_ctr_family, &c->aes.blocks, &c->aes.encrypt, key, key_bytes,
                                                 NULL, c->subkey);
    if (error)
        return error;
#else
    const int error = runnel_aes_blocks_key(&c->aes, key, key_bytes);
    if (error)
        return error;
    memset(c->subkey, 0, sizeof c->subkey);
    aes_cmac_encrypt(c, c->subkey);
#endif
    runnel_double_block(c->subkey);
    memset(c->chain, 0, sizeof c->chain);
    return RUNNEL_OK;
}

static void aes_cmac_absorb(void *context, const uint8_t *data, size_t nblocks)
{
    runnel_aes_cmac *c = context;
#if RUNNEL_HOSTED
    const runnel_kernel *kernel = c->aes.blocks.kernel;
    if (runnel_fused_of(kernel)->chain != NULL) {
        runnel_fused_of(kernel)->chain(&c->aes.encrypt, c->chain, data, nblocks);
        return;
    }
#endif
    for (; nblocks > 0; nblocks--, data += 16) {
        runnel_xor_bytes(c->chain, c->chain, data, 16);
        aes_cmac_encrypt(c, c->chain);
    }
}

static void aes_cmac_finish(void *context, const uint8_t *rest, size_t bytes, uint8_t *tag)
{
    runnel_aes_cmac *c = context;
    uint8_t last[16];
    memcpy(last, c->subkey, sizeof last);
    if (bytes < sizeof last) {
        runnel_double_block(last);
        last[bytes] ^= 0x80;
    }
    runnel_xor_bytes(last, last, rest, bytes);
    aes_cmac_absorb(c, last, 1);
    memcpy(tag, c->chain, 16);
    memset(c->chain, 0, sizeof c->chain);
    runnel_wipe(last, sizeof last);
}

static const runnel_mac aes_cmac = {
    .name = RUNNEL_TEXT("aes-cmac"),
    .key_bytes = {16, 32, 8},
    .tag_bytes = {4, 16, 1},
    .context_bytes = sizeof(runnel_aes_cmac),
    .block_bytes = 16,
    .holds_last = 1,
    .key = aes_cmac_set_key,
    .absorb = aes_cmac_absorb,
    .finish = aes_cmac_finish,
#if RUNNEL_HOSTED
    .ciphers = runnel_aes_ctr_family,
#endif
};

runnel_mac_list runnel_aes_cmac_macs = {&aes_cmac, NULL};

RUNNEL_DEFINE_MAC_VERBS(aes_cmac, &aes_cmac)
