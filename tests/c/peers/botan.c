/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <botan/ffi.h>
#include <stdio.h>
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
