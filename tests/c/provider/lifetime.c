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

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* with_runnel and leave count their checks */

static int in_own_context(const char *name, uint8_t value)
{
    pthread_mutex_lock(&one);
    context_with_runnel c = with_runnel();
    pthread_mutex_unlock(&one);
    const int ok = round_trip(c.library, name, value);
    pthread_mutex_lock(&one);
    leave(&c);
    pthread_mutex_unlock(&one);
    return ok;
}

static void *work(void *argument)
{
    static const char *const names[] = {"AES-128-GCM", "SEED-GCM", "LEA-256-GCM", "ChaCha20-Poly1305"};
    const size_t thread = (size_t)argument;
    size_t bad = 0;
    for (size_t i = 0; i < MESSAGES; i++)
        bad += !round_trip(ours, names[(thread + i) % 4], (uint8_t)(thread + i));
    for (size_t i = 0; i < 5; i++)
        bad += !in_own_context(names[i % 4], (uint8_t)i);
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
