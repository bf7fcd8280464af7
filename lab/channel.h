/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bytes between the measured program and the host; each target has its own file for them. */
#ifndef LAB_CHANNEL_H
#define LAB_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

/* Reads n bytes. At the end of the input the program ends: this does not return. */
void lab_read(uint8_t *p, size_t n);
void lab_write(const uint8_t *p, size_t n);

#endif
