/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Short copies of a length that is known, unrolled: two instructions and four cycles a byte, where the compiler makes a
 * loop of seven cycles a byte. Elsewhere memcpy and memset are as good. */
#ifndef RUNNEL_ARCH_AVR_COPY_H
#define RUNNEL_ARCH_AVR_COPY_H

#include <stdint.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/common/inline.h"

#if RUNNEL_AVR
/* bytes: a constant; at most 16 are copied, and 8 cleared. The compiler takes the number of lines for the length of the code,
 * two words for each, by which it chooses between short and long branches over it: so some are empty. */
#define RUNNEL_TWELVE_LINES "\n\n\n\n\n\n\n\n\n\n\n\n"
#define RUNNEL_COPY(to, from, bytes)                                                                                   \
    do {                                                                                                               \
        const uint8_t *from_ = (from);                                                                                 \
        uint8_t *to_ = (to);                                                                                           \
        __asm__ volatile(".rept %2\n\tld __tmp_reg__, %a1+\n\tst %a0+, __tmp_reg__\n\t.endr" RUNNEL_TWELVE_LINES       \
                         : "+e"(to_), "+e"(from_)                                                                      \
                         : "n"(bytes)                                                                                  \
                         : "memory");                                                                                  \
    } while (0)
#define RUNNEL_CLEAR(to, bytes)                                                                                        \
    do {                                                                                                               \
        uint8_t *to_ = (to);                                                                                           \
        __asm__ volatile(".rept %1\n\tst %a0+, __zero_reg__\n\t.endr\n" : "+e"(to_) : "n"(bytes) : "memory");          \
    } while (0)
#else
#define RUNNEL_COPY(to, from, bytes) memcpy(to, from, bytes)
#define RUNNEL_CLEAR(to, bytes) memset(to, 0, bytes)
#endif

#endif
