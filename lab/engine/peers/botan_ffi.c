/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Botan 2 through its C interface, for where its C++ headers are not: slower, because it copies messages and hands
 * a stream that continues to the cipher byte by byte. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"

typedef struct botan_handle botan_handle;

static struct {
    unsigned (*version_major)(void);
    unsigned (*version_minor)(void);
    unsigned (*version_patch)(void);
    int (*init)(botan_handle **, const char *name, uint32_t flags);
    int (*set_key)(botan_handle *, const uint8_t *key, size_t bytes);
    int (*start)(botan_handle *, const uint8_t *nonce, size_t bytes);
    int (*update)(botan_handle *, uint32_t flags, uint8_t *out, size_t out_bytes, size_t *written, const uint8_t *in,
                  size_t bytes, size_t *consumed);
} botan;

static const library_symbol symbols[] = {
    {"botan_version_major", &botan.version_major}, {"botan_version_minor", &botan.version_minor},
    {"botan_version_patch", &botan.version_patch}, {"botan_cipher_init", &botan.init},
    {"botan_cipher_set_key", &botan.set_key},      {"botan_cipher_start", &botan.start},
    {"botan_cipher_update", &botan.update}};

static const struct {
    const char *cipher, *name;
} ciphers[] = {{"aes-128-ctr", "AES-128/CTR-BE"},
               {"aes-192-ctr", "AES-192/CTR-BE"},
               {"aes-256-ctr", "AES-256/CTR-BE"},
               {"seed-ctr", "SEED/CTR-BE"},
               {"aria-128-ctr", "ARIA-128/CTR-BE"},
               {"aria-192-ctr", "ARIA-192/CTR-BE"},
               {"aria-256-ctr", "ARIA-256/CTR-BE"},
               {"salsa20", "Salsa20"},
               {"chacha20", "ChaCha20"}};

typedef struct context {
    botan_handle *handle;
    size_t key_bytes;
    size_t iv_bytes;
} context;

static int set_key(void *c, const uint8_t *key)
{
    context *b = c;
    return botan.set_key(b->handle, key, b->key_bytes);
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *b = c;
    return botan.start(b->handle, iv, b->iv_bytes);
}

static int process(context *b, uint32_t flags, uint8_t *out, const uint8_t *in, size_t bytes)
{
    size_t written, consumed;
    int error = botan.update(b->handle, flags, out, bytes, &written, in, bytes, &consumed);
    return error || written != bytes;
}

/* Only a last piece may have any length; the others are multiples of what the interface works on at a time. */
static int message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    enum { FINAL = 1 };
    return set_iv(c, iv) || process(c, FINAL, out, in, bytes);
}

static int update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return process(c, 0, out, in, bytes);
}

static const subject_verbs verbs = {.key = set_key, .iv = set_iv, .message = message, .update = update, .piece = 64};

static int load(const char *directory, char version[24])
{
    (void)directory;
    if (!LIBRARY_LOAD("libbotan-2.so.19", symbols))
        return 0;
    snprintf(version, 24, "%u.%u.%u", botan.version_major(), botan.version_minor(), botan.version_patch());
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
        subject->verbs = &verbs;
        subject->context = c;
        return botan.init(&c->handle, ciphers[i].name, 0) == 0;
    }
    return 0;
}

const peer peer_botan_ffi = {"Botan, C interface,", load, open_cipher, 0};
