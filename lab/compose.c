/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "compose.h"

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "arch/common/wipe.h"

#if COMPOSE_MAC == LAB_CMAC
enum { MAC_KEY = 16, TAG = COMPOSE_BLOCK_BYTES };
#elif COMPOSE_MAC == LAB_SIPHASH
enum { MAC_KEY = 16, TAG = 8 };
#else
enum { MAC_KEY = 0, TAG = 16 };
#endif

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const int error_ = call;                                                                                       \
        if (error_)                                                                                                    \
            return error_;                                                                                             \
    } while (0)

int lab_composed_key(lab_composed *c, const uint8_t *key, size_t key_bytes)
{
    if (key_bytes != COMPOSE_CIPHER_KEY + MAC_KEY)
        return RUNNEL_ERR_KEY_LENGTH;
    TRY(LAB_CIPHER(_key)(&c->cipher, key, COMPOSE_CIPHER_KEY));
#if COMPOSE_MAC != LAB_POLY1305
    TRY(LAB_MAC(_key)(&c->mac, key + COMPOSE_CIPHER_KEY, MAC_KEY));
#endif
    return RUNNEL_OK;
}

/* Every error is decided here, before the first output byte. */
static int check(size_t nonce_bytes, size_t aad_bytes, size_t bytes, size_t tag_bytes)
{
    if (nonce_bytes != COMPOSE_NONCE)
        return RUNNEL_ERR_IV_LENGTH;
    if (COMPOSE_MAC == LAB_CMAC ? tag_bytes < 4 || tag_bytes > TAG : tag_bytes != TAG)
        return RUNNEL_ERR_TAG_LENGTH;
    return aad_bytes > UINT16_MAX || bytes > UINT16_MAX ? RUNNEL_ERR_LIMIT : RUNNEL_OK;
}

static int start(lab_composed *c, const uint8_t *nonce)
{
    uint8_t iv[COMPOSE_IV] = {0};
    memcpy(iv, nonce, COMPOSE_NONCE);
#ifdef COMPOSE_LAYOUT
    TRY(LAB_CIPHER(_iv)(&c->cipher, iv, sizeof iv, COMPOSE_LAYOUT));
#else
    TRY(LAB_CIPHER(_iv)(&c->cipher, iv, sizeof iv));
#endif
#if COMPOSE_MAC == LAB_POLY1305
    uint8_t key[32];
    TRY(LAB_CIPHER(_xor)(&c->cipher, key, NULL, sizeof key));
    const int error = LAB_MAC(_key)(&c->mac, key, sizeof key);
    runnel_wipe(key, sizeof key);
    return error;
#else
    return RUNNEL_OK;
#endif
}

static int authenticate(lab_composed *c, const uint8_t *nonce, const uint8_t *aad, size_t aad_bytes,
                        const uint8_t *ciphertext, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    const uint8_t lengths[4] = {(uint8_t)aad_bytes, (uint8_t)(aad_bytes >> 8), (uint8_t)bytes, (uint8_t)(bytes >> 8)};
#if COMPOSE_MAC != LAB_POLY1305
    TRY(LAB_MAC(_update)(&c->mac, nonce, COMPOSE_NONCE));
#endif
    (void)nonce;
    TRY(LAB_MAC(_update)(&c->mac, aad, aad_bytes));
    TRY(LAB_MAC(_update)(&c->mac, ciphertext, bytes));
    TRY(LAB_MAC(_update)(&c->mac, lengths, sizeof lengths));
    return LAB_MAC(_tag)(&c->mac, tag, tag_bytes);
}

int lab_composed_seal(lab_composed *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *tag, size_t tag_bytes)
{
    TRY(check(nonce_bytes, aad_bytes, bytes, tag_bytes));
    TRY(start(c, nonce));
    TRY(LAB_CIPHER(_xor)(&c->cipher, out, in, bytes));
    return authenticate(c, nonce, aad, aad_bytes, out, bytes, tag, tag_bytes);
}

int lab_composed_open(lab_composed *c, const uint8_t *nonce, size_t nonce_bytes, const uint8_t *aad, size_t aad_bytes,
                      uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag, size_t tag_bytes)
{
    uint8_t right[TAG], differ = 0;
    TRY(check(nonce_bytes, aad_bytes, bytes, tag_bytes));
#if COMPOSE_MAC == LAB_POLY1305
    TRY(start(c, nonce));
#endif
    TRY(authenticate(c, nonce, aad, aad_bytes, in, bytes, right, tag_bytes));
    for (size_t i = 0; i < tag_bytes; i++)
        differ |= right[i] ^ tag[i];
    runnel_wipe(right, sizeof right);
    if (runnel_value_barrier32(differ) != 0) {
        memset(out, 0, bytes);
        return RUNNEL_ERR_TAG;
    }
#if COMPOSE_MAC != LAB_POLY1305
    TRY(start(c, nonce));
#endif
    return LAB_CIPHER(_xor)(&c->cipher, out, in, bytes);
}
