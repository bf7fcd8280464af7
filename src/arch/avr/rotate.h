/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 32-bit rotations in C for 8-bit processors, whose compilers turn v << n | v >> (32 - n) into two loops. The word is
 * treated as its bytes: whole bytes change places, and only the remaining bits, at most four, are shifted, one or two
 * at a time because longer shifts are loops again.
 *
 * RUNNEL_ROTL32_MACRO(v, n) is expanded in place, RUNNEL_ROTL32_FUNCTION(v, n) calls one function per n and file: the
 * two forms that the sensor-node paper compares. n is a number in digits, 1 to 31. */
#ifndef RUNNEL_ARCH_AVR_ROTATE_H
#define RUNNEL_ARCH_AVR_ROTATE_H

#include <stdint.h>

#include "arch/common/inline.h"

typedef union runnel_word_bytes {
    uint32_t word;
    uint8_t bytes[4]; /* the lowest first, as AVR has them */
} runnel_word_bytes;


RUNNEL_INLINE uint32_t runnel_rotl32_bytes(uint32_t v, uint8_t n)
{
    const runnel_word_bytes from = {v};
    runnel_word_bytes to;
    to.bytes[n & 3] = from.bytes[0];
    to.bytes[(n + 1) & 3] = from.bytes[1];
    to.bytes[(n + 2) & 3] = from.bytes[2];
    to.bytes[(n + 3) & 3] = from.bytes[3];
    return to.word;
}

/* By 1 or 2 bits. */
RUNNEL_INLINE uint32_t runnel_rotl32_left(uint32_t v, uint8_t n)
{
    runnel_word_bytes w = {v};
    const uint8_t out = (uint8_t)(w.bytes[3] >> (8 - n));
    w.word <<= n;
    w.bytes[0] |= out;
    return w.word;
}

RUNNEL_INLINE uint32_t runnel_rotl32_right(uint32_t v, uint8_t n)
{
    runnel_word_bytes w = {v};
    const uint8_t out = (uint8_t)(w.bytes[0] << (8 - n));
    w.word >>= n;
    w.bytes[3] |= out;
    return w.word;
}

RUNNEL_INLINE uint32_t runnel_rotl32_view(uint32_t v, uint8_t n)
{
    v = runnel_rotl32_bytes(v, (uint8_t)((n + 3) / 8));
    switch (n % 8) {
    case 1: return runnel_rotl32_left(v, 1);
    case 2: return runnel_rotl32_left(v, 2);
    case 3: return runnel_rotl32_left(runnel_rotl32_left(v, 2), 1);
    case 4: return runnel_rotl32_left(runnel_rotl32_left(v, 2), 2);
    case 5: return runnel_rotl32_right(runnel_rotl32_right(v, 2), 1);
    case 6: return runnel_rotl32_right(v, 2);
    case 7: return runnel_rotl32_right(v, 1);
    default: return v;
    }
}

#define RUNNEL_ROTL32_MACRO(v, n) runnel_rotl32_view(v, n)
#define RUNNEL_ROTL32_FUNCTION(v, n) runnel_rotl32_by_##n(v)

#define RUNNEL_ROTATE_FUNCTION(n)                                                                                      \
    static __attribute__((noinline, unused)) uint32_t runnel_rotl32_by_##n(uint32_t v)                                 \
    {                                                                                                                  \
        return runnel_rotl32_view(v, n);                                                                               \
    }
RUNNEL_ROTATE_FUNCTION(1) RUNNEL_ROTATE_FUNCTION(2) RUNNEL_ROTATE_FUNCTION(3) RUNNEL_ROTATE_FUNCTION(4)
RUNNEL_ROTATE_FUNCTION(5) RUNNEL_ROTATE_FUNCTION(6) RUNNEL_ROTATE_FUNCTION(7) RUNNEL_ROTATE_FUNCTION(8)
RUNNEL_ROTATE_FUNCTION(9) RUNNEL_ROTATE_FUNCTION(10) RUNNEL_ROTATE_FUNCTION(11) RUNNEL_ROTATE_FUNCTION(12)
RUNNEL_ROTATE_FUNCTION(13) RUNNEL_ROTATE_FUNCTION(14) RUNNEL_ROTATE_FUNCTION(15) RUNNEL_ROTATE_FUNCTION(16)
RUNNEL_ROTATE_FUNCTION(17) RUNNEL_ROTATE_FUNCTION(18) RUNNEL_ROTATE_FUNCTION(19) RUNNEL_ROTATE_FUNCTION(20)
RUNNEL_ROTATE_FUNCTION(21) RUNNEL_ROTATE_FUNCTION(22) RUNNEL_ROTATE_FUNCTION(23) RUNNEL_ROTATE_FUNCTION(24)
RUNNEL_ROTATE_FUNCTION(25) RUNNEL_ROTATE_FUNCTION(26) RUNNEL_ROTATE_FUNCTION(27) RUNNEL_ROTATE_FUNCTION(28)
RUNNEL_ROTATE_FUNCTION(29) RUNNEL_ROTATE_FUNCTION(30) RUNNEL_ROTATE_FUNCTION(31)

#endif
