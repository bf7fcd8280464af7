/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "storage.h"

#include "board.h"

#include <stdbool.h>

typedef enum slot_state { BLANK, VALID, INVALID } slot_state;

static uint16_t place_of(const counter *c, uint8_t slot)
{
    return (uint16_t)(c->place + slot * COUNTER_SLOT_BYTES);
}

static slot_state read_slot(const counter *c, uint8_t slot, uint32_t *limit)
{
    const uint16_t at = place_of(c, slot);
    bool blank = true, valid = true;
    *limit = 0;
    for (uint8_t i = 0; i < 4; i++) {
        const uint8_t byte = storage_read((uint16_t)(at + i)), check = storage_read((uint16_t)(at + 4 + i));
        blank = blank && byte == 0xff && check == 0xff;
        valid = valid && (byte ^ check) == 0xff;
        *limit |= (uint32_t)byte << 8 * i;
    }
    return blank ? BLANK : valid ? VALID : INVALID;
}

/* All of the limit before its complement: see storage.h. */
static void write_slot(const counter *c, uint8_t slot, uint32_t limit)
{
    const uint16_t at = place_of(c, slot);
    for (uint8_t i = 0; i < 4; i++)
        storage_write((uint16_t)(at + i), (uint8_t)(limit >> 8 * i));
    for (uint8_t i = 0; i < 4; i++)
        storage_write((uint16_t)(at + 4 + i), (uint8_t)~(limit >> 8 * i));
}

/* Cells wear out: a slot that does not read as it was written is passed over. The newest is never overwritten. */
static counter_error store(counter *c, uint32_t limit)
{
    for (uint8_t tries = 1; tries < COUNTER_SLOTS; tries++) {
        const uint8_t slot = (uint8_t)((c->slot + tries) % COUNTER_SLOTS);
        uint32_t stored;
        write_slot(c, slot, limit);
        if (read_slot(c, slot, &stored) == VALID && stored == limit) {
            c->slot = slot;
            c->limit = limit;
            return COUNTER_OK;
        }
    }
    return COUNTER_STORAGE;
}

static uint32_t later(uint32_t value, uint32_t by)
{
    return value < COUNTER_END - by ? value + by : COUNTER_END;
}

counter_error counter_load(counter *c, uint16_t place, uint16_t reserve)
{
    unsigned written = 0, valid = 0, invalid = 0;
    *c = (counter){.place = place, .reserve = reserve};
    for (uint8_t slot = 0; slot < COUNTER_SLOTS; slot++) {
        uint32_t limit;
        const slot_state state = read_slot(c, slot, &limit);
        written += state != BLANK;
        invalid += state == INVALID;
        if (state == VALID && (valid++ == 0 || limit >= c->limit)) {
            c->limit = limit;
            c->slot = slot;
        }
    }
    /* One slot now and one by the first value: one alone is what a cut left of that. */
    if (written < 2 && c->limit == 0) {
        c->slot = COUNTER_SLOTS - 1;
        c->limit = 0;
        if (store(c, 0))
            return COUNTER_STORAGE;
        invalid = 0;
    } else if (valid == 0) {
        return COUNTER_STORAGE;
    }
    /* A damaged slot may have been the newest. */
    c->next = c->limit = invalid > 0 ? later(c->limit, reserve) : c->limit;
    return COUNTER_OK;
}

counter_error counter_use(counter *c, uint32_t value)
{
    if (value == COUNTER_END)
        return COUNTER_EXHAUSTED;
    if (value >= c->limit) {
        const counter_error error = store(c, later(value, c->reserve));
        if (error)
            return error;
    }
    c->next = value + 1;
    return COUNTER_OK;
}
