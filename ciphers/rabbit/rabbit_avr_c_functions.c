/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations are calls. */
#include "rabbit_kernels.h"

#if RUNNEL_AVR

#define KERNEL runnel_rabbit_avr_c_functions
#define TITLE "avr-c-functions"
#define ROTL32 RUNNEL_ROTL32_FUNCTION

#include "rabbit_avr_c.h"

#endif
