/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The limits in docs/openssl.md: calls on which ours and OpenSSL's differ, and what each of them does. */
#include "provider.h"

enum { BYTES = 16, CCM_TAG = 12 };

static EVP_CIPHER_CTX *started(EVP_CIPHER *cipher, const uint8_t *key, const uint8_t *iv, int direction)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    CHECK(EVP_CipherInit_ex2(c, cipher, key, iv, direction, NULL) == 1, "init");
    return c;
}

static int update(EVP_CIPHER_CTX *c, uint8_t out[BYTES])
{
    const uint8_t zeros[BYTES] = {0};
    int done;
    memset(out, 0, BYTES);
    return EVP_CipherUpdate(c, out, &done, zeros, BYTES) == 1;
}

/* Without an IV OpenSSL's begin at zero, and a key that serves twice has one keystream for both. */
static void no_iv(const provided *p)
{
    uint8_t key[32] = {1}, zeros[16] = {0}, out[2][BYTES];
    EVP_CIPHER_CTX *c = started(p->peer, key, NULL, SEAL);
    CHECK(update(c, out[0]), "OpenSSL seals");
    EVP_CIPHER_CTX_free(c);
    c = started(p->cipher, key, NULL, SEAL);
    ERR_clear_error();
    CHECK(!update(c, out[1]), "ours wants an IV");
    CHECK(last_error_is(runnel_error_text(RUNNEL_ERR_STATE)), "why not");
    CHECK(EVP_EncryptInit_ex2(c, NULL, NULL, zeros, NULL) == 1 && update(c, out[1]), "an IV of zeros");
    CHECK_BYTES(out[1], out[0], BYTES, "is what OpenSSL seals under");
    EVP_CIPHER_CTX_free(c);
}

/* The end of an opened message without a tag to compare with. */
static int opens_without_tag(EVP_CIPHER *cipher)
{
    uint8_t key[32] = {1}, iv[12] = {2}, out[BYTES];
    int done;
    EVP_CIPHER_CTX *c = started(cipher, key, iv, OPEN);
    CHECK(update(c, out), "text");
    ERR_clear_error();
    const int opened = EVP_DecryptFinal_ex(c, out, &done) == 1;
    EVP_CIPHER_CTX_free(c);
    return opened;
}

static void no_tag(const provided *p)
{
    CHECK(opens_without_tag(p->peer), "OpenSSL verifies no byte of a tag that it has not got");
    CHECK(!opens_without_tag(p->cipher) && last_error_is("there is no tag"), "ours wants one");
}

/* EVP_Cipher without input, with a tag that is wrong. */
static int ends_by_cipher(EVP_CIPHER *cipher)
{
    uint8_t key[32] = {1}, iv[12] = {2}, out[BYTES], tag[16] = {0};
    EVP_CIPHER_CTX *c = started(cipher, key, iv, OPEN);
    CHECK(set_tag(c, tag, sizeof tag) == 1, "tag");
    const int opened = EVP_Cipher(c, out, NULL, 0) >= 0;
    EVP_CIPHER_CTX_free(c);
    return opened;
}

/* The progress of a message when another one began. */
typedef struct given_up {
    int bytes;    /* the length that was announced */
    int has_text; /* and its text was sealed, but the tag not fetched */
    int key_again;
} given_up;

static int seals_after(EVP_CIPHER *cipher, given_up before, uint8_t out[BYTES])
{
    uint8_t key[32] = {1}, iv[2][7] = {{2}, {3}};
    int done;
    EVP_CIPHER_CTX *c = started(cipher, key, iv[0], SEAL);
    CHECK(EVP_EncryptUpdate(c, NULL, &done, NULL, before.bytes) == 1, "length");
    if (before.has_text)
        CHECK(update(c, out), "text");
    CHECK(EVP_EncryptInit_ex2(c, NULL, before.key_again ? key : NULL, iv[1], NULL) == 1, "another message");
    const int sealed = update(c, out);
    EVP_CIPHER_CTX_free(c);
    return sealed;
}

/* An IV begins a message of CCM. OpenSSL keeps the length of one that was given up, and perhaps its IV. */
static void ccm_begins_anew(const provided *p)
{
    uint8_t key[32] = {1}, iv[2][7] = {{2}, {3}}, out[BYTES], wanted[2][BYTES];
    for (int i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *c = started(p->peer, key, iv[i], SEAL);
        CHECK(update(c, wanted[i]), "by itself");
        EVP_CIPHER_CTX_free(c);
    }
    for (int key_again = 0; key_again < 2; key_again++)
        for (int has_text = 0; has_text < 2; has_text++)
            for (int bytes = BYTES; bytes <= BYTES + !has_text; bytes++) {
                const given_up before = {bytes, has_text, key_again};
                CHECK(seals_after(p->cipher, before, out), "ours seals");
                CHECK_BYTES(out, wanted[1], BYTES, "under the new IV");
                const int under_old_iv = !key_again && !has_text && bytes == BYTES;
                CHECK(seals_after(p->peer, before, out) == under_old_iv, "OpenSSL fails, unless the lengths agree");
                if (under_old_iv)
                    CHECK_BYTES(out, wanted[0], BYTES, "where it seals under the old IV");
            }
}

void test_differences(const provided *p)
{
    CHECK(p->peer != NULL, "OpenSSL has no %s", p->name);
    const int poly1305 = strcmp(p->library_name, "chacha20-poly1305") == 0;
    const unsigned long version = OpenSSL_version_num();
    if (p->mode == EVP_CIPH_CTR_MODE || strcmp(p->library_name, "chacha20") == 0 || poly1305)
        no_iv(p);
    if (poly1305) {
        no_tag(p);
        CHECK(!ends_by_cipher(p->cipher), "ours verifies");
        if (version >> 20 == 0x300 && version < 0x30000160)
            CHECK(ends_by_cipher(p->peer), "OpenSSL before 3.0.22 takes any tag");
    }
    if (p->mode == EVP_CIPH_CCM_MODE)
        ccm_begins_anew(p);
    ERR_clear_error();
}
