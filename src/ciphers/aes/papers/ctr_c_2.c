/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, Ver2: as Ver1, and what of round 2 stays the same. */
#define CTR_C_KEEPS_RD2 1
#include "ctr_c.h"

KERNEL(ctr_c_2, "ctr-c-2", "AES-CTR-C (Park, Paik, Lee, 2011), Ver2: 3.1 to 3.3, rd0, rd1, rd2")
