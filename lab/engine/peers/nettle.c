/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* nettle: each mode has functions of its own, and most take whole blocks until the last piece. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef void set_bytes(void *context, const uint8_t *bytes);
typedef void set_counted(void *context, size_t count, const uint8_t *bytes);
typedef void crypt_blocks(const void *context, size_t bytes, uint8_t *out, const uint8_t *in);
typedef void crypt_stream(void *context, size_t bytes, uint8_t *out, const uint8_t *in);
typedef void crypt_mode(const void *context, crypt_blocks *cipher, size_t block_bytes, uint8_t *iv, size_t bytes,
                        uint8_t *out, const uint8_t *in);
typedef void get_tag(void *context, size_t bytes, uint8_t *tag);
typedef void ccm_message(void *context, size_t nonce_bytes, const uint8_t *nonce, size_t aad_bytes, const uint8_t *aad,
                         size_t tag_bytes, size_t out_bytes, uint8_t *out, const uint8_t *in);
typedef void siv_message(const void *context, size_t nonce_bytes, const uint8_t *nonce, size_t aad_bytes,
                         const uint8_t *aad, size_t out_bytes, uint8_t *out, const uint8_t *in);

static struct {
    int (*version_major)(void);
    int (*version_minor)(void);
    crypt_mode *ctr, *cfb;
    set_bytes *aes_set_key[3], *salsa20_set_key, *salsa20_set_nonce, *chacha_set_key, *chacha_set_nonce;
    crypt_blocks *aes_encrypt[3];
    crypt_stream *salsa20, *salsa20_12, *chacha20;
    set_bytes *gcm_set_key[3], *ccm_set_key[3], *siv_set_key[2], *poly1305_set_key, *poly1305_set_nonce;
    set_counted *gcm_set_iv[3];
    crypt_stream *gcm[3], *poly1305;
    get_tag *gcm_tag[3], *poly1305_tag;
    ccm_message *ccm[3];
    siv_message *siv[2];
} nettle;

static const library_symbol symbols[] = {{"nettle_version_major", &nettle.version_major},
                                         {"nettle_version_minor", &nettle.version_minor},
                                         {"nettle_ctr_crypt", &nettle.ctr},
                                         {"nettle_cfb_encrypt", &nettle.cfb},
                                         {"nettle_aes128_set_encrypt_key", &nettle.aes_set_key[0]},
                                         {"nettle_aes192_set_encrypt_key", &nettle.aes_set_key[1]},
                                         {"nettle_aes256_set_encrypt_key", &nettle.aes_set_key[2]},
                                         {"nettle_aes128_encrypt", &nettle.aes_encrypt[0]},
                                         {"nettle_aes192_encrypt", &nettle.aes_encrypt[1]},
                                         {"nettle_aes256_encrypt", &nettle.aes_encrypt[2]},
                                         {"nettle_salsa20_256_set_key", &nettle.salsa20_set_key},
                                         {"nettle_salsa20_set_nonce", &nettle.salsa20_set_nonce},
                                         {"nettle_salsa20_crypt", &nettle.salsa20},
                                         {"nettle_salsa20r12_crypt", &nettle.salsa20_12},
                                         {"nettle_chacha_set_key", &nettle.chacha_set_key},
                                         {"nettle_chacha_set_nonce96", &nettle.chacha_set_nonce},
                                         {"nettle_chacha_crypt32", &nettle.chacha20},
                                         {"nettle_gcm_aes128_set_key", &nettle.gcm_set_key[0]},
                                         {"nettle_gcm_aes192_set_key", &nettle.gcm_set_key[1]},
                                         {"nettle_gcm_aes256_set_key", &nettle.gcm_set_key[2]},
                                         {"nettle_gcm_aes128_set_iv", &nettle.gcm_set_iv[0]},
                                         {"nettle_gcm_aes192_set_iv", &nettle.gcm_set_iv[1]},
                                         {"nettle_gcm_aes256_set_iv", &nettle.gcm_set_iv[2]},
                                         {"nettle_gcm_aes128_encrypt", &nettle.gcm[0]},
                                         {"nettle_gcm_aes192_encrypt", &nettle.gcm[1]},
                                         {"nettle_gcm_aes256_encrypt", &nettle.gcm[2]},
                                         {"nettle_gcm_aes128_digest", &nettle.gcm_tag[0]},
                                         {"nettle_gcm_aes192_digest", &nettle.gcm_tag[1]},
                                         {"nettle_gcm_aes256_digest", &nettle.gcm_tag[2]},
                                         {"nettle_ccm_aes128_set_key", &nettle.ccm_set_key[0]},
                                         {"nettle_ccm_aes192_set_key", &nettle.ccm_set_key[1]},
                                         {"nettle_ccm_aes256_set_key", &nettle.ccm_set_key[2]},
                                         {"nettle_ccm_aes128_encrypt_message", &nettle.ccm[0]},
                                         {"nettle_ccm_aes192_encrypt_message", &nettle.ccm[1]},
                                         {"nettle_ccm_aes256_encrypt_message", &nettle.ccm[2]},
                                         {"nettle_siv_cmac_aes128_set_key", &nettle.siv_set_key[0]},
                                         {"nettle_siv_cmac_aes256_set_key", &nettle.siv_set_key[1]},
                                         {"nettle_siv_cmac_aes128_encrypt_message", &nettle.siv[0]},
                                         {"nettle_siv_cmac_aes256_encrypt_message", &nettle.siv[1]},
                                         {"nettle_chacha_poly1305_set_key", &nettle.poly1305_set_key},
                                         {"nettle_chacha_poly1305_set_nonce", &nettle.poly1305_set_nonce},
                                         {"nettle_chacha_poly1305_encrypt", &nettle.poly1305},
                                         {"nettle_chacha_poly1305_digest", &nettle.poly1305_tag}};

typedef struct context {
    _Alignas(64) uint8_t cipher[8192]; /* more than any of its contexts needs: GCM's has a table of 4 KiB */
    uint8_t iv[16];
    size_t iv_bytes;
    set_bytes *set_key, *set_nonce;
    set_counted *set_counted_nonce;
    crypt_blocks *encrypt;
    crypt_mode *mode;
    crypt_stream *crypt;
    get_tag *tag;
    ccm_message *ccm;
    siv_message *siv;
} context;

static int set_key(void *c, const uint8_t *key)
{
    context *n = c;
    n->set_key(n->cipher, key);
    return 0;
}

/* A block cipher and a mode. */

static int set_iv(void *c, const uint8_t *iv)
{
    memcpy(((context *)c)->iv, iv, 16);
    return 0;
}

static int mode_update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    n->mode(n->cipher, n->encrypt, 16, n->iv, bytes, out, in);
    return 0;
}

static int mode_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || mode_update(c, out, in, bytes);
}

/* A stream cipher, and an AEAD whose nonce has one length. */

static int set_nonce(void *c, const uint8_t *iv)
{
    context *n = c;
    if (n->set_nonce != NULL)
        n->set_nonce(n->cipher, iv);
    else
        n->set_counted_nonce(n->cipher, n->iv_bytes, iv);
    return 0;
}

static int stream_update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    n->crypt(n->cipher, bytes, out, in);
    return 0;
}

static int stream_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_nonce(c, iv) || stream_update(c, out, in, bytes);
}

static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    stream_message(c, iv, out, in, bytes);
    n->tag(n->cipher, 16, out + bytes);
    return 0;
}

/* AEADs that take a message whole. */

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

static int ccm_seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    n->ccm(n->cipher, n->iv_bytes, iv, 0, NULL, 16, bytes + 16, out, in);
    return 0;
}

/* The tag comes first; one copy of 16 bytes puts it where the others have it. */
static int siv_seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    n->siv(n->cipher, n->iv_bytes, iv, 0, NULL, bytes + 16, out - SUBJECT_FRONT, in);
    memcpy(out + bytes, out - SUBJECT_FRONT, 16);
    return 0;
}

static const subject_verbs mode_verbs = {
    .key = set_key, .iv = set_iv, .message = mode_message, .update = mode_update, .piece = 16};
static const subject_verbs stream_verbs = {
    .key = set_key, .iv = set_nonce, .message = stream_message, .update = stream_update, .piece = 64};
static const subject_verbs gcm_verbs = {
    .key = set_key, .iv = set_nonce, .message = seal, .update = stream_update, .piece = 16};
static const subject_verbs poly1305_verbs = {
    .key = set_key, .iv = set_nonce, .message = seal, .update = stream_update, .piece = 64};
static const subject_verbs ccm_verbs = {.key = set_key, .iv = no_iv, .message = ccm_seal};
static const subject_verbs siv_verbs = {.key = set_key, .iv = no_iv, .message = siv_seal};

static int load(const char *directory, char version[24])
{
    (void)directory;
    if (!LIBRARY_LOAD("libnettle.so.8", symbols))
        return 0;
    snprintf(version, 24, "%d.%d", nettle.version_major(), nettle.version_minor());
    return 1;
}

/* AES: the words behind "aes-128-" say the mode. Returns the verbs, or NULL. */
static const subject_verbs *aes(int size, const char *mode, context *c)
{
    c->set_key = nettle.aes_set_key[size];
    c->encrypt = nettle.aes_encrypt[size];
    if (strcmp(mode, "ctr") == 0 || strcmp(mode, "cfb") == 0) {
        c->mode = strcmp(mode, "ctr") == 0 ? nettle.ctr : nettle.cfb;
        return &mode_verbs;
    }
    if (strcmp(mode, "gcm") == 0) {
        c->set_key = nettle.gcm_set_key[size];
        c->set_counted_nonce = nettle.gcm_set_iv[size];
        c->crypt = nettle.gcm[size];
        c->tag = nettle.gcm_tag[size];
        return &gcm_verbs;
    }
    if (strcmp(mode, "ccm") == 0) {
        c->set_key = nettle.ccm_set_key[size];
        c->ccm = nettle.ccm[size];
        return &ccm_verbs;
    }
    if (strcmp(mode, "siv") == 0 && size != 1) {
        c->set_key = nettle.siv_set_key[size / 2];
        c->siv = nettle.siv[size / 2];
        return &siv_verbs;
    }
    return NULL;
}

static const subject_verbs *find(const bench_shape *shape, context *c)
{
    static const char *const sizes[] = {"aes-128-", "aes-192-", "aes-256-"};
    for (int i = 0; i < 3; i++)
        if (strncmp(shape->cipher, sizes[i], 8) == 0)
            return aes(i, shape->cipher + 8, c);
    if (strcmp(shape->cipher, "chacha20-poly1305") == 0) {
        c->set_key = nettle.poly1305_set_key;
        c->set_nonce = nettle.poly1305_set_nonce;
        c->crypt = nettle.poly1305;
        c->tag = nettle.poly1305_tag;
        return &poly1305_verbs;
    }
    if (strcmp(shape->cipher, "chacha20") == 0) {
        c->set_key = nettle.chacha_set_key;
        c->set_nonce = nettle.chacha_set_nonce;
        c->crypt = nettle.chacha20;
        return &stream_verbs;
    }
    if (shape->key_bytes == 32 && (strcmp(shape->cipher, "salsa20") == 0 || strcmp(shape->cipher, "salsa20-12") == 0)) {
        c->set_key = nettle.salsa20_set_key;
        c->set_nonce = nettle.salsa20_set_nonce;
        c->crypt = strcmp(shape->cipher, "salsa20") == 0 ? nettle.salsa20 : nettle.salsa20_12;
        return &stream_verbs;
    }
    return NULL;
}

static int open_cipher(const bench_shape *shape, bench_subject *subject)
{
    context *c = aligned_alloc(64, sizeof *c);
    if (c == NULL)
        abort();
    memset(c, 0, sizeof *c);
    c->iv_bytes = shape->iv_bytes;
    subject->verbs = find(shape, c);
    subject->context = c;
    if (subject->verbs == NULL)
        free(c);
    return subject->verbs != NULL;
}

const peer peer_nettle = {"nettle", load, open_cipher, 0};
