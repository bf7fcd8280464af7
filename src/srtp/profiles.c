/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The one list of profiles. */
#include "ciphers.h"

#include <string.h>

#if RUNNEL_HOSTED

/* The library's own verbs, on contexts whose type the profile knows. */
#define KEY(family)                                                                                                    \
    static int family##_key(void *context, const uint8_t *key, size_t key_bytes)                                       \
    {                                                                                                                  \
        return runnel_##family##_key(context, key, key_bytes);                                                         \
    }
KEY(aria_ctr)
KEY(aria_gcm)
KEY(seed_ctr)
KEY(seed_ccm)
KEY(seed_gcm)

static const runnel_srtp_functions aria_cm = {.ctr_key = aria_ctr_key};
static const runnel_srtp_functions aria_gcm = {.ctr_key = aria_ctr_key, .key = aria_gcm_key};
static const runnel_srtp_functions seed_cm = {.ctr_key = seed_ctr_key};
static const runnel_srtp_functions seed_ccm = {.ctr_key = seed_ctr_key, .key = seed_ccm_key};
static const runnel_srtp_functions seed_gcm = {.ctr_key = seed_ctr_key, .key = seed_gcm_key};

/* Counter mode with HMAC-SHA-1, of which SRTCP always has 80 bits; and AEADs. */
#define CM(name, from, number, bits, tag, ...) {name, from, number, bits / 8, 14, tag, 10, 0, __VA_ARGS__}
#define AEAD(name, from, number, bits, tag, ...) {name, from, number, bits / 8, 12, tag, tag, 1, __VA_ARGS__}
#define AES RUNNEL_SRTP_AES_CTR_BYTES, &runnel_srtp_aes_cm
#define AES_GCM RUNNEL_SRTP_AES_GCM_BYTES, &runnel_srtp_aes_gcm
#define ARIA sizeof(runnel_aria_ctr), &aria_cm
#define ARIA_GCM sizeof(runnel_aria_gcm), &aria_gcm

static const runnel_srtp_profile profiles[] = {
    CM("AES_CM_128_HMAC_SHA1_80", "RFC 3711", 0x0001, 128, 10, AES),
    CM("AES_CM_128_HMAC_SHA1_32", "RFC 3711", 0x0002, 128, 4, AES),
    CM("AES_192_CM_HMAC_SHA1_80", "RFC 6188", 0, 192, 10, AES),
    CM("AES_192_CM_HMAC_SHA1_32", "RFC 6188", 0, 192, 4, AES),
    CM("AES_256_CM_HMAC_SHA1_80", "RFC 6188", 0, 256, 10, AES),
    CM("AES_256_CM_HMAC_SHA1_32", "RFC 6188", 0, 256, 4, AES),
    AEAD("AEAD_AES_128_GCM", "RFC 7714", 0x0007, 128, 16, AES_GCM),
    AEAD("AEAD_AES_256_GCM", "RFC 7714", 0x0008, 256, 16, AES_GCM),
    CM("SEED_CTR_128_HMAC_SHA1_80", "RFC 5669", 0, 128, 10, sizeof(runnel_seed_ctr), &seed_cm),
    AEAD("SEED_128_CCM_80", "RFC 5669", 0, 128, 10, sizeof(runnel_seed_ccm), &seed_ccm),
    AEAD("SEED_128_GCM_96", "RFC 5669", 0, 128, 12, sizeof(runnel_seed_gcm), &seed_gcm),
    CM("ARIA_128_CTR_HMAC_SHA1_80", "RFC 8269", 0x000b, 128, 10, ARIA),
    CM("ARIA_128_CTR_HMAC_SHA1_32", "RFC 8269", 0x000c, 128, 4, ARIA),
    CM("ARIA_192_CTR_HMAC_SHA1_80", "as RFC 8269, which has no name for it", 0, 192, 10, ARIA),
    CM("ARIA_192_CTR_HMAC_SHA1_32", "as RFC 8269, which has no name for it", 0, 192, 4, ARIA),
    CM("ARIA_256_CTR_HMAC_SHA1_80", "RFC 8269", 0x000d, 256, 10, ARIA),
    CM("ARIA_256_CTR_HMAC_SHA1_32", "RFC 8269", 0x000e, 256, 4, ARIA),
    AEAD("AEAD_ARIA_128_GCM", "RFC 8269", 0x000f, 128, 16, ARIA_GCM),
    AEAD("AEAD_ARIA_256_GCM", "RFC 8269", 0x0010, 256, 16, ARIA_GCM),
};

enum { COUNT = sizeof profiles / sizeof profiles[0] };

#define FITS(type) _Static_assert(sizeof(type) <= RUNNEL_SRTP_AES_GCM_BYTES, "the context has no room for a cipher")
FITS(runnel_aria_ctr);
FITS(runnel_aria_gcm);
FITS(runnel_seed_ctr);
FITS(runnel_seed_ccm);
FITS(runnel_seed_gcm);

size_t runnel_srtp_profile_count(void)
{
    return COUNT;
}

const runnel_srtp_profile *runnel_srtp_profile_at(size_t index)
{
    return index < COUNT ? &profiles[index] : NULL;
}

const runnel_srtp_profile *runnel_srtp_profile_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < COUNT; i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

size_t runnel_srtp_bytes(const runnel_srtp_profile *profile)
{
    return profile != NULL ? offsetof(runnel_srtp, part) + profile->part_bytes : 0;
}

size_t runnel_srtp_grows(const runnel_srtp_profile *profile, int kind)
{
    if (profile == NULL)
        return 0;
    return kind == RUNNEL_RTCP ? profile->rtcp_tag + 4u : profile->rtp_tag;
}

#endif
