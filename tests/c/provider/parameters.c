/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parameters: integers of both widths and with a sign, and memory of the program's that has too little room. */
#include "provider.h"

static const char WRONG[] = "a parameter has the wrong type or size";

/* Sets an integer of `bytes` bytes, as memory has it. */
static int set(EVP_CIPHER_CTX *c, const char *name, unsigned type, void *value, size_t bytes)
{
    OSSL_PARAM given[] = {{name, type, value, bytes, 0}, OSSL_PARAM_construct_end()};
    ERR_clear_error();
    return EVP_CIPHER_CTX_set_params(c, given);
}

/* Lengths that a program sets to what they are, in every form that an integer may have. */
static void integers(EVP_CIPHER_CTX *c, const char *name, int now)
{
    int32_t narrow = now;
    int64_t wide = now;
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &narrow, sizeof narrow) == 1, "%s, int", name);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &wide, sizeof wide) == 1, "%s, int64", name);
    CHECK(set(c, name, OSSL_PARAM_UNSIGNED_INTEGER, &narrow, sizeof narrow) == 1, "%s, unsigned", name);
    CHECK(set(c, name, OSSL_PARAM_UNSIGNED_INTEGER, &wide, sizeof wide) == 1, "%s, uint64", name);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &wide, 2) != 1 && last_error_is(WRONG), "%s of two bytes", name);
    CHECK(set(c, name, OSSL_PARAM_OCTET_STRING, &wide, sizeof wide) != 1 && last_error_is(WRONG), "%s, bytes", name);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, NULL, sizeof wide) != 1 && last_error_is(WRONG), "%s, nothing", name);
    narrow = -narrow - (now == 0);
    wide = -wide - (now == 0);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &narrow, sizeof narrow) != 1 && last_error_is(WRONG), "%s, negative", name);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &wide, sizeof wide) != 1 && last_error_is(WRONG), "%s, negative", name);
    narrow = INT32_MIN;
    wide = INT64_MIN;
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &narrow, sizeof narrow) != 1 && last_error_is(WRONG), "%s, least", name);
    CHECK(set(c, name, OSSL_PARAM_INTEGER, &wide, sizeof wide) != 1 && last_error_is(WRONG), "%s, least", name);
}

/* Bytes are handed out whole or not at all, and nothing is written beyond the room. */
static void bytes_of(EVP_CIPHER_CTX *c, const char *name, const uint8_t *wanted, size_t bytes)
{
    enum { GUARD = 0xa5 };
    uint8_t got[64];
    for (size_t room = 0; room < 2 * bytes; room++) {
        memset(got, GUARD, sizeof got);
        OSSL_PARAM asked[] = {OSSL_PARAM_construct_octet_string(name, got, room), OSSL_PARAM_construct_end()};
        ERR_clear_error();
        const int done = EVP_CIPHER_CTX_get_params(c, asked);
        CHECK((done == 1) == (room >= bytes), "%s of %zu bytes into %zu", name, bytes, room);
        CHECK(done == 1 ? memcmp(got, wanted, bytes) == 0 : last_error_is(WRONG), "%s into %zu bytes", name, room);
        for (size_t i = done == 1 ? bytes : 0; i < sizeof got; i++)
            CHECK(got[i] == GUARD, "byte %zu behind %s in %zu", i, name, room);
    }
    OSSL_PARAM asked[] = {OSSL_PARAM_construct_octet_string(name, NULL, 0), OSSL_PARAM_construct_end()};
    CHECK(EVP_CIPHER_CTX_get_params(c, asked) == 1 && asked[0].return_size == bytes, "how long %s is", name);
}

void test_parameters(const provided *p)
{
    uint8_t key[32], iv[64];
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_EncryptInit_ex2(c, p->cipher, key, iv, NULL) == 1, "init");
    const int iv_bytes = EVP_CIPHER_CTX_get_iv_length(c);
    integers(c, OSSL_CIPHER_PARAM_KEYLEN, (int)p->key_bytes);
    if (iv_bytes > 0) {
        integers(c, OSSL_CIPHER_PARAM_IVLEN, iv_bytes);
        bytes_of(c, OSSL_CIPHER_PARAM_IV, iv, (size_t)iv_bytes);
        bytes_of(c, OSSL_CIPHER_PARAM_UPDATED_IV, iv, (size_t)iv_bytes);
    }
    if (runnel_aead_find(p->library_name) == NULL)
        integers(c, OSSL_CIPHER_PARAM_NUM, 0);
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}
