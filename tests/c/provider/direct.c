/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The module's functions as a core calls them, without libcrypto between: with what that never hands on, lengths of IVs and
 * room for outputs among it; and what lies in the memory of a context, which only here is known. */
#include <ctype.h>
#include <dlfcn.h>
#include <malloc.h>
#include <openssl/core_dispatch.h>

#include "provider.h"

enum { IV_MOST = 32, MESSAGE = 1000, CONTEXT = 1 << 15, GUARD = 0xa5 };

static struct {
    void *module, *provider;
    OSSL_FUNC_provider_teardown_fn *teardown;
    OSSL_FUNC_cipher_newctx_fn *new;
    OSSL_FUNC_cipher_freectx_fn *free;
    OSSL_FUNC_cipher_dupctx_fn *duplicate;
    OSSL_FUNC_cipher_encrypt_init_fn *init;
    OSSL_FUNC_cipher_update_fn *update;
} of;

/* ---- the module ---- */

static int has_name(const char *names, const char *name)
{
    for (; *name != 0; name++, names++)
        if (tolower((unsigned char)*names) != *name)
            return 0;
    return *names == 0 || *names == ':';
}

static void take_functions(const OSSL_DISPATCH *d)
{
    for (; d->function_id != 0; d++)
        switch (d->function_id) {
        case OSSL_FUNC_CIPHER_NEWCTX:
            of.new = OSSL_FUNC_cipher_newctx(d);
            break;
        case OSSL_FUNC_CIPHER_FREECTX:
            of.free = OSSL_FUNC_cipher_freectx(d);
            break;
        case OSSL_FUNC_CIPHER_DUPCTX:
            of.duplicate = OSSL_FUNC_cipher_dupctx(d);
            break;
        case OSSL_FUNC_CIPHER_ENCRYPT_INIT:
            of.init = OSSL_FUNC_cipher_encrypt_init(d);
            break;
        case OSSL_FUNC_CIPHER_UPDATE:
            of.update = OSSL_FUNC_cipher_update(d);
            break;
        default:
            break;
        }
}

/* A core may have no functions for the module at all: errors are then returned alone. */
static void load(const provided *p)
{
    static const OSSL_DISPATCH nothing[] = {{0, NULL}};
    char path[4096];
    int uncached;
    snprintf(path, sizeof path, "%s/runnel.so", modules);
    of.module = dlopen(path, RTLD_NOW);
    CHECK(of.module != NULL, "%s", dlerror());
    OSSL_provider_init_fn *init;
    *(void **)&init = dlsym(of.module, "OSSL_provider_init");
    const OSSL_DISPATCH *d;
    CHECK(init != NULL && init(NULL, nothing, &d, &of.provider) == 1, "start");
    OSSL_FUNC_provider_query_operation_fn *query = NULL;
    for (; d->function_id != 0; d++)
        if (d->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION)
            query = OSSL_FUNC_provider_query_operation(d);
        else if (d->function_id == OSSL_FUNC_PROVIDER_TEARDOWN)
            of.teardown = OSSL_FUNC_provider_teardown(d);
    CHECK(query != NULL && of.teardown != NULL, "the provider's functions");
    const OSSL_ALGORITHM *a = query(of.provider, OSSL_OP_CIPHER, &uncached);
    while (a->algorithm_names != NULL && !has_name(a->algorithm_names, p->library_name))
        a++;
    CHECK(a->algorithm_names != NULL, "the module has no %s", p->name);
    take_functions(a->implementation);
}

static void unload(void)
{
    of.teardown(of.provider);
    CHECK(dlclose(of.module) == 0, "dlclose");
}

/* ---- memory ---- */

static const void *watched;
static uint8_t given_back[CONTEXT];

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_FREE_OF_ITS_OWN 1 /* which TSan needs: under it threads alone are tried */
#endif
#endif

#ifndef HAS_FREE_OF_ITS_OWN
/* free() itself, to see what a context is when it is given back. */
void __libc_free(void *memory);
void free(void *memory)
{
    if (memory != NULL && memory == watched) {
        memcpy(given_back, memory, malloc_usable_size(memory));
        watched = NULL;
    }
    __libc_free(memory);
}
#endif

static int has(const void *context, const uint8_t *bytes, size_t count)
{
    return memmem(context, malloc_usable_size((void *)(uintptr_t)context), bytes, count) != NULL;
}

/* ---- what is tried ---- */

typedef struct given {
    uint8_t key[32], iv[IV_MOST], in[MESSAGE];
    size_t key_bytes, iv_bytes;
    int keystream, one_call; /* not an AEAD; an AEAD whose text comes in one call */
} given;

static void *start_message(const given *g)
{
    void *c = of.new(of.provider);
    CHECK(c != NULL && of.init(c, g->key, g->key_bytes, g->iv, g->iv_bytes, NULL) == 1, "init");
    return c;
}

static void piece(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    size_t done = 0;
    CHECK(of.update(c, out, &done, bytes, in, bytes) == 1 && done == bytes, "update");
}

/* Lengths that are not the cipher's are refused, and the message continues under what was there before. */
static void wrong_lengths(const given *g)
{
    uint8_t other[64] = {0}, out[2][40];
    for (int changed = 0; changed < 2; changed++) {
        void *c = start_message(g);
        for (size_t bytes = 0; changed && bytes < sizeof other; bytes++) {
            if (bytes != g->key_bytes)
                CHECK(of.init(c, other, bytes, NULL, 0, NULL) == 0, "a key of %zu bytes", bytes);
            if (g->keystream && bytes != g->iv_bytes)
                CHECK(of.init(c, NULL, 0, other, bytes, NULL) == 0, "an IV of %zu bytes", bytes);
        }
        if (!g->keystream && changed) /* all take fewer IVs than 129 bytes */
            CHECK(of.init(c, NULL, 0, g->in, 129, NULL) == 0, "an IV of 129 bytes");
        piece(c, out[changed], g->in, sizeof out[0]);
        of.free(c);
    }
    CHECK_BYTES(out[0], out[1], sizeof out[0], "the message after errors");
}

/* An output whose room is too small stays as it is. */
static void little_room(const given *g)
{
    uint8_t out[2][40];
    size_t done;
    memset(out[0], GUARD, sizeof out[0]);
    memset(out[1], GUARD, sizeof out[1]);
    void *c = start_message(g);
    CHECK(of.update(c, out[0], &done, 39, g->in, 40) == 0, "room for one byte less");
    CHECK(of.update(c, out[0], &done, 0, g->in, 1) == 0, "no room");
    CHECK_BYTES(out[0], out[1], sizeof out[0], "output without room");
    piece(c, out[0], g->in, 40);
    of.free(c);
}

/* Keystream that was made ahead is not in the context once it was used, nor when a new IV makes it useless. */
static void keystream_ahead(const given *g)
{
    enum { FIRST = 5, USED = 40, LEFT = 64, WINDOW = 8 };
    uint8_t out[FIRST + USED + LEFT];
    void *c = start_message(g);
    piece(c, out, g->in, FIRST);
    piece(c, out + FIRST, g->in + FIRST, USED);
    void *copy = of.duplicate(c); /* which says what keystream comes next */
    CHECK(copy != NULL, "copy");
    piece(copy, out + FIRST + USED, g->in + FIRST + USED, LEFT);
    of.free(copy);
    for (size_t i = 0; i < sizeof out; i++)
        out[i] ^= g->in[i];
    for (size_t i = FIRST; i + WINDOW <= FIRST + USED; i++)
        CHECK(!has(c, out + i, WINDOW), "keystream is there after its use");
    CHECK(has(c, out + FIRST + USED, LEFT), "what comes next is made ahead");
    CHECK(of.init(c, NULL, 0, g->iv, g->iv_bytes, NULL) == 1, "a new message");
    for (size_t i = FIRST + USED; i + WINDOW <= sizeof out; i++)
        CHECK(!has(c, out + i, WINDOW), "keystream is there after a new IV");
    of.free(c);
}

/* Checks that a context's bytes when it is freed do not depend on the key: two that differ in it alone are equal. */
static void given_back_without_secrets(given *g)
{
    static uint8_t first[CONTEXT];
    uint8_t out[60];
    size_t bytes = 0;
    for (int i = 0; i < 2; i++) {
        random_bytes(g->key, sizeof g->key);
        void *c = start_message(g);
        if (!g->one_call) { /* then there would be a tag, which is public, but not the same */
            piece(c, out, g->in, 13);
            piece(c, out, g->in, sizeof out);
        }
        bytes = malloc_usable_size(c) / LINE * LINE;
        CHECK(bytes <= sizeof first, "a context of %zu bytes", bytes);
        memcpy(first, given_back, bytes);
        watched = c;
        of.free(c);
        CHECK(watched == NULL, "it is free() that the module calls");
    }
    CHECK_BYTES(given_back, first, bytes, "a context that is given back");
}

void test_direct(const provided *p)
{
    load(p);
    for (unsigned i = 0; i < 20; i++) {
        given g = {.key_bytes = p->key_bytes,
                   .keystream = runnel_aead_find(p->library_name) == NULL,
                   .one_call = in_one_call(p)};
        g.iv_bytes = (size_t)EVP_CIPHER_get_iv_length(p->cipher);
        CHECK(g.key_bytes <= sizeof g.key && g.iv_bytes <= sizeof g.iv, "longer keys and IVs");
        if (p->mode == EVP_CIPH_CCM_MODE)
            g.iv_bytes = 7; /* unless another length is set */
        random_bytes(g.key, sizeof g.key);
        random_bytes(g.iv, sizeof g.iv);
        random_bytes(g.in, sizeof g.in);
        wrong_lengths(&g);
        little_room(&g);
        if (g.keystream)
            keystream_ahead(&g);
        given_back_without_secrets(&g);
    }
    unload();
}
