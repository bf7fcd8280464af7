/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA in the authenticated modes. */
#include "kernels.h"
#include "modes/ccm/mode.h"
#include "modes/gcm/mode.h"

#define GCM(bits)                                                                                                      \
    {RUNNEL_GCM_MODE(lea, bits), .name = RUNNEL_TEXT("lea-" #bits "-gcm"),                                             \
     .title = RUNNEL_TEXT("LEA-" #bits " in Galois/Counter Mode"), .source = RUNNEL_TEXT("KS X 3246; SP 800-38D"),     \
     .status = RUNNEL_RECOMMENDED}

#define CCM(bits)                                                                                                      \
    {RUNNEL_CCM_MODE(lea, bits), .name = RUNNEL_TEXT("lea-" #bits "-ccm"),                                             \
     .title = RUNNEL_TEXT("LEA-" #bits " in counter mode with CBC-MAC"),                                               \
     .source = RUNNEL_TEXT("KS X 3246; SP 800-38C"), .status = RUNNEL_RECOMMENDED}

static const runnel_aead lea_gcm_128 = GCM(128), lea_gcm_192 = GCM(192), lea_gcm_256 = GCM(256);
static const runnel_aead lea_ccm_128 = CCM(128), lea_ccm_192 = CCM(192), lea_ccm_256 = CCM(256);

RUNNEL_DEFINE_AEADS_OF_BLOCK_CIPHER(lea, RUNNEL_LEA_KEY_BITS, NULL)
