/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, All, with columns 2 and 3 after round 1 kept when b14 changes. */
#define CTR_C_KEEPS_RD2 1
#define CTR_C_KEEPS_RD1_PLUS 1
#define CTR_C_KEEPS_OVER_B14 1
#include "ctr_c.h"

KERNEL(ctr_c_b14, "ctr-c-b14", "AES-CTR-C (Park, Paik, Lee, 2011), All, and 3.2: State[2], State[3] until b13 changes")
