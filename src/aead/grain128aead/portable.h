/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Grain-128AEADv2, up to 32 clocks at a time: the highest tap is bit 96. A bit of the message takes two clocks, the first
 * for the keystream, the second for the MAC. */
#ifndef GRAIN128AEAD_PORTABLE_H
#define GRAIN128AEAD_PORTABLE_H

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "arch/common/inline.h"
#include "arch/common/interleave.h"
#include "grain128aead.h"

#define KERNEL "portable"
#define CITATION "Grain-128AEADv2, 32 clocks at a time"

#if defined(__GNUC__)
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define UNROLLED
#endif

/* The 32 bits of a register from bit i on. */
RUNNEL_INLINE uint32_t grain128aead_from(const uint64_t *r, unsigned i)
{
    if (i % 64 == 0)
        return (uint32_t)r[i / 64];
    if (i >= 64 || i <= 32)
        return (uint32_t)(r[i / 64] >> i % 64);
    return (uint32_t)(r[0] >> i | r[1] << (64 - i));
}

RUNNEL_INLINE void grain128aead_push(uint64_t *r, uint32_t bits, unsigned clocks)
{
    r[0] = r[0] >> clocks | r[1] << (64 - clocks);
    r[1] = r[1] >> clocks | (uint64_t)bits << (64 - clocks);
}

/* Clocks both registers, 16 or 32 times, and returns the output, the first bit lowest. `output` has ones where the output
 * goes back into the registers; nfsr and lfsr are added to their new bits. */
RUNNEL_INLINE uint32_t grain128aead_run(runnel_grain128aead *c, unsigned clocks, uint32_t output, uint32_t nfsr,
                                        uint32_t lfsr)
{
    const uint64_t *b = c->nfsr, *s = c->lfsr;
    const uint32_t b12 = grain128aead_from(b, 12), b95 = grain128aead_from(b, 95);
    uint32_t y = (b12 & grain128aead_from(s, 8)) ^ (grain128aead_from(s, 13) & grain128aead_from(s, 20)) ^
                 (b95 & grain128aead_from(s, 42)) ^ (grain128aead_from(s, 60) & grain128aead_from(s, 79)) ^
                 (b12 & b95 & grain128aead_from(s, 94));
    y ^= grain128aead_from(s, 93) ^ grain128aead_from(b, 2) ^ grain128aead_from(b, 15) ^ grain128aead_from(b, 36) ^
         grain128aead_from(b, 45) ^ grain128aead_from(b, 64) ^ grain128aead_from(b, 73) ^ grain128aead_from(b, 89);
    lfsr ^= grain128aead_from(s, 0) ^ grain128aead_from(s, 7) ^ grain128aead_from(s, 38) ^ grain128aead_from(s, 70) ^
            grain128aead_from(s, 81) ^ grain128aead_from(s, 96);
    nfsr ^= grain128aead_from(s, 0) ^ grain128aead_from(b, 0) ^ grain128aead_from(b, 26) ^ grain128aead_from(b, 56) ^
            grain128aead_from(b, 91) ^ grain128aead_from(b, 96);
    nfsr ^=
        (grain128aead_from(b, 3) & grain128aead_from(b, 67)) ^ (grain128aead_from(b, 11) & grain128aead_from(b, 13)) ^
        (grain128aead_from(b, 17) & grain128aead_from(b, 18)) ^ (grain128aead_from(b, 27) & grain128aead_from(b, 59)) ^
        (grain128aead_from(b, 40) & grain128aead_from(b, 48)) ^ (grain128aead_from(b, 61) & grain128aead_from(b, 65)) ^
        (grain128aead_from(b, 68) & grain128aead_from(b, 84));
    nfsr ^= (grain128aead_from(b, 88) & grain128aead_from(b, 92) & grain128aead_from(b, 93) & b95) ^
            (grain128aead_from(b, 22) & grain128aead_from(b, 24) & grain128aead_from(b, 25)) ^
            (grain128aead_from(b, 70) & grain128aead_from(b, 78) & grain128aead_from(b, 82));
    grain128aead_push(c->nfsr, nfsr ^ (y & output), clocks);
    grain128aead_push(c->lfsr, lfsr ^ (y & output), clocks);
    return y;
}

/* Adds the bits of text to the MAC, 8 or 16, whose bits of the shift register are `next`. */
#if RUNNEL_RV32
/* Adds the register's words where all bits of `bit` are ones. */
RUNNEL_INLINE void grain128aead_add_where(uint32_t sum[3], const uint32_t words[3], uint32_t bit)
{
    sum[0] ^= words[0] & bit;
    sum[1] ^= words[1] & bit;
    sum[2] ^= words[2] & bit;
}

/* Bits four apart use the register moved by four at a time; their sums are moved by what is left. */
RUNNEL_INLINE void grain128aead_add_bits(runnel_grain128aead *c, uint32_t text, uint32_t next, unsigned bits)
{
    uint32_t words[3] = {(uint32_t)c->shift, (uint32_t)(c->shift >> 32), next}, sums[4][3] = {{0}};
    UNROLLED
    for (unsigned i = 0; i < bits; i += 4) {
        UNROLLED
        for (unsigned j = 0; j < 4; j++)
            grain128aead_add_where(sums[j], words,
                                   runnel_value_barrier32((uint32_t)((int32_t)(text << (31 - i - j)) >> 31)));
        words[0] = words[0] >> 4 | words[1] << 28;
        words[1] = words[1] >> 4 | words[2] << 28;
        words[2] >>= 4;
    }
    c->shift = (uint64_t)words[1] << 32 | words[0];
    UNROLLED
    for (unsigned j = 1; j < 4; j++) {
        sums[0][0] ^= sums[j][0] >> j | sums[j][1] << (32 - j);
        sums[0][1] ^= sums[j][1] >> j | sums[j][2] << (32 - j);
    }
    c->sum ^= (uint64_t)sums[0][1] << 32 | sums[0][0];
}
#else
RUNNEL_INLINE void grain128aead_add_bits(runnel_grain128aead *c, uint32_t text, uint32_t next, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        const uint64_t bit = (uint64_t)0 - runnel_value_barrier32(text >> i & 1);
        c->sum ^= c->shift & bit;
        c->shift = c->shift >> 1 | (uint64_t)(next >> i & 1) << 63;
    }
}
#endif

/* On RV32 one copy, which has the registers for itself, is faster than two. */
#if RUNNEL_RV32
#define ONE_COPY static RUNNEL_NOINLINE
#else
#define ONE_COPY RUNNEL_INLINE
#endif

/* Two bytes of the message or one, encrypted or decrypted; or of what is only authenticated: then `used` is 0, and their
 * keystream is dropped. */
RUNNEL_INLINE uint32_t grain128aead_take(runnel_grain128aead *c, uint32_t in, unsigned bytes, uint32_t used,
                                         int decrypt)
{
    const uint32_t mask = bytes == 2 ? 0xffff : 0xff;
    const uint32_t pairs = runnel_separate_bits(grain128aead_run(c, 16 * bytes, 0, 0, 0));
    const uint32_t out = in ^ (pairs & used & mask);
    grain128aead_add_bits(c, decrypt ? out : in, pairs >> 16, 8 * bytes);
    return out;
}

ONE_COPY uint32_t grain128aead_take_two(runnel_grain128aead *c, uint32_t in, uint32_t used, int decrypt)
{
    return grain128aead_take(c, in, 2, used, decrypt);
}

ONE_COPY uint32_t grain128aead_take_one(runnel_grain128aead *c, uint32_t in, uint32_t used, int decrypt)
{
    return grain128aead_take(c, in, 1, used, decrypt);
}

static void grain128aead_begin(runnel_grain128aead *c, const uint8_t *nonce)
{
    c->nfsr[0] = c->key[0];
    c->nfsr[1] = c->key[1];
    c->lfsr[0] = runnel_load64le(nonce);
    c->lfsr[1] = runnel_load32le(nonce + 8) | (uint64_t)0x7fffffff << 32;
    for (unsigned i = 0; i < 10; i++)
        grain128aead_run(c, 32, UINT32_MAX, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        grain128aead_run(c, 32, UINT32_MAX, (uint32_t)(c->key[0] >> 32 * i), (uint32_t)(c->key[1] >> 32 * i));
    c->sum = grain128aead_run(c, 32, 0, 0, 0);
    c->sum |= (uint64_t)grain128aead_run(c, 32, 0, 0, 0) << 32;
    c->shift = grain128aead_run(c, 32, 0, 0, 0);
    c->shift |= (uint64_t)grain128aead_run(c, 32, 0, 0, 0) << 32;
}

static void grain128aead_authenticate(runnel_grain128aead *c, const uint8_t *data, size_t bytes)
{
    for (; bytes >= 2; bytes -= 2, data += 2)
        grain128aead_take_two(c, data[0] | (uint32_t)data[1] << 8, 0, 0);
    if (bytes > 0)
        grain128aead_take_one(c, data[0], 0, 0);
}

static void grain128aead_encrypt_or_decrypt(runnel_grain128aead *c, uint8_t *out, const uint8_t *in, size_t bytes,
                                            int decrypt)
{
    for (; bytes >= 2; bytes -= 2, in += 2, out += 2) {
        const uint32_t two = grain128aead_take_two(c, in[0] | (uint32_t)in[1] << 8, UINT32_MAX, decrypt);
        out[0] = (uint8_t)two;
        out[1] = (uint8_t)(two >> 8);
    }
    if (bytes > 0)
        *out = (uint8_t)grain128aead_take_one(c, *in, UINT32_MAX, decrypt);
}

#endif
