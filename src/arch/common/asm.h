/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the asm.h of every processor begins with, for assembly alone: the guards of arch/arch.h, and the note that this
 * object needs no stack that can be executed. The linker takes an object without it for one that does, also an empty
 * one: a file for another processor than the one that is compiled for. */
#ifndef RUNNEL_ARCH_COMMON_ASM_H
#define RUNNEL_ARCH_COMMON_ASM_H

#include "arch/arch.h"

#if defined(__ELF__) && defined(__unix__)
    .section .note.GNU-stack, "", %progbits
    .text
#endif

/* Call frame information, where there is an operating system with debuggers and profilers. */
.macro CFI directive:vararg
#if defined(__ELF__) && defined(__unix__)
    \directive
#endif
.endm

#endif
