/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py in constant time: where an index is secret, every entry is read and a mask selects the right one. */
#include "kernels.h"

/* All ones if a == b, else 0; in bytes, so that compilers vectorise it. */
static inline uint8_t py_equal(uint8_t a, uint8_t b)
{
    const uint8_t differ = a ^ b;
    return (uint8_t)(((uint8_t)(differ | (0 - differ)) >> 7) - 1);
}

static RUNNEL_AVR_NOINLINE uint8_t py_byte(const uint8_t *p, uint8_t i)
{
    uint8_t found = 0;
    for (unsigned k = 0; k < 256; k++)
        found |= p[k] & py_equal((uint8_t)k, i);
    return found;
}

static RUNNEL_AVR_NOINLINE uint8_t py_permuted(uint8_t i)
{
    uint8_t found = 0;
    for (unsigned k = 0; k < 256; k++)
        found |= runnel_flash8(runnel_py_permutation + k) & py_equal((uint8_t)k, i);
    return found;
}

static inline void py_exchange(uint8_t *p, uint8_t i, uint8_t j)
{
    const uint8_t at_i = p[i];
    uint8_t at_j = 0;
    for (unsigned k = 0; k < 256; k++) {
        const uint8_t here = p[k], mask = py_equal((uint8_t)k, j);
        at_j |= here & mask;
        p[k] = here ^ ((here ^ at_i) & mask);
    }
    p[i] = at_j;
}

static RUNNEL_AVR_NOINLINE uint32_t py_word(const uint32_t *y, uint16_t i)
{
    return runnel_find32(y, 260, i);
}

static inline void py_put_word(uint32_t *y, uint16_t i, uint32_t word)
{
    y[i] = word;
}

#include "steps.h"

const runnel_kernel runnel_py_portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("the rolling arrays as rings, read as a whole at secret places"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = py_set_key,
    .stream = {.iv = py_set_iv, .xor_blocks = py_xor_blocks},
};
