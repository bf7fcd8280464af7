/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The board's interface: a serial port, which stands for the radio, and storage that survives a reset. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

enum { STORAGE_BYTES = 320 };

/* Makes the serial port ready. Comes first. */
void board_start(void);

/* Sends n bytes. */
void send(const uint8_t *p, size_t n);

/* Waits for the next byte. */
uint8_t receive(void);

/* One byte of the storage, at 0 to STORAGE_BYTES - 1. New storage reads 0xff. storage_write returns when the byte is
 * written; a loss of power meanwhile may leave any value in it, and must not touch others. */
uint8_t storage_read(uint16_t at);
void storage_write(uint16_t at, uint8_t value);

#endif
