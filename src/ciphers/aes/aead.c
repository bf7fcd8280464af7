/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES in the authenticated modes. */
#include "kernels.h"
#include "modes/ccm/mode.h"
#include "modes/gcm/mode.h"
#include "modes/gcm_siv/mode.h"

#define GCM(bits)                                                                                                      \
    {RUNNEL_GCM_MODE(aes, bits), .name = RUNNEL_TEXT("aes-" #bits "-gcm"),                                             \
     .title = RUNNEL_TEXT("AES-" #bits " in Galois/Counter Mode"), .source = RUNNEL_TEXT("FIPS 197; SP 800-38D"),      \
     .status = RUNNEL_RECOMMENDED}

#define CCM(bits)                                                                                                      \
    {RUNNEL_CCM_MODE(aes, bits), .name = RUNNEL_TEXT("aes-" #bits "-ccm"),                                             \
     .title = RUNNEL_TEXT("AES-" #bits " in counter mode with CBC-MAC"),                                               \
     .source = RUNNEL_TEXT("FIPS 197; SP 800-38C, RFC 3610"), .status = RUNNEL_RECOMMENDED}

static const runnel_aead aes_gcm_128 = GCM(128), aes_gcm_192 = GCM(192), aes_gcm_256 = GCM(256);
static const runnel_aead aes_ccm_128 = CCM(128), aes_ccm_192 = CCM(192), aes_ccm_256 = CCM(256);

#define GCM_SIV(bits)                                                                                                  \
    {RUNNEL_GCM_SIV_MODE(aes, bits), .name = RUNNEL_TEXT("aes-" #bits "-gcm-siv"),                                     \
     .title = RUNNEL_TEXT("AES-" #bits " in GCM-SIV mode"), .source = RUNNEL_TEXT("FIPS 197; RFC 8452"),               \
     .status = RUNNEL_RECOMMENDED}

#if RUNNEL_HOSTED
_Static_assert(sizeof(runnel_aes_ctr) + offsetof(runnel_aes_gcm_siv, cipher) == offsetof(runnel_aes_gcm_siv, master),
               "runnel_gcm_siv_mode looks for it there");
#endif

static const runnel_aead aes_gcm_siv_128 = GCM_SIV(128), aes_gcm_siv_256 = GCM_SIV(256);
static runnel_aead_list aes_gcm_siv_family = {&aes_gcm_siv_128, RUNNEL_AES_KEY_BITS >= 256 ? &aes_gcm_siv_256 : NULL,
                                              NULL};

RUNNEL_DEFINE_AEAD_ONE_SHOT_VERBS(aes_gcm_siv, aes_gcm_siv_family)
RUNNEL_DEFINE_AEADS_OF_BLOCK_CIPHER(aes, RUNNEL_AES_KEY_BITS, &aes_gcm_siv_128,
                                    RUNNEL_AES_KEY_BITS >= 256 ? &aes_gcm_siv_256 : NULL, NULL)
