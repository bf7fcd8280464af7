/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-SIV (RFC 5297): AES-CMAC over all that is authenticated, the text last, gives the tag; the tag, two bits cleared, is
 * the counter that encrypts the text. */
#include "siv.h"

#include "arch/common/bytes.h"
#include "arch/common/doubling.h"
#include "ciphers/aes/kernels.h"
#include "core/aead.h"

static inline runnel_aes_siv *siv_of(runnel_aead_context *c)
{
    return (void *)c;
}

/* Cannot fail: the context is keyed. */
static void siv_update(runnel_aes_cmac *mac, const uint8_t *data, size_t bytes)
{
    const int error = runnel_aes_cmac_update(mac, data, bytes);
    (void)error;
}

static void siv_finish(runnel_aes_cmac *mac, uint8_t *tag)
{
    const int error = runnel_aes_cmac_tag(mac, tag, 16);
    (void)error;
}

/* sum = sum doubled, plus the CMAC of a string. */
static void siv_add_string(runnel_aes_cmac *mac, uint8_t *sum, const uint8_t *data, size_t bytes)
{
    uint8_t one[16];
    if (bytes > 0)
        siv_update(mac, data, bytes);
    siv_finish(mac, one);
    runnel_double_block(sum);
    runnel_xor_bytes(sum, sum, one, 16);
    runnel_wipe(one, sizeof one);
}

/* Begins S2V with the associated data. */
static inline void siv_begin(runnel_aes_siv *c, uint8_t *sum, const uint8_t *aad, size_t bytes)
{
#if RUNNEL_HOSTED
    if (bytes == 0) {
        memcpy(sum, c->no_aad, sizeof c->no_aad);
        return;
    }
#endif
    memcpy(sum, c->zero, sizeof c->zero);
    siv_add_string(&c->mac, sum, aad, bytes);
}

/* The state that depends on the key only. */
static void siv_begin_sums(runnel_aes_siv *c)
{
#if RUNNEL_HOSTED /* both CMACs are of one block: they go side by side */
    uint8_t two[2][16];
    memcpy(two[0], c->mac.subkey, 16);
    memcpy(two[1], c->mac.subkey, 16);
    runnel_double_block(two[1]);
    two[1][0] ^= 0x80;
    const int error = runnel_aes_blocks_encrypt(&c->mac.aes, two[0], two[0], 2);
    (void)error;
    memcpy(c->zero, two[0], 16);
    memcpy(c->no_aad, two[0], 16);
    runnel_double_block(c->no_aad);
    runnel_xor_bytes(c->no_aad, c->no_aad, two[1], 16);
    runnel_wipe(two, sizeof two);
#else
    static const uint8_t zeros[16];
    siv_update(&c->mac, zeros, sizeof zeros);
    siv_finish(&c->mac, c->zero);
#endif
}

static int siv_set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key, const char *kernel)
{
    runnel_aes_siv *c = siv_of(context);
    const size_t half = aead->key_bytes / 2;
    int error = runnel_aead_key_cipher(aead, context, key + half, half, kernel);
    if (!error)
        error = runnel_aes_cmac_key(&c->mac, key, half);
    if (!error && kernel != NULL)
        error = runnel_aes_blocks_key_kernel(&c->mac.aes, key, half, kernel);
    if (!error)
        siv_begin_sums(c);
    return error;
}

/* S2V of RFC 5297, 2.4. */
static void siv_make_tag(runnel_aes_siv *c, const runnel_aead_message *m, const uint8_t *text, uint8_t *tag)
{
    uint8_t sum[16];
    siv_begin(c, sum, m->aad, m->aad_bytes);
    if (m->nonce_bytes > 0)
        siv_add_string(&c->mac, sum, m->nonce, m->nonce_bytes);
    if (m->bytes >= 16) {
        siv_update(&c->mac, text, m->bytes - 16);
        runnel_xor_bytes(sum, sum, text + m->bytes - 16, 16);
    } else {
        runnel_double_block(sum);
        if (m->bytes > 0)
            runnel_xor_bytes(sum, sum, text, m->bytes);
        sum[m->bytes] ^= 0x80;
    }
    siv_update(&c->mac, sum, sizeof sum);
    siv_finish(&c->mac, tag);
    runnel_wipe(sum, sizeof sum);
}

static void siv_xor_text(runnel_stream *s, const runnel_aead_message *m, const uint8_t *tag)
{
    const runnel_count blocks = runnel_counter_period(RUNNEL_BE128);
    uint8_t first[16];
    memcpy(first, tag, sizeof first);
    RUNNEL_MADE_PUBLIC(first); /* the tag is sent */
    first[8] &= 0x7f;
    first[12] &= 0x7f;
    runnel_begin(s, first, sizeof first, RUNNEL_BE128, &blocks);
    if (m->bytes > 0)
        runnel_aead_xor(s, m->out, m->in, m->bytes);
}

static void siv_message(runnel_aead_context *context, const runnel_aead_message *m, uint8_t *tag)
{
    runnel_aes_siv *c = siv_of(context);
    runnel_stream *s = &runnel_aead_cipher(context)->stream;
    if (m->decrypt) {
        siv_xor_text(s, m, tag);
        siv_make_tag(c, m, m->out, tag);
    } else {
        siv_make_tag(c, m, m->in, tag);
        siv_xor_text(s, m, tag);
    }
}

static const runnel_aead_mode siv_mode = {
    .key = siv_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .message = siv_message,
};

#define SIV(bits)                                                                                                      \
    {.name = RUNNEL_TEXT("aes-" #bits "-siv"),                                                                         \
     .family = RUNNEL_TEXT("aes_siv"),                                                                                 \
     .title = RUNNEL_TEXT("AES-" #bits " in SIV mode"),                                                                \
     .source = RUNNEL_TEXT("FIPS 197; RFC 5297"),                                                                      \
     .remark = RUNNEL_TEXT("a nonce of 0 bytes makes it deterministic; reads a message twice"),                        \
     .nonce_reuse = RUNNEL_TEXT("shows whether both messages and their associated data are the same, and no more"),    \
     .status = RUNNEL_RECOMMENDED,                                                                                     \
     .two_keys = 1,                                                                                                    \
     .tag_first = 1,                                                                                                   \
     .tag_default = 16,                                                                                                \
     .nonce_default = 16,                                                                                              \
     .nonce_max = UINT16_MAX,                                                                                          \
     .tag_set = RUNNEL_TAG(16),                                                                                        \
     .key_bytes = 2 * bits / 8,                                                                                        \
     .plaintext_max = RUNNEL_TEXT_MOST((uint64_t)1 << 52, 16, 0),                                                      \
     .aad_max = UINT64_MAX,                                                                                            \
     .messages = (uint64_t)1 << 48,                                                                                    \
     .context_bytes = sizeof(runnel_aes_siv),                                                                          \
     .mode_offset = offsetof(runnel_aes_siv, mac),                                                                     \
     .cipher_offset = offsetof(runnel_aes_siv, cipher),                                                                \
     .mode = &siv_mode,                                                                                                \
     .ciphers = runnel_aes_ctr_family}

static const runnel_aead siv_128 = SIV(128), siv_192 = SIV(192), siv_256 = SIV(256);

runnel_aead_list runnel_siv_aeads = {&siv_128, RUNNEL_AES_KEY_BITS >= 192 ? &siv_192 : NULL,
                                     RUNNEL_AES_KEY_BITS >= 256 ? &siv_256 : NULL, NULL};

RUNNEL_DEFINE_AEAD_ONE_SHOT_VERBS(aes_siv, runnel_siv_aeads)
