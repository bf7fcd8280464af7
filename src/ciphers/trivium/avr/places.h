/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Offsets in the state of the AVR kernels, which is bytes, for C and assembly. */
#ifndef TRIVIUM_AVR_PLACES_H
#define TRIVIUM_AVR_PLACES_H

#define RING_A 0
#define RING_B 8
#define RING_C 16
#define REGISTERS 24 /* processor registers that are kept between calls */
#define STATE_BYTES 39

#endif
