/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the schedule, for assembly. */
#ifndef RUNNEL_HIGHT_PLACES_H
#define RUNNEL_HIGHT_PLACES_H

#define HIGHT_WHITENING 0
#define HIGHT_SUBKEYS 8

#ifndef __ASSEMBLER__

#include "arch/common/offsets.h"
#include "hight.h"

RUNNEL_CHECK_OFFSET(runnel_hight_schedule, whitening, HIGHT_WHITENING);
RUNNEL_CHECK_OFFSET(runnel_hight_schedule, subkeys, HIGHT_SUBKEYS);

#endif
#endif
