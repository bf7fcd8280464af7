/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of Py, each in the file of its name, and the table they share. */
#ifndef RUNNEL_PY_KERNELS_H
#define RUNNEL_PY_KERNELS_H

#include "arch/common/bytes.h"
#include "core/describe.h"
#include "arch/common/lookup.h"
#include "arch/common/wipe.h"
#include "py.h"

enum { PY_BLOCK = 8 };

/* The internal permutation, in flash: read it with runnel_flash8. */
extern const uint8_t runnel_py_permutation[256];

#define KERNEL(on, name) extern const runnel_kernel runnel_py_##name;
#define PAPER KERNEL
#include "kernels.inc"

#endif
