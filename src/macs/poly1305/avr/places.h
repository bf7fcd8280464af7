/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where the assembly finds things in the context. */
#ifndef POLY1305_AVR_PLACES_H
#define POLY1305_AVR_PLACES_H

#define POLY1305_AVR_S 18
#define POLY1305_AVR_FACTOR 34 /* 5/4 of the upper half, and then all of it */
#define POLY1305_AVR_H 58

#ifndef __ASSEMBLER__
#include "arch/common/offsets.h"
#include "macs/poly1305/poly1305.h"

RUNNEL_CHECK_OFFSET(runnel_poly1305, s, POLY1305_AVR_S);
RUNNEL_CHECK_OFFSET(runnel_poly1305, wrapped, POLY1305_AVR_FACTOR);
RUNNEL_CHECK_OFFSET(runnel_poly1305, h, POLY1305_AVR_H);
#endif

#endif
