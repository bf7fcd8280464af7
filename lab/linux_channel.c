/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The channel by Linux's own calls for read, write and exit, for programs without a C library that run under QEMU's
 * user mode, or in a simulator that knows these three. */
#include "channel.h"

#if defined(__arm__)
enum { CALL_EXIT = 1, CALL_READ = 3, CALL_WRITE = 4 };
#define NUMBER "r7"
#define FIRST "r0"
#define SECOND "r1"
#define THIRD "r2"
#define CALL "svc #0"
#elif defined(__riscv)
enum { CALL_READ = 63, CALL_WRITE = 64, CALL_EXIT = 93 };
#if defined(__riscv_32e) || defined(__riscv_e) /* which has no a7: QEMU then takes the number here */
#define NUMBER "t0"
#else
#define NUMBER "a7"
#endif
#define FIRST "a0"
#define SECOND "a1"
#define THIRD "a2"
#define CALL "ecall"
#endif

static long call(long number, long first, const void *p, size_t n)
{
    register long number_ __asm__(NUMBER) = number;
    register long first_ __asm__(FIRST) = first;
    register long p_ __asm__(SECOND) = (long)p;
    register long bytes_ __asm__(THIRD) = (long)n;
    __asm__ volatile(CALL : "+r"(first_) : "r"(number_), "r"(p_), "r"(bytes_) : "memory");
    return first_;
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
