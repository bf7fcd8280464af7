/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Templates for the aead.c of a block cipher, besides what each mode's own header has. */
#ifndef RUNNEL_MODES_BLOCK_CIPHER_AEAD_H
#define RUNNEL_MODES_BLOCK_CIPHER_AEAD_H

#include <runnel/detail/modes.h>

#include "core/aead.h"

/* Members common to the descriptors of a mode over a block cipher; they add name, title, source and status. The context
 * is runnel_<cipher>_<mode>, with the members part and cipher. */
#define RUNNEL_AEAD_OVER(folder, kind, bits)                                                                           \
    .family = RUNNEL_TEXT(#folder "_" #kind), .mode = &runnel_##kind##_mode, .multipart = 1, .tag_default = 16,        \
    .key_bytes = bits / 8, .context_bytes = sizeof(runnel_##folder##_##kind),                                          \
    .mode_offset = offsetof(runnel_##folder##_##kind, part),                                                           \
    .cipher_offset = offsetof(runnel_##folder##_##kind, cipher), .ciphers = runnel_##folder##_ctr_family

/* For a block cipher with keys of 128, 192 and 256 bits, of which firmware keeps those up to `most`: the lists of its
 * descriptors, <cipher>_gcm_128 … <cipher>_ccm_256, and the verbs of both families. After `most` come the cipher's
 * other descriptors, and NULL. */
#define RUNNEL_DEFINE_AEADS_OF_BLOCK_CIPHER(cipher, most, ...)                                                         \
    static runnel_aead_list cipher##_gcm_family = {&cipher##_gcm_128, most >= 192 ? &cipher##_gcm_192 : NULL,          \
                                                   most >= 256 ? &cipher##_gcm_256 : NULL, NULL};                      \
    static runnel_aead_list cipher##_ccm_family = {&cipher##_ccm_128, most >= 192 ? &cipher##_ccm_192 : NULL,          \
                                                   most >= 256 ? &cipher##_ccm_256 : NULL, NULL};                      \
    runnel_aead_list runnel_##cipher##_aeads = {&cipher##_gcm_128,                                                     \
                                                &cipher##_ccm_128,                                                     \
                                                most >= 192 ? &cipher##_gcm_192 : NULL,                                \
                                                most >= 192 ? &cipher##_ccm_192 : NULL,                                \
                                                most >= 256 ? &cipher##_gcm_256 : NULL,                                \
                                                most >= 256 ? &cipher##_ccm_256 : NULL,                                \
                                                __VA_ARGS__};                                                          \
    RUNNEL_DEFINE_AEAD_VERBS(cipher##_gcm, cipher##_gcm_family)                                                        \
    RUNNEL_DEFINE_AEAD_VERBS(cipher##_ccm, cipher##_ccm_family)

#endif
