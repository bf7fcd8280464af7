/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AES-GCM on x86 vector registers, written once for every width: a kernel's file includes the vectors of arch/x86, defines
 * TARGET, includes this file and puts crypt_blocks and crypt_message into its runnel_gcm_functions.
 *
 * Groups of 8 vectors are encrypted by counter; between the rounds of one group the ciphertext of another goes into
 * GHASH, one vector per round: the previous group when sealing, the same one when opening. AES keeps one port busy,
 * carry-less products and shuffles the other. Two groups share a reduction, with twice as many powers of the key.
 *
 * Prefix caching, as in ctr.h: the state after round 2 is base XOR table[b], where b is the counter's last byte and
 * base the state for b = 0. GCM counts from 2, so groups begin with b = 2, 2 + GROUP … and the last group of a period
 * of 256 blocks ends with the first two blocks of the next run: there two bases are blended. The table is stored on
 * the way by groups that need all their rounds, and kept as long as the nonce's bytes 0, 5 and 10, which share a
 * column with b, are the same: across messages if nonces are a counter. */
#include <string.h>

#include "aead/gcm/mode.h"
#include "arch/common/bytes.h"
#include "macs/ghash/x86/multiply.h"
#include "vectors.h"

#define GROUP (8 * LANES)
#define PERIOD 256

/* In the place of the prefix tables of counter mode. */
typedef struct gcm_prefix {
    uint16_t filled; /* entries of two_rounds that are defined, from the first on */
    uint8_t column_set;
    uint8_t unused;
    uint32_t column; /* bytes 0, 5 and 10 of the nonce that two_rounds belongs to */
    uint8_t to_line[56];
    uint8_t two_rounds[PERIOD][16]; /* [i] is for last byte 2 + i modulo 256 */
} __attribute__((may_alias)) gcm_prefix;

_Static_assert(!RUNNEL_AES_PREFIX_BYTES || sizeof(gcm_prefix) <= RUNNEL_AES_PREFIX_BYTES, "the context has no room");

/* Where a message is. */
typedef struct position {
    VECTOR counters;        /* of the next blocks, the last word in the machine's byte order */
    VECTOR base, base_last; /* for the table: the last of them for the last two blocks of a period */
    products sum;
    __m128i y; /* what has been reduced */
    const runnel_aes_schedule *schedule;
    uint8_t *out;
    const uint8_t *in;
    const uint8_t *hashed; /* the group that goes into the sum */
    const uint8_t *power;  /* for its first block */
    uint8_t *table;        /* the group's entries, to be read or written; NULL: neither */
} position;

#define EACH(n) RUNNEL_UNROLL for (int i = 0; i < (n); i++)

TARGET RUNNEL_INLINE VECTOR counter_blocks(VECTOR counters)
{
    const __m128i order = _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return SHUFFLE_BYTES(counters, REPEAT_REGISTER(order));
}

TARGET RUNNEL_INLINE VECTOR add_to_counters(VECTOR counters, uint32_t n)
{
    return ADD32(counters, REPEAT_REGISTER(_mm_set_epi32((int)n, 0, 0, 0)));
}

/* The counters from this block on. */
TARGET RUNNEL_INLINE VECTOR first_counters(__m128i block)
{
    const __m128i order = _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return ADD32(REPEAT_REGISTER(_mm_shuffle_epi8(block, order)), LANE_NUMBERS);
}

#define ROUND(n, key)                                                                                                  \
    {                                                                                                                  \
        const VECTOR round_key = REPEAT(key);                                                                          \
        EACH (n)                                                                                                       \
            x[i] = ENC(x[i], round_key);                                                                               \
    }

/* The additional rounds of longer keys, from round 3 on. */
#define MORE_ROUNDS(n)                                                                                                 \
    if (s->rounds > 10) {                                                                                              \
        ROUND(n, key)                                                                                                  \
        ROUND(n, key + 16)                                                                                             \
        key += 32;                                                                                                     \
        if (s->rounds > 12) {                                                                                          \
            ROUND(n, key)                                                                                              \
            ROUND(n, key + 16)                                                                                         \
            key += 32;                                                                                                 \
        }                                                                                                              \
    }

#define HASH(i)                                                                                                        \
    if (hashing)                                                                                                       \
        add_product(&sum, swap_bytes(LOAD(hashed + 16 * LANES * (i))), LOAD(power + 16 * LANES * (i)));

/* Base of vector i of the last group in a period. */
#define BASE(i) ((i) < (LANES == 1 ? 6 : 7) ? base : base_last)

/* One group; `from_table` and `hashing` are constants. */
TARGET RUNNEL_INLINE void crypt_group(position *at, int from_table, int hashing)
{
    const runnel_aes_schedule *s = at->schedule;
    const uint8_t *key = s->keys.bytes[1], *hashed = at->hashed, *power = at->power, *in = at->in;
    const VECTOR base = at->base, base_last = at->base_last;
    uint8_t *out = at->out;
    products sum = at->sum;
    VECTOR x[8];
    if (from_table) {
        EACH (8)
            x[i] = XOR(LOAD(at->table + 16 * LANES * i), BASE(i));
    } else {
        const VECTOR k = REPEAT(s->keys.bytes[0]);
        EACH (8)
            x[i] = XOR(counter_blocks(add_to_counters(at->counters, (uint32_t)(LANES * i))), k);
        ROUND(8, key)
        ROUND(8, key + 16)
        if (at->table != NULL) {
            EACH (8)
                STORE(at->table + 16 * LANES * i, XOR(x[i], BASE(i)));
        }
    }
    at->counters = add_to_counters(at->counters, GROUP);
    key += 32;
    MORE_ROUNDS(8)
    ROUND(8, key)
    HASH(1)
    ROUND(8, key + 16)
    HASH(2)
    ROUND(8, key + 32)
    HASH(3)
    ROUND(8, key + 48)
    HASH(4)
    ROUND(8, key + 64)
    HASH(5)
    ROUND(8, key + 80)
    HASH(6)
    ROUND(8, key + 96)
    HASH(7)
    if (hashing) /* the first one last: only it waits for the reduction before */
        add_product(&sum, XOR(ONE(at->y), swap_bytes(LOAD(hashed))), LOAD(power));
    const VECTOR last = REPEAT(key + 112);
    EACH (8)
        x[i] = LAST(x[i], XOR(last, LOAD(in + 16 * LANES * i)));
    EACH (8)
        STORE(out + 16 * LANES * i, x[i]);
    if (hashing)
        at->sum = sum;
    at->in = in + 16 * GROUP;
    at->out = out + 16 * GROUP;
}

#define APART static __attribute__((noinline))

TARGET APART void first_group(position *at)
{
    crypt_group(at, 0, 0);
}

TARGET APART void fresh_group(position *at)
{
    crypt_group(at, 0, 1);
}

TARGET APART void first_group_from_table(position *at)
{
    crypt_group(at, 1, 0);
}

TARGET APART void group_from_table(position *at)
{
    crypt_group(at, 1, 1);
}

TARGET APART void hash_group(position *at)
{
    const uint8_t *hashed = at->hashed, *power = at->power;
    const int hashing = 1;
    products sum = at->sum;
    HASH(1)
    HASH(2)
    HASH(3)
    HASH(4)
    HASH(5)
    HASH(6)
    HASH(7)
    add_product(&sum, XOR(ONE(at->y), swap_bytes(LOAD(hashed))), LOAD(power));
    at->sum = sum;
}

/* Two rounds of one counter block. */
TARGET RUNNEL_INLINE __m128i two_rounds(const runnel_aes_schedule *s, __m128i block)
{
    const __m128i *keys = (const void *)s->keys.bytes;
    __m128i x = _mm_xor_si128(block, _mm_loadu_si128(keys));
    x = _mm_aesenc_si128(x, _mm_loadu_si128(keys + 1));
    return _mm_aesenc_si128(x, _mm_loadu_si128(keys + 2));
}

/* The base of the run in which a counter is. */
TARGET RUNNEL_INLINE VECTOR base_of(const runnel_aes_schedule *s, __m128i block, uint32_t counter)
{
    counter = __builtin_bswap32(counter & 0xffffff00);
    return REPEAT_REGISTER(two_rounds(s, _mm_insert_epi32(block, (int)counter, 3)));
}

/* In the last vectors of a period: of its last two blocks the next run's. */
TARGET RUNNEL_INLINE VECTOR blend_bases(VECTOR base, VECTOR next)
{
#if LANES == 4
    return _mm512_mask_blend_epi64(0xf0, base, next);
#else
    (void)base;
    return next;
#endif
}

/* Makes the table that of this nonce. Returns whether it is worth writing. */
static inline int open_prefix(gcm_prefix *p, const uint8_t *block, size_t ngroups)
{
    const uint32_t column = (uint32_t)block[0] | (uint32_t)block[5] << 8 | (uint32_t)block[10] << 16;
    if (p->column_set && p->column == column)
        return 1;
    p->column_set = 1;
    p->column = column;
    p->filled = 0;
    return ngroups > PERIOD / GROUP;
}

/* ngroups >= 1 whole groups, and their ciphertext into the sum. */
TARGET APART void crypt_groups(position *at, gcm_prefix *p, runnel_ghash_state *hash, const uint8_t *block,
                               size_t ngroups, int decrypt)
{
    const runnel_aes_schedule *s = at->schedule;
    const __m128i first = _mm_loadu_si128((const void *)block);
    uint32_t counter = runnel_load32be(block + 12);
    const int in_step = p != NULL && (counter - 2) % GROUP == 0;
    const int may_store = in_step && open_prefix(p, block, ngroups);
    const int tabled = in_step && (may_store || p->filled > 0);
    VECTOR base = REPEAT_REGISTER(_mm_setzero_si128()), next = base;
    if (tabled) {
        base = base_of(s, first, counter - 2);
        next = base_of(s, first, counter - 2 + PERIOD);
    }
    at->sum = no_products();
    at->hashed = decrypt ? at->in : at->out;
    for (size_t i = 0; i <= ngroups; i++, counter += GROUP) {
        const size_t k = decrypt ? i : i - 1; /* the group that is hashed, if it is one */
        const int first_of_two = k % 2 == 0 && k + 1 < ngroups, hashing = k < ngroups;
        if (hashing)
            at->power = powers_from(hash, first_of_two ? 2 * GROUP : GROUP);
        int from_table = 0;
        at->table = NULL;
        if (tabled && i < ngroups) {
            const unsigned entry = (counter - 2) % PERIOD;
            from_table = entry < p->filled;
            if (from_table || (may_store && entry == p->filled)) {
                at->table = p->two_rounds[entry];
                at->base = at->base_last = base;
                if (entry == PERIOD - GROUP)
                    at->base_last = blend_bases(base, next);
                if (!from_table)
                    p->filled = (uint16_t)(p->filled + GROUP);
            }
            if (entry == PERIOD - GROUP) {
                base = next;
                next = base_of(s, first, counter + GROUP - 2 + PERIOD);
            }
        }
        if (i == ngroups) {
            if (hashing)
                hash_group(at);
        } else if (hashing) {
            (from_table ? group_from_table : fresh_group)(at);
        } else {
            (from_table ? first_group_from_table : first_group)(at);
        }
        if (!hashing)
            continue;
        at->hashed += 16 * GROUP;
        at->y = _mm_setzero_si128();
        if (!first_of_two) {
            at->y = ADD_LANES(reduce(at->sum));
            at->sum = no_products();
        }
    }
}

/* `n` vectors, the last one with `last` bytes, and their ciphertext into the sum. */
#if LANES == 4
#define MASK(bytes) (UINT64_MAX >> (64 - (bytes)))
#define LOAD_SOME(p, bytes) _mm512_maskz_loadu_epi8(MASK(bytes), p)
#define STORE_SOME(p, v, bytes) _mm512_mask_storeu_epi8(p, MASK(bytes), v)
#define KEEP(v, bytes) _mm512_maskz_mov_epi8(MASK(bytes), v)
#else
#define LOAD_SOME(p, bytes) LOAD(p)
#define STORE_SOME(p, v, bytes) STORE(p, v)
#define KEEP(v, bytes) (v)
#endif
#define DEFINE_CRYPT_VECTORS(n)                                                                                        \
    TARGET RUNNEL_INLINE void crypt_vectors_##n(position *at, VECTOR *y, products *sum, size_t last, int decrypt)      \
    {                                                                                                                  \
        const runnel_aes_schedule *s = at->schedule;                                                                   \
        const uint8_t *key = s->keys.bytes[1];                                                                         \
        const VECTOR k = REPEAT(s->keys.bytes[0]);                                                                     \
        VECTOR x[n], text[n];                                                                                          \
        (void)last;                                                                                                    \
        EACH (n)                                                                                                       \
            x[i] = XOR(counter_blocks(add_to_counters(at->counters, (uint32_t)(LANES * i))), k);                       \
        at->counters = add_to_counters(at->counters, LANES * n);                                                       \
        ROUND(n, key)                                                                                                  \
        ROUND(n, key + 16)                                                                                             \
        key += 32;                                                                                                     \
        MORE_ROUNDS(n)                                                                                                 \
        for (int r = 0; r < 7; r++, key += 16)                                                                         \
            ROUND(n, key)                                                                                              \
        EACH (n)                                                                                                       \
            text[i] = i < n - 1 ? LOAD(at->in + 16 * LANES * i) : LOAD_SOME(at->in + 16 * LANES * i, last);            \
        const VECTOR last_key = REPEAT(key);                                                                           \
        EACH (n)                                                                                                       \
            x[i] = LAST(x[i], XOR(last_key, text[i]));                                                                 \
        EACH (n - 1)                                                                                                   \
            STORE(at->out + 16 * LANES * i, x[i]);                                                                     \
        STORE_SOME(at->out + 16 * LANES * (n - 1), x[n - 1], last);                                                    \
        EACH (n)                                                                                                       \
            if (!decrypt)                                                                                              \
                text[i] = i < n - 1 ? x[i] : KEEP(x[i], last);                                                         \
        EACH (n) {                                                                                                     \
            add_product(sum, XOR(*y, swap_bytes(text[i])), LOAD(at->power + 16 * LANES * i));                          \
            *y = REPEAT_REGISTER(_mm_setzero_si128());                                                                 \
        }                                                                                                              \
        at->in += 16 * LANES * n;                                                                                      \
        at->out += 16 * LANES * n;                                                                                     \
        at->power += 16 * LANES * n;                                                                                   \
    }
DEFINE_CRYPT_VECTORS(1)
DEFINE_CRYPT_VECTORS(2)
DEFINE_CRYPT_VECTORS(4)

/* Fewer than GROUP blocks and perhaps part of one, into a sum that is not reduced; *y is the part of the previous sum
 * that is still to be added to the next block. */
TARGET RUNNEL_INLINE void crypt_rest(position *at, size_t bytes, VECTOR *y, products *sum, int decrypt)
{
#if LANES == 4
    size_t vectors = (bytes + 63) / 64;
    const size_t last = bytes - 64 * (vectors - 1); /* of no use if there are none */
    for (; vectors >= 4; vectors -= 4)
        crypt_vectors_4(at, y, sum, vectors == 4 ? last : 64, decrypt);
    if (vectors >= 2) {
        crypt_vectors_2(at, y, sum, vectors == 2 ? last : 64, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        crypt_vectors_1(at, y, sum, last, decrypt);
#else
    size_t vectors = bytes / (16 * LANES);
    bytes -= 16 * LANES * vectors;
    for (; vectors >= 4; vectors -= 4)
        crypt_vectors_4(at, y, sum, 0, decrypt);
    if (vectors >= 2) {
        crypt_vectors_2(at, y, sum, 0, decrypt);
        vectors -= 2;
    }
    if (vectors > 0)
        crypt_vectors_1(at, y, sum, 0, decrypt);
    if (bytes == 0)
        return;
    /* Encrypted together with the zeros behind it, then hashed; a missing block after it counts as zeros. */
    uint8_t text[16 * LANES] = {0};
    VECTOR nothing = REPEAT_REGISTER(_mm_setzero_si128());
    products ignored = no_products();
    uint8_t *out = at->out;
    const uint8_t *power = at->power;
    memcpy(text, at->in, bytes);
    const VECTOR before = LOAD(text);
    at->in = text;
    at->out = text;
    crypt_vectors_1(at, &nothing, &ignored, 0, decrypt);
    memcpy(out, text, bytes);
    memset(text + bytes, 0, sizeof text - bytes);
    add_product(sum, XOR(*y, swap_bytes(decrypt ? before : LOAD(text))), LOAD(power));
    *y = nothing;
    runnel_wipe(text, sizeof text);
#endif
}

TARGET RUNNEL_INLINE position at_start(const runnel_aes_schedule *s, __m128i block, uint8_t *out, const uint8_t *in,
                                       __m128i y)
{
    const VECTOR zero = REPEAT_REGISTER(_mm_setzero_si128());
    return (position){.counters = first_counters(block),
                      .base = zero,
                      .base_last = zero,
                      .sum = no_products(),
                      .y = y,
                      .schedule = s,
                      .out = out,
                      .in = in};
}

TARGET static void crypt_blocks(const void *state, void *prefix, runnel_ghash_state *hash, const uint8_t *block,
                                uint8_t *out, const uint8_t *in, size_t nblocks, int decrypt)
{
    position at = at_start(state, _mm_loadu_si128((const void *)block), out, in, load_sum(hash));
    const size_t ngroups = nblocks / GROUP, rest = nblocks % GROUP, wanted = ngroups > 1 ? 2 * GROUP : GROUP;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
    if (ngroups > 0)
        crypt_groups(&at, prefix, hash, block, ngroups, decrypt);
    if (rest > 0) {
        VECTOR y = ONE(at.y);
        products sum = no_products();
        at.power = powers_from(hash, rest);
        crypt_rest(&at, 16 * rest, &y, &sum, decrypt);
        at.y = ADD_LANES(reduce(sum));
    }
    store_sum(hash, at.y);
    runnel_wipe(&at, sizeof at);
    CLEAR_UPPER();
}

/* The sum of the associated data, padded with zeros to whole blocks. */
TARGET RUNNEL_INLINE __m128i hash_aad(runnel_ghash_state *hash, const uint8_t *aad, size_t bytes)
{
    __m128i y = _mm_setzero_si128();
    const size_t nblocks = (bytes + 15) / 16;
    if (bytes == 0)
        return y;
#if LANES == 4
    if (bytes <= 64) {
        const VECTOR text = _mm512_maskz_loadu_epi8(MASK(bytes), aad);
        return ADD_LANES(multiply(swap_bytes(text), LOAD(powers_from(hash, nblocks))));
    }
#endif
    if (hash->ready < nblocks)
        make_powers(hash, nblocks < MOST_AT_ONCE ? nblocks : MOST_AT_ONCE);
    size_t whole = bytes / 16;
    for (; whole > MOST_AT_ONCE; whole -= MOST_AT_ONCE, aad += 16 * MOST_AT_ONCE)
        y = absorb_some(hash, y, aad, MOST_AT_ONCE);
    if (whole > 0)
        y = absorb_some(hash, y, aad, whole);
    if (bytes % 16 > 0) {
        uint8_t last[16] = {0};
        memcpy(last, aad + 16 * whole, bytes % 16);
        y = absorb_some(hash, y, last, 1);
        runnel_wipe(last, sizeof last);
    }
    return y;
}

TARGET RUNNEL_INLINE __m128i encrypt_one(const runnel_aes_schedule *s, __m128i x)
{
    const __m128i *key = (const void *)s->keys.bytes, *last = key + s->rounds;
    x = _mm_xor_si128(x, _mm_loadu_si128(key));
    RUNNEL_UNROLL
    for (int i = 1; i < 10; i++)
        x = _mm_aesenc_si128(x, _mm_loadu_si128(key + i));
    for (key += 10; key != last; key++)
        x = _mm_aesenc_si128(x, _mm_loadu_si128(key));
    return _mm_aesenclast_si128(x, _mm_loadu_si128(key));
}

/* The rest of a message from its position on, and the tag; mask is the first block of keystream. */
TARGET RUNNEL_INLINE void finish(position at, runnel_ghash_state *hash, const runnel_aead_message *m, size_t rest,
                                 __m128i mask, uint8_t *tag)
{
    VECTOR y = ONE(at.y);
    products sum = no_products();
    at.power = powers_from(hash, (rest + 15) / 16 + 1);
    if (rest > 0)
        crypt_rest(&at, rest, &y, &sum, m->decrypt);
    const __m128i lengths =
        _mm_set_epi64x((long long)((uint64_t)m->aad_bytes << 3), (long long)((uint64_t)m->bytes << 3));
    add_product(&sum, XOR(y, ONE(lengths)), ONE(_mm_loadu_si128((const void *)powers_from(hash, 1))));
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_storeu_si128((void *)tag, _mm_xor_si128(mask, _mm_shuffle_epi8(ADD_LANES(reduce(sum)), order)));
    CLEAR_UPPER();
}

/* A function of its own, so that short messages keep no position in memory. */
TARGET APART void long_message(const void *state, void *prefix, runnel_ghash_state *hash, const runnel_aead_message *m,
                               uint8_t *tag)
{
    uint8_t block[16] = {[15] = 1};
    memcpy(block, m->nonce, 12);
    const __m128i mask = encrypt_one(state, _mm_loadu_si128((const void *)block));
    const size_t ngroups = m->bytes / (16 * GROUP), rest = m->bytes % (16 * GROUP);
    const size_t wanted = ngroups > 1 || rest > 16 * (GROUP - 1) ? 2 * GROUP : GROUP;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
    block[15] = 2;
    const __m128i y = hash_aad(hash, m->aad, m->aad_bytes);
    position at = at_start(state, _mm_loadu_si128((const void *)block), m->out, m->in, y);
    crypt_groups(&at, prefix, hash, block, ngroups, m->decrypt);
    finish(at, hash, m, rest, mask, tag);
    runnel_wipe(&at, sizeof at);
}

TARGET static void crypt_message(const void *state, void *prefix, runnel_ghash_state *hash,
                                 const runnel_aead_message *m, uint8_t *tag)
{
    if (m->bytes >= 16 * GROUP) {
        long_message(state, prefix, hash, m, tag);
        return;
    }
    const __m128i nonce = _mm_set_epi64x((long long)(uint64_t)runnel_load32le(m->nonce + 8),
                                         (long long)runnel_load64le(m->nonce)); /* the counter's word is zero */
    const __m128i mask = encrypt_one(state, _mm_insert_epi32(nonce, 0x01000000, 3));
    const size_t wanted = (m->bytes + 15) / 16 + 1;
    if (hash->ready < wanted)
        make_powers(hash, wanted);
    const __m128i y = hash_aad(hash, m->aad, m->aad_bytes);
    finish(at_start(state, _mm_insert_epi32(nonce, 0x02000000, 3), m->out, m->in, y), hash, m, m->bytes, mask, tag);
}
