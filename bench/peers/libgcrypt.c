/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef struct gcry_handle gcry_handle;

static struct {
    const char *(*check_version)(const char *wanted);
    unsigned (*control)(int command, ...);
    unsigned (*open)(gcry_handle **, int algorithm, int mode, unsigned flags);
    unsigned (*set_key)(gcry_handle *, const void *key, size_t bytes);
    unsigned (*set_iv)(gcry_handle *, const void *iv, size_t bytes);
    unsigned (*set_ctr)(gcry_handle *, const void *counter, size_t bytes);
    unsigned (*encrypt)(gcry_handle *, void *out, size_t out_bytes, const void *in, size_t bytes);
} gcry;

static const library_symbol symbols[] = {{"gcry_check_version", &gcry.check_version},
                                         {"gcry_control", &gcry.control},
                                         {"gcry_cipher_open", &gcry.open},
                                         {"gcry_cipher_setkey", &gcry.set_key},
                                         {"gcry_cipher_setiv", &gcry.set_iv},
                                         {"gcry_cipher_setctr", &gcry.set_ctr},
                                         {"gcry_cipher_encrypt", &gcry.encrypt}};

enum { MODE_STREAM = 4, MODE_CTR = 6 };

static const struct {
    const char *cipher;
    int algorithm;
    int mode;
} ciphers[] = {{"aes-128-ctr", 7, MODE_CTR},        {"aes-192-ctr", 8, MODE_CTR},
               {"aes-256-ctr", 9, MODE_CTR},        {"seed-ctr", 309, MODE_CTR},
               {"camellia-128-ctr", 310, MODE_CTR}, {"camellia-192-ctr", 311, MODE_CTR},
               {"camellia-256-ctr", 312, MODE_CTR}, {"salsa20", 313, MODE_STREAM},
               {"salsa20-12", 314, MODE_STREAM},    {"chacha20", 316, MODE_STREAM}};

typedef struct context {
    gcry_handle *handle;
    size_t key_bytes;
    size_t iv_bytes;
} context;

static int set_key(void *c, const uint8_t *key)
{
    context *g = c;
    return gcry.set_key(g->handle, key, g->key_bytes) != 0;
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *g = c;
    return gcry.set_iv(g->handle, iv, g->iv_bytes) != 0;
}

static int set_ctr(void *c, const uint8_t *iv)
{
    context *g = c;
    return gcry.set_ctr(g->handle, iv, g->iv_bytes) != 0;
}

static int go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return gcry.encrypt(((context *)c)->handle, out, bytes, in, bytes) != 0;
}

static int iv_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || go_on(c, out, in, bytes);
}

static int ctr_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_ctr(c, iv) || go_on(c, out, in, bytes);
}

static const subject_verbs stream_verbs = {.key = set_key, .iv = set_iv, .message = iv_message, .go_on = go_on};
static const subject_verbs ctr_verbs = {.key = set_key, .iv = set_ctr, .message = ctr_message, .go_on = go_on};

static int load(const char *directory, char version[24])
{
    (void)directory;
    enum { DISABLE_SECURE_MEMORY = 37, INITIALIZATION_FINISHED = 38 };
    if (!LIBRARY_LOAD("libgcrypt.so.20", symbols))
        return 0;
    snprintf(version, 24, "%s", gcry.check_version(NULL));
    gcry.control(DISABLE_SECURE_MEMORY, 0);
    gcry.control(INITIALIZATION_FINISHED, 0);
    return 1;
}

static int open_cipher(const bench_shape *shape, bench_subject *subject)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].cipher, shape->cipher) != 0)
            continue;
        context *c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        *c = (context){NULL, shape->key_bytes, shape->iv_bytes};
        subject->verbs = ciphers[i].mode == MODE_CTR ? &ctr_verbs : &stream_verbs;
        subject->context = c;
        return gcry.open(&c->handle, ciphers[i].algorithm, ciphers[i].mode, 0) == 0;
    }
    return 0;
}

const peer peer_libgcrypt = {"libgcrypt", load, open_cipher};
