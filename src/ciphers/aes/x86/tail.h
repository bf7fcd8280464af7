/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The end of a message in counter mode, and short messages as a whole: up to 8 vectors side by side, the last of them in
 * part, to the byte. A vector in part takes as long as a whole one, and no vector waits for another. The includer defines
 * TARGET and includes the vectors of its width. */
#ifndef AES_X86_TAIL_H
#define AES_X86_TAIL_H

#include "arch/common/bytes.h"
#include "group.h"
#include "one_block.h"
#include "prefix_table.h"
#include "rounds.h"

/* The last round of a message's last vector, of which it has 1 to VECTOR_BYTES bytes. Where they do not end a block, all
 * of that block's keystream goes to leftover, 16 bytes. */
TARGET RUNNEL_INLINE void aes_finish_partial_vector(vector x, vector last, uint8_t *out, const uint8_t *in,
                                                    size_t bytes, uint8_t *leftover)
{
#if LANES == 4
    const vector text = in == NULL ? vector_repeat(_mm_setzero_si128()) : vector_load_bytes(in, bytes);
    x = vector_aes_last_round(x, vector_xor(last, text));
    vector_store_bytes(out, x, bytes);
    if (bytes % 16 > 0)
        _mm_storeu_si128((void *)leftover, vector_block(vector_xor(x, text), bytes / 16));
#else
    const vector keystream = vector_aes_last_round(x, last);
    const size_t whole = 16 * (bytes / 16);
    if (bytes == VECTOR_BYTES) {
        const vector text = in == NULL ? vector_repeat(_mm_setzero_si128()) : vector_load(in);
        vector_store(out, vector_xor(keystream, text));
        return;
    }
    if (LANES > 1 && whole > 0) {
        const __m128i text = in == NULL ? _mm_setzero_si128() : _mm_loadu_si128((const void *)in);
        _mm_storeu_si128((void *)out, _mm_xor_si128(vector_block(keystream, 0), text));
    }
    if (bytes > whole && leftover != NULL) { /* there always is one: for compilers that know of calls without a tail */
        _mm_storeu_si128((void *)leftover, vector_block(keystream, whole / 16));
        runnel_xor_bytes(out + whole, in == NULL ? NULL : in + whole, leftover, bytes - whole);
    }
#endif
}

/* A message's last vectors, n of them, the last of which has last_bytes bytes. */
typedef struct aes_ending {
    const runnel_aes_schedule *schedule;
    uint8_t *out;
    const uint8_t *in;
    size_t last_bytes;
    uint8_t *leftover;
} aes_ending;

/* From the state after `done` rounds to the output; otherwise as finish_group. */
TARGET RUNNEL_INLINE void aes_finish_ending(const aes_ending *e, vector *x, const int n, unsigned done, uint8_t *store,
                                            vector base_2)
{
    const size_t before = (size_t)VECTOR_BYTES * (size_t)(n - 1);
    aes_rounds_to_2(x, n, e->schedule, done);
    if (store != NULL) {
        aes_store_entries(x, n - 1, store, base_2);
        vector_store_blocks(store + before, vector_xor(x[n - 1], base_2), (e->last_bytes + 15) / 16);
    }
    const uint8_t *last_key = aes_rounds_from_3(x, n, e->schedule);
    aes_write_vectors(x, n - 1, last_key, e->out, e->in);
    aes_finish_partial_vector(x[n - 1], vector_repeat_at(last_key), e->out + before,
                              e->in == NULL ? NULL : e->in + before, e->last_bytes, e->leftover);
}

/* The recipe for the first states of a partial group, base XOR (entry + first), and after how many rounds they are. */
typedef struct aes_beginning {
    const uint8_t *from;
    vector first, base, base_2;
    unsigned done;
    uint8_t *store;
} aes_beginning;

TARGET RUNNEL_INLINE void aes_partial_group_of(const int n, const aes_beginning *b, const aes_ending *e)
{
    vector x[AES_GROUP_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < n - 1; i++)
        x[i] = vector_xor(b->base, vector_add32(b->first, vector_load(b->from + VECTOR_BYTES * i)));
    const vector last = vector_load_blocks(b->from + VECTOR_BYTES * (n - 1), (e->last_bytes + 15) / 16);
    x[n - 1] = vector_xor(b->base, vector_add32(b->first, last));
    aes_finish_ending(e, x, n, b->done, b->store, b->base_2);
}

TARGET RUNNEL_INLINE aes_ending aes_ending_of(const runnel_aes_schedule *s, uint8_t *out, const uint8_t *in,
                                              size_t bytes, uint8_t *leftover)
{
    const size_t last = (bytes + VECTOR_BYTES - 1) % VECTOR_BYTES + 1;
    return (aes_ending){.schedule = s, .out = out, .in = in, .last_bytes = last, .leftover = leftover};
}

/* 1 to 16 * GROUP bytes, from the states base XOR (entry + first), with the entries that lie at `from`. The three blocks
 * are not passed as wide vectors, which clang passes in memory: the first round key would be there. */
TARGET static RUNNEL_NOINLINE void aes_partial_group(const runnel_aes_schedule *s, const uint8_t *from,
                                                     __m128i first_block, __m128i base_block, unsigned done,
                                                     uint8_t *store, __m128i base_2_block, uint8_t *out,
                                                     const uint8_t *in, size_t bytes, uint8_t *leftover)
{
    const aes_beginning b = {.from = from,
                             .first = vector_repeat(first_block),
                             .base = vector_repeat(base_block),
                             .base_2 = vector_repeat(base_2_block),
                             .done = done,
                             .store = store};
    const aes_ending e = aes_ending_of(s, out, in, bytes, leftover);
    switch ((bytes + VECTOR_BYTES - 1) / VECTOR_BYTES) {
    case 1:
        aes_partial_group_of(1, &b, &e);
        break;
    case 2:
        aes_partial_group_of(2, &b, &e);
        break;
    case 3:
        aes_partial_group_of(3, &b, &e);
        break;
    case 4:
        aes_partial_group_of(4, &b, &e);
        break;
    case 5:
        aes_partial_group_of(5, &b, &e);
        break;
    case 6:
        aes_partial_group_of(6, &b, &e);
        break;
    case 7:
        aes_partial_group_of(7, &b, &e);
        break;
    case 8:
        aes_partial_group_of(8, &b, &e);
        break;
    default: /* there is no other number */
        break;
    }
}

TARGET RUNNEL_INLINE void aes_short_message_of(const int n, vector first, int little, const aes_ending *e)
{
    const vector base = vector_repeat_at(e->schedule->keys.bytes[0]);
    vector x[AES_GROUP_VECTORS];
    RUNNEL_UNROLL
    for (int i = 0; i < n; i++)
        x[i] = vector_xor(base, vector_add32(first, vector_load(aes_counters[little][LANES * i])));
    aes_finish_ending(e, x, n, 0, NULL, base);
}

/* A message of 1 to 16 * GROUP bytes from its counter block on; nothing is kept for later ones. All of the block is read
 * before anything is written. Of a big-endian counter only the last byte moves. */
TARGET RUNNEL_INLINE void aes_short_run(const runnel_aes_schedule *s, const uint8_t *block, uint8_t *out,
                                        const uint8_t *in, size_t bytes, uint8_t *leftover, int little)
{
    const vector first = vector_repeat(aes_load_block(block));
    const aes_ending e = aes_ending_of(s, out, in, bytes, leftover);
    switch ((bytes + VECTOR_BYTES - 1) / VECTOR_BYTES) {
    case 1:
        aes_short_message_of(1, first, little, &e);
        break;
    case 2:
        aes_short_message_of(2, first, little, &e);
        break;
    case 3:
        aes_short_message_of(3, first, little, &e);
        break;
    case 4:
        aes_short_message_of(4, first, little, &e);
        break;
    case 5:
        aes_short_message_of(5, first, little, &e);
        break;
    case 6:
        aes_short_message_of(6, first, little, &e);
        break;
    case 7:
        aes_short_message_of(7, first, little, &e);
        break;
    case 8:
        aes_short_message_of(8, first, little, &e);
        break;
    default: /* there is no other number */
        break;
    }
    vector_clear_upper();
}

/* Number i in word 3, as it is in the machine's byte order. */
#define NUMBER(n) {[12] = n},
#define NUMBERS(n)                                                                                                     \
    NUMBER(n) NUMBER(n + 1) NUMBER(n + 2) NUMBER(n + 3) NUMBER(n + 4) NUMBER(n + 5) NUMBER(n + 6) NUMBER(n + 7)
static const RUNNEL_LINE_ALIGNED uint8_t aes_numbers[32][16] = {NUMBERS(0) NUMBERS(8) NUMBERS(16) NUMBERS(24)};

/* The same where a big-endian counter has a carry out of its last byte. */
TARGET static RUNNEL_NOINLINE int aes_short_run_with_carry(const runnel_aes_schedule *s, const uint8_t *block,
                                                           uint8_t *out, const uint8_t *in, size_t bytes,
                                                           uint8_t *leftover)
{
    uint8_t blocks[AES_GROUP][16];
    const vector first = vector_shuffle_bytes(vector_repeat(aes_load_block(block)), aes_swap_word_3());
    for (size_t i = 0; i < AES_GROUP; i += LANES)
        vector_store(blocks[i],
                     vector_shuffle_bytes(vector_add32(first, vector_load(aes_numbers[i])), aes_swap_word_3()));
    const __m128i base = aes_load_block(s->keys.bytes[0]);
    aes_partial_group(s, blocks[0], _mm_setzero_si128(), base, 0, NULL, base, out, in, bytes, leftover);
    vector_clear_upper();
    return RUNNEL_OK;
}

TARGET static int aes_short_message(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in,
                                    size_t bytes, uint8_t *leftover)
{
    if (block[15] + (bytes - 1) / 16 > UINT8_MAX)
        return aes_short_run_with_carry(state, block, out, in, bytes, leftover);
    aes_short_run(state, block, out, in, bytes, leftover, 0);
    return RUNNEL_OK;
}

TARGET static RUNNEL_NOINLINE void aes_short_message_little(const void *state, const uint8_t *block, uint8_t *out,
                                                            const uint8_t *in, size_t nblocks)
{
    aes_short_run(state, block, out, in, 16 * nblocks, NULL, 1);
}

TARGET static int aes_packet(const void *state, const uint8_t *block, uint8_t *out, const uint8_t *in, size_t bytes,
                             uint8_t *leftover)
{
    if (bytes > 16)
        return aes_short_message(state, block, out, in, bytes, leftover);
    const __m128i keystream = aes_encrypt_one(state, aes_load_block(block));
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

#endif
