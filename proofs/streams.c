/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "window.h"

#include "srtp/keys.c"
#include "srtp/profiles.c"
