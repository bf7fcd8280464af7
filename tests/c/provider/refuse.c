/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For a broken module: the linker puts these in the place of the library's key set-up (--wrap), and every key is
 * refused. */
#include <runnel/aead.h>

int __wrap_runnel_family_key(const runnel_cipher *const *ciphers, runnel_stream *s, const uint8_t *key,
                             size_t key_bytes, const char *kernel);
int __wrap_runnel_aead_family_key(const runnel_aead *const *aeads, runnel_aead_context *c, const uint8_t *key,
                                  size_t key_bytes, const char *kernel);

int __wrap_runnel_family_key(const runnel_cipher *const *ciphers, runnel_stream *s, const uint8_t *key,
                             size_t key_bytes, const char *kernel)
{
    (void)ciphers, (void)s, (void)key, (void)key_bytes, (void)kernel;
    return RUNNEL_ERR_KERNEL;
}

int __wrap_runnel_aead_family_key(const runnel_aead *const *aeads, runnel_aead_context *c, const uint8_t *key,
                                  size_t key_bytes, const char *kernel)
{
    (void)aeads, (void)c, (void)key, (void)key_bytes, (void)kernel;
    return RUNNEL_ERR_KERNEL;
}
