/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SEED in the authenticated modes. */
#include "kernels.h"
#include "modes/ccm/mode.h"
#include "modes/gcm/mode.h"

static const runnel_aead seed_gcm = {RUNNEL_GCM_MODE(seed, 128), .name = RUNNEL_TEXT("seed-gcm"),
                                     .title = RUNNEL_TEXT("SEED in Galois/Counter Mode"),
                                     .source = RUNNEL_TEXT("RFC 4269; SP 800-38D (RFC 5669)"), .status = RUNNEL_LEGACY};

static const runnel_aead seed_ccm = {RUNNEL_CCM_MODE(seed, 128), .name = RUNNEL_TEXT("seed-ccm"),
                                     .title = RUNNEL_TEXT("SEED in counter mode with CBC-MAC"),
                                     .source = RUNNEL_TEXT("RFC 4269; SP 800-38C (RFC 5669)"), .status = RUNNEL_LEGACY};

/* Each family has a list of its own, so that firmware gets one of them only. */
static runnel_aead_list seed_gcm_family = {&seed_gcm, NULL};
static runnel_aead_list seed_ccm_family = {&seed_ccm, NULL};

runnel_aead_list runnel_seed_aeads = {&seed_gcm, &seed_ccm, NULL};

RUNNEL_DEFINE_AEAD_VERBS(seed_gcm, seed_gcm_family)
RUNNEL_DEFINE_AEAD_VERBS(seed_ccm, seed_ccm_family)
