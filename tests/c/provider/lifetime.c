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

void test_loads(void)
{
    const char *const asked = getenv("RUNNEL_PROVIDER_LOADS");
    OSSL_LIB_CTX_free(ours); /* the last one: from now on the module itself comes and goes */
    ours = NULL;
    for (long i = 0, loads = asked != NULL ? strtol(asked, NULL, 10) : LOADS; i < loads; i++) {
        OSSL_LIB_CTX *first = with_runnel();
        CHECK(round_trip(first, "AES-128-GCM", (uint8_t)i), "first");
        OSSL_LIB_CTX *second = with_runnel();
        CHECK(round_trip(second, "ARIA-128-GCM", (uint8_t)i), "second");
        OSSL_LIB_CTX_free(first);
        CHECK(round_trip(second, "ChaCha20-Poly1305", (uint8_t)i), "second, without the first");
        OSSL_LIB_CTX_free(second);
    }
}

static OSSL_LIB_CTX *own_context(void) /* with_runnel counts its checks */
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one);
    OSSL_LIB_CTX *library = with_runnel();
    pthread_mutex_unlock(&one);
    return library;
}

static void *work(void *argument)
{
    static const char *const names[] = {"AES-128-GCM", "SEED-GCM", "LEA-256-GCM", "ChaCha20-Poly1305"};
    const size_t thread = (size_t)argument;
    size_t bad = 0;
    for (size_t i = 0; i < MESSAGES; i++)
        bad += !round_trip(ours, names[(thread + i) % 4], (uint8_t)(thread + i));
    for (size_t i = 0; i < 5; i++) { /* and contexts of their own */
        OSSL_LIB_CTX *own = own_context();
        bad += !round_trip(own, names[i % 4], (uint8_t)i);
        OSSL_LIB_CTX_free(own);
    }
    return (void *)bad;
}

void test_threads(void)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++) {
        void *bad = NULL;
        CHECK(pthread_join(threads[i], &bad) == 0 && bad == NULL, "%zu messages failed in thread %zu", (size_t)bad, i);
    }
}
