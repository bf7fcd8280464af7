/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes of algorithms.inc what OpenSSL asks for: for each cipher a table of functions, two of which know which it is. */
#include "kinds.h"

/* The list of ciphers has the headers that it needs, and no others. */
#include <runnel/aes.h>
#include <runnel/aria.h>
#include <runnel/ascon.h>
#include <runnel/chacha20.h>
#include <runnel/chacha20_poly1305.h>
#include <runnel/hc128.h>
#include <runnel/hight.h>
#include <runnel/lea.h>
#include <runnel/rabbit.h>
#include <runnel/salsa20.h>
#include <runnel/seed.h>
#include <runnel/sosemanuk.h>
#include <runnel/trivium.h>
#include <runnel/xaes_256_gcm.h>

int algorithm_get_params(const algorithm *a, OSSL_PARAM params[])
{
    const int authenticates = a->kind >= KIND_GCM;
    for (OSSL_PARAM *p = params; p->key != NULL; p++) {
        int done = 1;
        if (param_is(p, OSSL_CIPHER_PARAM_MODE))
            done = param_set_size(p, a->mode);
        else if (param_is(p, OSSL_CIPHER_PARAM_KEYLEN))
            done = param_set_size(p, a->key_bytes);
        else if (param_is(p, OSSL_CIPHER_PARAM_IVLEN))
            done = param_set_size(p, a->iv_bytes);
        else if (param_is(p, OSSL_CIPHER_PARAM_BLOCK_SIZE))
            done = param_set_size(p, 1);
        else if (param_is(p, OSSL_CIPHER_PARAM_AEAD))
            done = param_set_size(p, authenticates);
        else if (param_is(p, OSSL_CIPHER_PARAM_CUSTOM_IV))
            done = param_set_size(p, authenticates || a->kind == KIND_CHACHA20);
        else if (param_is(p, OSSL_CIPHER_PARAM_CTS) || param_is(p, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK) ||
                 param_is(p, OSSL_CIPHER_PARAM_HAS_RAND_KEY))
            done = param_set_size(p, 0);
        if (!done)
            return 0;
    }
    return 1;
}

const OSSL_PARAM *algorithm_gettable_params(void *provider)
{
    static const OSSL_PARAM known[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),     OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),         OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_CTS, NULL),          OSSL_PARAM_int(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, NULL),
        OSSL_PARAM_int(OSSL_CIPHER_PARAM_HAS_RAND_KEY, NULL), OSSL_PARAM_END,
    };
    (void)provider;
    return known;
}

#define FUNCTION(id, function) {OSSL_FUNC_CIPHER_##id, (void (*)(void))(function)}

/* One cipher: its description, the two functions that know it, and its table. `context` has new, free and what else all
 * kinds on that context share; the other functions are the kind's. */
#define ALGORITHM(family, bits, iv, its_kind, its_mode, context, encrypt, decrypt, update, final, cipher)              \
    static int family##_##bits##_key(void *c, const uint8_t *key, size_t key_bytes)                                    \
    {                                                                                                                  \
        return runnel_##family##_key(c, key, key_bytes);                                                               \
    }                                                                                                                  \
    static const algorithm family##_##bits = {                                                                         \
        .key = family##_##bits##_key,                                                                                  \
        .context_bytes = sizeof(runnel_##family),                                                                      \
        .mode = its_mode,                                                                                              \
        .key_bytes = (bits) / 8,                                                                                       \
        .iv_bytes = iv,                                                                                                \
        .kind = its_kind,                                                                                              \
    };                                                                                                                 \
    static void *family##_##bits##_new(void *provider)                                                                 \
    {                                                                                                                  \
        return context##_new(provider, &family##_##bits);                                                              \
    }                                                                                                                  \
    static int family##_##bits##_get_params(OSSL_PARAM params[])                                                       \
    {                                                                                                                  \
        return algorithm_get_params(&family##_##bits, params);                                                         \
    }                                                                                                                  \
    static const OSSL_DISPATCH family##_##bits##_functions[] = {                                                       \
        FUNCTION(NEWCTX, family##_##bits##_new),                                                                       \
        FUNCTION(FREECTX, context##_free),                                                                             \
        FUNCTION(DUPCTX, context##_duplicate),                                                                         \
        FUNCTION(ENCRYPT_INIT, encrypt),                                                                               \
        FUNCTION(DECRYPT_INIT, decrypt),                                                                               \
        FUNCTION(UPDATE, update),                                                                                      \
        FUNCTION(FINAL, final),                                                                                        \
        FUNCTION(CIPHER, cipher),                                                                                      \
        FUNCTION(GET_PARAMS, family##_##bits##_get_params),                                                            \
        FUNCTION(GETTABLE_PARAMS, algorithm_gettable_params),                                                          \
        FUNCTION(GET_CTX_PARAMS, context##_get_params),                                                                \
        FUNCTION(SET_CTX_PARAMS, context##_set_params),                                                                \
        FUNCTION(GETTABLE_CTX_PARAMS, context##_gettable),                                                             \
        FUNCTION(SETTABLE_CTX_PARAMS, context##_settable),                                                             \
        {0, NULL},                                                                                                     \
    };

#define KEYSTREAM(family, bits, iv, its_kind, its_mode)                                                                \
    ALGORITHM(family, bits, iv, its_kind, its_mode, stream, stream_init, stream_init, stream_update, stream_final,     \
              stream_update)
#define AUTHENTICATED(family, bits, iv, its_kind, its_mode, functions, cipher)                                         \
    ALGORITHM(family, bits, iv, its_kind, its_mode, aead, aead_encrypt_init, aead_decrypt_init, functions##_update,    \
              functions##_final, cipher)

#define CTR(family, bits, iv, names) KEYSTREAM(family, bits, iv, KIND_CTR, EVP_CIPH_CTR_MODE)
#define STREAM(family, bits, iv, names) KEYSTREAM(family, bits, iv, KIND_STREAM, EVP_CIPH_STREAM_CIPHER)
#define CHACHA20(family, bits, iv, names) KEYSTREAM(family, bits, iv, KIND_CHACHA20, EVP_CIPH_STREAM_CIPHER)
#define GCM(family, bits, iv, names) AUTHENTICATED(family, bits, iv, KIND_GCM, EVP_CIPH_GCM_MODE, aead, aead_cipher)
#define CCM(family, bits, iv, names) AUTHENTICATED(family, bits, iv, KIND_CCM, EVP_CIPH_CCM_MODE, ccm, ccm_cipher)
#define CHACHA20_POLY1305(family, bits, iv, names)                                                                     \
    AUTHENTICATED(family, bits, iv, KIND_CHACHA20_POLY1305, EVP_CIPH_STREAM_CIPHER, aead, aead_cipher)
#define AEAD(family, bits, iv, names)                                                                                  \
    AUTHENTICATED(family, bits, iv, KIND_AEAD, EVP_CIPH_STREAM_CIPHER, aead, aead_cipher)
#define SIV(family, bits, iv, names) AUTHENTICATED(family, bits, iv, KIND_SIV, GCM_SIV_MODE, siv, siv_cipher)
#define SHORT(row) row

/* EVP_CIPH_GCM_SIV_MODE, which OpenSSL has had since 3.2. */
#define GCM_SIV_MODE 0x10005

#include "algorithms.inc"

#undef CTR
#undef STREAM
#undef CHACHA20
#undef GCM
#undef CCM
#undef CHACHA20_POLY1305
#undef AEAD
#undef SIV
#undef SHORT

#define LISTED(family, bits, iv, names) {names, "provider=runnel", family##_##bits##_functions, NULL},
#define CTR LISTED
#define STREAM LISTED
#define CHACHA20 LISTED
#define GCM LISTED
#define CCM LISTED
#define CHACHA20_POLY1305 LISTED
#define AEAD LISTED
#define SIV LISTED

static const OSSL_ALGORITHM ciphers[] = {
#define SHORT(row)
#include "algorithms.inc"
#undef SHORT
    {NULL, NULL, NULL, NULL},
};

static const OSSL_ALGORITHM with_short_keys[] = {
#define SHORT(row) row
#include "algorithms.inc"
#undef SHORT
    {NULL, NULL, NULL, NULL},
};

const OSSL_ALGORITHM *provider_ciphers(int short_keys)
{
    return short_keys ? with_short_keys : ciphers;
}
