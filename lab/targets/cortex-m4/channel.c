/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The channel by Linux's calls for read, write and exit, so that the program runs under qemu-arm. */
#include "channel.h"

enum { CALL_EXIT = 1, CALL_READ = 3, CALL_WRITE = 4 };

static long call(long number, long first, const void *p, size_t n)
{
    register long r7 __asm__("r7") = number;
    register long r0 __asm__("r0") = first;
    register long r1 __asm__("r1") = (long)p;
    register long r2 __asm__("r2") = (long)n;
    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
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
