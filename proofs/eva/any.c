/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In place of what Eva has no C for: the CPU's features, the compiler's built-in functions, and the stack below. */
#include "any.h"

uint8_t out_buffer[BUFFER], in_buffer[BUFFER];
uint32_t cpu_features;

uint32_t runnel_cpu(void)
{
    return cpu_features;
}

int __builtin_ctz(unsigned value)
{
    int n = 0;
    while ((value & 1) == 0) {
        value >>= 1;
        n++;
    }
    return n;
}

uint64_t __builtin_bswap64(uint64_t v)
{
    uint64_t swapped = 0;
    for (int i = 0; i < 8; i++, v >>= 8)
        swapped = swapped << 8 | (v & 0xff);
    return swapped;
}

int strcmp(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

void runnel_wipe_stack(size_t bytes)
{
    (void)bytes;
}
