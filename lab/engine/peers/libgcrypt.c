/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef struct gcry_handle gcry_handle;

typedef struct functions {
    const char *(*check_version)(const char *wanted);
    unsigned (*control)(int command, ...);
    unsigned (*open)(gcry_handle **, int algorithm, int mode, unsigned flags);
    unsigned (*set_key)(gcry_handle *, const void *key, size_t bytes);
    unsigned (*set_iv)(gcry_handle *, const void *iv, size_t bytes);
    unsigned (*set_ctr)(gcry_handle *, const void *counter, size_t bytes);
    unsigned (*encrypt)(gcry_handle *, void *out, size_t out_bytes, const void *in, size_t bytes);
    unsigned (*authenticate)(gcry_handle *, const void *data, size_t bytes);
    unsigned (*get_tag)(gcry_handle *, void *tag, size_t bytes);
    unsigned (*tell)(gcry_handle *, int what, void *buffer, size_t bytes);
} functions;

enum {
    MODE_CFB = 2,
    MODE_STREAM = 4,
    MODE_CTR = 6,
    MODE_CCM = 8,
    MODE_GCM = 9,
    MODE_POLY1305 = 10,
    MODE_SIV = 15,
    MODE_GCM_SIV = 16
};

static const struct {
    const char *cipher;
    int algorithm;
    int mode;
} ciphers[] = {{"aes-128-ctr", 7, MODE_CTR},
               {"aes-128-cfb", 7, MODE_CFB},
               {"aes-128-ccm", 7, MODE_CCM},
               {"aes-128-gcm", 7, MODE_GCM},
               {"aes-128-siv", 7, MODE_SIV},
               {"aes-128-gcm-siv", 7, MODE_GCM_SIV},
               {"aes-192-ctr", 8, MODE_CTR},
               {"aes-192-cfb", 8, MODE_CFB},
               {"aes-192-ccm", 8, MODE_CCM},
               {"aes-192-gcm", 8, MODE_GCM},
               {"aes-192-siv", 8, MODE_SIV},
               {"aes-256-ctr", 9, MODE_CTR},
               {"aes-256-cfb", 9, MODE_CFB},
               {"aes-256-ccm", 9, MODE_CCM},
               {"aes-256-gcm", 9, MODE_GCM},
               {"aes-256-siv", 9, MODE_SIV},
               {"aes-256-gcm-siv", 9, MODE_GCM_SIV},
               {"seed-ctr", 309, MODE_CTR},
               {"seed-cfb", 309, MODE_CFB},
               {"seed-ccm", 309, MODE_CCM},
               {"seed-gcm", 309, MODE_GCM},
               {"camellia-128-ctr", 310, MODE_CTR},
               {"camellia-192-ctr", 311, MODE_CTR},
               {"camellia-256-ctr", 312, MODE_CTR},
               {"aria-128-ctr", 319, MODE_CTR},
               {"aria-128-gcm", 319, MODE_GCM},
               {"aria-192-ctr", 320, MODE_CTR},
               {"aria-256-ctr", 321, MODE_CTR},
               {"aria-256-gcm", 321, MODE_GCM},
               {"salsa20", 313, MODE_STREAM},
               {"salsa20-12", 314, MODE_STREAM},
               {"chacha20", 316, MODE_STREAM},
               {"chacha20-poly1305", 316, MODE_POLY1305}};

typedef struct context {
    const functions *gcry;
    gcry_handle *handle;
    size_t key_bytes;
    size_t iv_bytes;
} context;

static int set_key(void *c, const uint8_t *key)
{
    context *g = c;
    return g->gcry->set_key(g->handle, key, g->key_bytes) != 0;
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *g = c;
    return g->gcry->set_iv(g->handle, iv, g->iv_bytes) != 0;
}

static int set_ctr(void *c, const uint8_t *iv)
{
    context *g = c;
    return g->gcry->set_ctr(g->handle, iv, g->iv_bytes) != 0;
}

static int update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *g = c;
    return g->gcry->encrypt(g->handle, out, bytes, in, bytes) != 0;
}

static int iv_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || update(c, out, in, bytes);
}

static int ctr_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_ctr(c, iv) || update(c, out, in, bytes);
}

/* Without a reset, what a message that was given up has left of a block would go into the next one's tag (1.10). */
static int start(void *c, const uint8_t *iv)
{
    enum { RESET = 4 };
    context *g = c;
    return g->gcry->tell(g->handle, RESET, NULL, 0) != 0 || set_iv(c, iv);
}

static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *g = c;
    return iv_message(c, iv, out, in, bytes) || g->gcry->get_tag(g->handle, out + bytes, 16) != 0;
}

static int ccm_seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    enum { SET_CCM_LENGTHS = 69 };
    context *g = c;
    uint64_t lengths[] = {bytes, 0, 16};
    return set_iv(c, iv) || g->gcry->tell(g->handle, SET_CCM_LENGTHS, lengths, sizeof lengths) != 0 ||
           update(c, out, in, bytes) || g->gcry->get_tag(g->handle, out + bytes, 16) != 0;
}

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

/* Its SIVs take one message until a reset. */
static int gcm_siv_seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *g = c;
    return start(c, iv) || update(c, out, in, bytes) || g->gcry->get_tag(g->handle, out + bytes, 16) != 0;
}

/* The nonce is the last of the strings that AES-SIV authenticates, after the associated data, which are empty. */
static int siv_seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    enum { RESET = 4 };
    context *g = c;
    return g->gcry->tell(g->handle, RESET, NULL, 0) != 0 || g->gcry->authenticate(g->handle, "", 0) != 0 ||
           iv_message(c, iv, out, in, bytes) || g->gcry->get_tag(g->handle, out + bytes, 16) != 0;
}

static const subject_verbs stream_verbs = {.key = set_key, .iv = set_iv, .message = iv_message, .update = update};
static const subject_verbs ctr_verbs = {.key = set_key, .iv = set_ctr, .message = ctr_message, .update = update};
static const subject_verbs aead_verbs = {.key = set_key, .iv = start, .message = seal, .update = update};
static const subject_verbs ccm_verbs = {.key = set_key, .iv = no_iv, .message = ccm_seal};
static const subject_verbs siv_verbs = {.key = set_key, .iv = no_iv, .message = siv_seal};
static const subject_verbs gcm_siv_verbs = {.key = set_key, .iv = no_iv, .message = gcm_siv_seal};

static const subject_verbs *verbs_of(int mode)
{
    switch (mode) {
    case MODE_CTR:
        return &ctr_verbs;
    case MODE_CCM:
        return &ccm_verbs;
    case MODE_GCM:
    case MODE_POLY1305:
        return &aead_verbs;
    case MODE_SIV:
        return &siv_verbs;
    case MODE_GCM_SIV:
        return &gcm_siv_verbs;
    default:
        return &stream_verbs;
    }
}

static int load(functions *gcry, const char *file, char version[24])
{
    enum { DISABLE_SECURE_MEMORY = 37, INITIALIZATION_FINISHED = 38, DISABLE_FEATURES = 63 };
    const library_symbol symbols[] = {{"gcry_check_version", &gcry->check_version},
                                      {"gcry_control", &gcry->control},
                                      {"gcry_cipher_open", &gcry->open},
                                      {"gcry_cipher_setkey", &gcry->set_key},
                                      {"gcry_cipher_setiv", &gcry->set_iv},
                                      {"gcry_cipher_setctr", &gcry->set_ctr},
                                      {"gcry_cipher_encrypt", &gcry->encrypt},
                                      {"gcry_cipher_authenticate", &gcry->authenticate},
                                      {"gcry_cipher_gettag", &gcry->get_tag},
                                      {"gcry_cipher_ctl", &gcry->tell}};
    if (!LIBRARY_LOAD(file, symbols))
        return 0;
    char *without = getenv("RUNNEL_SPEED_LIBGCRYPT_WITHOUT"); /* features by its names, with commas */
    if (without != NULL && *without != '\0')
        gcry->control(DISABLE_FEATURES, without, NULL);
    snprintf(version, 24, "%s", gcry->check_version(NULL));
    gcry->control(DISABLE_SECURE_MEMORY, 0);
    gcry->control(INITIALIZATION_FINISHED, 0);
    return 1;
}

static int open_cipher(const functions *gcry, const bench_shape *shape, bench_subject *subject)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        if (strcmp(ciphers[i].cipher, shape->cipher) != 0)
            continue;
        context *c = malloc(sizeof *c);
        if (c == NULL)
            abort();
        *c = (context){gcry, NULL, shape->key_bytes, shape->iv_bytes};
        subject->verbs = verbs_of(ciphers[i].mode);
        subject->context = c;
        return gcry->open(&c->handle, ciphers[i].algorithm, ciphers[i].mode, 0) == 0;
    }
    return 0;
}

static functions of_system, of_newest;

static int load_system(const char *directory, char version[24])
{
    (void)directory;
    return load(&of_system, "libgcrypt.so.20", version);
}

static int open_system(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_system, shape, subject);
}

static int load_newest(const char *directory, char version[24])
{
    char file[4200];
    snprintf(file, sizeof file, "%s/libgcrypt.so", directory);
    return load(&of_newest, file, version);
}

static int open_newest(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&of_newest, shape, subject);
}

const peer peer_libgcrypt = {"libgcrypt", load_system, open_system, 0};
const peer peer_newest_libgcrypt = {"libgcrypt", load_newest, open_newest, 1};
