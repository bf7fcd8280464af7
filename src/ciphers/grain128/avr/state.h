/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the AVR kernel: its state. */
#ifndef RUNNEL_GRAIN128_AVR_STATE_H
#define RUNNEL_GRAIN128_AVR_STATE_H

/* Offsets into grain128_avr_state, for the assembly. */
#define GRAIN128_AVR_SAVED 0 /* nine bytes in a row */
#define GRAIN128_AVR_B 9
#define GRAIN128_AVR_S 41

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "arch/common/offsets.h"

typedef struct grain128_avr_state {
    uint8_t output, to_b, to_s;           /* what the next sums take from the lower bytes of their taps */
    uint8_t s13, s20, s42, s60, b61, b11; /* the same of these taps */
    uint8_t b[32], s[32];                 /* the registers, and room to slide */
} grain128_avr_state;

RUNNEL_CHECK_OFFSET(grain128_avr_state, output, GRAIN128_AVR_SAVED);
RUNNEL_CHECK_OFFSET(grain128_avr_state, b, GRAIN128_AVR_B);
RUNNEL_CHECK_OFFSET(grain128_avr_state, s, GRAIN128_AVR_S);

#endif
#endif
