/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Libraries that are not in C, each through a shim: Crypto++ and Botan by their C++ classes, RustCrypto by its traits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library.h"
#include "../subject.h"
#include "shim.h"

typedef struct shim {
    shim_version_function *version;
    shim_open_function *open;
    shim_key_function *key;
    shim_iv_function *iv;
    shim_process_function *process;
    shim_seal_function *seal;
} shim;

typedef struct context {
    const shim *shim;
    void *cipher;
    size_t key_bytes;
    size_t iv_bytes;
} context;

static int key_iv(context *x, const uint8_t *key, const uint8_t *iv)
{
    return x->shim->key(x->cipher, key, x->key_bytes, iv, x->iv_bytes);
}

static int set_key(void *c, const uint8_t *key)
{
    static const uint8_t iv[256];
    return key_iv(c, key, iv);
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *x = c;
    return x->shim->iv(x->cipher, iv, x->iv_bytes);
}

static int no_iv(void *c, const uint8_t *iv)
{
    (void)c;
    (void)iv;
    return 0;
}

static int update(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *x = c;
    return x->shim->process(x->cipher, out, in, bytes);
}

static int message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || update(c, out, in, bytes);
}

/* Crypto++ takes the IV with the key. */
static int key_with_iv_message(void *c, const uint8_t *key, const uint8_t *iv, uint8_t *out, const uint8_t *in,
                               size_t bytes)
{
    return key_iv(c, key, iv) || update(c, out, in, bytes);
}

static int seal(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *x = c;
    return x->shim->seal(x->cipher, iv, x->iv_bytes, out, in, bytes);
}

static const subject_verbs verbs = {.key = set_key, .iv = set_iv, .message = message, .update = update};
static const subject_verbs key_with_iv_verbs = {
    .key = set_key, .iv = set_iv, .message = message, .update = update, .key_message = key_with_iv_message};
static const subject_verbs stateless_verbs = {
    .key = set_key, .iv = set_iv, .message = message, .update = update, .stateless = 1};
static const subject_verbs aead_verbs = {.key = set_key, .iv = no_iv, .message = seal};
static const subject_verbs stateless_aead_verbs = {.key = set_key, .iv = no_iv, .message = seal, .stateless = 1};

static int load(shim *s, const char *directory, const char *name, char version[24])
{
    const library_symbol symbols[] = {{"shim_version", &s->version}, {"shim_open", &s->open},
                                      {"shim_key", &s->key},         {"shim_iv", &s->iv},
                                      {"shim_process", &s->process}, {"shim_seal", &s->seal}};
    char file[4200];
    snprintf(file, sizeof file, "%s/%s.so", directory, name);
    if (!LIBRARY_LOAD(file, symbols))
        return 0;
    s->version(version);
    return 1;
}

static int open_cipher(const shim *s, const char *name, const bench_shape *shape, bench_subject *subject)
{
    unsigned flags = 0;
    char version[32] = "";
    void *cipher = s->open(shape->cipher, &flags, version);
    if (cipher == NULL)
        return 0;
    context *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    *c = (context){s, cipher, shape->key_bytes, shape->iv_bytes};
    const int stateless = flags & SHIM_STATELESS;
    if (shape->tag_bytes > 0)
        subject->verbs = stateless ? &stateless_aead_verbs : &aead_verbs;
    else
        subject->verbs = stateless ? &stateless_verbs : flags & SHIM_KEY_WITH_IV ? &key_with_iv_verbs : &verbs;
    subject->context = c;
    if (version[0] != '\0')
        snprintf(subject->implementation, sizeof subject->implementation, "%s %.31s", name, version);
    return 1;
}

static shim cryptopp, botan, rustcrypto;

static int load_cryptopp(const char *directory, char version[24])
{
    return load(&cryptopp, directory, "runnel-speed-cryptopp", version);
}

static int open_cryptopp(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&cryptopp, "Crypto++", shape, subject);
}

static int load_botan(const char *directory, char version[24])
{
    return load(&botan, directory, "runnel-speed-botan", version);
}

static int open_botan(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&botan, "Botan", shape, subject);
}

static int load_rustcrypto(const char *directory, char version[24])
{
    return load(&rustcrypto, directory, "rustcrypto", version);
}

static int open_rustcrypto(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&rustcrypto, "RustCrypto", shape, subject);
}

const peer peer_cryptopp = {"Crypto++", load_cryptopp, open_cryptopp, 0};
const peer peer_botan = {"Botan", load_botan, open_botan, 0};
const peer peer_newest_rustcrypto = {"RustCrypto", load_rustcrypto, open_rustcrypto, 1};
