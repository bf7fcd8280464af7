/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-256's compression of a block (FIPS 180-4 6.2). */
#ifndef HMAC_SHA_256_HASH_H
#define HMAC_SHA_256_HASH_H

#include "arch/common/lookup.h"
#include "kernels.h"

static const uint32_t sha_256_first_state[8] RUNNEL_FLASH = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void sha_256_start(uint32_t *state)
{
    for (uint8_t i = 0; i < 8; i++)
        state[i] = runnel_flash32(&sha_256_first_state[i]);
}

#if !RUNNEL_MAC_WORDS && RUNNEL_AVR
#define sha_256_compress runnel_hmac_sha_256_avr_compress
#else
#include "sha_256_constants.h"

#define CHOOSE(e, f, g) ((g) ^ ((e) & ((f) ^ (g))))
#define MAJORITY(a, b, c) (((a) & (b)) | ((c) & ((a) | (b))))

#if RUNNEL_MAC_WORDS
#include "sha_256_words.h"
#else
#include "sha_256_bytes.h"
#endif
#endif

#endif
