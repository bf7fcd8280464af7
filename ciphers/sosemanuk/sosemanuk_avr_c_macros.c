/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rotations stand where they are needed. */
#include "sosemanuk_kernels.h"

#if RUNNEL_AVR

#define KERNEL runnel_sosemanuk_avr_c_macros
#define TITLE "avr-c-macros"
#define ROTL32 RUNNEL_ROTL32_MACRO

#include "sosemanuk_avr_c.h"

#endif
