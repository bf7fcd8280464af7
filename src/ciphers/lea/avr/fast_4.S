/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR with round keys of four words: 128 bits. */
#include "arch/avr/asm.h"

#if RUNNEL_AVR_MUL

#define WORDS 4
#define KERNEL(name) runnel_lea_avr_##name##_4

code runnel_lea_avr_4
#include "fast.inc"

#endif
