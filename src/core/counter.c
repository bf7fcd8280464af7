/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The meaning of every counter layout: where it counts, how it carries, where it wraps. Kernels see runs in which only
 * one 32-bit word moves, without a carry out of it. */
#include "counter.h"
#include "describe.h"

#include "arch/common/wipe.h"

const runnel_layout runnel_layouts[RUNNEL_LAYOUTS] = {
    [RUNNEL_LAYOUT_DEFAULT] = {RUNNEL_TEXT("default"), 0, 0, 0, 0},
    [RUNNEL_BE128] = {RUNNEL_TEXT("be128"), 128, RUNNEL_COUNTS_LAST, 0, 0},
    [RUNNEL_BE64] = {RUNNEL_TEXT("be64"), 64, RUNNEL_COUNTS_LAST, 0, 0},
    [RUNNEL_BE32] = {RUNNEL_TEXT("be32"), 32, RUNNEL_COUNTS_LAST, 0, 0},
    [RUNNEL_BE16] = {RUNNEL_TEXT("be16"), 16, RUNNEL_COUNTS_LAST_16, 0, 0},
    [RUNNEL_LE128] = {RUNNEL_TEXT("le128"), 128, RUNNEL_COUNTS_FROM, 0, 1},
    [RUNNEL_LE64] = {RUNNEL_TEXT("le64"), 64, RUNNEL_COUNTS_FROM, 0, 1},
    [RUNNEL_LE32] = {RUNNEL_TEXT("le32"), 32, RUNNEL_COUNTS_FROM, 0, 1},
    [RUNNEL_BE32_LEFT] = {RUNNEL_TEXT("be32-left"), 32, RUNNEL_COUNTS_FROM, 4, 0},
};

const char *runnel_layout_name(int number)
{
    return number >= 0 && number < RUNNEL_LAYOUTS ? runnel_layouts[number].name : NULL;
}

int runnel_layout_find(const char *name)
{
    if (name != NULL && RUNNEL_TEXTS)
        for (int i = 0; i < RUNNEL_LAYOUTS; i++)
            if (strcmp(runnel_layouts[i].name, name) == 0)
                return i;
    return RUNNEL_ERR_LAYOUT;
}

runnel_count runnel_counter_period(int layout)
{
    return runnel_layout_period(&runnel_layouts[layout]);
}

/* Adds n to the counter field at p. */
#if RUNNEL_AVR /* byte by byte, and none that does not change */
static RUNNEL_AVR_NOINLINE void counter_add_to_field(uint8_t *p, const runnel_layout *l, runnel_count n)
{
    const uint8_t bytes = l->bits / 8;
    const int8_t step = l->little ? 1 : -1;
    p += l->little ? 0 : bytes - 1;
    for (uint8_t i = 0; i < bytes && n != 0; i++, p += step) {
        const uint16_t sum = (uint16_t)(*p + (uint8_t)n);
        *p = (uint8_t)sum;
        n = (n >> 8) + (sum >> 8);
    }
}
#else
/* Adds n to the low half of x. A field of 32 bits is written with the rest of its half of the block: kernels load it by
 * halves, and there is no store-forwarding to a wider load. */
static inline uint64_t counter_add_to_low_half(uint64_t x, runnel_count n)
{
    return (x >> 32 << 32) | (uint32_t)(x + n);
}

static void counter_add_to_field(uint8_t *p, const runnel_layout *l, runnel_count n)
{
    if (l->little) {
        const uint64_t old = runnel_load64le(p), low = old + n;
        runnel_store64le(p, l->bits == 32 ? counter_add_to_low_half(old, n) : low);
        if (l->bits == 128)
            runnel_store64le(p + 8, runnel_load64le(p + 8) + (low < n));
        return;
    }
    uint8_t *low_half = p + l->bits / 8 - 8;
    switch (l->bits) {
    case 16:
        n += (runnel_count)p[0] << 8 | p[1];
        p[0] = (uint8_t)(n >> 8);
        p[1] = (uint8_t)n;
        break;
    case 32:
        runnel_store64be_at_once(p - 4, counter_add_to_low_half(runnel_load64be(p - 4), n));
        break;
    default: {
        uint64_t low = runnel_load64be(low_half) + n;
        runnel_store64be(low_half, low);
        if (l->bits == 128)
            runnel_store64be(p, runnel_load64be(p) + (low < n));
        break;
    }
    }
}
#endif

/* The counter field of a counter block. */
static inline uint8_t *counter_field_of(uint8_t *block, size_t block_bytes, const runnel_layout *l)
{
    return block + (l->place != RUNNEL_COUNTS_FROM ? block_bytes - l->bits / 8u : l->offset);
}

#if RUNNEL_HOSTED
/* As counter_count_blocks, where the field has 32 bits or more, by halves. */
RUNNEL_INLINE void counter_count_by_halves(uint8_t *to, uint8_t *block, size_t block_bytes, const runnel_layout *l,
                                           size_t n, int little)
{
    uint64_t (*const load)(const uint8_t *p) = little ? runnel_load64le : runnel_load64be;
    void (*const store)(uint8_t *p, uint64_t v) = little ? runnel_store64le : runnel_store64be_at_once;
    const size_t at = l->place == RUNNEL_COUNTS_LAST ? block_bytes - 8 : 0, other = 8 - at;
    const int two = block_bytes > 8;
    uint64_t low = load(block + at), high = two ? load(block + other) : 0;
    while (n > 0) {
        const uint32_t more = ~(uint32_t)low; /* blocks before the low word wraps */
        const size_t run = n - 1 <= more ? n : (size_t)more + 1;
        for (size_t i = 0; i < run; i++, to += block_bytes) {
            store(to + at, low + i);
            if (two)
                store(to + other, high);
        }
        n -= run;
        low = l->bits == 32 ? counter_add_to_low_half(low, run) : low + run;
        high += l->bits == 128 && low == 0;
    }
    store(block + at, low);
    if (two)
        store(block + other, high);
}
#endif

/* Writes n counter blocks from `block` on; `block` is then the one after them. */
static void counter_count_blocks(uint8_t *to, uint8_t *block, size_t block_bytes, const runnel_layout *l, size_t n)
{
#if RUNNEL_HOSTED
    if (l->bits != 16) {
        if (block_bytes != 16) /* each with its numbers as constants */
            counter_count_by_halves(to, block, 8, l, n, l->little);
        else if (l->little)
            counter_count_by_halves(to, block, 16, l, n, 1);
        else
            counter_count_by_halves(to, block, 16, l, n, 0);
        return;
    }
#endif
    uint8_t *const field = counter_field_of(block, block_bytes, l);
    for (; n > 0; n--, to += block_bytes) {
        memcpy(to, block, block_bytes);
        counter_add_to_field(field, l, 1);
    }
}

/* Makes counter blocks and has them encrypted: for kernels without a function for the counter's place. */
static void counter_xor_by_blocks(const runnel_kernel *kernel, const void *state, uint8_t *block, size_t block_bytes,
                                  const runnel_layout *l, uint8_t *out, const uint8_t *in, size_t nblocks)
{
    uint8_t buffer[RUNNEL_BUFFERED_BLOCKS * 16];
    size_t most = 0;
    while (nblocks > 0) {
        size_t n = nblocks < RUNNEL_BUFFERED_BLOCKS ? nblocks : RUNNEL_BUFFERED_BLOCKS;
        counter_count_blocks(buffer, block, block_bytes, l, n);
        kernel->block.encrypt_blocks(state, buffer, buffer, n);
        runnel_xor_bytes(out, in, buffer, n * block_bytes);
        out += n * block_bytes;
        if (in != NULL)
            in += n * block_bytes;
        nblocks -= n;
        if (n > most)
            most = n;
    }
    runnel_wipe(buffer, most * block_bytes);
}

/* Returns the kernel's function for the counter's place, or NULL. */
static inline runnel_ctr_function *counter_function_for(const runnel_kernel *kernel, int layout)
{
    if (runnel_counts_last(layout))
        return kernel->block.ctr32;
    if (layout == RUNNEL_BE32_LEFT)
        return kernel->block.ctr32_left;
#if RUNNEL_NOT_AVR
    return kernel->block.ctr32_little;
#else
    return NULL;
#endif
}

/* Writes counter block number `index` of the message. */
static inline void counter_block_at(uint8_t *block, const runnel_ctr_head *context, runnel_count index,
                                    const runnel_layout *l)
{
    memcpy(block, context->first, 16);
    counter_add_to_field(counter_field_of(block, context->stream.cipher->block_bytes, l), l, index);
}

/* From any block number, through any wrap, nblocks blocks and a tail (firmware: no tail). */
RUNNEL_INLINE int counter_xor_runs(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                                   size_t nblocks, size_t tail)
{
    const runnel_cipher *cipher = context->stream.cipher;
    const runnel_kernel *kernel = context->stream.kernel;
    const runnel_layout *l = &runnel_layouts[context->stream.layout];
    const size_t block_bytes = cipher->block_bytes;
    const void *state = runnel_state_of(&context->stream);
    void *prefix = runnel_prefix_of(&context->stream);

    uint8_t block[16];
    counter_block_at(block, context, index, l);

    runnel_ctr_function *const ctr32 = counter_function_for(kernel, context->stream.layout);
    if (ctr32 == NULL) {
        counter_xor_by_blocks(kernel, state, block, block_bytes, l, out, in, nblocks);
#if RUNNEL_TAILS
        if (tail > 0) {
            kernel->block.encrypt_blocks(state, context->leftover, block, 1);
            runnel_xor_bytes(out + nblocks * block_bytes, runnel_advance(in, nblocks * block_bytes), context->leftover,
                             tail);
        }
#endif
        return RUNNEL_OK;
    }
    for (;;) {
        const uint32_t more =
            runnel_blocks_after(kernel, runnel_counter_word(block, block_bytes, context->stream.layout));
#if RUNNEL_TAILS
        if (nblocks == 0) {
            ctr32(state, prefix, block, context->leftover, NULL, 1);
            runnel_xor_bytes(out, in, context->leftover, tail & 15); /* the compiler sees how few */
            return RUNNEL_OK;
        }
        if (tail > 0 && nblocks <= more && runnel_counts_last(context->stream.layout) &&
            kernel->block.ctr32_tail != NULL) {
            kernel->block.ctr32_tail(state, prefix, block, out, in, nblocks, tail, context->leftover);
            return RUNNEL_OK;
        }
#endif
        size_t n = nblocks - 1 <= more ? nblocks : (size_t)more + 1;
        ctr32(state, prefix, block, out, in, n);
        nblocks -= n;
        if (nblocks == 0 && tail == 0)
            return RUNNEL_OK;
        counter_add_to_field(counter_field_of(block, block_bytes, l), l, (runnel_count)n);
        out += n * block_bytes;
        if (in != NULL)
            in += n * block_bytes;
    }
}

#if RUNNEL_TAILS
/* Sets the position after nblocks blocks and a tail from block `index` on. */
RUNNEL_INLINE void counter_move_on(runnel_stream *s, runnel_count index, size_t nblocks, size_t tail)
{
    s->block = index + (runnel_count)(nblocks + (tail > 0));
    s->leftover = (uint16_t)(tail > 0 ? s->cipher->block_bytes - tail : 0);
}

/* Returns how many whole blocks, of 8 or 16 bytes, there are in `bytes` bytes; *tail is the rest. */
RUNNEL_INLINE size_t counter_split(const runnel_cipher *cipher, size_t bytes, size_t *tail)
{
    *tail = bytes & (cipher->block_bytes - 1u);
    return bytes / 8 >> (cipher->block_bytes == 16);
}

/* Apart, so that short messages do not save registers for it. */
RUNNEL_NOINLINE int runnel_counter_xor_from(runnel_ctr_head *context, runnel_count index, uint8_t *out,
                                            const uint8_t *in, size_t bytes)
{
    size_t tail;
    const size_t nblocks = counter_split(context->stream.cipher, bytes, &tail);
    counter_move_on(&context->stream, index, nblocks, tail);
    return counter_xor_runs(context, index, out, in, nblocks, tail);
}

/* A message with a tail, in one run that begins with the context's counter block. Apart, so that whole blocks need not save
 * registers for it. */
static RUNNEL_NOINLINE int counter_xor_first_with_tail(runnel_ctr_head *context, runnel_ctr_function *ctr32,
                                                       uint8_t *out, const uint8_t *in, size_t nblocks, size_t tail)
{
    runnel_stream *const s = &context->stream;
    if (nblocks == 0) {
        ctr32(runnel_state_of(s), runnel_prefix_of(s), context->first, context->leftover, NULL, 1);
        runnel_xor_bytes(out, in, context->leftover, tail & 15); /* the compiler sees how few */
    } else if (runnel_counts_last(s->layout) && s->kernel->block.ctr32_tail != NULL) {
        s->kernel->block.ctr32_tail(runnel_state_of(s), runnel_prefix_of(s), context->first, out, in, nblocks, tail,
                                    context->leftover);
    } else {
        return runnel_counter_xor_from(context, 0, out, in, nblocks * s->cipher->block_bytes + tail);
    }
    return RUNNEL_OK;
}

int runnel_counter_xor_first(runnel_ctr_head *context, uint8_t *out, const uint8_t *in, size_t bytes)
{
    runnel_stream *const s = &context->stream;
    const runnel_kernel *kernel = s->kernel;
    size_t tail;
    const size_t nblocks = counter_split(s->cipher, bytes, &tail);
    runnel_ctr_function *const ctr32 = counter_function_for(kernel, s->layout);
    const uint32_t word = runnel_counter_word(context->first, s->cipher->block_bytes, s->layout);
    if (ctr32 == NULL || nblocks + (tail > 0) - 1 > runnel_blocks_after(kernel, word))
        return runnel_counter_xor_from(context, 0, out, in, bytes);
    counter_move_on(s, 0, nblocks, tail);
    if (tail > 0)
        return counter_xor_first_with_tail(context, ctr32, out, in, nblocks, tail);
    ctr32(runnel_state_of(s), runnel_prefix_of(s), context->first, out, in, nblocks);
    return RUNNEL_OK;
}
#else
/* Returns the kernel's function that makes the first nblocks blocks of the message in one call, or NULL. It may return
 * NULL although there is one, where finding out costs more. */
static inline runnel_ctr_function *counter_single_run_function(const runnel_cipher *cipher, const runnel_kernel *kernel,
                                                               const runnel_layout *l, const uint8_t *first,
                                                               size_t nblocks)
{
    if (l->place != RUNNEL_COUNTS_LAST)
        return NULL;
#if SIZE_MAX <= 0xffff /* fewer blocks than the low half counts */
    const uint8_t *word = first + cipher->block_bytes - 4;
    (void)nblocks;
    return (word[0] & word[1]) != 0xff ? kernel->block.ctr32 : NULL;
#else
    const uint32_t word = runnel_load32be(first + cipher->block_bytes - 4);
    return nblocks - 1 <= runnel_blocks_after(kernel, word) ? kernel->block.ctr32 : NULL;
#endif
}

/* Apart, so that short messages do not save registers for it. */
static RUNNEL_NOINLINE void counter_xor_from(runnel_ctr_head *context, runnel_count index, uint8_t *out,
                                             const uint8_t *in, size_t nblocks)
{
    (void)counter_xor_runs(context, index, out, in, nblocks, 0);
}

void runnel_counter_xor_blocks(runnel_ctr_head *context, runnel_count index, uint8_t *out, const uint8_t *in,
                               size_t nblocks)
{
    const runnel_cipher *cipher = context->stream.cipher;
    const runnel_kernel *kernel = context->stream.kernel;
    const runnel_layout *l = &runnel_layouts[context->stream.layout];

    /* A message of one run needs no copy of its first block. */
    runnel_ctr_function *const single =
        index == 0 ? counter_single_run_function(cipher, kernel, l, context->first, nblocks) : NULL;
    if (single != NULL)
        single(runnel_state_of(&context->stream), runnel_prefix_of(&context->stream), context->first, out, in, nblocks);
    else
        counter_xor_from(context, index, out, in, nblocks);
}
#endif

void runnel_counter_block(const runnel_ctr_head *context, uint8_t *block)
{
    counter_block_at(block, context, context->stream.block, &runnel_layouts[context->stream.layout]);
}

void runnel_counter_encrypt(runnel_ctr_head *context, uint8_t *out, size_t nblocks)
{
    runnel_stream *const s = &context->stream;
    const runnel_layout *l = &runnel_layouts[s->layout];
    uint8_t block[16];
    counter_block_at(block, context, s->block, l);
    counter_count_blocks(out, block, s->cipher->block_bytes, l, nblocks);
    s->kernel->block.encrypt_blocks(runnel_state_of(s), out, out, nblocks);
    s->block += (runnel_count)nblocks;
}

#if RUNNEL_HOSTED
int runnel_stream_counter(const runnel_stream *s, uint64_t block, uint8_t *counter)
{
    if (s == NULL || counter == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return RUNNEL_ERR_STATE;
    if (s->cipher->mode != RUNNEL_MODE_CTR)
        return RUNNEL_ERR_LAYOUT;
    if (s->blocks != 0 && block > s->blocks)
        return RUNNEL_ERR_LIMIT;
    uint8_t whole[16];
    counter_block_at(whole, (const runnel_ctr_head *)s, (runnel_count)block, &runnel_layouts[s->layout]);
    memcpy(counter, whole, s->cipher->block_bytes);
    return RUNNEL_OK;
}
#endif
