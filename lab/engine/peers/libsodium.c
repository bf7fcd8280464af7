/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libsodium, the system's and the newest release. It has no contexts: key, nonce and block counter are arguments of each
 * call; AES-GCM alone takes a key that has been expanded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef int xor_salsa20(uint8_t *out, const uint8_t *in, unsigned long long bytes, const uint8_t *nonce, uint64_t block,
                        const uint8_t *key);
typedef int xor_chacha20(uint8_t *out, const uint8_t *in, unsigned long long bytes, const uint8_t *nonce,
                         uint32_t block, const uint8_t *key);
typedef int seal_detached(uint8_t *out, uint8_t *tag, unsigned long long *tag_bytes, const uint8_t *in,
                          unsigned long long bytes, const uint8_t *aad, unsigned long long aad_bytes,
                          const uint8_t *secret_nonce, const uint8_t *nonce, const void *key);

typedef struct functions {
    int (*init)(void);
    const char *(*version)(void);
    xor_salsa20 *salsa20;
    xor_chacha20 *chacha20;
    seal_detached *chacha20_poly1305, *xchacha20_poly1305, *aes_gcm; /* NULL where the library has none */
    int (*aes_gcm_available)(void);
    int (*aes_gcm_key)(void *context, const uint8_t *key);
} functions;

typedef struct context {
    const functions *sodium;
    seal_detached *seal;
    uint8_t key[32];
    uint8_t iv[12];
    uint8_t iv_bytes;
    uint64_t block;
    _Alignas(64) uint8_t expanded[512]; /* AES-GCM's key */
} context;

static int set_key(void *c, const uint8_t *key)
{
    memcpy(((context *)c)->key, key, 32);
    return 0;
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *s = c;
    memcpy(s->iv, iv, s->iv_bytes);
    s->block = 0;
    return 0;
}

static int salsa20_key_message(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in,
                               size_t bytes)
{
    return ((context *)c)->sodium->salsa20(out, in, bytes, iv, 0, key);
}

static int salsa20_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return salsa20_key_message(c, ((context *)c)->key, iv, out, in, bytes);
}

static int chacha20_key_message(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in,
                                size_t bytes)
{
    return ((context *)c)->sodium->chacha20(out, in, bytes, iv, 0, key);
}

static int chacha20_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return chacha20_key_message(c, ((context *)c)->key, iv, out, in, bytes);
}

static int salsa20_update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *s = c;
    uint64_t block = s->block;
    s->block += bytes / 64;
    return s->sodium->salsa20(out, in, bytes, s->iv, block, s->key);
}

static int chacha20_update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *s = c;
    uint64_t block = s->block;
    s->block += bytes / 64;
    return s->sodium->chacha20(out, in, bytes, s->iv, (uint32_t)block, s->key);
}

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

static int key_seal(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return ((context *)c)->seal(out, out + bytes, NULL, in, bytes, NULL, 0, NULL, iv, key);
}

static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return key_seal(c, ((context *)c)->key, iv, out, in, bytes);
}

static int expand_key(void *c, const uint8_t *key)
{
    context *s = c;
    return s->sodium->aes_gcm_key(s->expanded, key);
}

static int seal_expanded(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return key_seal(c, ((context *)c)->expanded, iv, out, in, bytes);
}

/* A piece that is not the last has whole blocks: only their number says where the stream continues. */
static const subject_verbs salsa20_verbs = {.key = set_key,
                                            .iv = set_iv,
                                            .message = salsa20_message,
                                            .update = salsa20_update,
                                            .key_message = salsa20_key_message,
                                            .piece = 64,
                                            .stateless = 1};
static const subject_verbs chacha20_verbs = {.key = set_key,
                                             .iv = set_iv,
                                             .message = chacha20_message,
                                             .update = chacha20_update,
                                             .key_message = chacha20_key_message,
                                             .piece = 64,
                                             .stateless = 1};
static const subject_verbs aead_verbs = {
    .key = set_key, .iv = no_iv, .message = seal, .key_message = key_seal, .stateless = 1};
static const subject_verbs aes_gcm_verbs = {.key = expand_key, .iv = no_iv, .message = seal_expanded};

static int load(functions *sodium, const char *file, char version[24])
{
    const library_symbol symbols[] = {{"sodium_init", &sodium->init},
                                      {"sodium_version_string", &sodium->version},
                                      {"crypto_stream_salsa20_xor_ic", &sodium->salsa20},
                                      {"crypto_stream_chacha20_ietf_xor_ic", &sodium->chacha20}};
    const library_symbol aeads[] = {
        {"crypto_aead_chacha20poly1305_ietf_encrypt_detached", &sodium->chacha20_poly1305},
        {"crypto_aead_xchacha20poly1305_ietf_encrypt_detached", &sodium->xchacha20_poly1305},
        {"crypto_aead_aes256gcm_is_available", &sodium->aes_gcm_available},
        {"crypto_aead_aes256gcm_beforenm", &sodium->aes_gcm_key},
        {"crypto_aead_aes256gcm_encrypt_detached_afternm", &sodium->aes_gcm}};
    if (!LIBRARY_LOAD(file, symbols) || sodium->init() < 0)
        return 0;
    if (!LIBRARY_LOAD(file, aeads))
        sodium->chacha20_poly1305 = sodium->xchacha20_poly1305 = sodium->aes_gcm = NULL;
    else if (!sodium->aes_gcm_available())
        sodium->aes_gcm = NULL;
    snprintf(version, 24, "%s", sodium->version());
    return 1;
}

static int open_cipher(const functions *sodium, const bench_shape *shape, bench_subject *subject)
{
    const struct {
        const char *cipher;
        const subject_verbs *verbs;
        seal_detached *seal;
    } ciphers[] = {{"salsa20", &salsa20_verbs, NULL},
                   {"chacha20", &chacha20_verbs, NULL},
                   {"chacha20-poly1305", &aead_verbs, sodium->chacha20_poly1305},
                   {"xchacha20-poly1305", &aead_verbs, sodium->xchacha20_poly1305},
                   {"aes-256-gcm", &aes_gcm_verbs, sodium->aes_gcm}};
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].cipher, shape->cipher) != 0 || shape->key_bytes != 32 ||
            (shape->tag_bytes > 0 && ciphers[i].seal == NULL))
            continue;
        context *c = aligned_alloc(64, sizeof *c);
        if (c == NULL)
            abort();
        memset(c, 0, sizeof *c);
        c->sodium = sodium;
        c->seal = ciphers[i].seal;
        c->iv_bytes = (uint8_t)shape->iv_bytes;
        subject->verbs = ciphers[i].verbs;
        subject->context = c;
        return 1;
    }
    return 0;
}

static functions of_system, of_newest;

static int load_system(const char *directory, char version[24])
{
    (void)directory;
    return load(&of_system, "libsodium.so.23", version);
}

static int open_system(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_system, shape, subject);
}

static int load_newest(const char *directory, char version[24])
{
    char file[4200];
    snprintf(file, sizeof file, "%s/libsodium.so", directory);
    return load(&of_newest, file, version);
}

static int open_newest(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_newest, shape, subject);
}

const peer peer_libsodium = {"libsodium", load_system, open_system, 0};
const peer peer_newest_libsodium = {"libsodium", load_newest, open_newest, 1};
