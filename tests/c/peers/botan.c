/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <botan/ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

const char *peer_name(void)
{
    return botan_version_string();
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    char name[40];
    const int cfb = strstr(cipher, "-cfb") != NULL;
    if (strncmp(cipher, "aes-", 4) == 0)
        snprintf(name, sizeof name, cfb ? "AES-%zu/CFB" : "CTR-BE(AES-%zu)", 8 * key_bytes);
    else if (strncmp(cipher, "aria-", 5) == 0)
        snprintf(name, sizeof name, cfb ? "ARIA-%zu/CFB" : "CTR-BE(ARIA-%zu)", 8 * key_bytes);
    else if (strncmp(cipher, "seed-", 5) == 0)
        strcpy(name, cfb ? "SEED/CFB" : "CTR-BE(SEED)");
    else if (strcmp(cipher, "salsa20") == 0)
        strcpy(name, "Salsa20");
    else if (strcmp(cipher, "chacha20") == 0)
        strcpy(name, "ChaCha(20)");
    else
        return -1;
    botan_cipher_t handle;
    if (block != 0 || botan_cipher_init(&handle, name, BOTAN_CIPHER_INIT_FLAG_ENCRYPT) != 0)
        return -1;
    size_t written = 0, read = 0;
    int bad =
        botan_cipher_set_key(handle, key, key_bytes) != 0 || botan_cipher_start(handle, iv, iv_bytes) != 0 ||
        botan_cipher_update(handle, BOTAN_CIPHER_UPDATE_FLAG_FINAL, out, bytes, &written, in, bytes, &read) != 0 ||
        written != bytes;
    botan_cipher_destroy(handle);
    return bad ? -1 : 0;
}

int peer_seal(const char *aead, const peer_message *m)
{
    char cipher[24], name[40];
    const char *mode = strstr(aead, "-gcm-siv") != NULL ? NULL
                       : strstr(aead, "-gcm") != NULL   ? "GCM(%zu)"
                       : strstr(aead, "-ccm") != NULL   ? "CCM(%zu,%zu)"
                       : strstr(aead, "-siv") != NULL   ? "SIV"
                                                        : NULL;
    const int siv = mode != NULL && strcmp(mode, "SIV") == 0;
    const size_t bits = (siv ? 4 : 8) * m->key_bytes;
    if (strncmp(aead, "aes-", 4) == 0)
        snprintf(cipher, sizeof cipher, "AES-%zu", bits);
    else if (strncmp(aead, "aria-", 5) == 0)
        snprintf(cipher, sizeof cipher, "ARIA-%zu", bits);
    else if (strncmp(aead, "seed-", 5) == 0)
        strcpy(cipher, "SEED");
    if (strstr(aead, "chacha20-poly1305") != NULL) { /* XChaCha20 by the length of the nonce */
        strcpy(name, "ChaCha20Poly1305");
    } else if (mode == NULL || strncmp(aead, "lea-", 4) == 0) {
        return -1;
    } else {
        const int n = snprintf(name, sizeof name, "%s/", cipher);
        snprintf(name + n, sizeof name - (size_t)n, mode, m->tag_bytes, 15 - m->nonce_bytes);
    }
    botan_cipher_t handle;
    if ((siv && m->nonce_bytes == 0) || botan_cipher_init(&handle, name, BOTAN_CIPHER_INIT_FLAG_ENCRYPT) != 0)
        return -1;
    size_t written = 0, read = 0, length = m->bytes + m->tag_bytes;
    uint8_t *sealed = malloc(length);
    int bad = sealed == NULL || botan_cipher_set_key(handle, m->key, m->key_bytes) != 0 ||
              botan_cipher_set_associated_data(handle, m->aad, m->aad_bytes) != 0 ||
              botan_cipher_start(handle, m->nonce, m->nonce_bytes) != 0 ||
              botan_cipher_update(handle, BOTAN_CIPHER_UPDATE_FLAG_FINAL, sealed, length, &written, m->in, m->bytes,
                                  &read) != 0 ||
              written != length;
    if (!bad) {
        memcpy(m->out, sealed + (siv ? m->tag_bytes : 0), m->bytes);
        memcpy(m->tag, sealed + (siv ? 0 : m->bytes), m->tag_bytes);
    }
    free(sealed);
    botan_cipher_destroy(handle);
    return bad ? -1 : 0;
}
