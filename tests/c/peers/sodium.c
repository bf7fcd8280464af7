/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

const char *peer_name(void)
{
    static char name[60];
    snprintf(name, sizeof name, "libsodium %s", sodium_version_string());
    return name;
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (sodium_init() < 0 || key_bytes != 32)
        return -1;
    if (strcmp(cipher, "salsa20") == 0 && iv_bytes == 8)
        return crypto_stream_salsa20_xor_ic(out, in, bytes, iv, block, key);
    if (strcmp(cipher, "salsa20-12") == 0 && block == 0)
        return crypto_stream_salsa2012_xor(out, in, bytes, iv, key);
    if (strcmp(cipher, "chacha20") == 0 && iv_bytes == 12 && block >> 32 == 0)
        return crypto_stream_chacha20_ietf_xor_ic(out, in, bytes, iv, (uint32_t)block, key);
    return -1;
}

int peer_seal(const char *aead, const peer_message *m)
{
    if (sodium_init() < 0 || m->tag_bytes != 16)
        return -1;
    if (strcmp(aead, "chacha20-poly1305") == 0)
        return crypto_aead_chacha20poly1305_ietf_encrypt_detached(m->out, m->tag, NULL, m->in, m->bytes, m->aad,
                                                                  m->aad_bytes, NULL, m->nonce, m->key);
    if (strcmp(aead, "xchacha20-poly1305") == 0)
        return crypto_aead_xchacha20poly1305_ietf_encrypt_detached(m->out, m->tag, NULL, m->in, m->bytes, m->aad,
                                                                   m->aad_bytes, NULL, m->nonce, m->key);
    if (strcmp(aead, "aes-256-gcm") == 0 && m->nonce_bytes == 12 && crypto_aead_aes256gcm_is_available())
        return crypto_aead_aes256gcm_encrypt_detached(m->out, m->tag, NULL, m->in, m->bytes, m->aad, m->aad_bytes, NULL,
                                                      m->nonce, m->key);
    return -1;
}
