/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <gcrypt.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

const char *peer_name(void)
{
    static char name[60];
    snprintf(name, sizeof name, "libgcrypt %s", gcry_check_version(NULL));
    return name;
}

int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
             uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int algorithm, mode = GCRY_CIPHER_MODE_STREAM;
    uint8_t counter[16];
    peer_name(); /* libgcrypt wants its version checked first */
    const int block_mode = strstr(cipher, "-cfb") != NULL ? GCRY_CIPHER_MODE_CFB : GCRY_CIPHER_MODE_CTR;
    if (strncmp(cipher, "aes-", 4) == 0) {
        algorithm = key_bytes == 16 ? GCRY_CIPHER_AES128 : key_bytes == 24 ? GCRY_CIPHER_AES192 : GCRY_CIPHER_AES256;
        mode = block_mode;
    } else if (strncmp(cipher, "seed-", 5) == 0) {
        algorithm = GCRY_CIPHER_SEED;
        mode = block_mode;
    } else if (strcmp(cipher, "salsa20") == 0 && block == 0) {
        algorithm = GCRY_CIPHER_SALSA20;
    } else if (strcmp(cipher, "salsa20-12") == 0 && block == 0) {
        algorithm = GCRY_CIPHER_SALSA20R12;
    } else if (strcmp(cipher, "chacha20") == 0 && iv_bytes == 12 && block >> 32 == 0) {
        algorithm = GCRY_CIPHER_CHACHA20; /* an IV of 16 bytes starts with the block counter */
        for (unsigned i = 0; i < 4; i++)
            counter[i] = (uint8_t)(block >> 8 * i);
        memcpy(counter + 4, iv, 12);
        iv = counter;
        iv_bytes = 16;
    } else {
        return -1;
    }
    gcry_cipher_hd_t handle;
    if (gcry_cipher_open(&handle, algorithm, mode, 0) != 0)
        return -1;
    int bad = gcry_cipher_setkey(handle, key, key_bytes) != 0;
    if (!bad)
        bad = mode == GCRY_CIPHER_MODE_CTR ? gcry_cipher_setctr(handle, iv, iv_bytes) != 0
                                           : gcry_cipher_setiv(handle, iv, iv_bytes) != 0;
    if (!bad && bytes > 0)
        bad = gcry_cipher_encrypt(handle, out, bytes, in, bytes) != 0;
    gcry_cipher_close(handle);
    return bad ? -1 : 0;
}

int peer_seal(const char *aead, const peer_message *m)
{
    static const struct {
        const char *suffix;
        int mode;
    } modes[] = {{"-gcm", GCRY_CIPHER_MODE_GCM},
                 {"-ccm", GCRY_CIPHER_MODE_CCM},
                 {"-gcm-siv", GCRY_CIPHER_MODE_GCM_SIV},
                 {"-siv", GCRY_CIPHER_MODE_SIV},
                 {"chacha20-poly1305", GCRY_CIPHER_MODE_POLY1305}};
    int algorithm, mode = -1;
    peer_name();
    for (size_t i = 0; mode < 0 && i < sizeof modes / sizeof modes[0]; i++) {
        const size_t n = strlen(aead), suffix = strlen(modes[i].suffix);
        if (n >= suffix && strcmp(aead + n - suffix, modes[i].suffix) == 0)
            mode = modes[i].mode;
    }
    const size_t key_bytes = mode == GCRY_CIPHER_MODE_SIV ? m->key_bytes / 2 : m->key_bytes;
    if (strncmp(aead, "aes-", 4) == 0)
        algorithm = key_bytes == 16 ? GCRY_CIPHER_AES128 : key_bytes == 24 ? GCRY_CIPHER_AES192 : GCRY_CIPHER_AES256;
    else if (strncmp(aead, "seed-", 5) == 0)
        algorithm = GCRY_CIPHER_SEED;
    else if (strcmp(aead, "chacha20-poly1305") == 0)
        algorithm = GCRY_CIPHER_CHACHA20;
    else
        return -1;
    gcry_cipher_hd_t handle;
    if (mode < 0 || gcry_cipher_open(&handle, algorithm, mode, 0) != 0)
        return -1;
    const uint64_t lengths[] = {m->bytes, m->aad_bytes, m->tag_bytes};
    int bad = gcry_cipher_setkey(handle, m->key, m->key_bytes) != 0;
    if (mode == GCRY_CIPHER_MODE_SIV) { /* the nonce is the last string, and may be absent */
        bad = bad || gcry_cipher_authenticate(handle, m->aad, m->aad_bytes) != 0;
        bad = bad || (m->nonce_bytes > 0 && gcry_cipher_setiv(handle, m->nonce, m->nonce_bytes) != 0);
    } else {
        bad = bad || gcry_cipher_setiv(handle, m->nonce, m->nonce_bytes) != 0;
        bad = bad || (mode == GCRY_CIPHER_MODE_CCM &&
                      gcry_cipher_ctl(handle, GCRYCTL_SET_CCM_LENGTHS, (void *)lengths, sizeof lengths) != 0);
        bad = bad || (m->aad_bytes > 0 && gcry_cipher_authenticate(handle, m->aad, m->aad_bytes) != 0);
    }
    bad = bad || gcry_cipher_final(handle) != 0;
    bad = bad || gcry_cipher_encrypt(handle, m->out, m->bytes, m->in, m->bytes) != 0;
    bad = bad || gcry_cipher_gettag(handle, m->tag, m->tag_bytes) != 0;
    gcry_cipher_close(handle);
    return bad ? -1 : 0;
}
