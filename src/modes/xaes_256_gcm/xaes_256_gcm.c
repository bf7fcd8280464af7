/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* XAES-256-GCM (C2SP): GCM's own functions under the derived key. The derivation is SP 800-108's in counter mode with CMAC,
 * whose messages are one block each: two blocks under the key, side by side. */
#include "xaes_256_gcm.h"

#include "arch/common/doubling.h"
#include "ciphers/aes/kernels.h"
#include "core/aead.h"
#include "core/driver.h"
#include "modes/gcm/mode.h"

enum { XAES_HALF = 12 };

static inline runnel_xaes_256_gcm *xaes_of(runnel_aead_context *c)
{
    return (void *)c;
}

static int xaes_set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key, const char *kernel)
{
    runnel_xaes_256_gcm *c = xaes_of(context);
    runnel_stream *s = &c->cipher.head.stream;
#if RUNNEL_HOSTED
    const int error = runnel_gcm_begin(aead, context, kernel);
    if (error)
        return error;
    runnel_key_and_zero(s->kernel, &c->master, key, aead->key_bytes, c->subkey);
#else
    const int error = runnel_aead_key_cipher(aead, context, key, aead->key_bytes, kernel);
    if (error)
        return error;
    memset(c->subkey, 0, sizeof c->subkey);
    s->kernel->block.encrypt_blocks(&c->cipher.schedule, c->subkey, c->subkey, 1);
    memcpy(c->key, key, sizeof c->key);
#endif
    runnel_double_block(c->subkey);
    c->derived = 0;
    return RUNNEL_OK;
}

/* Encrypts the two blocks of the derivation under the key itself, which firmware has no room to keep expanded. */
static void xaes_encrypt_under_key(runnel_xaes_256_gcm *c, uint8_t *blocks)
{
    const runnel_kernel *kernel = c->cipher.head.stream.kernel;
#if RUNNEL_HOSTED
    kernel->block.encrypt_blocks(&c->master, blocks, blocks, 2);
#else
    kernel->key(&c->cipher.schedule, c->key, sizeof c->key);
    kernel->block.encrypt_blocks(&c->cipher.schedule, blocks, blocks, 2);
#endif
}

/* Keys cipher and GHASH for nonces with this first half. */
static void xaes_derive(runnel_xaes_256_gcm *c, const uint8_t *half)
{
    runnel_stream *s = &c->cipher.head.stream;
    uint8_t key[2][16], zero[16];
    if (c->derived && memcmp(c->half, half, XAES_HALF) == 0)
        return;
    for (uint8_t i = 0; i < 2; i++) {
        const uint8_t start[4] = {0, (uint8_t)(i + 1), 'X', 0};
        memcpy(key[i], start, sizeof start);
        memcpy(key[i] + 4, half, XAES_HALF);
        runnel_xor_bytes(key[i], key[i], c->subkey, 16);
    }
    xaes_encrypt_under_key(c, key[0]);
    if (s->cipher->prefix_offset)
        memset((uint8_t *)s + s->cipher->prefix_offset, 0, 8);
    runnel_key_and_zero(s->kernel, &c->cipher.schedule, key[0], sizeof key, zero);
    runnel_ghash_set_key(&c->part.hash, zero);
    memcpy(c->half, half, XAES_HALF);
    c->derived = 1;
    runnel_wipe(key, sizeof key);
    runnel_wipe(zero, sizeof zero);
}

static void xaes_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    xaes_derive(xaes_of(c), nonce);
    runnel_gcm_start(c, nonce + XAES_HALF, nonce_bytes - XAES_HALF);
}

#if RUNNEL_HOSTED
static void xaes_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest)
{
    runnel_aead_message inner = *m;
    xaes_derive(xaes_of(c), m->nonce);
    if (xaes_of(c)->part.own == NULL) {
        runnel_aead_by_pieces(c, m, longest);
        return;
    }
    inner.nonce += XAES_HALF;
    inner.nonce_bytes -= XAES_HALF;
    runnel_gcm_message(c, &inner, longest);
}
#endif

static const runnel_aead_mode xaes_mode = {
    .key = xaes_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .start = xaes_start,
    RUNNEL_GCM_PIECES,
#if RUNNEL_HOSTED
    .message = xaes_message,
#endif
};

static const runnel_aead xaes_256_gcm = {
    .name = RUNNEL_TEXT("xaes-256-gcm"),
    .family = RUNNEL_TEXT("xaes_256_gcm"),
    .title = RUNNEL_TEXT("XAES-256-GCM"),
    .source = RUNNEL_TEXT("C2SP XAES-256-GCM; FIPS 197; SP 800-38D; SP 800-108r1"),
    .remark = RUNNEL_TEXT("nonces may be drawn at random for as many messages as anybody sends"),
    .nonce_reuse =
        RUNNEL_TEXT("shows the XOR of both messages and lets anyone forge messages whose nonces begin with the "
                    "same 12 bytes"),
    .status = RUNNEL_RECOMMENDED,
    .multipart = 1,
    .tag_default = 16,
    .nonce_random = 1,
    .nonce_default = 24,
    .nonce_min = 24,
    .nonce_max = 24,
    .tag_set = RUNNEL_TAG(16),
    .key_bytes = 32,
    .plaintext_max = ((uint64_t)1 << 36) - 32,
    .aad_max = ((uint64_t)1 << 61) - 1,
    .context_bytes = sizeof(runnel_xaes_256_gcm),
    .mode_offset = offsetof(runnel_xaes_256_gcm, part),
    .cipher_offset = offsetof(runnel_xaes_256_gcm, cipher),
    RUNNEL_AHEAD_AT(offsetof(runnel_xaes_256_gcm, part) + offsetof(runnel_gcm, ahead)).mode = &xaes_mode,
    .ciphers = runnel_aes_ctr_family,
};

runnel_aead_list runnel_xaes_256_gcm_aeads = {RUNNEL_AES_KEY_BITS >= 256 ? &xaes_256_gcm : NULL, NULL};

RUNNEL_DEFINE_AEAD_VERBS(xaes_256_gcm, runnel_xaes_256_gcm_aeads)
