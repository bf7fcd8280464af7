// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "shim.h"

#include <cryptlib.h>

#include <aes.h>
#include <aria.h>
#include <chacha.h>
#include <config.h>
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

namespace
{

template <class Cipher> CryptoPP::SymmetricCipher *make()
{
    return new Cipher;
}

template <class Block> CryptoPP::SymmetricCipher *make_ctr()
{
    return new typename CryptoPP::CTR_Mode<Block>::Encryption;
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
    CryptoPP::SymmetricCipher *(*make)();
} ciphers[] = {
    {"aes-128-ctr", make_ctr<CryptoPP::AES>},
    {"aes-192-ctr", make_ctr<CryptoPP::AES>},
    {"aes-256-ctr", make_ctr<CryptoPP::AES>},
    {"aria-128-ctr", make_ctr<CryptoPP::ARIA>},
    {"aria-192-ctr", make_ctr<CryptoPP::ARIA>},
    {"aria-256-ctr", make_ctr<CryptoPP::ARIA>},
    {"chacha20", make<CryptoPP::ChaChaTLS::Encryption>},
    {"hc-128", make<CryptoPP::HC128::Encryption>},
    {"hight-ctr", make_ctr<CryptoPP::HIGHT>},
    {"lea-128-ctr", make_ctr<CryptoPP::LEA>},
    {"lea-192-ctr", make_ctr<CryptoPP::LEA>},
    {"lea-256-ctr", make_ctr<CryptoPP::LEA>},
    {"rabbit", make<CryptoPP::RabbitWithIV::Encryption>},
    {"salsa20", make<CryptoPP::Salsa20::Encryption>},
    {"salsa20-12", make<ReducedSalsa20<12>>},
    {"salsa20-8", make<ReducedSalsa20<8>>},
    {"seed-ctr", make_ctr<CryptoPP::SEED>},
    {"sosemanuk", make<CryptoPP::Sosemanuk::Encryption>},
};

CryptoPP::SymmetricCipher *of(void *cipher)
{
    return static_cast<CryptoPP::SymmetricCipher *>(cipher);
}

} // namespace

void shim_version(char version[24])
{
    const int number = CryptoPP::LibraryVersion(); // 870 is 8.7
    std::snprintf(version, 24, "%d.%d", number / 100, number / 10 % 10);
}

void *shim_open(const char *cipher)
{
    for (const auto &c : ciphers)
        if (std::strcmp(c.name, cipher) == 0)
            return c.make();
    return nullptr;
}

int shim_key(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->SetKeyWithIV(key, key_bytes, iv, iv_bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_iv(void *cipher, const uint8_t *iv, size_t iv_bytes)
try {
    of(cipher)->Resynchronize(iv, static_cast<int>(iv_bytes));
    return 0;
} catch (const std::exception &) {
    return 1;
}

int shim_process(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes)
try {
    of(cipher)->ProcessData(out, in, bytes);
    return 0;
} catch (const std::exception &) {
    return 1;
}
