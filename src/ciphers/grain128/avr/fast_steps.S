/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128 for 8-bit AVR. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#include "state.h"

#define KERNEL(name) runnel_grain128_avr_##name
#define AEADV2 0

code runnel_grain128_avr
#include "steps.inc"

#endif
