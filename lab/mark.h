/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The two marks around everything that is measured. On simulated targets each is one instruction without effect,
 * which the simulator's side looks for; a marked program is valid on real silicon too. */
#ifndef LAB_MARK_H
#define LAB_MARK_H

#if defined(LAB_CLOCK) /* the target's clock.c */
void lab_begin(void);
void lab_end(void);
#define LAB_BEGIN() lab_begin()
#define LAB_END() lab_end()
#else
#if defined(__AVR__) /* OUT to OCDR, the debugger's register */
#define LAB_MARK(n) __asm__ volatile("ldi r18, " #n "\n\tout 0x22, r18" ::: "r18", "memory")
#elif defined(__riscv)
#define LAB_MARK(n) __asm__ volatile("slti x0, x0, " #n ::: "memory")
#elif defined(__aarch64__)
#define LAB_MARK(n) __asm__ volatile("hint #0x4" #n ::: "memory")
#elif defined(__thumb__) && !defined(__thumb2__) /* Armv6-M has no long NOP: a register that moves to itself */
#define LAB_MARK(n) __asm__ volatile("mov r1" #n ", r1" #n ::: "memory")
#elif defined(__thumb__)
#define LAB_MARK(n) __asm__ volatile(".inst.w 0xf3af804" #n ::: "memory")
#elif defined(__arm__)
#define LAB_MARK(n) __asm__ volatile(".inst 0xe320f04" #n ::: "memory")
#elif defined(__x86_64__) /* a long NOP with a displacement that no compiler writes */
#define LAB_MARK(n) __asm__ volatile(".byte 0x0f, 0x1f, 0x80, 0x4" #n ", 0x42, 0x41, 0x4c" ::: "memory")
#else
#error "no mark for this architecture"
#endif
#define LAB_BEGIN() LAB_MARK(1)
#define LAB_END() LAB_MARK(2)
#endif

/* Where the stack ends, in the function that asks. */
#ifdef BENCH_PAINT
#include <stdint.h>

__attribute__((always_inline)) static inline volatile uint8_t *lab_stack_pointer(void)
{
    volatile uint8_t *p;
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=r"(p));
#elif defined(__riscv)
    __asm__ volatile("mv %0, sp" : "=r"(p));
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("mov %0, sp" : "=r"(p));
#else
#error "no stack pointer for this architecture"
#endif
    return p;
}
#endif

#endif
