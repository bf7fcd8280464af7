/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Output and start-up where the sensor's program runs: here, in an emulator, or in simavr. */
#include "sensor.h"

#if defined(__AVR__)

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

void put(const char *text)
{
    UCSR0B = 1 << TXEN0;
    for (; *text != 0; text++) {
        while (!(UCSR0A & 1 << UDRE0))
            ;
        UDR0 = (unsigned char)*text;
    }
}

int main(void)
{
    put(sensor() ? "failed\n" : "done\n");
    cli(); /* and sleep: that ends the simulation */
    sleep_mode();
}

#elif defined(__arm__) && !defined(__linux__)

#include <string.h>

/* Linux's calls, as under qemu-arm. */
static void call(int number, int a, const void *b, size_t c)
{
    register int r0 __asm__("r0") = a;
    register const void *r1 __asm__("r1") = b;
    register size_t r2 __asm__("r2") = c;
    __asm__ volatile("mov r7, %3\n\tsvc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(number) : "r7", "memory");
}

void put(const char *text)
{
    call(4, 1, text, strlen(text));
}

void _start(void);
void _start(void)
{
    const int error = sensor();
    put(error ? "failed\n" : "done\n");
    call(1, error, NULL, 0);
}

#elif defined(__riscv)

#include <stddef.h>
#include <string.h>

static long call(long number, long a, long b, long c)
{
    register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

void put(const char *text)
{
    call(64, 1, (long)text, (long)strlen(text));
}

void _start(void);
void _start(void)
{
    const int error = sensor();
    put(error ? "failed\n" : "done\n");
    call(93, error, 0, 0);
}

#else

#include <stdio.h>

void put(const char *text)
{
    fputs(text, stdout);
}

int main(void)
{
    const int error = sensor();
    put(error ? "failed\n" : "done\n");
    return error;
}

#endif
