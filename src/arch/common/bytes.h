/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loads, stores and XOR of bytes at any alignment. */
#ifndef RUNNEL_ARCH_COMMON_BYTES_H
#define RUNNEL_ARCH_COMMON_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <runnel/config.h>

#include "arch/common/inline.h"

static inline uint32_t runnel_load32le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t runnel_load32be(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

static inline void runnel_store32le(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

static inline void runnel_store32be(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static inline uint64_t runnel_load64le(const uint8_t *p)
{
    return (uint64_t)runnel_load32le(p) | (uint64_t)runnel_load32le(p + 4) << 32;
}

static inline uint64_t runnel_load64be(const uint8_t *p)
{
    return (uint64_t)runnel_load32be(p) << 32 | (uint64_t)runnel_load32be(p + 4);
}

static inline void runnel_store64le(uint8_t *p, uint64_t v)
{
#if RUNNEL_WORD_BITS == 64 && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(p, &v, 8); /* of eight bytes one by one gcc makes up to forty instructions */
#else
    runnel_store32le(p, (uint32_t)v);
    runnel_store32le(p + 4, (uint32_t)(v >> 32));
#endif
}

static inline void runnel_store64be(uint8_t *p, uint64_t v)
{
    runnel_store32be(p, (uint32_t)(v >> 32));
    runnel_store32be(p + 4, (uint32_t)v);
}

/* As runnel_store64be, in one store even where gcc 12 makes eight of that: a load of all eight bytes need not wait. */
static inline void runnel_store64be_at_once(uint8_t *p, uint64_t v)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
#else
    runnel_store64be(p, v);
#endif
}

static inline uint32_t runnel_rotl32(uint32_t v, unsigned n)
{
    return v << n | v >> (32 - n); /* 1 <= n <= 31 */
}

/* Word number i of out = that of in XOR keystream; in == NULL stores the keystream. */
static inline void runnel_xor32le(uint8_t *out, const uint8_t *in, unsigned i, uint32_t keystream)
{
    runnel_store32le(out + 4 * i, in == NULL ? keystream : keystream ^ runnel_load32le(in + 4 * i));
}

static inline void runnel_xor64le(uint8_t *out, const uint8_t *in, unsigned i, uint64_t keystream)
{
    runnel_store64le(out + 8 * i, in == NULL ? keystream : keystream ^ runnel_load64le(in + 8 * i));
}

/* Sixteen bytes at a time, where the compiler has registers for them. */
#if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON))
#define RUNNEL_TWO_WORDS 1
typedef uint64_t runnel_two_words __attribute__((vector_size(16)));
#else
#define RUNNEL_TWO_WORDS 0
#endif

/* out = in XOR keystream; in == NULL copies the keystream. in may equal out. */
static RUNNEL_AVR_NOINLINE void runnel_xor_bytes(uint8_t *out, const uint8_t *in, const uint8_t *keystream,
                                                 size_t bytes)
{
    if (in == NULL) {
        memcpy(out, keystream, bytes);
        return;
    }
    size_t i = 0;
#if RUNNEL_TWO_WORDS
    for (; i + 16 <= bytes; i += 16) {
        runnel_two_words a, b;
        memcpy(&a, in + i, 16);
        memcpy(&b, keystream + i, 16);
        a ^= b;
        memcpy(out + i, &a, 16);
    }
#endif
#if defined(__riscv) && __riscv_xlen == 32 /* which may not load words from everywhere, and else moves bytes */
    typedef uint32_t __attribute__((may_alias)) word;
    if ((((uintptr_t)out | (uintptr_t)in | (uintptr_t)keystream) & 3) == 0)
        for (; i + 4 <= bytes; i += 4)
            *(word *)(out + i) = *(const word *)(in + i) ^ *(const word *)(keystream + i);
#elif UINTPTR_MAX > 0xffff
    for (; i + 8 <= bytes; i += 8) {
        uint64_t a, b;
        memcpy(&a, in + i, 8);
        memcpy(&b, keystream + i, 8);
        a ^= b;
        memcpy(out + i, &a, 8);
    }
#endif
    for (; i < bytes; i++)
        out[i] = (uint8_t)(in[i] ^ keystream[i]);
}

#endif
