/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "window.h"

/*@ requires \valid_read(p + (0 .. 3)); assigns \nothing; */
static inline uint32_t runnel_load32be(const uint8_t *p);

#include "srtp/packets.c"

#include "packets.h" /* after the type that it names */
