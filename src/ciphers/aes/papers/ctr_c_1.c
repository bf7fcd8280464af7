/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-CTR-C, Ver1: the columns of the block and of round 1 that stay the same. */
#include "ctr_c.h"

KERNEL(ctr_c_1, "ctr-c-1", "AES-CTR-C (Park, Paik, Lee, 2011), Ver1: 3.1 and 3.2, rd0, rd1")
