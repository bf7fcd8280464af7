/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef RUNNEL_BENCH_RANDOM_H
#define RUNNEL_BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The same sequence in every run, by splitmix64: measurements repeat, and nothing here is secret. */
static inline void random_bytes(uint8_t *out, size_t bytes)
{
    static uint64_t state;
    while (bytes-- > 0) {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        *out++ = (uint8_t)(z >> 56);
    }
}

#endif
