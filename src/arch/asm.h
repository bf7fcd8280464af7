/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For assembly: what each file has to say to the linker, and its processor's macros. Every .S file includes this outside
 * its guard, also one that is empty here: one object that does not say so makes the stack of a whole program executable,
 * and takes the marks for landing pads and shadow stacks from a whole library. */
#ifndef RUNNEL_ARCH_ASM_H
#define RUNNEL_ARCH_ASM_H

#include "arch/arch.h"

#if defined(__ELF__) && !defined(__AVR__)
    .pushsection .note.GNU-stack, "", %progbits
    .popsection
#if defined(__x86_64__)
#include "arch/x86/asm.h"
#elif defined(__aarch64__)
#include "arch/aarch64/asm.h"
#endif
#endif

#endif
