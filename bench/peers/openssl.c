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
    int (*final)(evp_cipher_ctx *, uint8_t *out, int *out_bytes);
    int (*control)(evp_cipher_ctx *, int what, int number, void *pointer);
    const char *(*version)(int what);
} evp;

static const library_symbol symbols[] = {
    {"EVP_CIPHER_CTX_new", &evp.new_context}, {"EVP_CIPHER_fetch", &evp.fetch},
    {"EVP_EncryptInit_ex", &evp.init},        {"EVP_EncryptUpdate", &evp.update},
    {"EVP_EncryptFinal_ex", &evp.final},      {"EVP_CIPHER_CTX_ctrl", &evp.control},
    {"OpenSSL_version", &evp.version}};

static const struct {
    const char *cipher, *name;
    uint8_t counter_bytes; /* in front of the nonce in OpenSSL's IV, zero */
} ciphers[] = {{"aes-128-ctr", "AES-128-CTR", 0},   {"aes-192-ctr", "AES-192-CTR", 0},
               {"aes-256-ctr", "AES-256-CTR", 0},   {"aes-128-cfb", "AES-128-CFB", 0},
               {"aes-192-cfb", "AES-192-CFB", 0},   {"aes-256-cfb", "AES-256-CFB", 0},
               {"chacha20", "ChaCha20", 4},         {"aria-128-ctr", "ARIA-128-CTR", 0},
               {"aria-192-ctr", "ARIA-192-CTR", 0}, {"aria-256-ctr", "ARIA-256-CTR", 0},
               {"aes-128-gcm", "AES-128-GCM", 0},   {"aes-192-gcm", "AES-192-GCM", 0},
               {"aes-256-gcm", "AES-256-GCM", 0},   {"aria-128-gcm", "ARIA-128-GCM", 0},
               {"aria-192-gcm", "ARIA-192-GCM", 0}, {"aria-256-gcm", "ARIA-256-GCM", 0},
               {"aes-128-ccm", "AES-128-CCM", 0},   {"aes-192-ccm", "AES-192-CCM", 0},
               {"aes-256-ccm", "AES-256-CCM", 0},   {"chacha20-poly1305", "ChaCha20-Poly1305", 0}};

typedef struct context {
    evp_cipher_ctx *evp;
    uint8_t counter_bytes;
    uint8_t iv_bytes;
    uint8_t ccm;
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

/* The tag goes behind the ciphertext. CCM takes the length first; the others do not mind. */
static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    enum { GET_TAG = 0x10 };
    context *o = c;
    int written;
    if (!evp.init(o->evp, NULL, NULL, NULL, iv) || (o->ccm && !evp.update(o->evp, NULL, &written, NULL, (int)bytes)))
        return 1;
    return !evp.update(o->evp, out, &written, in, (int)bytes) || !evp.final(o->evp, out + written, &written) ||
           !evp.control(o->evp, GET_TAG, 16, out + bytes);
}

/* CCM wants its lengths before key and nonce. */
static int set_up_ccm(const context *c)
{
    enum { SET_IV_BYTES = 0x9, SET_TAG = 0x11 };
    return evp.control(c->evp, SET_IV_BYTES, c->iv_bytes, NULL) && evp.control(c->evp, SET_TAG, 16, NULL);
}

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

static const subject_verbs aead_verbs = {.key = set_key, .iv = no_iv, .message = seal};
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
        *c = (context){evp.new_context(), ciphers[i].counter_bytes, (uint8_t)shape->iv_bytes,
                       strstr(shape->cipher, "-ccm") != NULL};
        subject->verbs = shape->tag_bytes > 0 ? &aead_verbs : &verbs;
        subject->context = c;
        return cipher != NULL && c->evp != NULL && evp.init(c->evp, cipher, NULL, NULL, NULL) &&
               (!c->ccm || set_up_ccm(c));
    }
    return 0;
}

const peer peer_openssl = {"OpenSSL", load, open_cipher};
