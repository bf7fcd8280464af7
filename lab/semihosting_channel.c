/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The channel by Arm's semihosting, for programs without an operating system on a Cortex-M that QEMU's system mode
 * simulates, with start-up and end of the program. */
#include "channel.h"

enum { OPEN = 0x01, WRITE = 0x05, READ = 0x06, EXIT = 0x18 };
enum { FOR_READING = 0, FOR_WRITING = 4 };
#define APPLICATION_EXIT 0x20026
#define INTERNAL_ERROR 0x20024

int main(void);
void reset(void);
extern uint32_t stack_end[], data_start[], data_end[], data_in_rom[], bss_start[], bss_end[];

static uint32_t input, output; /* handles */

static uint32_t call(uint32_t number, uintptr_t argument)
{
    register uint32_t number_ __asm__("r0") = number;
    register uintptr_t argument_ __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(number_) : "r"(argument_) : "memory");
    return number_;
}

static void end(uint32_t reason)
{
    for (;;)
        call(EXIT, reason);
}

static void fault(void)
{
    end(INTERNAL_ERROR);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_end, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault,
};

/* The console's two halves are files of one name. */
static uint32_t console(uint32_t mode)
{
    const uint32_t arguments[3] = {(uint32_t)(uintptr_t)":tt", mode, 3};
    return call(OPEN, (uintptr_t)arguments);
}

void reset(void)
{
    const uint32_t *from = data_in_rom;
    for (uint32_t *to = data_start; to < data_end; to++)
        *to = *from++;
    for (uint32_t *to = bss_start; to < bss_end; to++)
        *to = 0;
    input = console(FOR_READING);
    output = console(FOR_WRITING);
    main();
    end(APPLICATION_EXIT);
}

/* Both calls return how many bytes are left. */
void lab_read(uint8_t *p, size_t n)
{
    while (n > 0) {
        const uint32_t arguments[3] = {input, (uint32_t)(uintptr_t)p, n};
        const uint32_t left = call(READ, (uintptr_t)arguments);
        if (left >= n)
            end(APPLICATION_EXIT);
        p += n - left;
        n = left;
    }
}

void lab_write(const uint8_t *p, size_t n)
{
    while (n > 0) {
        const uint32_t arguments[3] = {output, (uint32_t)(uintptr_t)p, n};
        const uint32_t left = call(WRITE, (uintptr_t)arguments);
        if (left >= n)
            end(INTERNAL_ERROR);
        p += n - left;
        n = left;
    }
}
