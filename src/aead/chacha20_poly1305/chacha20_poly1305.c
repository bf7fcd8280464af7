/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ChaCha20-Poly1305 and XChaCha20-Poly1305 over the kernels of both parts. */
#include "chacha20_poly1305.h"

#include "arch/common/bytes.h"
#include "ciphers/chacha20/kernels.h"
#include "core/aead.h"
#include "core/driver.h"
#include "kernels.h"
#include "macs/poly1305/kernels.h"

/* CHACHA20_POLY1305_AT_ONCE: bytes that are encrypted and then, from the cache, authenticated. SHORT: bytes of the
 * longest text whose keystream is made together with the MAC's key; a multiple of CHACHA20_BLOCK. NO_CONTEXT: bytes of a
 * text, and somewhat fewer of associated data, for which no vector kernel of the MAC pays, and no fused one. */
#if RUNNEL_HOSTED
enum { CHACHA20_POLY1305_AT_ONCE = 32768, CHACHA20_POLY1305_SHORT = 1984, CHACHA20_POLY1305_NO_CONTEXT = 256 };
#else
enum { CHACHA20_POLY1305_AT_ONCE = 1024, CHACHA20_POLY1305_SHORT = 0 };
#endif

static const uint8_t chacha20_poly1305_zeros[16];

/* Cannot fail: the MAC's context is keyed. */
static void chacha20_poly1305_update(runnel_poly1305 *mac, const uint8_t *data, size_t bytes)
{
    const int error = runnel_poly1305_update(mac, data, bytes);
    (void)error;
}

static void chacha20_poly1305_pad(runnel_poly1305 *mac, uint64_t bytes)
{
    chacha20_poly1305_update(mac, chacha20_poly1305_zeros, (size_t)(-bytes & 15));
}

/* XChaCha20's key, from which each message's key is derived. */
static inline uint8_t *chacha20_poly1305_long_key(runnel_aead_context *c)
{
    return (uint8_t *)c + offsetof(runnel_xchacha20_poly1305, key);
}

static int chacha20_poly1305_set_key(const runnel_aead *aead, runnel_aead_context *c, const uint8_t *key,
                                     const char *kernel)
{
    const int error = runnel_aead_key_cipher(aead, c, key, 32, kernel);
    if (!error && aead->nonce_default == 24)
        memcpy(chacha20_poly1305_long_key(c), key, 32);
    return error;
}

/* Starts the keystream, whose first block holds the MAC's key. */
static runnel_stream *chacha20_poly1305_begin(runnel_aead_context *c, const uint8_t *nonce)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    const runnel_count blocks = runnel_narrow_count(s->cipher->blocks);
    if (c->aead->nonce_default == 24) {
        uint8_t key[32], rest[12] = {0};
        runnel_hchacha20(key, chacha20_poly1305_long_key(c), nonce);
        s->kernel->key(runnel_state_of(s), key, sizeof key);
        memcpy(rest + 4, nonce + 16, 8);
        runnel_begin(s, rest, sizeof rest, 0, &blocks);
        runnel_wipe(key, sizeof key);
    } else {
        runnel_begin(s, nonce, 12, 0, &blocks);
    }
    return s;
}

static void chacha20_poly1305_set_mac_key(runnel_poly1305 *mac, const uint8_t *key)
{
    const int error = runnel_poly1305_key(mac, key, 32);
    (void)error;
}

static void chacha20_poly1305_start(runnel_aead_context *c, const uint8_t *nonce, size_t nonce_bytes)
{
    uint8_t first[CHACHA20_BLOCK];
    (void)nonce_bytes;
    runnel_aead_xor(chacha20_poly1305_begin(c, nonce), first, NULL, sizeof first);
    chacha20_poly1305_set_mac_key(runnel_aead_part(c), first);
    runnel_wipe(first, sizeof first);
}

static void chacha20_poly1305_aad(runnel_aead_context *c, const uint8_t *data, size_t bytes)
{
    chacha20_poly1305_update(runnel_aead_part(c), data, bytes);
}

static void chacha20_poly1305_text(runnel_aead_context *c)
{
    chacha20_poly1305_pad(runnel_aead_part(c), c->aad_bytes);
}

#if RUNNEL_HOSTED
static runnel_kernel_list chacha20_poly1305_kernels = {
#define KERNEL(on, name) RUNNEL_LIST(on, runnel_chacha20_poly1305_fused, runnel_chacha20_poly1305_##name)
#include "kernels.inc"
    NULL,
};

/* A text and the kernel that the cipher's stream runs. */
typedef struct chacha20_poly1305_task {
    const runnel_kernel *cipher;
    size_t bytes;
} chacha20_poly1305_task;

/* A runnel_kernel_suits: takes the place of that kernel for some of the text. */
static int chacha20_poly1305_fuses(const runnel_kernel_head *kernel, const void *purpose)
{
    const chacha20_poly1305_task *t = purpose;
    const runnel_chacha20_poly1305_fused *k = (const void *)kernel;
    return k->cipher == t->cipher && t->bytes >= k->least;
}

/* The fused kernel that takes some of a text of so many bytes, or NULL. */
static const runnel_chacha20_poly1305_fused *chacha20_poly1305_fused_kernel(const runnel_stream *s, size_t bytes)
{
    if (bytes <= CHACHA20_POLY1305_NO_CONTEXT)
        return NULL; /* without asking what the processor has */
    const chacha20_poly1305_task t = {s->kernel, bytes};
    return (const void *)runnel_first_kernel(chacha20_poly1305_kernels, NULL, chacha20_poly1305_fuses, &t);
}

/* Lets a fused kernel, none if k is NULL, take what it can of a text, where blocks of cipher and MAC begin; begun:
 * chacha20_poly1305_begin_fused has been called for it. Returns how many bytes it took: all, or whole blocks. */
static size_t chacha20_poly1305_crypt_fused(const runnel_chacha20_poly1305_fused *k, runnel_stream *s,
                                            runnel_poly1305 *mac, uint8_t *out, const uint8_t *in, size_t bytes,
                                            int begun, int decrypt)
{
    if (k == NULL)
        return 0;
    const size_t taken = k->crypt(runnel_state_of(s), (uint32_t)s->block, mac, out, in, bytes, begun, decrypt);
    s->block += taken / CHACHA20_BLOCK;
    return taken;
}

/* How much of a piece it takes, which is not the end of the text. */
static size_t chacha20_poly1305_whole(const runnel_chacha20_poly1305_fused *k, size_t bytes)
{
    return k == NULL ? 0 : bytes - bytes % (k->blocks * CHACHA20_BLOCK);
}

/* The keystream of the MAC's key, and with it the first blocks of a text that a fused kernel is to encrypt. */
static void chacha20_poly1305_begin_fused(runnel_stream *s, const runnel_chacha20_poly1305_fused *k, uint8_t *first,
                                          const runnel_aead_message *m)
{
    k->begin(runnel_state_of(s), first, m->out, m->in);
    s->block = 1;
}
#else
static inline const runnel_chacha20_poly1305_fused *chacha20_poly1305_fused_kernel(const runnel_stream *s, size_t bytes)
{
    (void)s;
    (void)bytes;
    return NULL;
}

static inline size_t chacha20_poly1305_crypt_fused(const runnel_chacha20_poly1305_fused *k, runnel_stream *s,
                                                   runnel_poly1305 *mac, uint8_t *out, const uint8_t *in, size_t bytes,
                                                   int begun, int decrypt)
{
    (void)k;
    (void)s;
    (void)mac;
    (void)out;
    (void)in;
    (void)bytes;
    (void)begun;
    (void)decrypt;
    return 0;
}

static inline size_t chacha20_poly1305_whole(const runnel_chacha20_poly1305_fused *k, size_t bytes)
{
    (void)k;
    (void)bytes;
    return 0;
}

static inline void chacha20_poly1305_begin_fused(runnel_stream *s, const runnel_chacha20_poly1305_fused *k,
                                                 uint8_t *first, const runnel_aead_message *m)
{
    (void)s;
    (void)k;
    (void)first;
    (void)m;
}
#endif

static void chacha20_poly1305_crypt(runnel_aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_stream *s = &runnel_aead_cipher(c)->stream;
    runnel_poly1305 *mac = runnel_aead_part(c);
    if (s->leftover == 0 && mac->mac.filled == 0) {
        const runnel_chacha20_poly1305_fused *k = chacha20_poly1305_fused_kernel(s, bytes);
        const size_t fused =
            chacha20_poly1305_crypt_fused(k, s, mac, out, in, chacha20_poly1305_whole(k, bytes), 0, decrypt);
        out += fused;
        in += fused;
        bytes -= fused;
    }
    for (size_t n; bytes > 0; bytes -= n, in += n, out += n) {
        n = bytes < CHACHA20_POLY1305_AT_ONCE ? bytes : CHACHA20_POLY1305_AT_ONCE;
        if (decrypt)
            chacha20_poly1305_update(mac, in, n);
        runnel_aead_xor(s, out, in, n);
        if (!decrypt)
            chacha20_poly1305_update(mac, out, n);
    }
}

#if RUNNEL_HOSTED
static void chacha20_poly1305_keystream(runnel_aead_context *c, uint8_t *out, size_t bytes)
{
    runnel_aead_xor(&runnel_aead_cipher(c)->stream, out, NULL, bytes);
}

static void chacha20_poly1305_absorb(runnel_aead_context *c, const uint8_t *ciphertext, size_t bytes)
{
    chacha20_poly1305_update(runnel_aead_part(c), ciphertext, bytes);
}
#endif

static void chacha20_poly1305_finish(runnel_poly1305 *mac, uint64_t aad_bytes, uint64_t text_bytes, uint8_t *longest)
{
    uint8_t lengths[16];
    chacha20_poly1305_pad(mac, text_bytes);
    runnel_store64le(lengths, aad_bytes);
    runnel_store64le(lengths + 8, text_bytes);
    chacha20_poly1305_update(mac, lengths, sizeof lengths);
    runnel_poly1305_finish(mac, longest);
    runnel_poly1305_forget(mac);
}

static void chacha20_poly1305_tag(runnel_aead_context *c, uint8_t *longest)
{
    chacha20_poly1305_finish(runnel_aead_part(c), c->aad_bytes, c->text_bytes, longest);
}

/* A text whose keystream is made already. */
static void chacha20_poly1305_crypt_with(const uint8_t *keystream, runnel_poly1305 *mac, const runnel_aead_message *m)
{
    if (m->decrypt)
        runnel_poly1305_absorb_padded(mac, m->in, m->bytes);
    runnel_xor_bytes(m->out, m->in, keystream, m->bytes);
    if (!m->decrypt)
        runnel_poly1305_absorb_padded(mac, m->out, m->bytes);
}

static void chacha20_poly1305_crypt_long(const runnel_chacha20_poly1305_fused *k, runnel_stream *s,
                                         runnel_poly1305 *mac, const runnel_aead_message *m)
{
    size_t at = chacha20_poly1305_crypt_fused(k, s, mac, m->out, m->in, m->bytes, !m->decrypt, m->decrypt);
    for (size_t n; at < m->bytes; at += n) {
        n = m->bytes - at < CHACHA20_POLY1305_AT_ONCE ? m->bytes - at : CHACHA20_POLY1305_AT_ONCE;
        if (m->decrypt)
            runnel_poly1305_absorb_padded(mac, m->in + at, n);
        runnel_aead_xor(s, m->out + at, m->in + at, n);
        if (!m->decrypt)
            runnel_poly1305_absorb_padded(mac, m->out + at, n);
    }
}

/* The first blocks of the keystream, and the position after them. */
static void chacha20_poly1305_first_blocks(runnel_stream *s, uint8_t *keystream, size_t nblocks)
{
#if RUNNEL_HOSTED /* straight to the kernel */
    s->kernel->stream.xor_blocks(runnel_state_of(s), 0, keystream, NULL, nblocks);
    s->block = nblocks;
#else
    runnel_aead_xor(s, keystream, NULL, nblocks * CHACHA20_BLOCK);
#endif
}

#if RUNNEL_HOSTED
/* A text whose keystream, without the MAC's key, is made already, and the tag. */
static void chacha20_poly1305_short_message(const uint8_t *keystream, const runnel_aead_message *m, uint8_t *longest)
{
    if (m->decrypt)
        runnel_poly1305_tag_of_two(longest, keystream, m->aad, m->aad_bytes, m->in, m->bytes);
    runnel_xor_bytes(m->out, m->in, keystream + CHACHA20_BLOCK, m->bytes);
    if (!m->decrypt)
        runnel_poly1305_tag_of_two(longest, keystream, m->aad, m->aad_bytes, m->out, m->bytes);
}
#endif

/* The MAC of a text, which it encrypts or decrypts; the keystream for it is made already, or k begins with it, or neither. */
static void chacha20_poly1305_long_message(const runnel_chacha20_poly1305_fused *k, runnel_stream *s,
                                           runnel_poly1305 *mac, const uint8_t *keystream, size_t joint,
                                           const runnel_aead_message *m, uint8_t *longest)
{
    uint8_t lengths[16];
    runnel_poly1305_set_key(mac, keystream);
    runnel_poly1305_absorb_padded(mac, m->aad, m->aad_bytes);
    if (joint > 0)
        chacha20_poly1305_crypt_with(keystream + CHACHA20_BLOCK, mac, m);
    else if (m->bytes > 0)
        chacha20_poly1305_crypt_long(k, s, mac, m);
    runnel_store64le(lengths, m->aad_bytes);
    runnel_store64le(lengths + 8, m->bytes);
    runnel_poly1305_absorb(mac, lengths, 1);
    runnel_poly1305_finish(mac, longest);
    runnel_poly1305_forget(mac);
}

static void chacha20_poly1305_message(runnel_aead_context *c, const runnel_aead_message *m, uint8_t *longest)
{
    RUNNEL_LINE_ALIGNED uint8_t keystream[CHACHA20_BLOCK + CHACHA20_POLY1305_SHORT]; /* else 3% slower on some stacks */
    runnel_stream *s = chacha20_poly1305_begin(c, m->nonce);
    const runnel_chacha20_poly1305_fused *fused = chacha20_poly1305_fused_kernel(s, m->bytes);
    const size_t joint = m->bytes > CHACHA20_POLY1305_SHORT || fused != NULL ? 0 : m->bytes;
    const size_t nblocks = 1 + (joint + CHACHA20_BLOCK - 1) / CHACHA20_BLOCK;
    if (fused != NULL && !m->decrypt)
        chacha20_poly1305_begin_fused(s, fused, keystream, m);
    else
        chacha20_poly1305_first_blocks(s, keystream, nblocks);
#if RUNNEL_HOSTED
    if (m->bytes <= CHACHA20_POLY1305_NO_CONTEXT && m->aad_bytes <= CHACHA20_POLY1305_NO_CONTEXT - 32)
        chacha20_poly1305_short_message(keystream, m, longest);
    else
#endif
        chacha20_poly1305_long_message(fused, s, runnel_aead_part(c), keystream, joint, m, longest);
    runnel_wipe(keystream, nblocks * CHACHA20_BLOCK);
}

static const runnel_aead_mode chacha20_poly1305_mode = {
    .key = chacha20_poly1305_set_key,
    .kernel = runnel_aead_kernel_of_cipher,
    .start = chacha20_poly1305_start,
    .aad = chacha20_poly1305_aad,
    .text = chacha20_poly1305_text,
    .crypt = chacha20_poly1305_crypt,
    .tag = chacha20_poly1305_tag,
#if RUNNEL_HOSTED
    .keystream = chacha20_poly1305_keystream,
    .absorb = chacha20_poly1305_absorb,
    .small = 768,
#endif
    .message = chacha20_poly1305_message,
};

extern runnel_cipher_list runnel_chacha20_ciphers;

#define BOTH                                                                                                           \
    .mode = &chacha20_poly1305_mode, .multipart = 1, .tag_default = 16, .nonce_random = 1, .tag_set = RUNNEL_TAG(16),  \
    .key_bytes = 32, .mode_offset = offsetof(runnel_chacha20_poly1305, mac),                                           \
    .cipher_offset = offsetof(runnel_chacha20_poly1305, cipher), .ciphers = runnel_chacha20_ciphers,                   \
    RUNNEL_AHEAD_AT(offsetof(runnel_chacha20_poly1305, ahead)).plaintext_max =                                         \
        RUNNEL_TEXT_MOST(((uint64_t)1 << 38) - 64, CHACHA20_BLOCK, 1),                                                 \
    .aad_max = UINT64_MAX, .status = RUNNEL_RECOMMENDED,                                                               \
    .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages and lets anyone forge messages under that nonce")

static const runnel_aead chacha20_poly1305 = {
    BOTH,
    .name = RUNNEL_TEXT("chacha20-poly1305"),
    .family = RUNNEL_TEXT("chacha20_poly1305"),
    .title = RUNNEL_TEXT("ChaCha20-Poly1305"),
    .source = RUNNEL_TEXT("RFC 8439 2.8"),
    .nonce_default = 12,
    .nonce_min = 12,
    .nonce_max = 12,
    .messages = (uint64_t)1 << 32,
    .context_bytes = sizeof(runnel_chacha20_poly1305),
};

static const runnel_aead xchacha20_poly1305 = {
    BOTH,
    .name = RUNNEL_TEXT("xchacha20-poly1305"),
    .family = RUNNEL_TEXT("xchacha20_poly1305"),
    .title = RUNNEL_TEXT("XChaCha20-Poly1305"),
    .source = RUNNEL_TEXT("draft-irtf-cfrg-xchacha-03"),
    .remark = RUNNEL_TEXT("nonces may be drawn at random for as many messages as anybody sends"),
    .nonce_default = 24,
    .nonce_min = 24,
    .nonce_max = 24,
    .context_bytes = sizeof(runnel_xchacha20_poly1305),
};

static runnel_aead_list chacha20_poly1305_chacha20_family = {&chacha20_poly1305, NULL};
static runnel_aead_list chacha20_poly1305_xchacha20_family = {&xchacha20_poly1305, NULL};

runnel_aead_list runnel_chacha20_poly1305_aeads = {&chacha20_poly1305, &xchacha20_poly1305, NULL};

RUNNEL_DEFINE_AEAD_VERBS(chacha20_poly1305, chacha20_poly1305_chacha20_family)
RUNNEL_DEFINE_AEAD_VERBS(xchacha20_poly1305, chacha20_poly1305_xchacha20_family)
