/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL 3 through EVP. A new IV by init with only the IV: the cheapest public way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef struct evp_cipher_ctx evp_cipher_ctx;
typedef struct evp_cipher evp_cipher;

static struct {
    evp_cipher_ctx *(*new_context)(void);
    evp_cipher *(*fetch)(void *library, const char *name, const char *properties);
    int (*init)(evp_cipher_ctx *, const evp_cipher *, void *engine, const uint8_t *key, const uint8_t *iv);
    int (*update)(evp_cipher_ctx *, uint8_t *out, int *out_bytes, const uint8_t *in, int bytes);
    const char *(*version)(int what);
} evp;

static const library_symbol symbols[] = {{"EVP_CIPHER_CTX_new", &evp.new_context},
                                         {"EVP_CIPHER_fetch", &evp.fetch},
                                         {"EVP_EncryptInit_ex", &evp.init},
                                         {"EVP_EncryptUpdate", &evp.update},
                                         {"OpenSSL_version", &evp.version}};

static const struct {
    const char *cipher, *name;
    uint8_t counter_bytes; /* in front of the nonce in OpenSSL's IV, zero */
} ciphers[] = {{"aes-128-ctr", "AES-128-CTR", 0},   {"aes-192-ctr", "AES-192-CTR", 0},
               {"aes-256-ctr", "AES-256-CTR", 0},   {"aes-128-cfb", "AES-128-CFB", 0},
               {"aes-192-cfb", "AES-192-CFB", 0},   {"aes-256-cfb", "AES-256-CFB", 0},
               {"chacha20", "ChaCha20", 4},         {"aria-128-ctr", "ARIA-128-CTR", 0},
               {"aria-192-ctr", "ARIA-192-CTR", 0}, {"aria-256-ctr", "ARIA-256-CTR", 0}};

typedef struct context {
    evp_cipher_ctx *evp;
    uint8_t counter_bytes;
    uint8_t iv_bytes;
} context;

static int set_key(void *c, const uint8_t *key)
{
    return !evp.init(((context *)c)->evp, NULL, NULL, key, NULL);
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *o = c;
    uint8_t whole[16] = {0};
    if (o->counter_bytes == 0)
        return !evp.init(o->evp, NULL, NULL, NULL, iv);
    memcpy(whole + o->counter_bytes, iv, o->iv_bytes);
    return !evp.init(o->evp, NULL, NULL, NULL, whole);
}

static int go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int written;
    return !evp.update(((context *)c)->evp, out, &written, in, (int)bytes);
}

static int message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || go_on(c, out, in, bytes);
}

static const subject_verbs verbs = {.key = set_key, .iv = set_iv, .message = message, .go_on = go_on};

static int load(const char *directory, char version[24])
{
    (void)directory;
    enum { OPENSSL_VERSION_STRING = 6 };
    if (!LIBRARY_LOAD("libcrypto.so.3", symbols))
        return 0;
    snprintf(version, 24, "%s", evp.version(OPENSSL_VERSION_STRING));
    return 1;
}

static int open_cipher(const bench_shape *shape, bench_subject *subject)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].cipher, shape->cipher) != 0)
            continue;
        evp_cipher *cipher = evp.fetch(NULL, ciphers[i].name, NULL);
        context *c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        *c = (context){evp.new_context(), ciphers[i].counter_bytes, (uint8_t)shape->iv_bytes};
        subject->verbs = &verbs;
        subject->context = c;
        return cipher != NULL && c->evp != NULL && evp.init(c->evp, cipher, NULL, NULL, NULL);
    }
    return 0;
}

const peer peer_openssl = {"OpenSSL", load, open_cipher};
