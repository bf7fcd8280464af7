/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* LEA for 8-bit AVR with round keys of six words: 192 and 256 bits. */
#include "arch/arch.h"

#if RUNNEL_AVR

#define WORDS 6
#define KERNEL(name) runnel_lea_avr_##name##_6

    .section .text.runnel_lea_avr_6, "ax", @progbits
#include "fast.inc"

#endif

#if defined(__linux__) && defined(__ELF__) /* empty there, and no reason for a stack that can be executed */
    .section .note.GNU-stack, "", %progbits
#endif
