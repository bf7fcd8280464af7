/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR in little flash, with round keys of four words: 128 bits. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#define WORDS 4
#define KERNEL(name) runnel_lea_avr_small_##name##_4

code runnel_lea_avr_small_4
#include "small.inc"

#endif
