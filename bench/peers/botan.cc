// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "shim.h"

#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <cstdio>
#include <cstring>

namespace
{

const struct {
    const char *ours, *theirs;
} names[] = {
    {"aes-128-ctr", "CTR-BE(AES-128)"},   {"aes-192-ctr", "CTR-BE(AES-192)"},
    {"aes-256-ctr", "CTR-BE(AES-256)"},   {"aria-128-ctr", "CTR-BE(ARIA-128)"},
    {"aria-192-ctr", "CTR-BE(ARIA-192)"}, {"aria-256-ctr", "CTR-BE(ARIA-256)"},
    {"chacha20", "ChaCha(20)"},           {"salsa20", "Salsa20"},
    {"seed-ctr", "CTR-BE(SEED)"},
};

Botan::StreamCipher *of(void *cipher)
{
    return static_cast<Botan::StreamCipher *>(cipher);
}

} // namespace

void shim_version(char version[24])
{
    std::snprintf(version, 24, "%u.%u.%u", Botan::version_major(), Botan::version_minor(), Botan::version_patch());
}

void *shim_open(const char *cipher)
try {
    for (const auto &name : names)
        if (std::strcmp(name.ours, cipher) == 0)
            return Botan::StreamCipher::create(name.theirs).release();
    return nullptr;
} catch (const std::exception &) {
    return nullptr;
}

int shim_key(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *, size_t)
try {
    of(cipher)->set_key(key, key_bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_iv(void *cipher, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->set_iv(iv, iv_bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_process(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    of(cipher)->cipher(in, out, bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}
