/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The channel by Linux's calls for read, write and exit: the simulator knows these three, and the same program runs
 * under qemu-riscv32. */
#include "channel.h"

enum { CALL_READ = 63, CALL_WRITE = 64, CALL_EXIT = 93 };

static long call(long number, long first, const void *p, size_t n)
{
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = first;
    register long a1 __asm__("a1") = (long)p;
    register long a2 __asm__("a2") = (long)n;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

void lab_read(uint8_t *p, size_t n)
{
    while (n > 0) {
        long got = call(CALL_READ, 0, p, n);
        if (got <= 0)
            call(CALL_EXIT, got != 0, NULL, 0);
        p += got;
        n -= (size_t)got;
    }
}

void lab_write(const uint8_t *p, size_t n)
{
    while (n > 0) {
        long put = call(CALL_WRITE, 1, p, n);
        if (put <= 0)
            call(CALL_EXIT, 1, NULL, 0);
        p += put;
        n -= (size_t)put;
    }
}
