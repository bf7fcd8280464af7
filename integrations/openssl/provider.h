/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Declarations shared by the provider's files. The module is a user of the library's public interface, and calls
 * nothing of libcrypto but what the core hands it: it also serves programs that have a libcrypto of their own linked
 * in. */
#ifndef RUNNEL_OPENSSL_PROVIDER_H
#define RUNNEL_OPENSSL_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h> /* EVP_CIPH_…_MODE */
#include <string.h>

#include <runnel/aead.h>
#include <runnel/stream.h>

/* Numbers of errors in OpenSSL's queue: FIRST_REASON - error for the library's own, and these. */
enum {
    FIRST_REASON = 100,
    REASON_ROOM = 130, /* the output buffer is too small */
    REASON_NO_TAG,     /* no tag to compare with, or none made yet */
    REASON_RECORD,     /* not a TLS record, or one out of turn */
    REASON_PARAMETER,  /* a parameter of the wrong type or size */
    REASON_RANDOM,     /* the system gives no random bytes */
    REASON_MEMORY
};

typedef struct provider_context {
    const OSSL_CORE_HANDLE *core;
    OSSL_FUNC_core_new_error_fn *new_error; /* these three may be NULL: then errors are only returned */
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_ITEM reasons[24];
    int short_keys; /* 1: the configuration asks for ciphers with keys of fewer than 128 bits */
} provider_context;

/* A cipher's kind in OpenSSL, which decides about its IV, its tag and its records in TLS. */
typedef enum cipher_kind {
    KIND_STREAM,   /* a keystream from an IV */
    KIND_CTR,      /* the IV is the first counter block and counts big-endian */
    KIND_CHACHA20, /* 64 bits of counter, little-endian, and 64 bits of nonce */
    KIND_GCM,
    KIND_CCM,
    KIND_CHACHA20_POLY1305,
    KIND_AEAD, /* no records in TLS */
    KIND_SIV   /* the whole text in one call */
} cipher_kind;

/* A row of algorithms.inc. */
typedef struct algorithm {
    int (*key)(void *context, const uint8_t *key, size_t key_bytes); /* of the library; returns its error */
    uint32_t context_bytes;                                          /* of the library's context */
    uint32_t mode;                                                   /* EVP_CIPH_…_MODE */
    uint16_t key_bytes;
    uint16_t iv_bytes; /* unless the program sets another length */
    cipher_kind kind;
} algorithm;

/* Ciphers, with those of short keys or without. */
const OSSL_ALGORITHM *provider_ciphers(int short_keys);
/* Answers what OpenSSL asks about a cipher before there is a context. */
int algorithm_get_params(const algorithm *a, OSSL_PARAM params[]);
const OSSL_PARAM *algorithm_gettable_params(void *provider);

/* Put an error into the program's queue, with the number of one of the library's errors or one of the reasons above;
 * return 0, which is what a failing function of a provider returns. */
int provider_fail(const provider_context *p, int reason, const char *function);
#define FAIL(c, error) provider_fail((c)->provider, FIRST_REASON - (error), __func__)
#define FAIL_FOR(c, reason) provider_fail((c)->provider, reason, __func__)

/* Return memory for a context, aligned as the library recommends: head_bytes bytes of zeros, and context_bytes bytes
 * of which the first `zeros` are zero; or NULL. free() returns it. */
void *provider_allocate(const provider_context *p, size_t head_bytes, size_t context_bytes, size_t zeros);
/* A copy of it, or NULL. Contexts of the library hold no pointers into themselves. */
void *provider_duplicate(const provider_context *p, const void *old, size_t head_bytes, size_t context_bytes);

/* ---- OSSL_PARAM, params.c; all but param_is return 0 if type or size do not fit ---- */

static inline int param_is(const OSSL_PARAM *p, const char *name)
{
    const char *key = p->key; /* not by strcmp: OpenSSL asks for the length of each IV, and a call would be felt */
    while (*key != 0 && *key == *name)
        key++, name++;
    return *key == *name;
}

/* Reads an integer that is not negative. */
int param_get_size(const OSSL_PARAM *p, size_t *value);
int param_set_size(OSSL_PARAM *p, size_t value);
/* Hands out bytes: copies them, or points to them where the parameter is a pointer. */
int param_set_bytes(OSSL_PARAM *p, const uint8_t *bytes, size_t count);

#endif
