/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The interface of a shim, a shared object around a library in C++ or Rust. It is built where the library's
 * headers are, or its source. Results: 0, or 1 where the library refused or threw. */
#ifndef RUNNEL_BENCH_SHIM_H
#define RUNNEL_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SHIM_STATELESS = 1,  /* setting a key only stores it: no step of its own */
    SHIM_KEY_WITH_IV = 2 /* shim_key sets the IV too, and a message may follow at once */
};

/* Writes the library's version, "" where each cipher has one of its own. */
typedef void shim_version_function(char version[24]);
/* Opens a cipher or AEAD by our name for it; NULL if the library has none. Says what it is in flags, and in version, if
 * it has one of its own: "aes 0.9.4". */
typedef void *shim_open_function(const char *cipher, unsigned *flags, char version[32]);
/* iv is for libraries that take a key only together with an IV. */
typedef int shim_key_function(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
typedef int shim_iv_function(void *cipher, const uint8_t *iv, size_t iv_bytes);
typedef int shim_process_function(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes);
/* Seals a message without associated data; the tag of 16 bytes goes behind the ciphertext. */
typedef int shim_seal_function(void *cipher, const uint8_t *nonce, size_t nonce_bytes, uint8_t *out, const uint8_t *in,
                               size_t bytes);

#ifdef __cplusplus
__attribute__((visibility("default"))) shim_version_function shim_version;
__attribute__((visibility("default"))) shim_open_function shim_open;
__attribute__((visibility("default"))) shim_key_function shim_key;
__attribute__((visibility("default"))) shim_iv_function shim_iv;
__attribute__((visibility("default"))) shim_process_function shim_process;
__attribute__((visibility("default"))) shim_seal_function shim_seal;
}
#endif
#endif
