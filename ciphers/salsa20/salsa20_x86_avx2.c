/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Salsa20 on 256-bit registers: eight blocks with one register a state word; two blocks a set of four registers, one a
 * diagonal, where there are few; and a last single block in the integer registers. */
#include "../../core/x86_words.h"
#include "salsa20_kernels.h"

#if RUNNEL_X86_64

#include "salsa20_x86_rounds.h"

#define TARGET RUNNEL_TARGET("avx2")

#define ADD _mm256_add_epi32
#define XOR _mm256_xor_si256
#define XOR_ROTL(a, b, n) xor_rotl(a, b, n)
#define SHUFFLE _mm256_shuffle_epi32
#define PICK(a, b, c, d)                                                                                               \
    _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x22), _mm256_blend_epi32(c, d, 0x88), 0xcc)

#define BROADCAST(i) _mm256_set1_epi32((int)w[i])

TARGET RUNNEL_INLINE __m256i xor_rotl(__m256i a, __m256i b, const int n)
{
    return XOR(XOR(a, _mm256_slli_epi32(b, n)), _mm256_srli_epi32(b, 32 - n));
}

/* The low and high words of eight counters from index on. */
TARGET RUNNEL_INLINE void make_counters(uint64_t index, __m256i *low, __m256i *high)
{
    const __m256i sign = _mm256_set1_epi32(INT32_MIN);
    const __m256i first = _mm256_set1_epi32((int)(uint32_t)index);
    *low = ADD(first, _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    const __m256i carry = _mm256_cmpgt_epi32(XOR(first, sign), XOR(*low, sign)); /* 0 or -1 */
    *high = _mm256_sub_epi32(_mm256_set1_epi32((int)(uint32_t)(index >> 32)), carry);
}

/* Puts two of the words, which are not needed for half a round, aside in memory and takes the two that lie there. The
 * sixteen registers hold fourteen words and leave two for the rotations; a compiler's own choice costs more. */
#define EXCHANGE(out0, out1, in0, in1)                                                                                 \
    do {                                                                                                               \
        in0 = parked[0], parked[0] = out0;                                                                             \
        in1 = parked[1], parked[1] = out1;                                                                             \
    } while (0)

/* 1 to 8 blocks. */
TARGET static void xor_words(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                             size_t nblocks)
{
    const uint32_t *w = s->words;
    __m256i low, high;
    make_counters(index, &low, &high);
    __m256i x[16] = {BROADCAST(0),  BROADCAST(1),  BROADCAST(2),  BROADCAST(3),  BROADCAST(4),  BROADCAST(5),
                     BROADCAST(6),  BROADCAST(7),  low,           high,          BROADCAST(10), BROADCAST(11),
                     BROADCAST(12), BROADCAST(13), BROADCAST(14), BROADCAST(15)};
    volatile __m256i parked[2];
    parked[0] = x[6], parked[1] = x[7];
    for (uint32_t round = s->rounds; round > 0; round -= 2) {
        COLUMNS_01(x);
        EXCHANGE(x[8], x[9], x[6], x[7]);
        COLUMNS_23(x);
        ROWS_01(x);
        EXCHANGE(x[6], x[7], x[8], x[9]);
        ROWS_23(x);
    }
    x[6] = parked[0], x[7] = parked[1];
    parked[0] = parked[1] = _mm256_setzero_si256();
    RUNNEL_FORGET(w);
    RUNNEL_FORGET(index);
    make_counters(index, &low, &high);
#define ADD_INPUT(i) x[i] = ADD(x[i], BROADCAST(i))
    ADD_INPUT(0), ADD_INPUT(1), ADD_INPUT(2), ADD_INPUT(3), ADD_INPUT(4), ADD_INPUT(5), ADD_INPUT(6), ADD_INPUT(7);
    ADD_INPUT(10), ADD_INPUT(11), ADD_INPUT(12), ADD_INPUT(13), ADD_INPUT(14), ADD_INPUT(15);
    x[8] = ADD(x[8], low), x[9] = ADD(x[9], high);
    runnel_put_words256(out, in, nblocks, x);
}

/* 1 to 4 blocks. */
TARGET static void xor_rows(const runnel_salsa20_state *s, uint64_t index, uint8_t *out, const uint8_t *in,
                            size_t nblocks)
{
    const uint32_t *w = s->words;
    /* The IV is read as it was written a moment ago, in 8 bytes, so that it comes straight from the store. */
    const __m128i iv = _mm_loadl_epi64((const void *)(w + 6)), counter = _mm_cvtsi64_si128((long long)index);
    const __m256i r0 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w));
    const __m256i r1 =
        _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(w + 4)), iv));
    const __m256i r2 = _mm256_add_epi64(
        _mm256_broadcastsi128_si256(_mm_unpacklo_epi64(counter, _mm_loadl_epi64((const void *)(w + 10)))),
        _mm256_set_epi64x(0, 1, 0, 0));
    const __m256i r3 = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(w + 12)));
    __m256i a = DIAGONAL0(r0, r1, r2, r3), b = DIAGONAL1(r0, r1, r2, r3);
    __m256i c = DIAGONAL2(r0, r1, r2, r3), d = DIAGONAL3(r0, r1, r2, r3);
    if (nblocks <= 2) {
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            TURN(__m256i, b, c, d);
        }
    } else {
        const __m256i r2_next = _mm256_add_epi64(r2, _mm256_set_epi64x(0, 2, 0, 2));
        __m256i e = a, f = DIAGONAL1(r0, r1, r2_next, r3), g = DIAGONAL2(r0, r1, r2_next, r3), h = d;
        for (uint32_t round = s->rounds; round > 0; round--) {
            QUARTER_ROUND(a, b, c, d);
            QUARTER_ROUND(e, f, g, h);
            TURN(__m256i, b, c, d);
            TURN(__m256i, f, g, h);
        }
        runnel_put_rows256(out, in, 2, 1, nblocks, ADD(ROW0(e, f, g, h), r0), ADD(ROW1(e, f, g, h), r1),
                           ADD(ROW2(e, f, g, h), r2_next), ADD(ROW3(e, f, g, h), r3));
    }
    runnel_put_rows256(out, in, 0, 1, nblocks, ADD(ROW0(a, b, c, d), r0), ADD(ROW1(a, b, c, d), r1),
                       ADD(ROW2(a, b, c, d), r2), ADD(ROW3(a, b, c, d), r3));
}

static void xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    while (nblocks > 0) {
        size_t n = nblocks < 8 ? nblocks : 8;
        if (n > 4)
            xor_words(state, index, out, in, n);
        else if (n > 1)
            xor_rows(state, index, out, in, n);
        else
            runnel_salsa20_xor_blocks(state, index, out, in, 1);
        index += n;
        out += SALSA20_BLOCK * n;
        if (in != NULL)
            in += SALSA20_BLOCK * n;
        nblocks -= n;
    }
}

const runnel_kernel runnel_salsa20_x86_avx2 = {
    .name = "avx2",
    .source = "eight blocks in parallel; diagonals as in Bernstein's amd64-xmm implementations (2005)",
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_salsa20_set_key_20,
    .iv = runnel_salsa20_set_iv,
    .xor_blocks = xor_blocks,
};

#endif
