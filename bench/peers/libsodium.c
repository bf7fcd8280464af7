/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* libsodium has no contexts: key, nonce and block counter are arguments of each call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef int xor_salsa20(uint8_t *out, const uint8_t *in, unsigned long long bytes, const uint8_t *nonce, uint64_t block,
                        const uint8_t *key);
typedef int xor_chacha20(uint8_t *out, const uint8_t *in, unsigned long long bytes, const uint8_t *nonce,
                         uint32_t block, const uint8_t *key);

static struct {
    int (*init)(void);
    const char *(*version)(void);
    xor_salsa20 *salsa20;
    xor_chacha20 *chacha20;
} sodium;

static const library_symbol symbols[] = {{"sodium_init", &sodium.init},
                                         {"sodium_version_string", &sodium.version},
                                         {"crypto_stream_salsa20_xor_ic", &sodium.salsa20},
                                         {"crypto_stream_chacha20_ietf_xor_ic", &sodium.chacha20}};

typedef struct context {
    uint8_t key[32];
    uint8_t iv[12];
    uint8_t iv_bytes;
    uint64_t block;
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

static int salsa20_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return sodium.salsa20(out, in, bytes, iv, 0, ((context *)c)->key);
}

static int chacha20_message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return sodium.chacha20(out, in, bytes, iv, 0, ((context *)c)->key);
}

static int salsa20_go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *s = c;
    uint64_t block = s->block;
    s->block += bytes / 64;
    return sodium.salsa20(out, in, bytes, s->iv, block, s->key);
}

static int chacha20_go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *s = c;
    uint64_t block = s->block;
    s->block += bytes / 64;
    return sodium.chacha20(out, in, bytes, s->iv, (uint32_t)block, s->key);
}

static const subject_verbs salsa20_verbs = {
    .key = set_key, .iv = set_iv, .message = salsa20_message, .go_on = salsa20_go_on, .stateless = 1};
static const subject_verbs chacha20_verbs = {
    .key = set_key, .iv = set_iv, .message = chacha20_message, .go_on = chacha20_go_on, .stateless = 1};

static int load(const char *directory, char version[24])
{
    (void)directory;
    if (!LIBRARY_LOAD("libsodium.so.23", symbols) || sodium.init() < 0)
        return 0;
    snprintf(version, 24, "%s", sodium.version());
    return 1;
}

static int open_cipher(const bench_shape *shape, bench_subject *subject)
{
    int salsa20 = strcmp(shape->cipher, "salsa20") == 0;
    if ((!salsa20 && strcmp(shape->cipher, "chacha20") != 0) || shape->key_bytes != 32)
        return 0;
    context *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort();
    c->iv_bytes = (uint8_t)shape->iv_bytes;
    subject->verbs = salsa20 ? &salsa20_verbs : &chacha20_verbs;
    subject->context = c;
    return 1;
}

const peer peer_libsodium = {"libsodium", load, open_cipher};
