/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR in little flash, with round keys of six words: 192 and 256 bits. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#define WORDS 6
#define KERNEL(name) runnel_lea_avr_small_##name##_6

code runnel_lea_avr_small_6
#include "small.inc"

#endif
