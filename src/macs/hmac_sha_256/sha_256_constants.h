/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SHA-256's constants (FIPS 180-4 4.2.2). */
#ifndef HMAC_SHA_256_CONSTANTS_H
#define HMAC_SHA_256_CONSTANTS_H

#include "arch/common/lookup.h"

static const uint32_t sha_256_constants[64] RUNNEL_FLASH = {
#define ROW(...) __VA_ARGS__,
#include "sha_256_constants.inc"
};

#endif
