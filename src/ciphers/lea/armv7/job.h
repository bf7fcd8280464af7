/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between the C and the assembly of the kernel on NEON. */
#ifndef RUNNEL_LEA_ARMV7_H
#define RUNNEL_LEA_ARMV7_H

#include <stddef.h>
#include <stdint.h>

/* neon_rounds.S: groups of eight blocks. */
void runnel_lea_armv7_encrypt(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups);
/* From a counter block on, whose last word counts, big-endian. numbers: 0 to 7. */
void runnel_lea_armv7_count(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in, size_t ngroups,
                            const uint8_t *block, const uint32_t *numbers);
/* The same where the first word counts, little-endian. */
void runnel_lea_armv7_count_little(const uint32_t *words, size_t rounds, uint8_t *out, const uint8_t *in,
                                   size_t ngroups, const uint8_t *block, const uint32_t *numbers);

#endif
