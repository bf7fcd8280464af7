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
