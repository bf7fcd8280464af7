/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernel of Phelix. */
#ifndef RUNNEL_PHELIX_KERNELS_H
#define RUNNEL_PHELIX_KERNELS_H

#include "core/describe.h"
#include "phelix.h"

#define KERNEL(on, name) extern const runnel_kernel runnel_phelix_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
