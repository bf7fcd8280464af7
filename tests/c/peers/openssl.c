/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <openssl/evp.h>
#include <string.h>

#include "peer.h"

const char *peer_name(void)
{
    return OpenSSL_version(OPENSSL_VERSION);
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const EVP_CIPHER *type = NULL;
    uint8_t counter[16];
    if (strncmp(cipher, "aes-", 4) == 0 && strstr(cipher, "-cfb") != NULL) {
        type = key_bytes == 16 ? EVP_aes_128_cfb128() : key_bytes == 24 ? EVP_aes_192_cfb128() : EVP_aes_256_cfb128();
        memcpy(counter, iv, sizeof counter);
    } else if (strncmp(cipher, "aes-", 4) == 0) {
        type = key_bytes == 16 ? EVP_aes_128_ctr() : key_bytes == 24 ? EVP_aes_192_ctr() : EVP_aes_256_ctr();
        memcpy(counter, iv, sizeof counter);
    } else if (strcmp(cipher, "chacha20") == 0 && iv_bytes == 12 && block >> 32 == 0) {
        type = EVP_chacha20(); /* its IV: 32-bit block counter, little-endian, then the nonce */
        for (unsigned i = 0; i < 4; i++)
            counter[i] = (uint8_t)(block >> 8 * i);
        memcpy(counter + 4, iv, 12);
    } else {
        return -1;
    }
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int done = 0;
    int ok = context != NULL && EVP_EncryptInit_ex(context, type, NULL, key, counter) == 1 &&
             EVP_EncryptUpdate(context, out, &done, in, (int)bytes) == 1 && (size_t)done == bytes;
    EVP_CIPHER_CTX_free(context);
    return ok ? 0 : -1;
}
