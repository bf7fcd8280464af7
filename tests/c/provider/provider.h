/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the tests of the OpenSSL provider. All of them go through EVP, as programs do; what they compare with is
 * OpenSSL's default provider where it has the cipher, and the library itself, linked into this program. */
#ifndef RUNNEL_TESTS_PROVIDER_H
#define RUNNEL_TESTS_PROVIDER_H

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#include "harness.h"

#include <runnel/aead.h>

/* A library context with Runnel's provider beside the default one, and one with the default one alone. */
extern OSSL_LIB_CTX *ours, *theirs;
extern const char *modules; /* the folder of Runnel's */

/* A cipher of both. peer is NULL where OpenSSL does not have it. */
typedef struct pair_of_ciphers {
    const char *name;
    char library_name[32]; /* in Runnel's own registry */
    EVP_CIPHER *cipher, *peer;
    size_t key_bytes;
    int mode;
} provided;

/* The two directions of EVP, as it numbers them. */
enum { OPEN, SEAL };

/* A library context with Runnel's module beside the default provider; both are held until it is left. */
typedef struct context_with_runnel {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *held[2];
} context_with_runnel;
context_with_runnel with_runnel(void);
void leave(context_with_runnel *c);
extern context_with_runnel own; /* ours is its library */
extern const char *modules;     /* the folder with the module */

int is_ccm(const provided *p);
/* An AEAD's text has to come in one call. */
int in_one_call(const provided *p);
/* The text of the error that is last in the queue. */
int last_error_is(const char *text);

void test_keystream(const provided *p);
void test_keystream_machine(const provided *p); /* random calls, the same on both sides */
void test_chacha20_counter(const provided *p);
void test_aead(const provided *p);
void test_aead_errors(const provided *p);
void test_aead_machine(const provided *p);
void test_records(const provided *p);
void test_once(const provided *p); /* no order of calls seals twice under one IV */
void test_parameters(const provided *p);
void test_differences(const provided *p); /* from OpenSSL's ciphers, as the limits in docs/openssl.md name them */
void test_direct(const provided *p);      /* without libcrypto between */
void test_loads(void);
void test_threads(void);

/* Sets the tag to compare with, or reads the one that was made; return what EVP returns. */
int set_tag(EVP_CIPHER_CTX *c, const uint8_t *tag, size_t bytes);
int get_tag(EVP_CIPHER_CTX *c, uint8_t *tag, size_t bytes);

#endif
