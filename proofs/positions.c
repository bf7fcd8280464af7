/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "core.h"

#include "core/driver.c"
