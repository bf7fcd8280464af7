/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL through EVP: the system's, and the newest release. A new IV by init with only the IV, a new key and IV by one
 * init: the cheapest public ways. AES-SIV is not here, because a context takes one message for each key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef struct evp_cipher_ctx evp_cipher_ctx;
typedef struct evp_cipher evp_cipher;

typedef struct functions {
    evp_cipher_ctx *(*new_context)(void);
    evp_cipher *(*fetch)(void *library, const char *name, const char *properties);
    int (*init)(evp_cipher_ctx *, const evp_cipher *, void *engine, const uint8_t *key, const uint8_t *iv);
    int (*update)(evp_cipher_ctx *, uint8_t *out, int *out_bytes, const uint8_t *in, int bytes);
    int (*final)(evp_cipher_ctx *, uint8_t *out, int *out_bytes);
    int (*control)(evp_cipher_ctx *, int what, int number, void *pointer);
    const char *(*version)(int what);
} functions;

static const struct {
    const char *cipher, *name;
    uint8_t counter_bytes; /* in front of the nonce in OpenSSL's IV, zero */
} ciphers[] = {{"aes-128-ctr", "AES-128-CTR", 0},
               {"aes-192-ctr", "AES-192-CTR", 0},
               {"aes-256-ctr", "AES-256-CTR", 0},
               {"aes-128-cfb", "AES-128-CFB", 0},
               {"aes-192-cfb", "AES-192-CFB", 0},
               {"aes-256-cfb", "AES-256-CFB", 0},
               {"chacha20", "ChaCha20", 4},
               {"aria-128-ctr", "ARIA-128-CTR", 0},
               {"aria-192-ctr", "ARIA-192-CTR", 0},
               {"aria-256-ctr", "ARIA-256-CTR", 0},
               {"aes-128-gcm", "AES-128-GCM", 0},
               {"aes-192-gcm", "AES-192-GCM", 0},
               {"aes-256-gcm", "AES-256-GCM", 0},
               {"aria-128-gcm", "ARIA-128-GCM", 0},
               {"aria-192-gcm", "ARIA-192-GCM", 0},
               {"aria-256-gcm", "ARIA-256-GCM", 0},
               {"aes-128-ccm", "AES-128-CCM", 0},
               {"aes-192-ccm", "AES-192-CCM", 0},
               {"aes-256-ccm", "AES-256-CCM", 0},
               {"chacha20-poly1305", "ChaCha20-Poly1305", 0},
               {"aria-128-cfb", "ARIA-128-CFB", 0},
               {"aria-192-cfb", "ARIA-192-CFB", 0},
               {"aria-256-cfb", "ARIA-256-CFB", 0},
               {"aria-128-ccm", "ARIA-128-CCM", 0},
               {"aria-192-ccm", "ARIA-192-CCM", 0},
               {"aria-256-ccm", "ARIA-256-CCM", 0},
               {"aes-128-gcm-siv", "AES-128-GCM-SIV", 0},
               {"aes-256-gcm-siv", "AES-256-GCM-SIV", 0}};

typedef struct context {
    const functions *evp;
    evp_cipher_ctx *cipher;
    uint8_t counter_bytes;
    uint8_t iv_bytes;
    uint8_t ccm;
} context;

/* A key, an IV or both. */
static int init(const context *o, const uint8_t *key, const uint8_t *iv)
{
    uint8_t whole[16] = {0};
    if (iv == NULL || o->counter_bytes == 0)
        return !o->evp->init(o->cipher, NULL, NULL, key, iv);
    memcpy(whole + o->counter_bytes, iv, o->iv_bytes);
    return !o->evp->init(o->cipher, NULL, NULL, key, whole);
}

static int set_key(void *c, const uint8_t *key)
{
    return init(c, key, NULL);
}

static int set_iv(void *c, const uint8_t *iv)
{
    return init(c, NULL, iv);
}

static int update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int written;
    const context *o = c;
    return !o->evp->update(o->cipher, out, &written, in, (int)bytes);
}

static int key_message(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return init(c, key, iv) || update(c, out, in, bytes);
}

static int message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return key_message(c, NULL, iv, out, in, bytes);
}

/* The tag goes behind the ciphertext. CCM takes the length first; the others do not mind. */
static int key_seal(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    enum { GET_TAG = 0x10 };
    const context *o = c;
    const functions *evp = o->evp;
    int written;
    if (init(o, key, iv) || (o->ccm && !evp->update(o->cipher, NULL, &written, NULL, (int)bytes)))
        return 1;
    return !evp->update(o->cipher, out, &written, in, (int)bytes) || !evp->final(o->cipher, out + written, &written) ||
           !evp->control(o->cipher, GET_TAG, 16, out + bytes);
}

static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return key_seal(c, NULL, iv, out, in, bytes);
}

/* CCM wants its lengths before key and nonce. */
static int set_up_ccm(const context *c)
{
    enum { SET_IV_BYTES = 0x9, SET_TAG = 0x11 };
    return c->evp->control(c->cipher, SET_IV_BYTES, c->iv_bytes, NULL) && c->evp->control(c->cipher, SET_TAG, 16, NULL);
}

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

static const subject_verbs cipher_verbs = {
    .key = set_key, .iv = set_iv, .message = message, .update = update, .key_message = key_message};
static const subject_verbs aead_verbs = {
    .key = set_key, .iv = set_iv, .message = seal, .update = update, .key_message = key_seal};
/* CCM and GCM-SIV take a message whole. */
static const subject_verbs whole_verbs = {.key = set_key, .iv = no_iv, .message = seal, .key_message = key_seal};

static int load(functions *evp, const char *file, char version[24])
{
    enum { OPENSSL_VERSION_STRING = 6 };
    const library_symbol symbols[] = {{"EVP_CIPHER_CTX_new", &evp->new_context}, {"EVP_CIPHER_fetch", &evp->fetch},
                                      {"EVP_EncryptInit_ex", &evp->init},        {"EVP_EncryptUpdate", &evp->update},
                                      {"EVP_EncryptFinal_ex", &evp->final},      {"EVP_CIPHER_CTX_ctrl", &evp->control},
                                      {"OpenSSL_version", &evp->version}};
    if (!LIBRARY_LOAD(file, symbols))
        return 0;
    snprintf(version, 24, "%s", evp->version(OPENSSL_VERSION_STRING));
    return 1;
}

static int open_cipher(const functions *evp, const bench_shape *shape, bench_subject *subject)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].cipher, shape->cipher) != 0)
            continue;
        evp_cipher *cipher = evp->fetch(NULL, ciphers[i].name, NULL);
        context *c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        *c = (context){evp, evp->new_context(), ciphers[i].counter_bytes, (uint8_t)shape->iv_bytes,
                       strstr(shape->cipher, "-ccm") != NULL};
        subject->verbs = shape->tag_bytes == 0                             ? &cipher_verbs
                         : c->ccm || strstr(shape->cipher, "-siv") != NULL ? &whole_verbs
                                                                           : &aead_verbs;
        subject->context = c;
        return cipher != NULL && c->cipher != NULL && evp->init(c->cipher, cipher, NULL, NULL, NULL) &&
               (!c->ccm || set_up_ccm(c));
    }
    return 0;
}

static functions of_system, of_newest;

static int load_system(const char *directory, char version[24])
{
    (void)directory;
    return load(&of_system, "libcrypto.so.3", version);
}

static int open_system(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_system, shape, subject);
}

static int load_newest(const char *directory, char version[24])
{
    char file[4200];
    snprintf(file, sizeof file, "%s/libcrypto.so", directory);
    return load(&of_newest, file, version);
}

static int open_newest(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_newest, shape, subject);
}

const peer peer_openssl = {"OpenSSL", load_system, open_system, 0};
const peer peer_newest_openssl = {"OpenSSL", load_newest, open_newest, 1};
