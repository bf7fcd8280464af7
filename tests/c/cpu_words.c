/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* cpu-words: for each line of the standard input, which has ecx of CPUID's leaf 1, ebx and ecx of leaf 7 and XCR0 in
 * hexadecimal, the features that the library finds by them. It is linked with a cpu.c of its own. */
#include <stdio.h>

#include "core/cpu.c"

int main(void)
{
    unsigned c1, b7, c7, state;
    while (scanf("%x %x %x %x", &c1, &b7, &c7, &state) == 4) {
        const uint32_t found = cpu_features_of(c1, b7, c7, state);
        for (unsigned bit = 0; bit < 32; bit++)
            if (found >> bit & 1)
                printf("%s ", runnel_cpu_name(1u << bit));
        puts("");
    }
    return 0;
}
