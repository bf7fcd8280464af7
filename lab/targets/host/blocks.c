/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Single AES-128 blocks one after another, by every kernel that takes them and by OpenSSL, all in one run: each subject
 * in turn, again and again, so that a busy neighbour meets them all. Prints a line for each: who, what, and the ticks of
 * the time-stamp counter that a block took in the best tenth of the visits and in the median one. What: encrypt and
 * decrypt many blocks; chain them, each with the one before, and unchain them.
 *
 * OpenSSL 3's table code is reached in two ways: AES_cbc_encrypt over 16 KiB takes its full-table assembly (each block
 * waits for the one before), AES_encrypt its compact code with a table of 256 bytes. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../core/bytes.h"
#include "../../../core/kernel.h"
#include "aes.h"
#include "tsc.h"

extern const runnel_cipher *const runnel_aes_ciphers[];

enum { BLOCKS = 1024, BYTES = 16 * BLOCKS, ROUNDS = 400, SUBJECTS = 64 };

static uint8_t in[BYTES], out[BYTES], expected[BYTES];

typedef struct subject {
    const char *name, *what;
    void (*run)(const struct subject *);
    const runnel_aes_blocks *ours; /* NULL: OpenSSL */
    uint64_t cycles[ROUNDS];
} subject;

static subject subjects[SUBJECTS];
static size_t count;

static struct {
    int (*set_encrypt_key)(const uint8_t *key, int bits, void *schedule);
    int (*set_decrypt_key)(const uint8_t *key, int bits, void *schedule);
    void (*encrypt)(const uint8_t *in, uint8_t *out, const void *schedule);
    void (*decrypt)(const uint8_t *in, uint8_t *out, const void *schedule);
    void (*cbc)(const uint8_t *in, uint8_t *out, size_t bytes, const void *schedule, uint8_t *iv, int enc);
    _Alignas(16) uint8_t encryption[512], decryption[512];
} openssl;

static void worked(int status)
{
    if (status != 0)
        abort();
}

static void our_encryption(const subject *s)
{
    worked(runnel_aes_blocks_encrypt(s->ours, out, in, BLOCKS));
}

static void our_decryption(const subject *s)
{
    worked(runnel_aes_blocks_decrypt(s->ours, out, in, BLOCKS));
}

static void our_chain(const subject *s)
{
    static const uint8_t iv[16];
    const uint8_t *before = iv;
    for (size_t i = 0; i < BYTES; i += 16) {
        for (size_t j = 0; j < 16; j += 4) /* words of the size that kernels store, or loads would wait for the cache */
            runnel_store32le(out + i + j, runnel_load32le(in + i + j) ^ runnel_load32le(before + j));
        before = out + i;
        worked(runnel_aes_blocks_encrypt(s->ours, out + i, out + i, 1));
    }
}

static void openssl_chain(const subject *s)
{
    uint8_t iv[16] = {0};
    (void)s;
    openssl.cbc(in, out, BYTES, openssl.encryption, iv, 1);
}

static void openssl_unchain(const subject *s)
{
    uint8_t iv[16] = {0};
    (void)s;
    openssl.cbc(in, out, BYTES, openssl.decryption, iv, 0);
}

static void openssl_encryption(const subject *s)
{
    (void)s;
    for (size_t i = 0; i < BYTES; i += 16)
        openssl.encrypt(in + i, out + i, openssl.encryption);
}

static void openssl_decryption(const subject *s)
{
    (void)s;
    for (size_t i = 0; i < BYTES; i += 16)
        openssl.decrypt(in + i, out + i, openssl.decryption);
}

static void add(const char *name, const char *what, void (*run)(const subject *), const runnel_aes_blocks *ours)
{
    if (count == SUBJECTS)
        abort();
    subject *s = &subjects[count++];
    s->name = name;
    s->what = what;
    s->run = run;
    s->ours = ours;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int openssl_is_here(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW);
    static const struct {
        const char *name;
        void *place;
    } symbols[] = {{"AES_set_encrypt_key", &openssl.set_encrypt_key},
                   {"AES_set_decrypt_key", &openssl.set_decrypt_key},
                   {"AES_encrypt", &openssl.encrypt},
                   {"AES_decrypt", &openssl.decrypt},
                   {"AES_cbc_encrypt", &openssl.cbc}};
    for (size_t i = 0; library != NULL && i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL)
            return 0;
        memcpy(symbols[i].place, &symbol, sizeof symbol);
    }
    return library != NULL;
}

int main(void)
{
    static const uint8_t key[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (size_t i = 0; i < BYTES; i++)
        in[i] = (uint8_t)(i * 167 + (i >> 8) * 59);
    static runnel_aes_blocks contexts[SUBJECTS];
    const runnel_cipher *cipher = runnel_aes_ciphers[0];
    for (size_t i = 0; i < SUBJECTS && cipher->kernels[i] != NULL; i++) {
        const runnel_kernel *kernel = cipher->kernels[i];
        if (!runnel_kernel_available(kernel))
            continue;
        worked(runnel_aes_blocks_key_kernel(&contexts[i], key, sizeof key, kernel->name));
        add(kernel->name, "encrypt", our_encryption, &contexts[i]);
        add(kernel->name, "chain", our_chain, &contexts[i]);
        if (kernel->decrypt_blocks != NULL)
            add(kernel->name, "decrypt", our_decryption, &contexts[i]);
    }
    if (openssl_is_here()) {
        openssl.set_encrypt_key(key, 128, openssl.encryption);
        openssl.set_decrypt_key(key, 128, openssl.decryption);
        add("openssl-cbc", "chain", openssl_chain, NULL);
        add("openssl-cbc", "unchain", openssl_unchain, NULL);
        add("openssl-compact", "encrypt", openssl_encryption, NULL);
        add("openssl-compact", "decrypt", openssl_decryption, NULL);
    }

    /* The same bytes first: each against the first that does the same. */
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (strcmp(subjects[first].what, subjects[i].what) != 0)
            first++;
        subjects[first].run(&subjects[first]);
        memcpy(expected, out, BYTES);
        subjects[i].run(&subjects[i]);
        if (memcmp(out, expected, BYTES) != 0) {
            fprintf(stderr, "%s differs from %s\n", subjects[i].name, subjects[first].name);
            return 1;
        }
    }
    for (unsigned round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++) {
            subject *s = &subjects[i];
            const uint64_t start = tsc_begin();
            s->run(s);
            s->cycles[round] = tsc_end() - start;
        }
    for (size_t i = 0; i < count; i++) {
        subject *s = &subjects[i];
        qsort(s->cycles, ROUNDS, sizeof s->cycles[0], by_size);
        printf("%s %s %.1f %.1f\n", s->name, s->what, (double)s->cycles[ROUNDS / 10] / BLOCKS,
               (double)s->cycles[ROUNDS / 2] / BLOCKS);
    }
    return 0;
}
