/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* Sends n bytes: to the radio of a real sensor; here to what the target has. */
void send(const uint8_t *p, size_t n);

#endif
