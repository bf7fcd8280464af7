/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Never in place: Crypto++ 8.7 gives wrong bytes for Rabbit and HIGHT then. */
#include <cryptopp/aes.h>
#include <cryptopp/aria.h>
#include <cryptopp/ccm.h>
#include <cryptopp/chacha.h>
#include <cryptopp/chachapoly.h>
#include <cryptopp/config_ver.h>
#include <cryptopp/gcm.h>
#include <cryptopp/hc128.h>
#include <cryptopp/hight.h>
#include <cryptopp/lea.h>
#include <cryptopp/modes.h>
#include <cryptopp/rabbit.h>
#include <cryptopp/salsa.h>
#include <cryptopp/seed.h>
#include <cryptopp/sosemanuk.h>

#include <cstdio>
#include <cstring>

#include "peer.h"

extern "C" const char *peer_name(void)
{
    static char name[60];
    std::snprintf(name, sizeof name, "Crypto++ %d.%d", CRYPTOPP_VERSION / 100, CRYPTOPP_VERSION / 10 % 10);
    return name;
}

template <class Cipher>
static int stream(const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes, uint64_t position,
                  uint8_t *out, const uint8_t *in, size_t bytes)
{
    typename Cipher::Encryption cipher;
    if (!cipher.IsValidKeyLength(key_bytes))
        return -1;
    if (iv_bytes > 0)
        cipher.SetKeyWithIV(key, key_bytes, iv, iv_bytes);
    else
        cipher.SetKey(key, key_bytes);
    if (position > 0)
        cipher.Seek(position);
    cipher.ProcessData(out, in, bytes);
    return 0;
}

/* CTR or CFB of whole blocks, as the name says. */
template <class Block>
static int block_cipher(const char *name, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                        uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (std::strstr(name, "-cfb") != nullptr)
        return stream<CryptoPP::CFB_Mode<Block>>(key, key_bytes, iv, iv_bytes, 0, out, in, bytes);
    return stream<CryptoPP::CTR_Mode<Block>>(key, key_bytes, iv, iv_bytes, 0, out, in, bytes);
}

static const struct {
    const char *prefix;
    int (*xor_bytes)(const char *name, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                     uint8_t *out, const uint8_t *in, size_t bytes);
} block_ciphers[] = {{"aes-", block_cipher<CryptoPP::AES>},
                     {"aria-", block_cipher<CryptoPP::ARIA>},
                     {"hight-", block_cipher<CryptoPP::HIGHT>},
                     {"lea-", block_cipher<CryptoPP::LEA>},
                     {"seed-", block_cipher<CryptoPP::SEED>}};

static int salsa20(int rounds, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                   const uint8_t *in, size_t bytes)
{
    CryptoPP::Salsa20::Encryption cipher;
    cipher.SetKey(key, key_bytes,
                  CryptoPP::MakeParameters(CryptoPP::Name::Rounds(), rounds)(
                      CryptoPP::Name::IV(), CryptoPP::ConstByteArrayParameter(iv, iv_bytes)));
    cipher.ProcessData(out, in, bytes);
    return 0;
}

extern "C" int peer_xor(const char *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes,
                        uint64_t block, uint8_t *out, const uint8_t *in, size_t bytes)
{
    for (const auto &c : block_ciphers)
        if (std::strncmp(cipher, c.prefix, std::strlen(c.prefix)) == 0)
            return c.xor_bytes(cipher, key, key_bytes, iv, iv_bytes, out, in, bytes);
    if (std::strcmp(cipher, "salsa20") == 0 && block == 0)
        return salsa20(20, key, key_bytes, iv, iv_bytes, out, in, bytes);
    if (std::strcmp(cipher, "salsa20-12") == 0 && block == 0)
        return salsa20(12, key, key_bytes, iv, iv_bytes, out, in, bytes);
    if (std::strcmp(cipher, "salsa20-8") == 0 && block == 0)
        return salsa20(8, key, key_bytes, iv, iv_bytes, out, in, bytes);
    if (std::strcmp(cipher, "chacha20") == 0 && iv_bytes == 12 && block == 0)
        return stream<CryptoPP::ChaChaTLS>(key, key_bytes, iv, iv_bytes, 0, out, in, bytes);
    if (std::strcmp(cipher, "rabbit") == 0 && iv_bytes == 0)
        return stream<CryptoPP::Rabbit>(key, key_bytes, iv, 0, 0, out, in, bytes);
    if (std::strcmp(cipher, "rabbit") == 0)
        return stream<CryptoPP::RabbitWithIV>(key, key_bytes, iv, iv_bytes, 0, out, in, bytes);
    if (std::strcmp(cipher, "hc-128") == 0)
        return stream<CryptoPP::HC128>(key, key_bytes, iv, iv_bytes, 0, out, in, bytes);
    if (std::strcmp(cipher, "sosemanuk") == 0) {
        uint8_t padded[16] = {0}; /* Crypto++ takes no shorter IV */
        if (iv_bytes > 0)
            std::memcpy(padded, iv, iv_bytes);
        return stream<CryptoPP::Sosemanuk>(key, key_bytes, padded, sizeof padded, 0, out, in, bytes);
    }
    return -1;
}

template <class AEAD> static int seal(const peer_message *m)
{
    typename AEAD::Encryption cipher;
    cipher.SetKeyWithIV(m->key, m->key_bytes, m->nonce, m->nonce_bytes);
    cipher.EncryptAndAuthenticate(m->out, m->tag, m->tag_bytes, m->nonce, (int)m->nonce_bytes, m->aad, m->aad_bytes,
                                  m->in, m->bytes);
    return 0;
}

/* CCM's tag has 16 bytes here: its length is a part of the type. */
template <class Block> static int block_cipher_seal(const char *name, const peer_message *m)
{
    if (std::strstr(name, "-siv") != nullptr)
        return -1;
    if (std::strstr(name, "-gcm") != nullptr)
        return seal<CryptoPP::GCM<Block>>(m);
    return m->tag_bytes == 16 ? seal<CryptoPP::CCM<Block, 16>>(m) : -1;
}

static const struct {
    const char *prefix;
    int (*seal)(const char *name, const peer_message *m);
} sealing[] = {{"aes-", block_cipher_seal<CryptoPP::AES>},
               {"aria-", block_cipher_seal<CryptoPP::ARIA>},
               {"lea-", block_cipher_seal<CryptoPP::LEA>},
               {"seed-", block_cipher_seal<CryptoPP::SEED>}};

extern "C" int peer_seal(const char *aead, const peer_message *m)
{
    for (const auto &c : sealing)
        if (std::strncmp(aead, c.prefix, std::strlen(c.prefix)) == 0)
            return c.seal(aead, m);
    if (std::strcmp(aead, "chacha20-poly1305") == 0)
        return seal<CryptoPP::ChaCha20Poly1305>(m);
    if (std::strcmp(aead, "xchacha20-poly1305") == 0)
        return seal<CryptoPP::XChaCha20Poly1305>(m);
    return -1;
}
