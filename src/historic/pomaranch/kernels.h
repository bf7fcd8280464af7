/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Pomaranch, each in the file of its name, and the tables they share. */
#ifndef RUNNEL_POMARANCH_KERNELS_H
#define RUNNEL_POMARANCH_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/lookup.h"
#include "arch/common/wipe.h"
#include "pomaranch.h"

enum { POMARANCH_BLOCK = 16 };

/* S: the inverse in GF(2^9) modulo z^9 + z + 1, without its highest and its lowest bit. F: a balanced function of seven
 * bits, of degree 4. In flash: read them with runnel_flash8. */
extern const uint8_t runnel_pomaranch_s[512];
extern const uint8_t runnel_pomaranch_f[128];

#define KERNEL(on, name) extern const runnel_kernel runnel_pomaranch_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
