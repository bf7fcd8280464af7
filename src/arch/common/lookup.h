/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tables of constants. Declared with RUNNEL_FLASH and read with the functions below, they stay in flash where
 * constants would otherwise take up RAM (AVR); elsewhere nothing changes.
 *
 * runnel_find8 and runnel_find32 return entry number index by reading the whole table: constant time on every
 * processor, for tables indexed by secrets. On AVR the table must be in RAM: not RUNNEL_FLASH. */
#ifndef RUNNEL_ARCH_COMMON_LOOKUP_H
#define RUNNEL_ARCH_COMMON_LOOKUP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVR__)
#include <avr/pgmspace.h>
#define RUNNEL_FLASH PROGMEM
static inline uint8_t runnel_flash8(const uint8_t *p)
{
    return pgm_read_byte(p);
}
static inline uint16_t runnel_flash16(const uint16_t *p)
{
    return pgm_read_word(p);
}
static inline uint32_t runnel_flash32(const uint32_t *p)
{
    return pgm_read_dword(p);
}
#else
#define RUNNEL_FLASH
static inline uint8_t runnel_flash8(const uint8_t *p)
{
    return *p;
}
static inline uint16_t runnel_flash16(const uint16_t *p)
{
    return *p;
}
static inline uint32_t runnel_flash32(const uint32_t *p)
{
    return *p;
}
#endif

/* All ones if a == b, else 0; without a branch. */
static inline uint32_t runnel_equal_mask(uint32_t a, uint32_t b)
{
    const uint32_t differ = a ^ b;
    return ((differ | (0u - differ)) >> 31) - 1u;
}

static inline uint8_t runnel_find8(const uint8_t *table, size_t entries, uint32_t index)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < entries; i++)
        found |= table[i] & runnel_equal_mask(i, index);
    return (uint8_t)found;
}

static inline uint32_t runnel_find32(const uint32_t *table, size_t entries, uint32_t index)
{
    uint32_t found = 0, i = 0;
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON))
    typedef uint32_t four __attribute__((vector_size(16)));
    const four wanted = {index, index, index, index};
    four numbers = {0, 1, 2, 3}, both = {0};
    for (; i + 4 <= entries; i += 4) {
        four read;
        memcpy(&read, table + i, sizeof read);
        both |= read & (four)(numbers == wanted); /* all ones where they are equal */
        numbers += 4;
    }
    found = both[0] | both[1] | both[2] | both[3];
#endif
    for (; i < entries; i++)
        found |= table[i] & runnel_equal_mask(i, index);
    return found;
}

#endif
