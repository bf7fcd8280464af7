/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the state, which on AVR has a ring, for assembly. */
#ifndef RUNNEL_SOSEMANUK_PLACES_H
#define RUNNEL_SOSEMANUK_PLACES_H

#define SOSEMANUK_S 0
#define SOSEMANUK_R1 40
#define SOSEMANUK_R2 44

#define SOSEMANUK_RING_F 48
#define SOSEMANUK_RING_R1 60
#define SOSEMANUK_RING_R2 64
#define SOSEMANUK_RING_BLOCK 68
#define SOSEMANUK_RING_KEY 69 /* or the subkeys */

#ifndef __ASSEMBLER__

#include "arch/common/offsets.h"
#include "sosemanuk.h"

RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, s, SOSEMANUK_S);
#if !RUNNEL_SOSEMANUK_RING
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, r1, SOSEMANUK_R1);
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, r2, SOSEMANUK_R2);
#else
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, f, SOSEMANUK_RING_F);
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, r1, SOSEMANUK_RING_R1);
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, r2, SOSEMANUK_RING_R2);
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, block, SOSEMANUK_RING_BLOCK);
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, key, SOSEMANUK_RING_KEY);
#if !RUNNEL_SOSEMANUK_FUSED
RUNNEL_CHECK_OFFSET(runnel_sosemanuk_state, subkeys, SOSEMANUK_RING_KEY);
#endif
#endif

#endif
#endif
