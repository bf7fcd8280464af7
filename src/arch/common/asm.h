/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The common head of every processor's asm.h, for assembly alone: the guards of arch/arch.h, and what each object
 * must tell the linker. Every .S file includes its processor's asm.h outside its guard, so that an object that is
 * empty, because it is for another processor, has these marks too: a single object without them makes a program's
 * stack executable and costs the library its marks for landing pads and shadow stacks. */
#ifndef RUNNEL_ARCH_COMMON_ASM_H
#define RUNNEL_ARCH_COMMON_ASM_H

#include "arch/arch.h"

/* The marks of -mbranch-protection on AArch64. No function here stores its return address, so PAC asks nothing of
 * them. */
#if defined(__ARM_FEATURE_BTI_DEFAULT)
#define LANDING_PAD_BYTES 4
#else
#define LANDING_PAD_BYTES 0
#endif
#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define ASM_SIGNED 2
#else
#define ASM_SIGNED 0
#endif

#if defined(__ELF__) && !defined(__AVR__)
    .pushsection .note.GNU-stack, "", %progbits
    .popsection
#if defined(__x86_64__) && defined(__CET__) && (__CET__ & 3)
    .pushsection .note.gnu.property, "a", %note
    .p2align 3
    .long   4, 16, 5                    /* bytes of name and of value; NT_GNU_PROPERTY_TYPE_0 */
    .asciz  "GNU"
    .long   0xc0000002, 4, __CET__ & 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND: IBT 1, SHSTK 2, as in __CET__ */
    .popsection
#elif defined(__aarch64__) && (LANDING_PAD_BYTES || ASM_SIGNED)
    .pushsection .note.gnu.property, "a", %note
    .p2align 3
    .long   4, 16, 5                    /* bytes of name and of value; NT_GNU_PROPERTY_TYPE_0 */
    .asciz  "GNU"
    .long   0xc0000000, 4, LANDING_PAD_BYTES / 4 + ASM_SIGNED, 0 /* GNU_PROPERTY_AARCH64_FEATURE_1_AND: BTI 1, PAC 2 */
    .popsection
#endif
#endif

/* Call frame information, where there is an operating system with debuggers and profilers. */
.macro CFI directive:vararg
#if defined(__ELF__) && defined(__unix__)
    \directive
#endif
.endm

#endif
