// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "shim.h"

#include <cryptlib.h>

#include <aes.h>
#include <aria.h>
#include <ccm.h>
#include <chacha.h>
#include <chachapoly.h>
#include <config.h>
#include <gcm.h>
#include <hc128.h>
#include <hight.h>
#include <lea.h>
#include <modes.h>
#include <rabbit.h>
#include <salsa.h>
#include <seed.h>
#include <sosemanuk.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace
{

// A cipher, or an AEAD, which Crypto++ derives from other classes.
struct subject {
    std::unique_ptr<CryptoPP::SymmetricCipher> cipher;
    std::unique_ptr<CryptoPP::AuthenticatedSymmetricCipher> aead;

    CryptoPP::SimpleKeyingInterface &keyed()
    {
        if (cipher)
            return *cipher;
        return *aead;
    }
};

template <class Cipher> subject make()
{
    return {std::make_unique<Cipher>(), nullptr};
}

template <class Block> subject make_ctr()
{
    return make<typename CryptoPP::CTR_Mode<Block>::Encryption>();
}

template <class Block> subject make_cfb()
{
    return make<typename CryptoPP::CFB_Mode<Block>::Encryption>();
}

template <class Aead> subject make_aead()
{
    return {nullptr, std::make_unique<Aead>()};
}

template <class Block> subject make_gcm()
{
    return make_aead<typename CryptoPP::GCM<Block>::Encryption>();
}

template <class Block> subject make_ccm()
{
    return make_aead<typename CryptoPP::CCM<Block>::Encryption>();
}

template <int rounds> class ReducedSalsa20 : public CryptoPP::Salsa20::Encryption
{
    void SetKey(const uint8_t *key, size_t bytes, const CryptoPP::NameValuePairs &parameters) override
    {
        const auto reduced = CryptoPP::MakeParameters(CryptoPP::Name::Rounds(), rounds);
        CryptoPP::Salsa20::Encryption::SetKey(key, bytes, CryptoPP::CombinedNameValuePairs(parameters, reduced));
    }
};

const struct {
    const char *name;
    subject (*make)();
} ciphers[] = {
    {"aes-128-ccm", make_ccm<CryptoPP::AES>},
    {"aes-128-cfb", make_cfb<CryptoPP::AES>},
    {"aes-128-ctr", make_ctr<CryptoPP::AES>},
    {"aes-128-gcm", make_gcm<CryptoPP::AES>},
    {"aes-192-ccm", make_ccm<CryptoPP::AES>},
    {"aes-192-cfb", make_cfb<CryptoPP::AES>},
    {"aes-192-ctr", make_ctr<CryptoPP::AES>},
    {"aes-192-gcm", make_gcm<CryptoPP::AES>},
    {"aes-256-ccm", make_ccm<CryptoPP::AES>},
    {"aes-256-cfb", make_cfb<CryptoPP::AES>},
    {"aes-256-ctr", make_ctr<CryptoPP::AES>},
    {"aes-256-gcm", make_gcm<CryptoPP::AES>},
    {"aria-128-ccm", make_ccm<CryptoPP::ARIA>},
    {"aria-128-cfb", make_cfb<CryptoPP::ARIA>},
    {"aria-128-ctr", make_ctr<CryptoPP::ARIA>},
    {"aria-128-gcm", make_gcm<CryptoPP::ARIA>},
    {"aria-192-ccm", make_ccm<CryptoPP::ARIA>},
    {"aria-192-cfb", make_cfb<CryptoPP::ARIA>},
    {"aria-192-ctr", make_ctr<CryptoPP::ARIA>},
    {"aria-192-gcm", make_gcm<CryptoPP::ARIA>},
    {"aria-256-ccm", make_ccm<CryptoPP::ARIA>},
    {"aria-256-cfb", make_cfb<CryptoPP::ARIA>},
    {"aria-256-ctr", make_ctr<CryptoPP::ARIA>},
    {"aria-256-gcm", make_gcm<CryptoPP::ARIA>},
    {"chacha20", make<CryptoPP::ChaChaTLS::Encryption>},
    {"chacha20-poly1305", make_aead<CryptoPP::ChaCha20Poly1305::Encryption>},
    {"hc-128", make<CryptoPP::HC128::Encryption>},
    {"hight-cfb", make_cfb<CryptoPP::HIGHT>},
    {"hight-ctr", make_ctr<CryptoPP::HIGHT>},
    {"lea-128-ccm", make_ccm<CryptoPP::LEA>},
    {"lea-128-cfb", make_cfb<CryptoPP::LEA>},
    {"lea-128-ctr", make_ctr<CryptoPP::LEA>},
    {"lea-128-gcm", make_gcm<CryptoPP::LEA>},
    {"lea-192-ccm", make_ccm<CryptoPP::LEA>},
    {"lea-192-cfb", make_cfb<CryptoPP::LEA>},
    {"lea-192-ctr", make_ctr<CryptoPP::LEA>},
    {"lea-192-gcm", make_gcm<CryptoPP::LEA>},
    {"lea-256-ccm", make_ccm<CryptoPP::LEA>},
    {"lea-256-cfb", make_cfb<CryptoPP::LEA>},
    {"lea-256-ctr", make_ctr<CryptoPP::LEA>},
    {"lea-256-gcm", make_gcm<CryptoPP::LEA>},
    {"rabbit", make<CryptoPP::RabbitWithIV::Encryption>},
    {"salsa20", make<CryptoPP::Salsa20::Encryption>},
    {"salsa20-12", make<ReducedSalsa20<12>>},
    {"salsa20-8", make<ReducedSalsa20<8>>},
    {"seed-ccm", make_ccm<CryptoPP::SEED>},
    {"seed-cfb", make_cfb<CryptoPP::SEED>},
    {"seed-ctr", make_ctr<CryptoPP::SEED>},
    {"seed-gcm", make_gcm<CryptoPP::SEED>},
    {"sosemanuk", make<CryptoPP::Sosemanuk::Encryption>},
    {"xchacha20-poly1305", make_aead<CryptoPP::XChaCha20Poly1305::Encryption>},
};

subject *of(void *cipher)
{
    return static_cast<subject *>(cipher);
}

} // namespace

void shim_version(char version[24])
{
    const int number = CryptoPP::LibraryVersion(); // 870 is 8.7
    std::snprintf(version, 24, "%d.%d", number / 100, number / 10 % 10);
}

void *shim_open(const char *cipher, unsigned *flags, char *)
{
    *flags = SHIM_KEY_WITH_IV;
    for (const auto &c : ciphers)
        if (std::strcmp(c.name, cipher) == 0)
            return new subject(c.make());
    return nullptr;
}

int shim_key(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->keyed().SetKeyWithIV(key, key_bytes, iv, iv_bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_iv(void *cipher, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->cipher->Resynchronize(iv, static_cast<int>(iv_bytes));
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_process(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    of(cipher)->cipher->ProcessData(out, in, bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_seal(void *cipher, const uint8_t *nonce, size_t nonce_bytes, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    of(cipher)->aead->EncryptAndAuthenticate(out, out + bytes, 16, nonce, static_cast<int>(nonce_bytes), nullptr, 0, in,
                                             bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}
