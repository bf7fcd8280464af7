/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks which kernel runs: under every subset of the features that a cipher's kernels name, the first in the list that
 * claims constant time and whose features are all there; the bytes stay the same. */
#include "properties.h"

static const runnel_kernel *expected(const runnel_cipher *cipher, uint32_t features)
{
    for (const runnel_kernel_head *const *k = cipher->kernels; *k != NULL; k++)
        if (runnel_cipher_has(cipher, runnel_kernel_of(*k)) && (*k)->timing == RUNNEL_CONSTANT_TIME &&
            ((*k)->cpu & features) == (*k)->cpu)
            return runnel_kernel_of(*k);
    return NULL;
}

/* Raw blocks take the same kernel or, where that cannot decrypt, the first that may run and can. */
static void raw_blocks(const runnel_cipher *cipher, uint32_t features)
{
    const runnel_kernel *wanted = expected(cipher, features);
    if (wanted == NULL || wanted->kind != RUNNEL_KIND_BLOCK)
        return;
    for (size_t i = 0; cipher->kernels[i] != NULL && wanted->block.decrypt_blocks == NULL; i++) {
        const runnel_kernel *k = runnel_kernel_of(cipher->kernels[i]);
        if (k->block.decrypt_blocks != NULL && runnel_cipher_has(cipher, k) && k->timing == RUNNEL_CONSTANT_TIME &&
            (k->cpu & features) == k->cpu)
            wanted = k;
    }
    const target t = {cipher, NULL};
    const message m = random_message(&t);
    runnel_cipher_list family = {cipher, NULL};
    runnel_stream *encrypt = new_context(cipher), *decrypt = new_context(cipher);
    runnel_blocks b = {NULL};
    CHECK_OK(runnel_blocks_key(family, &b, encrypt, decrypt, m.key, m.key_bytes, NULL));
    CHECK(b.kernel == wanted, "%s: raw blocks take %s, not %s", cipher->name, b.kernel->name, wanted->name);
    free_context(encrypt);
    free_context(decrypt);
}

static void under_mask(const runnel_cipher *cipher, uint32_t mask, uint32_t all)
{
    runnel_cpu_mask(mask);
    CHECK(runnel_cpu() == (all & mask), "mask %#x of %#x gives %#x", mask, all, runnel_cpu());
    const target t = {cipher, NULL};
    const runnel_kernel *wanted = expected(cipher, all & mask);
    message m = random_message(&t);
    raw_blocks(cipher, all & mask);
    runnel_stream *s = new_context(cipher);
    size_t listed = 0;
    for (size_t i = 0; cipher->kernels[i] != NULL; i++) {
        const runnel_kernel *k = runnel_kernel_of(cipher->kernels[i]);
        runnel_kernel_info info;
        if (!runnel_cipher_has(cipher, k))
            continue;
        CHECK_OK(runnel_cipher_kernel(cipher, listed++, &info));
        int available = (k->cpu & all & mask) == k->cpu;
        CHECK(info.available == available && info.chosen == (k == wanted), "%s: %s under mask %#x", cipher->name,
              k->name, mask);
        memset(s, 0, cipher->context_bytes);
        CHECK_RESULT(runnel_cipher_key(cipher, s, m.key, m.key_bytes, k->name), available ? 0 : RUNNEL_ERR_KERNEL);
        CHECK(available ? strcmp(runnel_stream_kernel(s), k->name) == 0 : s->stage == 0, "%s by name", k->name);
    }
    if (wanted == NULL) {
        CHECK_RESULT(runnel_cipher_key(cipher, s, m.key, m.key_bytes, NULL), RUNNEL_ERR_KERNEL);
    } else {
        static uint8_t out[5000], keystream[5000], zeros[5000];
        const target reference = {cipher, reference_kernel(cipher)};
        runnel_stream *r = new_context(cipher);
        start_message(r, &reference, &m);
        CHECK_OK(runnel_stream_encrypt(r, keystream, zeros, sizeof keystream));
        free_context(r);
        CHECK_OK(runnel_cipher_key(cipher, s, m.key, m.key_bytes, NULL));
        CHECK(strcmp(runnel_stream_kernel(s), wanted->name) == 0, "%s: %s ran under mask %#x, not %s", cipher->name,
              runnel_stream_kernel(s), mask, wanted->name);
        CHECK(s->kernel == wanted, "%s: another kernel of that name", cipher->name);
        CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        runnel_cpu_mask(0); /* a context that has a key keeps its kernel */
        size_t n = 4000 + random_below(1000);
        CHECK_OK(runnel_stream_encrypt(s, out, zeros, n));
        CHECK_BYTES(out, keystream, n, "%s through %s", cipher->name, wanted->name);
        CHECK(s->kernel == wanted, "the kernel changed");
    }
    free_context(s);
    runnel_cpu_mask(UINT32_MAX);
}

void test_dispatch(const char *name)
{
    runnel_cpu_mask(UINT32_MAX);
    const uint32_t all = runnel_cpu();
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++) {
        const runnel_cipher *cipher = runnel_cipher_at(i);
        if (name != NULL && strcmp(name, cipher->name) != 0)
            continue;
        doing = cipher->name;
        uint32_t named = 0;
        for (const runnel_kernel_head *const *k = cipher->kernels; *k != NULL; k++) {
            named |= (*k)->cpu;
            for (const runnel_kernel_head *const *other = cipher->kernels; other != k; other++)
                CHECK(strcmp((*other)->name, (*k)->name) != 0, "two kernels are called %s", (*k)->name);
        }
        CHECK(expected(cipher, 0) != NULL, "%s has no constant-time kernel for every CPU", cipher->name);
        unsigned masks = 0;
        for (uint32_t subset = named;; subset = (subset - 1) & named) { /* all subsets, down to none */
            under_mask(cipher, subset, all);
            masks++;
            if (subset == 0)
                break;
        }
        under_mask(cipher, UINT32_MAX, all);
        printf("%s: %u feature sets, with everything %s\n", cipher->name, masks, expected(cipher, all)->name);
    }
}

/* The features in use, at first use and without a mask, are exactly those named: RUNNEL_CPU was heard. */
void test_environment(const char *features)
{
    char text[100] = "";
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (runnel_cpu() & bit) {
            const char *name = runnel_cpu_name(bit);
            CHECK(name != NULL, "feature %#x has no name", bit);
            strcat(strcat(text, *text != '\0' ? "," : ""), name);
        }
    CHECK(strcmp(text, features) == 0, "the features are \"%s\", not \"%s\"", text, features);
}

void test_unknown(const char *list)
{
    const uint32_t before = runnel_cpu();
    size_t bytes = 12345;
    const char *word = runnel_cpu_unknown(list, &bytes);
    CHECK(word == runnel_cpu_unknown(list, NULL), "another word when no length is wanted");
    CHECK(word != NULL || bytes == 12345, "no word, but a length of %zu", bytes);
    CHECK(runnel_cpu() == before, "the features in use have changed");
    if (word != NULL)
        printf("unknown: %.*s\n", (int)bytes, word);
}
