/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the state, for assembly. */
#ifndef RUNNEL_MICKEY128_AVR_PLACES_H
#define RUNNEL_MICKEY128_AVR_PLACES_H

#define MICKEY128_R_BYTES 0
#define MICKEY128_S_BYTES 20
#define MICKEY128_KEY_BYTES 40

#if defined(__AVR__) && !defined(__ASSEMBLER__)

#include "arch/common/offsets.h"
#include "ciphers/mickey128/mickey128.h"

RUNNEL_CHECK_OFFSET(runnel_mickey128_state, now.r, MICKEY128_R_BYTES);
RUNNEL_CHECK_OFFSET(runnel_mickey128_state, now.s, MICKEY128_S_BYTES);
RUNNEL_CHECK_OFFSET(runnel_mickey128_state, key, MICKEY128_KEY_BYTES);

#endif
#endif
