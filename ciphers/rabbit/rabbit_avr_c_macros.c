/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed. */
#include "rabbit_kernels.h"

#if RUNNEL_AVR

#define KERNEL runnel_rabbit_avr_c_macros
#define TITLE "avr-c-macros"
#define ROTL32 RUNNEL_ROTL32_MACRO

#include "rabbit_avr_c.h"

#endif
