/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK in C for 8-bit AVR, as the sensor-node paper tunes it (5.1): rotations through a word's bytes. Included by
 * the file of each kernel, which defines ROTL32, how a word is rotated, and then includes key and IV set-up. */
#include "arch/avr/rotate.h"

#include "ciphers/sosemanuk/setup.h"
#include "ciphers/sosemanuk/tables.h"

#include "ciphers/sosemanuk/steps.h"
