/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "core.h"
#include "low_half.h"

#include "core/counter.c"

#include "fields.h" /* after the type that it names */
