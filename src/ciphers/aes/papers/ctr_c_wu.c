/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The starting point of AES-CTR-C, as its paper describes it: Wu's caches of 256 blocks, 15 bytes of round 0 and 12 of
 * round 1. */
#define CTR_C_KEEPS_15_BYTES 1
#include "ctr_c.h"

KERNEL(ctr_c_wu, "ctr-c-wu", "Wu, eSTREAM, as Park, Paik, Lee (2011), 2.2, 3.1 and 3.2, describe it")
