/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Records of TLS 1.2 as libssl makes them, sealed by one side and opened by the other. */
#include "provider.h"

enum { ROUNDS = 150, MOST = 2000, HEADER = 13 };

static size_t explicit_bytes(const provided *p)
{
    return p->mode == EVP_CIPH_GCM_MODE || p->mode == EVP_CIPH_CCM_MODE ? 8 : 0;
}

static EVP_CIPHER_CTX *set_up(const provided *p, EVP_CIPHER *cipher, int direction, const uint8_t *key,
                              const uint8_t *iv, size_t tag_bytes)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    if (explicit_bytes(p) == 0) {
        CHECK(EVP_CipherInit_ex2(c, cipher, key, iv, direction, NULL) == 1, "init");
        return c;
    }
    CHECK(EVP_CipherInit_ex2(c, cipher, NULL, NULL, direction, NULL) == 1, "cipher");
    if (p->mode == EVP_CIPH_CCM_MODE) {
        CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL) == 1, "IV length");
        CHECK(set_tag(c, NULL, tag_bytes) == 1, "tag length");
    }
    CHECK(EVP_CipherInit_ex2(c, NULL, key, NULL, direction, NULL) == 1, "key");
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IV_FIXED, 4, (void *)(uintptr_t)iv) == 1, "fixed part of the IV");
    return c;
}

/* Seals or opens a record of `bytes` bytes; returns what is left of it, or -1. */
static int record(EVP_CIPHER_CTX *c, uint64_t number, uint8_t *buffer, size_t header_length, size_t bytes, size_t pad)
{
    uint8_t header[HEADER] = {[8] = 23, [9] = 3, [10] = 3};
    int done = -1;
    for (int i = 0; i < 8; i++)
        header[i] = (uint8_t)(number >> (56 - 8 * i));
    header[11] = (uint8_t)(header_length >> 8);
    header[12] = (uint8_t)header_length;
    CHECK(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header) == (int)pad, "padding");
    return EVP_CipherUpdate(c, buffer, &done, buffer, (int)bytes) == 1 ? done : -1;
}

static void between(const provided *p, EVP_CIPHER *from, EVP_CIPHER *to)
{
    uint8_t key[32], iv[12], last_iv[8] = "no IV", text[MOST], buffer[MOST + 24];
    const size_t tag = p->mode == EVP_CIPH_CCM_MODE && random_below(2) ? 8 : 16, before = explicit_bytes(p);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    EVP_CIPHER_CTX *sealer = set_up(p, from, SEAL, key, iv, tag), *opener = set_up(p, to, OPEN, key, iv, tag);
    for (uint64_t number = random_below(3) << 40, last = number + 8; number < last; number++) {
        const size_t bytes = random_length(16, MOST), all = before + bytes + tag;
        random_bytes(text, bytes);
        memset(buffer, 0, sizeof buffer);
        memcpy(buffer + before, text, bytes);
        CHECK(record(sealer, number, buffer, before + bytes, all, tag) == (int)all, "sealed");
        CHECK(before == 0 || memcmp(last_iv, buffer, 8) != 0, "a nonce twice");
        memcpy(last_iv, buffer, 8);
        uint8_t forged[sizeof buffer];
        memcpy(forged, buffer, sizeof buffer);
        forged[random_below(all)] ^= 1;
        EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
        CHECK(EVP_CIPHER_CTX_copy(copy, opener) == 1, "copy");
        CHECK(record(copy, number, forged, all, all, tag) == -1, "a flipped bit");
        for (size_t i = 0; i < bytes; i++)
            CHECK(forged[before + i] == 0, "nothing unverified remains");
        EVP_CIPHER_CTX_free(copy);
        CHECK(record(opener, number, buffer, all, all, tag) == (int)bytes, "opened");
        CHECK_BYTES(buffer + before, text, bytes, "record of %zu bytes", bytes);
        ERR_clear_error();
    }
    CHECK(EVP_CIPHER_CTX_ctrl(opener, EVP_CTRL_AEAD_TLS1_AAD, 12, buffer) <= 0, "a header that is too short");
    uint8_t header[HEADER] = {0}; /* of a record shorter than what is around its text */
    CHECK(EVP_CIPHER_CTX_ctrl(opener, EVP_CTRL_AEAD_TLS1_AAD, HEADER, header) <= 0, "a record without a tag");
    ERR_clear_error();
    EVP_CIPHER_CTX_free(sealer);
    EVP_CIPHER_CTX_free(opener);
}

/* A header is for one record, of its length. */
static void out_of_turn(const provided *p)
{
    enum { TEXT = 40, TAG = 16 };
    const size_t before = explicit_bytes(p), all = before + TEXT + TAG;
    uint8_t key[32] = {1}, iv[12] = {2}, buffer[100] = {0}, kept[100];
    EVP_CIPHER_CTX *c = set_up(p, p->cipher, SEAL, key, iv, TAG);
    for (size_t bytes = all - 3; bytes <= all + 3; bytes++) {
        memset(buffer, 0, sizeof buffer);
        const int done = record(c, bytes, buffer, before + TEXT, bytes, TAG);
        CHECK(done == (bytes == all ? (int)all : -1), "%zu bytes of a record of %zu", bytes, all);
        CHECK(done != -1 || last_error_is("not a TLS record, or one out of turn"), "why not");
    }
    CHECK(record(c, 7, buffer, before + TEXT, all, TAG) == (int)all, "a record");
    memcpy(kept, buffer, sizeof buffer);
    int done;
    CHECK(EVP_CipherUpdate(c, buffer, &done, buffer, (int)all) != 1, "a second record without a header");
    CHECK_BYTES(buffer, kept, sizeof buffer, "which leaves all as it is");
    EVP_CIPHER_CTX_free(c);
    ERR_clear_error();
}

void test_records(const provided *p)
{
    CHECK(p->peer != NULL, "OpenSSL has no %s", p->name);
    out_of_turn(p);
    for (unsigned i = 0; i < ROUNDS; i++) {
        between(p, p->cipher, p->peer);
        between(p, p->peer, p->cipher);
        between(p, p->cipher, p->cipher);
    }
}
