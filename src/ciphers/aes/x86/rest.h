/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The rest of a message on x86 vector registers, and short messages as a whole: up to 8 vectors side by side, the last of
 * them in part, to the byte. A vector in part takes as long as a whole one, and no vector waits for another. Part of
 * ctr.h. */

#define EACH_NUMBER(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8)
#define EACH(n)                                                                                                        \
    RUNNEL_UNROLL                                                                                                      \
    for (int i = 0; i < (n); i++)

/* The last round of a message's last vector, of which it has 1 to 16 * LANES bytes. Where they do not end a block, all of
 * that block's keystream goes to leftover, 16 bytes. */
#if LANES == 4
TARGET RUNNEL_INLINE void finish_part(VECTOR x, VECTOR last, uint8_t *out, const uint8_t *in, size_t bytes,
                                      uint8_t *leftover)
{
    const __mmask64 mask = UINT64_MAX >> (64 - bytes);
    const VECTOR text = in == NULL ? _mm512_setzero_si512() : _mm512_maskz_loadu_epi8(mask, in);
    x = LAST(x, XOR(last, text));
    _mm512_mask_storeu_epi8(out, mask, x);
    if (bytes % 16 > 0) {
        const long long half = (long long)(bytes / 16 * 2);
        const __m512i place = _mm512_castsi128_si512(_mm_set_epi64x(half + 1, half));
        const __m512i block = _mm512_permutexvar_epi64(place, XOR(x, text));
        _mm_storeu_si128((void *)leftover, _mm512_castsi512_si128(block));
    }
}
#else
TARGET RUNNEL_INLINE void finish_part(VECTOR x, VECTOR last, uint8_t *out, const uint8_t *in, size_t bytes,
                                      uint8_t *leftover)
{
    const VECTOR keystream = LAST(x, last);
    const size_t whole = 16 * (bytes / 16);
    if (bytes == 16 * LANES) {
        STORE(out, in == NULL ? keystream : XOR(keystream, LOAD(in)));
        return;
    }
    if (LANES > 1 && whole > 0) {
        const __m128i text = in == NULL ? _mm_setzero_si128() : _mm_loadu_si128((const void *)in);
        _mm_storeu_si128((void *)out, _mm_xor_si128(BLOCK(keystream, 0), text));
    }
    if (bytes > whole && leftover != NULL) { /* there always is one: for compilers that know of calls without a tail */
        _mm_storeu_si128((void *)leftover, BLOCK(keystream, whole / 16));
        runnel_xor_bytes(out + whole, in == NULL ? NULL : in + whole, leftover, bytes - whole);
    }
}
#endif

/* From the state after `done` rounds to the output, on n vectors, the last of which has `bytes` bytes; otherwise as
 * finish8. */
#define DEFINE_FINISH_REST(n)                                                                                          \
    TARGET RUNNEL_INLINE void finish_rest##n(VECTOR x[n], unsigned done, const runnel_aes_schedule *s, uint8_t *store, \
                                             VECTOR base_2, uint8_t *out, const uint8_t *in, size_t bytes,             \
                                             uint8_t *leftover)                                                        \
    {                                                                                                                  \
        TO_ROUND_2(n)                                                                                                  \
        if (store != NULL) {                                                                                           \
            EACH (n - 1) {                                                                                             \
                STORE_ENTRY(i)                                                                                         \
            }                                                                                                          \
            STORE_SOME(store + 16 * LANES * (n - 1), XOR(x[n - 1], base_2), (bytes + 15) / 16);                        \
        }                                                                                                              \
        FROM_ROUND_3(n)                                                                                                \
        const VECTOR last = REPEAT(key);                                                                               \
        if (in == NULL) {                                                                                              \
            EACH (n - 1) {                                                                                             \
                WRITE_ONE(i)                                                                                           \
            }                                                                                                          \
        } else {                                                                                                       \
            EACH (n - 1) {                                                                                             \
                XOR_ONE(i)                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        finish_part(x[n - 1], last, out + 16 * LANES * (n - 1), in == NULL ? NULL : in + 16 * LANES * (n - 1), bytes,  \
                    leftover);                                                                                         \
    }

DEFINE_FINISH_REST(1)
DEFINE_FINISH_REST(2)
DEFINE_FINISH_REST(3)
DEFINE_FINISH_REST(4)
DEFINE_FINISH_REST(5)
DEFINE_FINISH_REST(6)
DEFINE_FINISH_REST(7)
DEFINE_FINISH_REST(8)

/* 1 to 16 * GROUP bytes, from the states base XOR (entry + first), with the entries that lie at `from`. The three blocks
 * are not passed as wide vectors, which clang passes in memory: the first round key would be there. */
TARGET APART void crypt_rest(const runnel_aes_schedule *s, const uint8_t *from, __m128i first_block, __m128i base_block,
                             unsigned done, uint8_t *store, __m128i base_2_block, uint8_t *out, const uint8_t *in,
                             size_t bytes, uint8_t *leftover)
{
    const VECTOR first = REPEAT_REGISTER(first_block), base = REPEAT_REGISTER(base_block);
    const VECTOR base_2 = REPEAT_REGISTER(base_2_block);
    const size_t vectors = (bytes + 16 * LANES - 1) / (16 * LANES), last = bytes - 16 * LANES * (vectors - 1);
#define REST_OF(n)                                                                                                     \
    case n: {                                                                                                          \
        VECTOR x[n];                                                                                                   \
        EACH (n - 1) {                                                                                                 \
            x[i] = XOR(base, ADD32(first, LOAD(from + 16 * LANES * i)));                                               \
        }                                                                                                              \
        x[n - 1] = XOR(base, ADD32(first, LOAD_SOME(from + 16 * LANES * (n - 1), (last + 15) / 16)));                  \
        finish_rest##n(x, done, s, store, base_2, out, in, last, leftover);                                            \
        break;                                                                                                         \
    }
    switch (vectors) {
        EACH_NUMBER(REST_OF)
    default: /* there is no other number */
        break;
    }
}

/* Number i in word 3, as it is in the machine's byte order. */
#define NUMBER(n) {[12] = n},
#define NUMBERS(n)                                                                                                     \
    NUMBER(n) NUMBER(n + 1) NUMBER(n + 2) NUMBER(n + 3) NUMBER(n + 4) NUMBER(n + 5) NUMBER(n + 6) NUMBER(n + 7)
static const RUNNEL_LINE_ALIGNED uint8_t numbers[GROUP][16] = {NUMBERS(0)
#if LANES > 1
                                                                   NUMBERS(8)
#endif
#if LANES > 2
                                                                       NUMBERS(16) NUMBERS(24)
#endif
};

/* A message of 1 to 16 * GROUP bytes from its counter block on; nothing is kept for later ones. All of the block is read
 * before anything is written. Of a big-endian counter only the last byte moves. */
TARGET RUNNEL_INLINE void short_run(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                    size_t bytes, uint8_t *leftover, int little)
{
    const size_t vectors = (bytes + 16 * LANES - 1) / (16 * LANES), last = bytes - 16 * LANES * (vectors - 1);
    const VECTOR first = REPEAT_REGISTER(load_block(block)), base = REPEAT(s->keys.bytes[0]);
#define SHORT_OF(n)                                                                                                    \
    case n: {                                                                                                          \
        VECTOR x[n];                                                                                                   \
        EACH (n) {                                                                                                     \
            x[i] = XOR(base, ADD32(first, LOAD(counters[little][LANES * i])));                                         \
        }                                                                                                              \
        finish_rest##n(x, 0, s, NULL, base, out, in, last, leftover);                                                  \
        break;                                                                                                         \
    }
    switch (vectors) {
        EACH_NUMBER(SHORT_OF)
    default: /* there is no other number */
        break;
    }
    CLEAR_UPPER();
}

/* The same where a big-endian counter has a carry out of its last byte. */
TARGET APART int short_run_with_carry(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out,
                                      const uint8_t *in, size_t bytes, uint8_t *leftover)
{
    uint8_t blocks[GROUP][16];
    const VECTOR order = REPEAT_REGISTER(swap_word_3());
    const VECTOR first = SHUFFLE_BYTES(REPEAT_REGISTER(load_block(block)), order);
    for (size_t i = 0; i < GROUP; i += LANES)
        STORE(blocks[i], SHUFFLE_BYTES(ADD32(first, LOAD(numbers[i])), order));
    const __m128i base = load_block(s->keys.bytes[0]);
    crypt_rest(s, blocks[0], _mm_setzero_si128(), base, 0, NULL, base, out, in, bytes, leftover);
    CLEAR_UPPER();
    return RUNNEL_OK;
}

TARGET static int short_message(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t bytes,
                                uint8_t *leftover)
{
    if (block[15] + (bytes - 1) / 16 > UINT8_MAX)
        return short_run_with_carry(state, block, out, in, bytes, leftover);
    short_run(state, block, out, in, bytes, leftover, 0);
    return RUNNEL_OK;
}

TARGET APART void short_message_little(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                       size_t nblocks)
{
    short_run(state, block, out, in, 16 * nblocks, NULL, 1);
}

TARGET static int packet(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t bytes,
                         uint8_t *leftover)
{
    if (bytes > 16)
        return short_message(state, block, out, in, bytes, leftover);
    const __m128i keystream = encrypt_one(state, load_block(block));
    if (bytes == 16) {
        const __m128i text = in == NULL ? _mm_setzero_si128() : _mm_loadu_si128((const void *)in);
        _mm_storeu_si128((void *)out, _mm_xor_si128(keystream, text));
        return RUNNEL_OK;
    }
    _mm_storeu_si128((void *)leftover, keystream);
#if LANES == 4
    const __mmask16 mask = (__mmask16)((1u << bytes) - 1);
    const __m128i text = in == NULL ? _mm_setzero_si128() : _mm_maskz_loadu_epi8(mask, in);
    _mm_mask_storeu_epi8(out, mask, _mm_xor_si128(keystream, text));
#else
    runnel_xor_bytes(out, in, leftover, bytes);
#endif
    return RUNNEL_OK;
}
