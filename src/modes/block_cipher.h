/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Templates for the NAME.c of a block cipher with keys of several lengths, besides what modes/cfb/mode.h has. */
#ifndef RUNNEL_MODES_BLOCK_CIPHER_H
#define RUNNEL_MODES_BLOCK_CIPHER_H

#include "core/define.h"

/* For a block cipher with keys of 128, 192 and 256 bits, of which firmware keeps those up to `most`: the lists of its
 * descriptors, <cipher>_ctr_128 … <cipher>_cfb_256, and the verbs of its three families. The key's length picks the
 * cipher. Each family has a list of its own, so that firmware gets one of them only. */
#define RUNNEL_DEFINE_BLOCK_CIPHER(cipher, most)                                                                       \
    runnel_cipher_list runnel_##cipher##_ctr_family = {&cipher##_ctr_128, most >= 192 ? &cipher##_ctr_192 : NULL,      \
                                                       most >= 256 ? &cipher##_ctr_256 : NULL, NULL};                  \
    static runnel_cipher_list cipher##_cfb_family = {&cipher##_cfb_128, most >= 192 ? &cipher##_cfb_192 : NULL,        \
                                                     most >= 256 ? &cipher##_cfb_256 : NULL, NULL};                    \
    runnel_cipher_list runnel_##cipher##_ciphers = {&cipher##_ctr_128,                                                 \
                                                    &cipher##_cfb_128,                                                 \
                                                    most >= 192 ? &cipher##_ctr_192 : NULL,                            \
                                                    most >= 192 ? &cipher##_cfb_192 : NULL,                            \
                                                    most >= 256 ? &cipher##_ctr_256 : NULL,                            \
                                                    most >= 256 ? &cipher##_cfb_256 : NULL,                            \
                                                    NULL};                                                             \
    RUNNEL_DEFINE_CTR_VERBS(cipher##_ctr, runnel_##cipher##_ctr_family)                                                \
    RUNNEL_DEFINE_DIRECTIONAL_VERBS(cipher##_cfb, cipher##_cfb_family)                                                 \
    RUNNEL_DEFINE_BLOCKS_VERBS(cipher##_blocks, runnel_##cipher##_ctr_family, 16)

#endif
