/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK's keystream for one stream. What limits it is the chain through r1 and r2, three cycles a step at best: only
 * this runs on the integer units, with both sums computed before it is known which one is needed. The shift register runs
 * ahead of it in vectors, four words at a time, and the S-box follows, on eight blocks at once. Products by alpha are
 * linear in the byte that is shifted out: a byte shuffle looks up two of its bits for all four bytes of a word, with
 * products by alpha's inverse in the lower half of a register and by alpha in the upper. No secret is an address.
 *
 * The kernel that includes this defines TARGET; XOR3(size, a, b, c), a XOR b XOR c in vectors of 128 or 256 bits;
 * AND_OR(a, b, c), a & b | c in 256 bits; and S2(y0, y1, y2, y3), the S-box on vectors of 256 bits. */
#ifndef SOSEMANUK_X86_STREAM_H
#define SOSEMANUK_X86_STREAM_H

#include "ciphers/sosemanuk/kernels.h"
#include "ciphers/sosemanuk/serpent.h"

/* In blocks; from MANY on whole chunks take less time than so many blocks one by one. */
enum { SOSEMANUK_CHUNK = 8, SOSEMANUK_STEPS = 4 * SOSEMANUK_CHUNK, SOSEMANUK_MANY = 16 };

/* Operands of eight blocks; word t of each row belongs to step t. */
typedef struct sosemanuk_chunk {
    uint32_t s[12 + SOSEMANUK_STEPS]; /* the shift register before step t is s[t] to s[t + 9] */
    uint32_t odd[SOSEMANUK_STEPS];    /* s[t + 1] ^ s[t + 8], which is added instead of s[t + 1] if r1 is odd */
    uint32_t r1[SOSEMANUK_STEPS], r2[SOSEMANUK_STEPS];
} sosemanuk_chunk;

/* The shift register: words 0 to 3, 4 to 7 and 6 to 9; and products that are not yet used up. */
typedef struct sosemanuk_shift_register {
    __m128i s0, s4, s6, s0_by_alpha, s2_by_alpha, s2_over_alpha;
} sosemanuk_shift_register;

/* Products by alpha's inverse, from their lowest bytes to their highest, and by alpha: of the values of bits 0 and 1,
 * then of 2 and 3 …. */
static const uint8_t sosemanuk_products[4][32] = {
    {0x00, 0xcd, 0x33, 0xfe, 0x00, 0x40, 0x80, 0xc0, 0x00, 0x0f, 0x1e, 0x11, 0x00, 0x18, 0x30, 0x28,
     0x00, 0x13, 0x26, 0x35, 0x00, 0xcf, 0x37, 0xf8, 0x00, 0x9f, 0x97, 0x08, 0x00, 0xe1, 0x6b, 0x8a},
    {0x00, 0x66, 0xcc, 0xaa, 0x00, 0xa9, 0xfb, 0x52, 0x00, 0x3c, 0x78, 0x44, 0x00, 0x60, 0xc0, 0xa0,
     0x00, 0x4c, 0x98, 0xd4, 0x00, 0x6e, 0xdc, 0xb2, 0x00, 0x87, 0xa7, 0x20, 0x00, 0xd6, 0x05, 0xd3},
    {0x00, 0x31, 0x62, 0x53, 0x00, 0x5f, 0xbe, 0xe1, 0x00, 0xf0, 0x49, 0xb9, 0x00, 0x29, 0x52, 0x7b,
     0x00, 0x99, 0x9b, 0x02, 0x00, 0x11, 0x22, 0x33, 0x00, 0xe7, 0x67, 0x80, 0x00, 0x0a, 0x14, 0x1e},
    {0x00, 0xc4, 0x21, 0xe5, 0x00, 0xd5, 0x03, 0xd6, 0x00, 0x92, 0x8d, 0x1f, 0x00, 0xa4, 0xe1, 0x45,
     0x00, 0x9f, 0x97, 0x08, 0x00, 0x44, 0x88, 0xcc, 0x00, 0xce, 0x35, 0xfb, 0x00, 0x28, 0x50, 0x78},
};

TARGET RUNNEL_INLINE __m256i sosemanuk_product(unsigned i, __m256i values)
{
    const __m256i places = _mm256_set1_epi32(0x0c080400);
    return _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)sosemanuk_products[i]),
                               AND_OR(values, _mm256_set1_epi8(3), places));
}

/* Words over alpha, and the same times alpha. */
TARGET RUNNEL_INLINE __m256i sosemanuk_multiply(__m128i x)
{
    const __m256i shifted_out =
        _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, /* the lowest bytes, and the highest */
                         3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    const __m256i shift = _mm256_setr_epi8(1, 2, 3, -1, 5, 6, 7, -1, 9, 10, 11, -1, 13, 14, 15, -1, /* to the right */
                                           -1, 0, 1, 2, -1, 4, 5, 6, -1, 8, 9, 10, -1, 12, 13, 14);
    const __m256i twice = _mm256_broadcastsi128_si256(x), out = _mm256_shuffle_epi8(twice, shifted_out);
    const __m256i second = sosemanuk_product(1, _mm256_srli_epi16(out, 2)),
                  third = sosemanuk_product(2, _mm256_srli_epi16(out, 4));
    const __m256i last = sosemanuk_product(3, _mm256_srli_epi16(out, 6));
    return XOR3(256, XOR3(256, _mm256_shuffle_epi8(twice, shift), sosemanuk_product(0, out), second), third, last);
}

TARGET RUNNEL_INLINE __m128i sosemanuk_over_alpha(__m256i multiplied)
{
    return _mm256_castsi256_si128(multiplied);
}

TARGET RUNNEL_INLINE __m128i sosemanuk_by_alpha(__m256i multiplied)
{
    return _mm256_extracti128_si256(multiplied, 1);
}

/* The register's next four words, which make block number i of a chunk. Of the four words before them only the first
 * and the last enter, as late as possible: from four words to the next four is another chain of latency. */
TARGET RUNNEL_INLINE void sosemanuk_feed_back(sosemanuk_shift_register *r, sosemanuk_chunk *c, unsigned i)
{
    const __m256i s6 = sosemanuk_multiply(r->s6);
    __m128i next = _mm_xor_si128(r->s0_by_alpha, _mm_srli_si128(r->s2_over_alpha, 4));
    next = _mm_xor_si128(next, _mm_slli_si128(next, 4)); /* each word adds the one before it */
    next = _mm_xor_si128(next, _mm_slli_si128(next, 8));
    next = XOR3(128, next, _mm_shuffle_epi32(r->s6, 0xff), _mm_slli_si128(sosemanuk_over_alpha(s6), 12));
    const __m128i s1 = _mm_alignr_epi8(r->s4, r->s0, 4), s8 = _mm_alignr_epi8(next, r->s6, 8);
    _mm_storeu_si128((void *)(c->odd + 4 * i), _mm_xor_si128(s1, s8));
    _mm_storeu_si128((void *)(c->s + 10 + 4 * i), next);
    r->s0 = r->s4;
    r->s4 = s8;
    r->s6 = next;
    r->s0_by_alpha = _mm_alignr_epi8(sosemanuk_by_alpha(s6), r->s2_by_alpha, 8);
    r->s2_by_alpha = sosemanuk_by_alpha(s6);
    r->s2_over_alpha = sosemanuk_over_alpha(s6);
}

/* Loads and stores are of the same words, as IV set-up's stores are: then a load need not wait until they are in the
 * cache. */
TARGET RUNNEL_INLINE sosemanuk_shift_register sosemanuk_load_register(const uint32_t *s)
{
    const __m128i s0 = _mm_loadu_si128((const void *)s), s6 = _mm_loadu_si128((const void *)(s + 6));
    const __m128i s4 = _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)(s + 4)), s6);
    const __m256i multiplied = sosemanuk_multiply(_mm_alignr_epi8(s4, s0, 8));
    const sosemanuk_shift_register r = {s0,
                                        s4,
                                        s6,
                                        sosemanuk_by_alpha(sosemanuk_multiply(s0)),
                                        sosemanuk_by_alpha(multiplied),
                                        sosemanuk_over_alpha(multiplied)};
    return r;
}

TARGET RUNNEL_INLINE void sosemanuk_store_register(uint32_t *s, const sosemanuk_shift_register *r)
{
    _mm_storeu_si128((void *)s, r->s0);
    _mm_storel_epi64((void *)(s + 4), r->s4);
    _mm_storeu_si128((void *)(s + 6), r->s6);
}

TARGET RUNNEL_INLINE void sosemanuk_begin(const sosemanuk_shift_register *r, sosemanuk_chunk *c)
{
    _mm_storeu_si128((void *)c->s, r->s0);
    _mm_storeu_si128((void *)(c->s + 4), r->s4);
    _mm_storeu_si128((void *)(c->s + 6), r->s6);
}

/* MSan would take asm for a use. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define PICK(word, by, if_odd) word ^= (word ^ if_odd) & (0u - (by & 1))
#endif
#endif
#ifndef PICK
#define PICK(word, by, if_odd) __asm__("test $1, %b2\n\tcmovnz %1, %0" : "+r"(word) : "r"(if_odd), "q"(by) : "cc")
#endif

/* One of two words, by the lowest bit of another: a conditional move, which compilers might turn into a branch. */
RUNNEL_INLINE uint32_t sosemanuk_pick(uint32_t by, uint32_t if_even, uint32_t if_odd)
{
    PICK(if_even, by, if_odd);
    return if_even;
}

typedef struct sosemanuk_registers {
    uint32_t r1, r2;
} sosemanuk_registers;

/* if_odd is added if r1 is odd, else if_even. */
RUNNEL_INLINE void sosemanuk_step(sosemanuk_registers *r, uint32_t if_even, uint32_t if_odd)
{
    const uint32_t multiplied = r->r1 * SOSEMANUK_MULTIPLIER;
    r->r1 = sosemanuk_pick(r->r1, r->r2 + if_even, r->r2 + if_odd);
    r->r2 = runnel_rotl32(multiplied, 7);
}

/* The four steps of block number i. */
TARGET RUNNEL_INLINE void sosemanuk_step_four(sosemanuk_registers *r, sosemanuk_chunk *c, unsigned i)
{
    RUNNEL_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        const unsigned t = 4 * i + k;
        sosemanuk_step(r, c->s[t + 1], c->odd[t]);
        c->r1[t] = r->r1;
        c->r2[t] = r->r2;
    }
}

TARGET RUNNEL_INLINE __m256i sosemanuk_load(const void *p)
{
    return _mm256_loadu_si256(p);
}

/* Rows to columns in each half. */
TARGET RUNNEL_INLINE void sosemanuk_transpose(__m256i y[4])
{
    const __m256i a = _mm256_unpacklo_epi32(y[0], y[1]), b = _mm256_unpackhi_epi32(y[0], y[1]);
    const __m256i c = _mm256_unpacklo_epi32(y[2], y[3]), d = _mm256_unpackhi_epi32(y[2], y[3]);
    y[0] = _mm256_unpacklo_epi64(a, c);
    y[1] = _mm256_unpackhi_epi64(a, c);
    y[2] = _mm256_unpacklo_epi64(b, d);
    y[3] = _mm256_unpackhi_epi64(b, d);
}

/* Eight blocks. */
TARGET RUNNEL_INLINE void sosemanuk_put_chunk(uint8_t *out, const uint8_t *in, const sosemanuk_chunk *from)
{
    __m256i f[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        const __m256i sum = _mm256_add_epi32(sosemanuk_load(from->s + 9 + 8 * i), sosemanuk_load(from->r1 + 8 * i));
        f[i] = _mm256_xor_si256(sum, sosemanuk_load(from->r2 + 8 * i));
    }
    sosemanuk_transpose(f);
    S2(f[0], f[1], f[2], f[3]);
    sosemanuk_transpose(f);
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++) {
        __m256i z = _mm256_xor_si256(f[i], sosemanuk_load(from->s + 8 * i));
        if (in != NULL)
            z = _mm256_xor_si256(z, sosemanuk_load(in + 32 * i));
        _mm256_storeu_si256((void *)(out + 32 * i), z);
    }
}

/* The steps and the output of block number i of a chunk. */
TARGET RUNNEL_INLINE void sosemanuk_put_block(sosemanuk_registers *r, const sosemanuk_chunk *from, unsigned i,
                                              uint8_t *out, const uint8_t *in)
{
    const uint32_t *s = from->s + 4 * i, *odd = from->odd + 4 * i;
    uint32_t f[4];
    RUNNEL_UNROLL
    for (unsigned k = 0; k < 4; k++) {
        sosemanuk_step(r, s[k + 1], odd[k]);
        f[k] = (s[k + 9] + r->r1) ^ r->r2;
    }
    SERPENT_S2(uint32_t, f[0], f[1], f[2], f[3]);
    RUNNEL_UNROLL
    for (unsigned k = 0; k < 4; k++)
        runnel_xor32le(out, in, k, f[k] ^ s[k]);
}

/* As runnel_wipe, of vectors: a compiler's own way, which begins slowly, would take a quarter of the time of a block. */
TARGET RUNNEL_INLINE void sosemanuk_wipe(void *p, size_t vectors)
{
    __m128i zero = _mm_setzero_si128();
    __asm__("" : "+x"(zero)); /* or it would be the compiler's own way */
    for (__m128i *q = p; vectors > 0; vectors--)
        _mm_storeu_si128(q++, zero);
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Up to CHUNK blocks, of which the last is for leftover unless that is NULL, each on its way as soon as it can be. */
TARGET RUNNEL_INLINE void sosemanuk_put_few(sosemanuk_registers *r, sosemanuk_shift_register *words, sosemanuk_chunk *c,
                                            uint8_t *out, const uint8_t *in, size_t n, uint8_t *leftover)
{
    sosemanuk_begin(words, c);
    sosemanuk_feed_back(words, c, 0);
    for (unsigned i = 0; i + 1 < n; i++) {
        sosemanuk_feed_back(words, c, i + 1);
        sosemanuk_put_block(r, c, i, out, in);
        out += SOSEMANUK_BLOCK;
        if (in != NULL)
            in += SOSEMANUK_BLOCK;
    }
    sosemanuk_put_block(r, c, (unsigned)n - 1, leftover != NULL ? leftover : out, leftover != NULL ? NULL : in);
    sosemanuk_wipe(c->s, n + 3);
    sosemanuk_wipe(c->odd, n);
}

/* Whole chunks. */
TARGET RUNNEL_INLINE void sosemanuk_put_chunks(sosemanuk_registers *r, sosemanuk_shift_register *words, uint8_t *out,
                                               const uint8_t *in, size_t n)
{
    sosemanuk_chunk chunks[3], *now = chunks, *next = chunks + 1;
    sosemanuk_chunk *before = NULL;
    sosemanuk_begin(words, now);
    for (unsigned i = 0; i < SOSEMANUK_CHUNK; i++)
        sosemanuk_feed_back(words, now, i);
    for (; n > 1; n--) {
        sosemanuk_begin(words, next);
        for (unsigned i = 0; i < SOSEMANUK_CHUNK; i += 2) { /* in pairs, which saves moves between registers */
            sosemanuk_feed_back(words, next, i);
            sosemanuk_step_four(r, now, i);
            sosemanuk_feed_back(words, next, i + 1);
            sosemanuk_step_four(r, now, i + 1);
        }
        if (before != NULL) { /* a load now would wait for what sosemanuk_step_four has just stored */
            sosemanuk_put_chunk(out, in, before);
            out += SOSEMANUK_CHUNK * SOSEMANUK_BLOCK;
            if (in != NULL)
                in += SOSEMANUK_CHUNK * SOSEMANUK_BLOCK;
        }
        before = now;
        now = next;
        next = next == chunks + 2 ? chunks : next + 1;
    }
    for (unsigned i = 0; i < SOSEMANUK_CHUNK; i++)
        sosemanuk_step_four(r, now, i);
    if (before != NULL) {
        sosemanuk_put_chunk(out, in, before);
        out += SOSEMANUK_CHUNK * SOSEMANUK_BLOCK;
        if (in != NULL)
            in += SOSEMANUK_CHUNK * SOSEMANUK_BLOCK;
        sosemanuk_wipe(before, sizeof *before / 16);
        sosemanuk_wipe(next, sizeof *next / 16);
    }
    sosemanuk_put_chunk(out, in, now);
    sosemanuk_wipe(now, sizeof *now / 16);
}

TARGET static void sosemanuk_xor_tail(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks,
                                      size_t tail, uint8_t *leftover)
{
    runnel_sosemanuk_state *kept = state;
    sosemanuk_registers r = {kept->r1, kept->r2};
    sosemanuk_shift_register words = sosemanuk_load_register(kept->s);
    size_t n = nblocks + (leftover != NULL), bytes = nblocks * SOSEMANUK_BLOCK;
    (void)index;
    if (n >= SOSEMANUK_MANY) {
        const size_t chunks = nblocks / SOSEMANUK_CHUNK, done = chunks * SOSEMANUK_CHUNK * SOSEMANUK_BLOCK;
        sosemanuk_put_chunks(&r, &words, out, in, chunks);
        out += done;
        if (in != NULL)
            in += done;
        bytes -= done;
        n -= chunks * SOSEMANUK_CHUNK;
    }
    while (n > 0) {
        sosemanuk_chunk c;
        const size_t few = n < SOSEMANUK_CHUNK ? n : SOSEMANUK_CHUNK, done = few * SOSEMANUK_BLOCK;
        sosemanuk_put_few(&r, &words, &c, out, in, few, n == few ? leftover : NULL);
        n -= few;
        if (n == 0)
            break;
        out += done;
        if (in != NULL)
            in += done;
        bytes -= done;
    }
    if (leftover != NULL)
        runnel_xor_bytes(out + bytes, in == NULL ? NULL : in + bytes, leftover, tail);
    sosemanuk_store_register(kept->s, &words);
    kept->r1 = r.r1;
    kept->r2 = r.r2;
}

static void sosemanuk_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    sosemanuk_xor_tail(state, index, out, in, nblocks, 0, NULL);
}

#endif
