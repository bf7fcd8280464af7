/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py with plain accesses at secret indices: constant-time only where there is no data cache. */
#include "kernels.h"

static inline uint8_t py_permuted(uint8_t i)
{
    return runnel_flash8(runnel_py_permutation + i);
}

static inline uint8_t py_byte(const uint8_t *p, uint8_t i)
{
    return p[i];
}

static inline void py_exchange(uint8_t *p, uint8_t i, uint8_t j)
{
    const uint8_t at_i = p[i];
    p[i] = p[j];
    p[j] = at_i;
}

static inline uint32_t py_word(const uint32_t *y, uint16_t i)
{
    return y[i];
}

static inline void py_put_word(uint32_t *y, uint16_t i, uint32_t word)
{
    y[i] = word;
}

#include "steps.h"

const runnel_kernel runnel_py_table = {
    .name = RUNNEL_TEXT("table"),
    .citation = RUNNEL_TEXT("the rolling arrays as rings"),
    .kind = RUNNEL_KIND_STREAM,
    .timing = RUNNEL_SECRET_INDEXED,
    .key = py_set_key,
    .stream = {.iv = py_set_iv, .xor_blocks = py_xor_blocks},
};
