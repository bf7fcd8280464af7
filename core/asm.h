/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For assembly: what each file has to say to the linker, and its processor's macros. Every .S file includes this outside
 * its guard, also one that is empty here: one object that does not say so makes the stack of a whole program executable,
 * and takes the marks for landing pads and shadow stacks from a whole library. */
#ifndef RUNNEL_CORE_ASM_H
#define RUNNEL_CORE_ASM_H

#if defined(__ELF__) && !defined(__AVR__)
    .pushsection .note.GNU-stack, "", %progbits
    .popsection
#if defined(__x86_64__)
#include "asm_x86.h"
#elif defined(__aarch64__)
#include "asm_aarch64.h"
#endif
#endif

#endif
