/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly for AVR, of Grain-128 and of Grain-128AEADv2: the state. */
#ifndef RUNNEL_GRAIN128_AVR_STATE_H
#define RUNNEL_GRAIN128_AVR_STATE_H

/* Offsets into grain128_avr_state, for the assembly. */
#define GRAIN128_AVR_SAVED 0 /* nine bytes in a row */
#define GRAIN128_AVR_B 9
#define GRAIN128_AVR_S 41

#if defined(__AVR__) && !defined(__ASSEMBLER__)

#include <stdint.h>

#include "arch/common/offsets.h"

typedef struct grain128_avr_state {
    uint8_t output, to_b, to_s;           /* what the next sums take from the lower bytes of their taps */
    uint8_t s13, s20, s42, s60, b61, b11; /* the same of these taps */
    uint8_t b[32], s[32];                 /* the registers, and room to slide */
} grain128_avr_state;

/* The part of the first sums from the lower bytes of their taps; b and s have their first 16 bytes. */
static inline void grain128_avr_begin(grain128_avr_state *now)
{
    const uint8_t *b = now->b, *s = now->s;
    now->output = (uint8_t)((b[9] ^ b[11]) >> 1 ^ b[0] >> 2 ^ b[1] >> 7 ^ b[4] >> 4 ^ (b[5] ^ s[11]) >> 5);
    now->to_b = (uint8_t)(b[3] >> 2 ^ (b[11] ^ (b[0] & b[8]) ^ (b[3] & b[7])) >> 3 ^ (b[8] & b[10]) >> 4);
    now->to_s = (uint8_t)((s[4] ^ s[8]) >> 6 ^ s[0] >> 7 ^ s[10] >> 1);
    now->s13 = s[1] >> 5;
    now->s20 = s[2] >> 4;
    now->s42 = s[5] >> 2;
    now->s60 = s[7] >> 4;
    now->b61 = b[7] >> 5;
    now->b11 = b[1] >> 3;
}

RUNNEL_CHECK_OFFSET(grain128_avr_state, output, GRAIN128_AVR_SAVED);
RUNNEL_CHECK_OFFSET(grain128_avr_state, b, GRAIN128_AVR_B);
RUNNEL_CHECK_OFFSET(grain128_avr_state, s, GRAIN128_AVR_S);

#endif
#endif
