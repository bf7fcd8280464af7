/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counters that survive a loss of power at any moment, in EEPROM or what stands for it (board.h has its bytes).
 *
 * What is stored is not the counter but a limit: after a reset the counter continues from there, so that the storage is
 * written once for many frames, and always before the first of them. A counter has eight slots, used in turn. A slot is
 * the limit, little-endian, and behind it its complement: a write that was cut short leaves the old slot, the new one or
 * an invalid one, and never a wrong limit. Limits only grow, so that the largest is the newest. */
#ifndef STORAGE_H
#define STORAGE_H

#include <stdint.h>

enum { COUNTER_SLOTS = 8, COUNTER_SLOT_BYTES = 8, COUNTER_BYTES = COUNTER_SLOTS * COUNTER_SLOT_BYTES };

/* No counter gets there: frames with it are invalid (IEEE 802.15.4-2006, 7.5.8.2). */
#define COUNTER_END UINT32_MAX

typedef enum counter_error {
    COUNTER_OK,
    COUNTER_EXHAUSTED = -1, /* all values are used up: a new key is needed */
    COUNTER_STORAGE = -2    /* nothing valid is stored though something was, or nothing can be written */
} counter_error;

typedef struct counter {
    uint32_t next;    /* the first value that is unused */
    uint32_t limit;   /* stored: values from here on need a write first */
    uint16_t place;   /* of its first byte in the storage */
    uint16_t reserve; /* values for which one write is enough; after a reset up to so many are skipped */
    uint8_t slot;     /* the newest */
} counter;

/* Reads a counter after a reset. Where the storage is blank (all bytes 0xff) it is made ready, and the counter starts at 0.
 * place: of COUNTER_BYTES bytes in the storage. reserve: from 1. Errors: STORAGE. */
counter_error counter_load(counter *c, uint16_t place, uint16_t reserve);

/* Uses up all values up to this one, which must not be below next: once it has returned OK, none of them will be unused
 * again, whatever happens. Errors, which change nothing: EXHAUSTED, STORAGE. */
counter_error counter_use(counter *c, uint32_t value);

#endif
