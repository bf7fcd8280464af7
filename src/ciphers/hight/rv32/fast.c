/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HIGHT for RV32 in bit slices, sixteen counter blocks at once; few blocks, and blocks that are not counters, one by
 * one. */
#include "block.h"

#if RUNNEL_RV32 && RUNNEL_HIGHT_SLICED_WORDS

#include "arch/common/bytes.h"
#include "fast_sliced.h"

#define GROUP 16
#define WORTH 7 /* from so many blocks on, one by one is slower */
#define EVEN 0x00ff00ffu

#if defined(__GNUC__) && !defined(__clang__)
#define UNROLLED _Pragma("GCC unroll 8")
#else
#define UNROLLED
#endif

/* The planes of two bytes, which are the same in all blocks. */
static void hight_spread(uint32_t planes[8], uint32_t pair)
{
    UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t bits = pair >> i & 0x00010001;
        planes[i] = (bits << 16) - bits;
    }
}

static inline uint32_t hight_exchange_halves(uint32_t x)
{
    return x << 16 | x >> 16;
}

static void hight_set_key(void *state, const uint8_t *key, size_t key_bytes)
{
    runnel_hight_rv32_set_key(state, key, key_bytes);
    runnel_hight_schedule *schedule = state;
    uint32_t *planes = schedule->sliced;
    for (unsigned round = 0; round < 32; round++, planes += 16) {
        const uint32_t word = runnel_load32le(schedule->subkeys + 4 * round);
        /* In every second of four rounds the assembly XORs this key before it exchanges the halves. */
        hight_spread(planes, round % 4 == 1 ? hight_exchange_halves(word & EVEN) : word & EVEN);
        hight_spread(planes + 8, word >> 8 & EVEN);
    }
    const uint32_t word = runnel_load32le(schedule->whitening + 4);
    hight_spread(planes, word & EVEN);
    hight_spread(planes + 8, word >> 8 & EVEN);
}

/* x twice in each half, to be shifted */
static inline uint32_t hight_twice(uint32_t x)
{
    return x | x << 8;
}

/* F0 of the pair plus the round's key. */
static inline uint32_t hight_f0_and_key(uint32_t x, uint32_t key)
{
    x = hight_twice(x);
    return (((x >> 7 ^ x >> 6 ^ x >> 1) & EVEN) + (key >> 8 & EVEN)) & EVEN;
}

/* Bytes of a pair after round 1, except for what the counter's last byte XORs; bytes 2 and 6 after round 2. */
static void hight_first_rounds(uint32_t pairs[4], const runnel_hight_schedule *schedule, const uint8_t *block)
{
    const uint32_t whitening = runnel_load32le(schedule->whitening), key = runnel_load32le(schedule->subkeys);
    for (unsigned i = 0; i < 4; i++)
        pairs[i] = block[i] | (i == 3 ? 0 : (uint32_t)block[i + 4] << 16);
    pairs[0] = (pairs[0] + (whitening & EVEN)) & EVEN;
    pairs[2] ^= whitening >> 8 & EVEN;
    const uint32_t x0 = hight_twice(pairs[0]);
    pairs[1] = (pairs[1] + (((x0 >> 5 ^ x0 >> 4 ^ x0 >> 2) ^ key) & EVEN)) & EVEN;
    pairs[3] ^= hight_f0_and_key(pairs[2], key);
    pairs[2] ^= hight_f0_and_key(pairs[1], runnel_load32le(schedule->subkeys + 4));
}

/* XORs a byte that counts from block to block into byte 7. */
static void hight_count(uint32_t planes[8], const uint32_t base[8], uint32_t byte)
{
    static const uint16_t numbers[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
    uint32_t carry = 0;
    UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t number = i < 4 ? numbers[i] : 0, bit = 0u - (byte >> i & 1);
        planes[i] = base[i] ^ (number ^ bit ^ carry) << 16;
        carry = (number & bit) | (carry & (number | bit));
    }
}

static void hight_ctr32(const void *state, void *prefix, const uint8_t *block, uint8_t *out, const uint8_t *in,
                        size_t nblocks)
{
    const runnel_hight_schedule *schedule = state;
    uint8_t first[8];
    memcpy(first, block, 8);
    uint32_t number = runnel_load32be(block + 4);
    hight_rv32_group group;
    group.keys = schedule->sliced;
    uint32_t base[8], pairs[4];
    size_t in_run = 0; /* blocks until byte 6 moves; 0: the planes are not set */
    /* Not with run_bits: that takes 0.2 % longer for 4 KiB, two runs. */
    while (nblocks > 0) {
        const size_t most = in_run ? in_run : 256 - (number & 0xff), here = nblocks < most ? nblocks : most;
        const size_t n = here < GROUP ? here : GROUP;
        runnel_store32be(first + 4, number);
        if (n < WORTH) {
            runnel_hight_rv32_ctr32(state, prefix, first, out, in, n);
        } else {
            if (in_run == 0) {
                hight_first_rounds(pairs, schedule, first);
                for (unsigned i = 0; i < 3; i++)
                    hight_spread(group.planes[i], pairs[i]);
                hight_spread(base, pairs[3]);
            }
            hight_count(group.planes[3], base, number);
            if (n == GROUP && in != NULL && (((uintptr_t)out | (uintptr_t)in) & 3) == 0) {
                runnel_hight_rv32_sixteen(&group, out, in);
            } else {
                uint32_t keystream[2 * GROUP];
                uint8_t *const bytes = (uint8_t *)keystream;
                runnel_wipe_words(keystream, 2 * GROUP);
                runnel_hight_rv32_sixteen(&group, bytes, bytes);
                runnel_xor_bytes(out, in, bytes, 8 * n);
                runnel_wipe_words(keystream, 2 * GROUP);
            }
            in_run = most;
        }
        if (in_run)
            in_run -= n;
        number += (uint32_t)n;
        out += 8 * n;
        in = in == NULL ? NULL : in + 8 * n;
        nblocks -= n;
    }
    runnel_wipe_words(group.planes[0], 4 * 8);
    runnel_wipe_words(base, 8);
    runnel_wipe_words(pairs, 4);
}

static void hight_encrypt_blocks(const void *state, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint32_t x[2];
    for (; nblocks > 0; nblocks--, in += 8, out += 8) {
        memcpy(x, in, 8);
        runnel_hight_rv32_block(state, x, x);
        memcpy(out, x, 8);
    }
    runnel_wipe_words(x, 2);
}

const runnel_kernel runnel_hight_rv32 = {
    .name = RUNNEL_TEXT("rv32"),
    .citation = RUNNEL_TEXT("TTAS.KO-12.0040; sixteen blocks in bit slices"),
    .kind = RUNNEL_KIND_BLOCK,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = hight_set_key,
    .block = {.encrypt_blocks = hight_encrypt_blocks, .ctr32 = hight_ctr32},
};

#endif
