/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loading and unloading, several library contexts, threads. */
#include <pthread.h>

#include "provider.h"

enum { THREADS = 4, MESSAGES = 3000, LOADS = 50 };

/* Seals a message and opens it; returns 1 if all went well. Without CHECK, whose counter threads would share. */
static int round_trip(OSSL_LIB_CTX *library, const char *name, uint8_t value)
{
    uint8_t key[32] = {value}, iv[16] = {value}, text[500], out[500], tag[16];
    int done = 0;
    memset(text, value, sizeof text);
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(library, name, "provider=runnel");
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int ok = cipher != NULL && EVP_EncryptInit_ex2(c, cipher, key, iv, NULL) == 1 &&
             EVP_EncryptUpdate(c, out, &done, text, sizeof text) == 1 && EVP_EncryptFinal_ex(c, out, &done) == 1 &&
             get_tag(c, tag, sizeof tag) == 1 && memcmp(out, text, sizeof text) != 0 &&
             EVP_DecryptInit_ex2(c, cipher, key, iv, NULL) == 1 && set_tag(c, tag, sizeof tag) == 1 &&
             EVP_DecryptUpdate(c, out, &done, out, sizeof out) == 1 && EVP_DecryptFinal_ex(c, out, &done) == 1 &&
             memcmp(out, text, sizeof text) == 0;
    EVP_CIPHER_CTX_free(c);
    EVP_CIPHER_free(cipher);
    return ok;
}

/* Tells whether the module is in this process. */
static int is_mapped(void)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL, "maps");
    while (fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, "/runnel.so") != NULL;
    fclose(maps);
    return found;
}

void test_loads(void)
{
    const char *const asked = getenv("RUNNEL_PROVIDER_LOADS");
    CHECK(is_mapped(), "the module is in the maps");
    leave(&own); /* the last one: from now on the module itself comes and goes */
    for (long i = 0, loads = asked != NULL ? strtol(asked, NULL, 10) : LOADS; i < loads; i++) {
        CHECK(!is_mapped(), "the module has gone");
        context_with_runnel first = with_runnel();
        CHECK(round_trip(first.library, "AES-128-GCM", (uint8_t)i), "first");
        context_with_runnel second = with_runnel();
        CHECK(round_trip(second.library, "ARIA-128-GCM", (uint8_t)i), "second");
        leave(&first);
        CHECK(round_trip(second.library, "ChaCha20-Poly1305", (uint8_t)i), "second, without the first");
        leave(&second);
    }
}

static const char *const names[] = {"AES-128-GCM", "SEED-GCM", "LEA-256-GCM", "ChaCha20-Poly1305"};
static const uint8_t shared_key[16] = {1};
static long messages;
/* A cipher and a context with a key, which all threads use at a time: they only read them. */
static EVP_CIPHER *shared_cipher;
static EVP_CIPHER_CTX *keyed;

/* Loads the module into a library context of its own, and unloads it. Nothing is locked: what threads need for that is
 * OpenSSL's and the module's, and a lock in here would hide it from TSan. */
static int in_own_context(const char *name, uint8_t value)
{
    OSSL_LIB_CTX *const library = OSSL_LIB_CTX_new();
    int ok = library != NULL && OSSL_PROVIDER_set_default_search_path(library, modules) == 1;
    OSSL_PROVIDER *const held = ok ? OSSL_PROVIDER_load(library, "runnel") : NULL;
    ok = held != NULL && round_trip(library, name, value) && OSSL_PROVIDER_unload(held) == 1;
    OSSL_LIB_CTX_free(library);
    return ok;
}

/* Encrypts with a copy of the keyed context, and with the shared cipher alone: the same bytes. */
static int with_shared(uint8_t value)
{
    uint8_t text[100], copied[100], alone[100];
    const uint8_t iv[16] = {value};
    int done = 0;
    memset(text, value, sizeof text);
    EVP_CIPHER_CTX *const copy = EVP_CIPHER_CTX_new(), *const c = EVP_CIPHER_CTX_new();
    const int ok = EVP_CIPHER_CTX_copy(copy, keyed) == 1 && EVP_EncryptInit_ex2(copy, NULL, NULL, iv, NULL) == 1 &&
                   EVP_EncryptUpdate(copy, copied, &done, text, sizeof text) == 1 &&
                   EVP_EncryptInit_ex2(c, shared_cipher, shared_key, iv, NULL) == 1 &&
                   EVP_EncryptUpdate(c, alone, &done, text, sizeof text) == 1 &&
                   memcmp(copied, alone, sizeof text) == 0;
    EVP_CIPHER_CTX_free(copy);
    EVP_CIPHER_CTX_free(c);
    return ok;
}

static void *share(void *argument)
{
    const size_t thread = (size_t)argument;
    size_t bad = 0;
    for (size_t i = 0; i < (size_t)messages; i++) {
        bad += !round_trip(ours, names[(thread + i) % 4], (uint8_t)(thread + i));
        bad += !with_shared((uint8_t)i);
    }
    return (void *)bad;
}

static void *come_and_go(void *argument)
{
    const size_t thread = (size_t)argument;
    size_t bad = 0;
    for (size_t i = 0; i < 10; i++)
        bad += !in_own_context(names[(thread + i) % 4], (uint8_t)i);
    return (void *)bad;
}

static void run_threads(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++) {
        void *bad = NULL;
        CHECK(pthread_join(threads[i], &bad) == 0 && bad == NULL, "%zu calls failed in thread %zu", (size_t)bad, i);
    }
}

void test_threads(void)
{
    const char *const asked = getenv("RUNNEL_PROVIDER_MESSAGES");
    messages = asked != NULL ? strtol(asked, NULL, 10) : MESSAGES;
    shared_cipher = EVP_CIPHER_fetch(ours, "LEA-128-CTR", "provider=runnel");
    keyed = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(keyed, shared_cipher, shared_key, shared_key, NULL) == 1, "a context for all");
    run_threads(share);
    EVP_CIPHER_CTX_free(keyed);
    EVP_CIPHER_free(shared_cipher);
    run_threads(come_and_go);
    leave(&own); /* from now on the module itself comes and goes, whenever the last thread leaves it */
    run_threads(come_and_go);
    CHECK(!is_mapped(), "the module has gone");
}
