/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a shim, a shared object in C++ around one library, offers to the program. It is built where the library's
 * headers are. Results: 0, or 1 where the library threw. */
#ifndef RUNNEL_BENCH_SHIM_H
#define RUNNEL_BENCH_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void shim_version_function(char version[24]);
/* Opens a cipher by our name for it; NULL if the library has none. */
typedef void *shim_open_function(const char *cipher);
/* iv is for libraries that take a key only together with an IV. */
typedef int shim_key_function(void *cipher, const uint8_t *key, size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
typedef int shim_iv_function(void *cipher, const uint8_t *iv, size_t iv_bytes);
typedef int shim_process_function(void *cipher, uint8_t *out, const uint8_t *in, size_t bytes);

#ifdef __cplusplus
__attribute__((visibility("default"))) shim_version_function shim_version;
__attribute__((visibility("default"))) shim_open_function shim_open;
__attribute__((visibility("default"))) shim_key_function shim_key;
__attribute__((visibility("default"))) shim_iv_function shim_iv;
__attribute__((visibility("default"))) shim_process_function shim_process;
}
#endif
#endif
