/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many keys at once: each context is what key set-up by itself makes of it; an error changes none. */
#include "properties.h"

enum { MOST_KEYS = 21 };

typedef struct bunch {
    const target *t;
    size_t count, key_bytes;
    runnel_stream *s[MOST_KEYS], *alone[MOST_KEYS];
    uint8_t key[MOST_KEYS][LONGEST_KEY];
    const uint8_t *keys[MOST_KEYS];
} bunch;

static void clear(bunch *b)
{
    for (size_t i = 0; i < MOST_KEYS; i++) {
        memset(b->s[i], 0x5a, b->t->cipher->context_bytes);
        memset(b->alone[i], 0x5a, b->t->cipher->context_bytes);
    }
}

static void compare(const bunch *b, const char *after)
{
    for (size_t i = 0; i < MOST_KEYS; i++)
        CHECK_BYTES((const uint8_t *)b->s[i], (const uint8_t *)b->alone[i], b->t->cipher->context_bytes,
                    "context %zu of %zu after %s", i, b->count, after);
}

static int set(const bunch *b)
{
    return runnel_cipher_key_batch(b->t->cipher, b->s, b->keys, b->key_bytes, b->t->kernel->name, b->count);
}

static void good(bunch *b)
{
    clear(b);
    for (size_t i = 0; i < b->count; i++)
        CHECK_OK(runnel_cipher_key(b->t->cipher, b->alone[i], b->key[i], b->key_bytes, b->t->kernel->name));
    CHECK_OK(set(b));
    compare(b, "key set-up");
}

static void errors(bunch *b)
{
    const size_t bad = random_below(b->count);
    runnel_stream *const s = b->s[bad];
    const uint8_t *const key = b->keys[bad];
    const runnel_cipher *cipher = b->t->cipher;
    const char *name = b->t->kernel->name;
    clear(b);
    CHECK_RESULT(runnel_cipher_key_batch(NULL, b->s, b->keys, b->key_bytes, name, b->count), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, NULL, b->keys, b->key_bytes, name, b->count), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, b->s, NULL, b->key_bytes, name, b->count), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, b->s, b->keys, LONGEST_KEY + 1, name, b->count),
                 RUNNEL_ERR_KEY_LENGTH);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, b->s, b->keys, b->key_bytes, "none such", b->count),
                 RUNNEL_ERR_KERNEL);
    b->s[bad] = NULL;
    CHECK_RESULT(set(b), RUNNEL_ERR_NULL);
    b->s[bad] = s;
    if (b->key_bytes > 0) {
        b->keys[bad] = NULL;
        CHECK_RESULT(set(b), RUNNEL_ERR_NULL);
        b->keys[bad] = key;
    }
    CHECK_OK(runnel_cipher_key_batch(cipher, NULL, NULL, b->key_bytes, name, 0));
    compare(b, "errors");
}

void test_keys(const target *t)
{
    static bunch b;
    b.t = t;
    for (size_t i = 0; i < MOST_KEYS; i++) {
        b.s[i] = new_context(t->cipher);
        b.alone[i] = new_context(t->cipher);
        b.keys[i] = b.key[i];
    }
    for (b.count = 0; b.count <= MOST_KEYS; b.count += scale < EMULATED ? 1 : 4) {
        b.key_bytes = random_pair(t->cipher).key_bytes;
        random_bytes(b.key[0], sizeof b.key);
        good(&b);
    }
    b.count = 1 + random_below(MOST_KEYS);
    errors(&b);
    for (size_t i = 0; i < MOST_KEYS; i++) {
        free_context(b.s[i]);
        free_context(b.alone[i]);
    }
}
