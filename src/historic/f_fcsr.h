/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One clock of the F-FCSR generators: a register m that shifts down, with a carry bit c beside every cell that the
 * feedback d reaches. All cells of a word are clocked at once, words from the lowest to the highest. On AVR the words
 * are bytes: AVR is little-endian, so the register lies the same in memory. */
#ifndef RUNNEL_HISTORIC_F_FCSR_H
#define RUNNEL_HISTORIC_F_FCSR_H

#include <stdint.h>

#if defined(__AVR__)
typedef uint8_t runnel_f_fcsr_cells;
enum { RUNNEL_F_FCSR_CELLS = 8 };
#else
typedef uint32_t runnel_f_fcsr_cells;
enum { RUNNEL_F_FCSR_CELLS = 32 };
#endif

/* The cells that the output is filtered from: the cells under the mask d, words of even and of odd number XORed
 * apart. */
typedef struct runnel_f_fcsr_filter {
    runnel_f_fcsr_cells even, odd;
} runnel_f_fcsr_filter;

/* Clocks the cells *m; above is the word above them, fed all ones if the register's lowest bit was 1. Returns the new
 * cells under d. */
static inline runnel_f_fcsr_cells runnel_f_fcsr_clock_cells(runnel_f_fcsr_cells *m, runnel_f_fcsr_cells *c,
                                                            runnel_f_fcsr_cells above, runnel_f_fcsr_cells d,
                                                            runnel_f_fcsr_cells fed)
{
    const runnel_f_fcsr_cells shifted = (runnel_f_fcsr_cells)(*m >> 1 | above << (RUNNEL_F_FCSR_CELLS - 1));
    const runnel_f_fcsr_cells carry = *c, sum = shifted ^ carry, feedback = d & fed;
    *c = (runnel_f_fcsr_cells)((shifted & carry) ^ (sum & feedback));
    *m = sum ^ feedback;
    return *m & d;
}

/* The same for the 32 cells of word number i. The word above the highest one is 0 and stays so. */
static inline void runnel_f_fcsr_clock_word(uint32_t *m, uint32_t *c, unsigned i, uint32_t d, runnel_f_fcsr_cells fed,
                                            runnel_f_fcsr_filter *filter)
{
#if defined(__AVR__)
    uint8_t *const mi = (uint8_t *)(m + i), *const ci = (uint8_t *)(c + i);
    filter->even ^= runnel_f_fcsr_clock_cells(mi, ci, mi[1], (uint8_t)d, fed);
    filter->odd ^= runnel_f_fcsr_clock_cells(mi + 1, ci + 1, mi[2], (uint8_t)(d >> 8), fed);
    filter->even ^= runnel_f_fcsr_clock_cells(mi + 2, ci + 2, mi[3], (uint8_t)(d >> 16), fed);
    filter->odd ^= runnel_f_fcsr_clock_cells(mi + 3, ci + 3, mi[4], (uint8_t)(d >> 24), fed);
#else
    filter->even ^= runnel_f_fcsr_clock_cells(m + i, c + i, m[i + 1], d, fed);
#endif
}

/* All ones if the lowest bit of the register is 1. */
static inline runnel_f_fcsr_cells runnel_f_fcsr_fed(const uint32_t *m)
{
    return (runnel_f_fcsr_cells)(0 - (runnel_f_fcsr_cells)(m[0] & 1));
}

/* Returns the output word of 16 bits. */
static inline uint16_t runnel_f_fcsr_fold16(const runnel_f_fcsr_filter *filter)
{
#if defined(__AVR__)
    return (uint16_t)(filter->even | (uint16_t)filter->odd << 8);
#else
    return (uint16_t)(filter->even ^ filter->even >> 16);
#endif
}

/* Returns the output word of 8 bits. */
static inline uint8_t runnel_f_fcsr_fold8(const runnel_f_fcsr_filter *filter)
{
#if defined(__AVR__)
    return filter->even ^ filter->odd;
#else
    const uint16_t both = runnel_f_fcsr_fold16(filter);
    return (uint8_t)(both ^ both >> 8);
#endif
}

#endif
