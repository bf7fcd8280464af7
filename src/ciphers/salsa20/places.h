/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the state, for assembly. */
#ifndef RUNNEL_SALSA20_PLACES_H
#define RUNNEL_SALSA20_PLACES_H

#define SALSA20_WORDS 0
#define SALSA20_COUNTER 32 /* words 8 and 9 */
#define SALSA20_ROUNDS 64

#ifndef __ASSEMBLER__

#include "arch/common/offsets.h"
#include "salsa20.h"

RUNNEL_CHECK_OFFSET(runnel_salsa20_state, words, SALSA20_WORDS);
RUNNEL_CHECK_OFFSET(runnel_salsa20_state, words[8], SALSA20_COUNTER);
RUNNEL_CHECK_OFFSET(runnel_salsa20_state, rounds, SALSA20_ROUNDS);

#endif
#endif
