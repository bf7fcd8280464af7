/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HC-128 in constant time and faster than by look-ups. While P is updated, Q is only looked up, by words of P that are
 * 12 steps old: 16 steps at a time are looked up together. The tables are kept as bytes: a byte shuffle looks up 16
 * indices in 16 entries and returns zero for an index outside them, so the XOR of 16 shuffles looks up a table of 256.
 * A word takes two look-ups, one in each half of a table: the halves of a register. The updates, 16 steps ahead, run
 * on the integer units at the same time. */
#include "ciphers/hc128/kernels.h"

#include "arch/common/barrier.h"
#include "arch/x86/target.h"

#if RUNNEL_X86_64

#define TARGET RUNNEL_TARGET("avx2")

enum {
    HC128_GROUP = 16,                     /* words of a block, and entries of a byte shuffle */
    HC128_GROUPS = HC128_TABLE / HC128_GROUP,   /* of P, and of Q */
    HC128_HALF = HC128_GROUPS / 2,              /* groups 0 to 15 and 16 to 31 lie side by side: */
    HC128_ROW = 32,                       /* byte k of the words of a group, and of the group that is HALF later, */
    HC128_ROWS = 4 * HC128_ROW,                 /* for k = 0 to 3 */
    HC128_TABLE_BYTES = 4 * HC128_TABLE,
    HC128_LAG = 12,                       /* steps from a word to the look-up by it */
    HC128_ROOM = 16                       /* words before and behind a table, where a vector has more than the table */
};

/* Bytes 0 and 2, and bytes 1 and 3, of the words of a group. */
typedef struct hc128_planes {
    __m256i even, odd;
} hc128_planes;

typedef struct hc128_words {
    __m256i low, high;
} hc128_words;

static inline uint8_t *hc128_group_at(uint8_t *table, unsigned group)
{
    return table + group % HC128_HALF * HC128_ROWS + group % HC128_GROUPS / HC128_HALF * (HC128_ROW / 2);
}

TARGET RUNNEL_INLINE __m128i hc128_load(const void *p)
{
    return _mm_loadu_si128(p);
}

TARGET RUNNEL_INLINE hc128_planes hc128_to_planes(const uint32_t *w)
{
    const __m256i by_bytes =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    const __m256i pair = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i a = _mm256_loadu_si256((const void *)w), b = _mm256_loadu_si256((const void *)(w + 8));
    a = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(a, by_bytes), pair);
    b = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(b, by_bytes), pair);
    const hc128_planes p = {_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)};
    return p;
}

TARGET RUNNEL_INLINE void hc128_store_planes(uint8_t *group, hc128_planes p)
{
    _mm_storeu_si128((void *)group, _mm256_castsi256_si128(p.even));
    _mm_storeu_si128((void *)(group + HC128_ROW), _mm256_castsi256_si128(p.odd));
    _mm_storeu_si128((void *)(group + 2 * HC128_ROW), _mm256_extracti128_si256(p.even, 1));
    _mm_storeu_si128((void *)(group + 3 * HC128_ROW), _mm256_extracti128_si256(p.odd, 1));
}

TARGET RUNNEL_INLINE __m256i hc128_load_even(const uint8_t *group)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(hc128_load(group)), hc128_load(group + 2 * HC128_ROW), 1);
}

/* The words of a group, from its bytes. */
TARGET RUNNEL_INLINE void hc128_load_words(uint32_t *w, const uint8_t *group)
{
    const __m128i p0 = hc128_load(group), p1 = hc128_load(group + HC128_ROW), p2 = hc128_load(group + 2 * HC128_ROW),
                  p3 = hc128_load(group + 3 * HC128_ROW);
    const __m128i low01 = _mm_unpacklo_epi8(p0, p1), low23 = _mm_unpacklo_epi8(p2, p3);
    const __m128i high01 = _mm_unpackhi_epi8(p0, p1), high23 = _mm_unpackhi_epi8(p2, p3);
    _mm_storeu_si128((void *)w, _mm_unpacklo_epi16(low01, low23));
    _mm_storeu_si128((void *)(w + 4), _mm_unpackhi_epi16(low01, low23));
    _mm_storeu_si128((void *)(w + 8), _mm_unpacklo_epi16(high01, high23));
    _mm_storeu_si128((void *)(w + 12), _mm_unpackhi_epi16(high01, high23));
}

/* Looking up, group by group. */
typedef struct hc128_search {
    __m256i from; /* the indices relative to the group: 0 to 15 if they are in it */
    __m256i found0, found1, found2, found3;
} hc128_search;

TARGET RUNNEL_INLINE hc128_search hc128_search_for(__m256i indices)
{
    const __m256i nothing = _mm256_setzero_si256();
    const hc128_search s = {indices, nothing, nothing, nothing, nothing};
    return s;
}

TARGET RUNNEL_INLINE __m256i hc128_shuffle_row(const uint8_t *rows, unsigned k, __m256i by)
{
    return _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)(rows + k * HC128_ROW)), by);
}

/* Makes compilers compute a sum here, where they would postpone it until they run out of registers for its parts, or
 * keep a word scalar, where they would make vectors of pairs. MSan would take it for a use. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define NOW(register_class, x)
#endif
#endif
#ifndef NOW
#define NOW(register_class, x) __asm__("" : "+" register_class(x))
#endif

/* Group number i in the order 0 1 3 2 4 5 7 6 …, in which a bit is flipped and a number subtracted alternately:
 * compilers would turn repeated subtractions into one, with many constants. */
TARGET RUNNEL_INLINE void hc128_look_into(hc128_search *s, const uint8_t *table, unsigned i)
{
    const uint8_t *rows = table + (i ^ (i >> 1 & 1)) * HC128_ROWS;
    const __m256i by = _mm256_adds_epu8(s->from, _mm256_set1_epi8(0x70)); /* others have the highest bit set */
    s->from = i % 2 == 0 ? _mm256_xor_si256(s->from, _mm256_set1_epi8(HC128_GROUP))
                         : _mm256_sub_epi8(s->from, _mm256_set1_epi8(2 * HC128_GROUP));
    s->found0 = _mm256_xor_si256(s->found0, hc128_shuffle_row(rows, 0, by));
    s->found1 = _mm256_xor_si256(s->found1, hc128_shuffle_row(rows, 1, by));
    s->found2 = _mm256_xor_si256(s->found2, hc128_shuffle_row(rows, 2, by));
    s->found3 = _mm256_xor_si256(s->found3, hc128_shuffle_row(rows, 3, by));
    NOW("x", s->found0);
    NOW("x", s->found1);
    NOW("x", s->found2);
    NOW("x", s->found3);
}

/* The sums of what was found in the two halves of the table. */
TARGET RUNNEL_INLINE hc128_words hc128_sums(const hc128_search *s)
{
    const __m256i low01 = _mm256_unpacklo_epi8(s->found0, s->found1);
    const __m256i low23 = _mm256_unpacklo_epi8(s->found2, s->found3);
    const __m256i high01 = _mm256_unpackhi_epi8(s->found0, s->found1);
    const __m256i high23 = _mm256_unpackhi_epi8(s->found2, s->found3);
    const __m256i a = _mm256_unpacklo_epi16(low01, low23), b = _mm256_unpackhi_epi16(low01, low23);
    const __m256i c = _mm256_unpacklo_epi16(high01, high23), d = _mm256_unpackhi_epi16(high01, high23);
    const hc128_words w = {
        _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31)),
        _mm256_add_epi32(_mm256_permute2x128_si256(c, d, 0x20), _mm256_permute2x128_si256(c, d, 0x31))};
    return w;
}

#define SIXTEEN_TIMES(STEP)                                                                                            \
    do {                                                                                                               \
        STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)                                                \
        STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)                                          \
    } while (0)

#define LOOK(i) hc128_look_into(&found, table, i);

TARGET RUNNEL_INLINE hc128_words hc128_look_up_entry(const uint8_t *table, __m256i indices)
{
    hc128_search found = hc128_search_for(indices);
    SIXTEEN_TIMES(LOOK);
    return hc128_sums(&found);
}

/* Word i of a block, from the block before it, the words that were in its place, and the one after these. */
TARGET RUNNEL_INLINE void hc128_update(uint32_t *block, unsigned i, const uint32_t *before, const uint32_t *old,
                                       const uint32_t *old_after, int is_q)
{
    const uint32_t x = i >= 3 ? block[i - 3] : before[i + 13], y = i >= 10 ? block[i - 10] : before[i + 6];
    const uint32_t z = i < 15 ? old[i + 1] : old_after[0];
    uint32_t word = old[i] + runnel_hc128_g(is_q, x, y, z);
    NOW("r", word);
    block[i] = word;
}

TARGET RUNNEL_INLINE void hc128_put(uint8_t *out, const uint8_t *in, const uint32_t *block, hc128_words h)
{
    h.low = _mm256_xor_si256(h.low, _mm256_loadu_si256((const void *)block));
    h.high = _mm256_xor_si256(h.high, _mm256_loadu_si256((const void *)(block + 8)));
    if (in != NULL) {
        h.low = _mm256_xor_si256(h.low, _mm256_loadu_si256((const void *)in));
        h.high = _mm256_xor_si256(h.high, _mm256_loadu_si256((const void *)(in + 32)));
    }
    _mm256_storeu_si256((void *)out, h.low);
    _mm256_storeu_si256((void *)(out + 32), h.high);
}

/* One group of the search and, in the first half, two words of the next block: the next search's first indices are in
 * memory by then. */
#define LOOK_AND_UPDATE(i)                                                                                             \
    hc128_look_into(&found, other, i);                                                                                 \
    if (i < HC128_GROUP / 2) {                                                                                         \
        hc128_update(next, 2 * i, now, old, old_after, is_q);                                                          \
        hc128_update(next, 2 * i + 1, now, old, old_after, is_q);                                                      \
    }

/* Blocks that update the same table. */
TARGET RUNNEL_INLINE void hc128_xor_some(uint8_t *table, const uint8_t *other, unsigned block, unsigned nblocks,
                                         uint8_t *out, const uint8_t *in, int is_q)
{
    uint32_t buffers[4][HC128_GROUP];
    uint32_t *now = buffers[0], *next = buffers[1], *old = buffers[2], *old_after = buffers[3];
    hc128_load_words(next, hc128_group_at(table, block + HC128_GROUPS - 1));
    hc128_load_words(old, hc128_group_at(table, block));
    hc128_load_words(old_after, hc128_group_at(table, block + 1));
    __m256i even_before = hc128_load_even(hc128_group_at(table, block + HC128_GROUPS - 1));
    for (unsigned i = 0; i < HC128_GROUP; i++)
        hc128_update(now, i, next, old, old_after, is_q);
    hc128_planes p = hc128_to_planes(now);
    hc128_store_planes(hc128_group_at(table, block), p);
    for (;;) {
        const __m256i indices = _mm256_alignr_epi8(p.even, even_before, 16 - HC128_LAG);
        if (--nblocks == 0) {
            hc128_put(out, in, now, hc128_look_up_entry(other, indices));
            break;
        }
        uint32_t *swap = old;
        old = old_after;
        old_after = swap;
        block++;
        hc128_load_words(old_after, hc128_group_at(table, block + 1));
        hc128_search found = hc128_search_for(indices);
        SIXTEEN_TIMES(LOOK_AND_UPDATE);
        hc128_put(out, in, now, hc128_sums(&found));
        even_before = p.even;
        p = hc128_to_planes(next);
        hc128_store_planes(hc128_group_at(table, block), p);
        swap = now;
        now = next;
        next = swap;
        out += HC128_BLOCK;
        if (in != NULL)
            in += HC128_BLOCK;
    }
    runnel_wipe(buffers, sizeof buffers);
}

TARGET static void hc128_xor_some_p(uint8_t *tables, unsigned block, unsigned nblocks, uint8_t *out, const uint8_t *in)
{
    hc128_xor_some(tables, tables + HC128_TABLE_BYTES, block, nblocks, out, in, 0);
}

TARGET static void hc128_xor_some_q(uint8_t *tables, unsigned block, unsigned nblocks, uint8_t *out, const uint8_t *in)
{
    hc128_xor_some(tables + HC128_TABLE_BYTES, tables, block, nblocks, out, in, 1);
}

TARGET static void hc128_xor_blocks(void *state, uint64_t index, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint8_t *tables = (uint8_t *)((runnel_hc128_state *)state)->words;
    while (nblocks > 0) {
        const unsigned block = (unsigned)(index % HC128_TABLE_BLOCKS), left = HC128_TABLE_BLOCKS - block;
        const unsigned some = nblocks < left ? (unsigned)nblocks : left;
        if (index / HC128_TABLE_BLOCKS % 2 == 0)
            hc128_xor_some_p(tables, block, some, out, in);
        else
            hc128_xor_some_q(tables, block, some, out, in);
        out += (size_t)some * HC128_BLOCK;
        if (in != NULL)
            in += (size_t)some * HC128_BLOCK;
        index += some;
        nblocks -= some;
    }
}

/* ---- IV set-up ---- */

/* The words of a table that is mixed, with room for a vector before and behind; and for each the word after it, rotated
 * as z is. */
typedef struct hc128_mixed {
    uint32_t words[HC128_ROOM + HC128_TABLE + HC128_ROOM], after[HC128_ROOM + HC128_TABLE + HC128_ROOM];
} hc128_mixed;

/* Three words in elements 1 to 3: the next three need them as they stand, and one shuffle makes three of two neighbours. */
typedef __m128i hc128_triple;

TARGET RUNNEL_INLINE __m128i hc128_rotated(__m128i x, int left)
{
    return _mm_or_si128(_mm_slli_epi32(x, left), _mm_srli_epi32(x, 32 - left));
}

/* Bytes 0 and, in the upper half, 2 of the words of four triples, four a triple. */
TARGET RUNNEL_INLINE __m256i hc128_indices_of(const hc128_triple *w)
{
    const __m128i by_bytes = _mm_setr_epi8(0, 4, 8, 12, 2, 6, 10, 14, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m128i first = _mm_unpacklo_epi32(_mm_shuffle_epi8(w[0], by_bytes), _mm_shuffle_epi8(w[1], by_bytes));
    const __m128i last = _mm_unpacklo_epi32(_mm_shuffle_epi8(w[2], by_bytes), _mm_shuffle_epi8(w[3], by_bytes));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi64(first, last)),
                                   _mm_unpackhi_epi64(first, last), 1);
}

/* A triple before h is XORed in, from the one before it and from those whose last word and first two are y. */
TARGET RUNNEL_INLINE hc128_triple hc128_updated(const hc128_mixed *m, unsigned at, hc128_triple x, hc128_triple fourth,
                                                hc128_triple third, int is_q)
{
    const __m128i y =
        _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(fourth), _mm_castsi128_ps(third), _MM_SHUFFLE(2, 1, 3, 3)));
    return _mm_add_epi32(_mm_xor_si128(hc128_rotated(x, is_q ? 10 : 22), hc128_load(m->after + at)),
                         _mm_add_epi32(hc128_rotated(y, is_q ? 8 : 24), hc128_load(m->words + at)));
}

TARGET RUNNEL_INLINE void hc128_put_triple(uint32_t *to, hc128_triple w)
{
    _mm_storeu_si128((void *)to, w);
}

/* The 512 steps, 43 times twelve: the last four are too many, for which there is room. */
TARGET RUNNEL_INLINE void hc128_mix(hc128_mixed *m, const uint8_t *other, int is_q)
{
    uint32_t *const w = m->words + HC128_ROOM, *const after = m->after + HC128_ROOM;
    for (unsigned i = 0; i < HC128_TABLE; i += 8) {
        const __m256i z = _mm256_loadu_si256((const void *)(w + i + 1));
        _mm256_storeu_si256((void *)(after + i),
                            is_q ? _mm256_or_si256(_mm256_slli_epi32(z, 23), _mm256_srli_epi32(z, 9))
                                 : _mm256_or_si256(_mm256_slli_epi32(z, 9), _mm256_srli_epi32(z, 23)));
    }
    hc128_triple last[4];
    RUNNEL_UNROLL
    for (unsigned i = 0; i < 4; i++)
        last[i] = hc128_load(w + HC128_TABLE - HC128_LAG - 1 + 3 * i);
    for (unsigned j = 0; j < HC128_TABLE; j += HC128_LAG) {
        const unsigned at = HC128_ROOM + j - 1;
        RUNNEL_VALUE_BARRIER(other); /* otherwise gcc copies the whole table to the stack */
        const hc128_words h = hc128_look_up_entry(other, hc128_indices_of(last));
        const hc128_triple w0 =
            _mm_xor_si128(hc128_updated(m, at, last[3], last[0], last[1], is_q), _mm256_castsi256_si128(h.low));
        const hc128_triple w1 =
            _mm_xor_si128(hc128_updated(m, at + 3, w0, last[1], last[2], is_q), _mm256_extracti128_si256(h.low, 1));
        const hc128_triple w2 =
            _mm_xor_si128(hc128_updated(m, at + 6, w1, last[2], last[3], is_q), _mm256_castsi256_si128(h.high));
        const hc128_triple w3 =
            _mm_xor_si128(hc128_updated(m, at + 9, w2, last[3], w0, is_q), _mm256_extracti128_si256(h.high, 1));
        /* From the last to the first: element 0 of each is overwritten, or what is there already. */
        hc128_put_triple(w + j + 8, w3);
        hc128_put_triple(w + j + 5, w2);
        hc128_put_triple(w + j + 2, w1);
        hc128_put_triple(m->words + at, _mm_blend_epi32(w0, _mm_shuffle_epi32(last[3], _MM_SHUFFLE(3, 3, 3, 3)), 1));
        if (j == 0)
            after[HC128_TABLE - 1] = runnel_rotl32(w[0], is_q ? 23 : 9);
        last[0] = w0;
        last[1] = w1;
        last[2] = w2;
        last[3] = w3;
    }
}

TARGET static void hc128_store_table(uint8_t *table, const uint32_t *w)
{
    for (unsigned i = 0; i < HC128_GROUPS; i++)
        hc128_store_planes(hc128_group_at(table, i), hc128_to_planes(w + i * HC128_GROUP));
}

TARGET static void hc128_set_iv(void *state, const uint8_t *iv, size_t iv_bytes)
{
    runnel_hc128_state *s = state;
    uint8_t *p = (uint8_t *)s->words, *q = p + HC128_TABLE_BYTES;
    hc128_mixed m;
    uint32_t *const w = m.words + HC128_ROOM;
    (void)iv_bytes;
    memset(&m, 0, sizeof m);
    runnel_hc128_expand_fast(s, iv);
    memcpy(w, q, HC128_TABLE_BYTES);
    hc128_store_table(q, w);
    memcpy(w, p, HC128_TABLE_BYTES);
    hc128_mix(&m, q, 0);
    hc128_store_table(p, w);
    for (unsigned i = 0; i < HC128_GROUPS; i++)
        hc128_load_words(w + i * HC128_GROUP, hc128_group_at(q, i));
    hc128_mix(&m, p, 1);
    hc128_store_table(q, w);
    runnel_wipe(&m, sizeof m);
}

const runnel_kernel runnel_hc128_avx2 = {
    .name = RUNNEL_TEXT("avx2"),
    .citation = RUNNEL_TEXT("own: 16 look-ups at a time by byte shuffles that read the whole table"),
    .kind = RUNNEL_KIND_STREAM,
    .cpu = RUNNEL_CPU_AVX2,
    .timing = RUNNEL_CONSTANT_TIME,
    .key = runnel_hc128_set_key,
    .stream = {.iv = hc128_set_iv, .xor_blocks = hc128_xor_blocks},
};

#endif
