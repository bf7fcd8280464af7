/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef void set_bytes(void *context, const uint8_t *bytes);
typedef void crypt_blocks(const void *context, size_t bytes, uint8_t *out, const uint8_t *in);
typedef void crypt_stream(void *context, size_t bytes, uint8_t *out, const uint8_t *in);

static struct {
    int (*version_major)(void);
    int (*version_minor)(void);
    void (*ctr)(const void *context, crypt_blocks *cipher, size_t block_bytes, uint8_t *counter, size_t bytes,
                uint8_t *out, const uint8_t *in);
    set_bytes *aes_set_key[3], *salsa20_set_key, *salsa20_set_nonce, *chacha_set_key, *chacha_set_nonce;
    crypt_blocks *aes_encrypt[3];
    crypt_stream *salsa20, *chacha20;
} nettle;

static const library_symbol symbols[] = {{"nettle_version_major", &nettle.version_major},
                                         {"nettle_version_minor", &nettle.version_minor},
                                         {"nettle_ctr_crypt", &nettle.ctr},
                                         {"nettle_aes128_set_encrypt_key", &nettle.aes_set_key[0]},
                                         {"nettle_aes192_set_encrypt_key", &nettle.aes_set_key[1]},
                                         {"nettle_aes256_set_encrypt_key", &nettle.aes_set_key[2]},
                                         {"nettle_aes128_encrypt", &nettle.aes_encrypt[0]},
                                         {"nettle_aes192_encrypt", &nettle.aes_encrypt[1]},
                                         {"nettle_aes256_encrypt", &nettle.aes_encrypt[2]},
                                         {"nettle_salsa20_256_set_key", &nettle.salsa20_set_key},
                                         {"nettle_salsa20_set_nonce", &nettle.salsa20_set_nonce},
                                         {"nettle_salsa20_crypt", &nettle.salsa20},
                                         {"nettle_chacha_set_key", &nettle.chacha_set_key},
                                         {"nettle_chacha_set_nonce96", &nettle.chacha_set_nonce},
                                         {"nettle_chacha_crypt32", &nettle.chacha20}};

typedef struct context {
    _Alignas(64) uint8_t cipher[1024]; /* more than any of its contexts needs */
    uint8_t counter[16];
    set_bytes *set_key, *set_nonce;
    crypt_blocks *encrypt;
    crypt_stream *crypt;
} context;

static int set_key(void *c, const uint8_t *key)
{
    context *n = c;
    n->set_key(n->cipher, key);
    return 0;
}

static int set_counter(void *c, const uint8_t *iv)
{
    memcpy(((context *)c)->counter, iv, 16);
    return 0;
}

static int ctr_go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    nettle.ctr(n->cipher, n->encrypt, 16, n->counter, bytes, out, in);
    return 0;
}

static int ctr_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_counter(c, iv) || ctr_go_on(c, out, in, bytes);
}

static int set_nonce(void *c, const uint8_t *iv)
{
    context *n = c;
    n->set_nonce(n->cipher, iv);
    return 0;
}

static int stream_go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *n = c;
    n->crypt(n->cipher, bytes, out, in);
    return 0;
}

static int stream_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_nonce(c, iv) || stream_go_on(c, out, in, bytes);
}

static const subject_verbs ctr_verbs = {.key = set_key, .iv = set_counter, .message = ctr_message, .go_on = ctr_go_on};
static const subject_verbs stream_verbs = {
    .key = set_key, .iv = set_nonce, .message = stream_message, .go_on = stream_go_on};

static int load(const char *directory, char version[24])
{
    (void)directory;
    if (!LIBRARY_LOAD("libnettle.so.8", symbols))
        return 0;
    snprintf(version, 24, "%d.%d", nettle.version_major(), nettle.version_minor());
    return 1;
}

static int open_cipher(const bench_shape *shape, bench_subject *subject)
{
    static const char *const aes[] = {"aes-128-ctr", "aes-192-ctr", "aes-256-ctr"};
    context c = {.set_key = NULL};
    for (int i = 0; i < 3; i++)
        if (strcmp(shape->cipher, aes[i]) == 0) {
            c.set_key = nettle.aes_set_key[i];
            c.encrypt = nettle.aes_encrypt[i];
        }
    if (strcmp(shape->cipher, "salsa20") == 0 && shape->key_bytes == 32) {
        c.set_key = nettle.salsa20_set_key;
        c.set_nonce = nettle.salsa20_set_nonce;
        c.crypt = nettle.salsa20;
    } else if (strcmp(shape->cipher, "chacha20") == 0) {
        c.set_key = nettle.chacha_set_key;
        c.set_nonce = nettle.chacha_set_nonce;
        c.crypt = nettle.chacha20;
    }
    if (c.set_key == NULL)
        return 0;
    context *kept = aligned_alloc(64, sizeof c);
    if (kept == NULL)
        abort();
    *kept = c;
    subject->verbs = c.encrypt != NULL ? &ctr_verbs : &stream_verbs;
    subject->context = kept;
    return 1;
}

const peer peer_nettle = {"nettle", load, open_cipher};
