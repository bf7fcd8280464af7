/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the kernels for 8-bit AVR: key set-up, in key.S. */
#ifndef RUNNEL_HIGHT_AVR_KEY_H
#define RUNNEL_HIGHT_AVR_KEY_H

#include <stddef.h>
#include <stdint.h>

void runnel_hight_avr_key(void *state, const uint8_t *key, size_t key_bytes);

#endif
