/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arch/aarch64/asm.h"

#define PAIRS_FUNCTION runnel_seed_neon_tbl_literal_pairs
#define MACROS_OF_G "neon_tbl_literal_g.inc"
#include "neon_tbl_pairs.inc"
