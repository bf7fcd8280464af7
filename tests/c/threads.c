/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Threads that start together, before the features of the CPU are known, each with contexts of its own: every one gives
 * the bytes that one thread alone gives. For a build with -DRUNNEL_SANITIZE=thread, which sees races. */
#include <pthread.h>

#include "harness.h"

enum { THREADS = 4, BYTES = 5000, MOST_CIPHERS = 64 };

static pthread_barrier_t barrier;
static const uint8_t zeros[BYTES];
static uint8_t keys[THREADS][LONGEST_KEY], ivs[LONGEST_IV], made[THREADS][MOST_CIPHERS][BYTES];

/* No CHECK in here: it counts in a variable that all would share. */
static void *work(void *argument)
{
    const size_t i = (size_t)argument;
    size_t bad = 0;
    pthread_barrier_wait(&barrier);
    for (size_t c = 0; c < MOST_CIPHERS && runnel_cipher_at(c) != NULL; c++) {
        const runnel_cipher *cipher = runnel_cipher_at(c);
        runnel_stream *s = new_context(cipher);
        bad += runnel_cipher_key(cipher, s, keys[i], cipher->key_bytes.last, NULL) != 0;
        bad += runnel_stream_iv(s, ivs, cipher->iv_bytes.last, 0) != 0;
        for (size_t done = 0; done < BYTES; done += 1000)
            bad += runnel_stream_encrypt(s, made[i][c] + done, zeros, 1000) != 0;
        runnel_stream_wipe(s);
        free_context(s);
    }
    return (void *)bad;
}

int main(void)
{
    pthread_t threads[THREADS];
    doing = "threads";
    random_bytes(keys, sizeof keys);
    random_bytes(ivs, sizeof ivs);
    CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0, "barrier");
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0, "thread");
    for (size_t i = 0; i < THREADS; i++) {
        void *bad;
        CHECK(pthread_join(threads[i], &bad) == 0 && bad == NULL, "a call failed in thread %zu", i);
    }
    for (size_t i = 0; i < THREADS; i++)
        for (size_t c = 0; c < MOST_CIPHERS && runnel_cipher_at(c) != NULL; c++) {
            const target t = {runnel_cipher_at(c), reference_kernel(runnel_cipher_at(c))};
            uint8_t alone[BYTES];
            runnel_stream *s = new_context(t.cipher);
            start(s, &t, keys[i], t.cipher->key_bytes.last, ivs, t.cipher->iv_bytes.last, 0);
            CHECK_OK(runnel_stream_encrypt(s, alone, zeros, BYTES));
            CHECK_BYTES(made[i][c], alone, BYTES, "%s in thread %zu", t.cipher->name, i);
            free_context(s);
        }
    printf("threads: %llu checks\n", (unsigned long long)checks);
    return 0;
}
