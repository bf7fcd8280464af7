/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ARIA in the authenticated modes. */
#include "kernels.h"
#include "modes/ccm/mode.h"
#include "modes/gcm/mode.h"

#define GCM(bits)                                                                                                      \
    {RUNNEL_GCM_MODE(aria, bits), .name = RUNNEL_TEXT("aria-" #bits "-gcm"),                                           \
     .title = RUNNEL_TEXT("ARIA-" #bits " in Galois/Counter Mode"),                                                    \
     .source = RUNNEL_TEXT("RFC 5794; SP 800-38D (RFC 6209, RFC 8269)"), .status = RUNNEL_RECOMMENDED}

#define CCM(bits)                                                                                                      \
    {RUNNEL_CCM_MODE(aria, bits), .name = RUNNEL_TEXT("aria-" #bits "-ccm"),                                           \
     .title = RUNNEL_TEXT("ARIA-" #bits " in counter mode with CBC-MAC"),                                              \
     .source = RUNNEL_TEXT("RFC 5794; SP 800-38C (RFC 6209)"), .status = RUNNEL_RECOMMENDED}

static const runnel_aead aria_gcm_128 = GCM(128), aria_gcm_192 = GCM(192), aria_gcm_256 = GCM(256);
static const runnel_aead aria_ccm_128 = CCM(128), aria_ccm_192 = CCM(192), aria_ccm_256 = CCM(256);

RUNNEL_DEFINE_AEADS_OF_BLOCK_CIPHER(aria, RUNNEL_ARIA_KEY_BITS, NULL)
