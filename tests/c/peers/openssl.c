/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

const char *peer_name(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

/* SEED lies in the provider of old ciphers. Naming one provider unloads the default one, unless that is named too. */
static void load_legacy(void)
{
    static int done;
    if (!done) {
        OSSL_PROVIDER_load(NULL, "default");
        OSSL_PROVIDER_load(NULL, "legacy");
        done = 1;
    }
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    uint8_t counter[16];
    char name[24];
    if (strncmp(cipher, "aes-", 4) == 0 || strncmp(cipher, "aria-", 5) == 0) {
        snprintf(name, sizeof name, "%s", cipher); /* OpenSSL calls them the same, in any case */
        memcpy(counter, iv, sizeof counter);
    } else if (strcmp(cipher, "seed-cfb") == 0) {
        load_legacy();
        strcpy(name, "SEED-CFB");
        memcpy(counter, iv, sizeof counter);
    } else if (strcmp(cipher, "chacha20") == 0 && key_bytes == 32 && iv_bytes == 12 && block >> 32 == 0) {
        strcpy(name, "ChaCha20"); /* its IV: 32-bit block counter, little-endian, then the nonce */
        for (unsigned i = 0; i < 4; i++)
            counter[i] = (uint8_t)(block >> 8 * i);
        memcpy(counter + 4, iv, 12);
    } else {
        return -1;
    }
    EVP_CIPHER *type = EVP_CIPHER_fetch(NULL, name, NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = 0;
    int ok = type != NULL && context != NULL && EVP_EncryptInit_ex(context, type, NULL, key, counter) == 1 &&
             EVP_EncryptUpdate(context, out, &done, in, (int)bytes) == 1 && (size_t)done == bytes;
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(type);
    return ok ? 0 : -1;
}

int peer_seal(const char *aead, const peer_message *m)
{
    const int ccm = strstr(aead, "-ccm") != NULL, siv = strstr(aead, "-siv") != NULL;
    EVP_CIPHER *type = EVP_CIPHER_fetch(NULL, aead, NULL); /* OpenSSL calls them the same, in any case */
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = 0;
    int ok = type != NULL && context != NULL && EVP_EncryptInit_ex(context, type, NULL, NULL, NULL) == 1;
    if (!siv)
        ok = ok && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)m->nonce_bytes, NULL) == 1;
    if (ccm)
        ok = ok && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)m->tag_bytes, NULL) == 1;
    ok = ok && EVP_EncryptInit_ex(context, NULL, NULL, m->key, siv ? NULL : m->nonce) == 1;
    if (ccm)
        ok = ok && EVP_EncryptUpdate(context, NULL, &done, NULL, (int)m->bytes) == 1;
    if (siv || m->aad_bytes > 0)
        ok = ok && EVP_EncryptUpdate(context, NULL, &done, m->aad, (int)m->aad_bytes) == 1;
    if (siv && m->nonce_bytes > 0) /* the last string */
        ok = ok && EVP_EncryptUpdate(context, NULL, &done, m->nonce, (int)m->nonce_bytes) == 1;
    ok = ok && EVP_EncryptUpdate(context, m->out, &done, m->in, (int)m->bytes) == 1 && (size_t)done == m->bytes;
    ok = ok && EVP_EncryptFinal_ex(context, m->out, &done) == 1;
    ok = ok && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)m->tag_bytes, m->tag) == 1;
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(type);
    return ok ? 0 : -1;
}
