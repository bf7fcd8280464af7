/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, All: a table gives round 1, one look-up a column round 2. */
#define CTR_C_KEEPS_RD2 1
#define CTR_C_KEEPS_RD1_PLUS 1
#include "ctr_c.h"

KERNEL(ctr_c, "ctr-c", "AES-CTR-C (Park, Paik, Lee, 2011), All: 3.1 to 3.4, rd0, rd1, rd2, rd1+")
