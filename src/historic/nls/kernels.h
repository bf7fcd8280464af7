/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of NLSv2, each in the file of its name, and what they share. */
#ifndef RUNNEL_NLS_KERNELS_H
#define RUNNEL_NLS_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/lookup.h"
#include "nls.h"

enum { NLS_BLOCK = 4 };

extern const uint32_t runnel_nls_s_box[256]; /* RUNNEL_FLASH */

#define KERNEL(on, name) extern const runnel_kernel runnel_nls_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
