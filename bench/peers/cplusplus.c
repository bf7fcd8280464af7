/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Crypto++, which is C++ only, and Botan by its C++ classes: each through a shim beside this program. */
#include <stdio.h>
#include <stdlib.h>

#include "../library.h"
#include "../subject.h"
#include "shim.h"

typedef struct shim {
    shim_version_function *version;
    shim_open_function *open;
    shim_key_function *key;
    shim_iv_function *iv;
    shim_process_function *process;
} shim;

typedef struct context {
    const shim *shim;
    void *cipher;
    size_t key_bytes;
    size_t iv_bytes;
} context;

static shim cryptopp, botan;

static int set_key(void *c, const uint8_t *key)
{
    static const uint8_t iv[256];
    context *x = c;
    return x->shim->key(x->cipher, key, x->key_bytes, iv, x->iv_bytes);
}

static int set_iv(void *c, const uint8_t *iv)
{
    context *x = c;
    return x->shim->iv(x->cipher, iv, x->iv_bytes);
}

static int go_on(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    context *x = c;
    return x->shim->process(x->cipher, out, in, bytes);
}

static int message(void *c, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return set_iv(c, iv) || go_on(c, out, in, bytes);
}

static const subject_verbs verbs = {.key = set_key, .iv = set_iv, .message = message, .go_on = go_on};

static int load(shim *s, const char *directory, const char *name, char version[24])
{
    const library_symbol symbols[] = {{"shim_version", &s->version},
                                      {"shim_open", &s->open},
                                      {"shim_key", &s->key},
                                      {"shim_iv", &s->iv},
                                      {"shim_process", &s->process}};
    char file[4200];
    snprintf(file, sizeof file, "%s/runnel-speed-%s.so", directory, name);
    if (!LIBRARY_LOAD(file, symbols))
        return 0;
    s->version(version);
    return 1;
}

static int open_cipher(const shim *s, const bench_shape *shape, bench_subject *subject)
{
    void *cipher = s->open(shape->cipher);
    if (cipher == NULL)
        return 0;
    context *c = malloc(sizeof *c);
    if (c == NULL)
        abort();
    *c = (context){s, cipher, shape->key_bytes, shape->iv_bytes};
    subject->verbs = &verbs;
    subject->context = c;
    return 1;
}

static int load_cryptopp(const char *directory, char version[24])
{
    return load(&cryptopp, directory, "cryptopp", version);
}

static int open_cryptopp(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&cryptopp, shape, subject);
}

static int load_botan(const char *directory, char version[24])
{
    return load(&botan, directory, "botan", version);
}

static int open_botan(const bench_shape *shape, bench_subject *subject)
{
    return open_cipher(&botan, shape, subject);
}

const peer peer_cryptopp = {"Crypto++", load_cryptopp, open_cryptopp};
const peer peer_botan = {"Botan", load_botan, open_botan};
