/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

#include "core/aead.c"
