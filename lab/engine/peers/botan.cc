// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "shim.h"

#include <botan/aead.h>
#include <botan/stream_cipher.h>
#include <botan/version.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace
{

const struct {
    const char *ours, *theirs;
} names[] = {
    {"aes-128-ccm", "AES-128/CCM"},
    {"aes-128-ctr", "CTR-BE(AES-128)"},
    {"aes-128-gcm", "AES-128/GCM"},
    {"aes-128-siv", "AES-128/SIV"},
    {"aes-192-ccm", "AES-192/CCM"},
    {"aes-192-ctr", "CTR-BE(AES-192)"},
    {"aes-192-gcm", "AES-192/GCM"},
    {"aes-192-siv", "AES-192/SIV"},
    {"aes-256-ccm", "AES-256/CCM"},
    {"aes-256-ctr", "CTR-BE(AES-256)"},
    {"aes-256-gcm", "AES-256/GCM"},
    {"aes-256-siv", "AES-256/SIV"},
    {"aria-128-ccm", "ARIA-128/CCM"},
    {"aria-128-ctr", "CTR-BE(ARIA-128)"},
    {"aria-128-gcm", "ARIA-128/GCM"},
    {"aria-192-ccm", "ARIA-192/CCM"},
    {"aria-192-ctr", "CTR-BE(ARIA-192)"},
    {"aria-192-gcm", "ARIA-192/GCM"},
    {"aria-256-ccm", "ARIA-256/CCM"},
    {"aria-256-ctr", "CTR-BE(ARIA-256)"},
    {"aria-256-gcm", "ARIA-256/GCM"},
    {"chacha20", "ChaCha(20)"},
    {"chacha20-poly1305", "ChaCha20Poly1305"},
    {"salsa20", "Salsa20"},
    {"seed-ccm", "SEED/CCM"},
    {"seed-ctr", "CTR-BE(SEED)"},
    {"seed-gcm", "SEED/GCM"},
    {"xchacha20-poly1305", "ChaCha20Poly1305"},
};

// A stream cipher or an AEAD, which works in place on a buffer of its own.
struct subject {
    std::unique_ptr<Botan::StreamCipher> cipher;
    std::unique_ptr<Botan::AEAD_Mode> aead;
    Botan::secure_vector<uint8_t> buffer;
    bool tag_first = false; // SIV
};

subject *of(void *cipher)
{
    return static_cast<subject *>(cipher);
}

} // namespace

void shim_version(char version[24])
{
    std::snprintf(version, 24, "%u.%u.%u", Botan::version_major(), Botan::version_minor(), Botan::version_patch());
}

void *shim_open(const char *cipher, unsigned *, char *)
try {
    for (const auto &name : names) {
        if (std::strcmp(name.ours, cipher) != 0)
            continue;
        auto found = std::make_unique<subject>();
        found->cipher = Botan::StreamCipher::create(name.theirs);
        if (!found->cipher)
            found->aead = Botan::AEAD_Mode::create(name.theirs, Botan::ENCRYPTION);
        found->tag_first = std::strstr(name.theirs, "/SIV") != nullptr;
        return found->cipher || found->aead ? found.release() : nullptr;
    }
    return nullptr;
} catch (const std::exception &) {
    return nullptr;
}

int shim_key(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *, size_t)
try {
    if (of(cipher)->cipher)
        of(cipher)->cipher->set_key(key, key_bytes);
    else
        of(cipher)->aead->set_key(key, key_bytes);
    if (of(cipher)->tag_first) // SIV: associated data, which are empty, and not none
        of(cipher)->aead->set_associated_data(nullptr, 0);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_iv(void *cipher, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->cipher->set_iv(iv, iv_bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_process(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    of(cipher)->cipher->cipher(in, out, bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

// The message is copied into the buffer and the result out of it, as a program with buffers of its own must.
int shim_seal(void *cipher, const uint8_t *nonce, size_t nonce_bytes, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    subject &s = *of(cipher);
    s.buffer.assign(in, in + bytes);
    s.aead->start(nonce, nonce_bytes);
    s.aead->finish(s.buffer);
    std::memcpy(out, s.buffer.data() + (s.tag_first ? 16 : 0), bytes);
    std::memcpy(out + bytes, s.buffer.data() + (s.tag_first ? 0 : bytes), 16);
    return 0;
} catch (const std::exception &) {
    return 1;
}
