/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the state and, on AVR, in what lies behind it, for assembly. */
#ifndef RUNNEL_RABBIT_PLACES_H
#define RUNNEL_RABBIT_PLACES_H

#define RABBIT_COUNTERS 0
#define RABBIT_X 32
#define RABBIT_CARRY 64
#define RABBIT_AVR_MASTER 65

#ifndef __ASSEMBLER__

#include "arch/common/offsets.h"
#include "rabbit.h"

RUNNEL_CHECK_OFFSET(runnel_rabbit_state, counters, RABBIT_COUNTERS);
RUNNEL_CHECK_OFFSET(runnel_rabbit_state, x, RABBIT_X);
RUNNEL_CHECK_OFFSET(runnel_rabbit_state, carry, RABBIT_CARRY);
RUNNEL_CHECK_OFFSET(runnel_rabbit_states, now, 0);
#if defined(__AVR__)
RUNNEL_CHECK_OFFSET(runnel_rabbit_states, key, RABBIT_AVR_MASTER);
#if !RUNNEL_RABBIT_KEEPS_KEY
RUNNEL_CHECK_OFFSET(runnel_rabbit_states, master, RABBIT_AVR_MASTER);
#endif
#endif

#endif
#endif
