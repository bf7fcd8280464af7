/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counters: carries at every byte boundary of every layout, the end of the keystream, and positions near both. */
#include "properties.h"

enum { BLOCKS = 40, STARTS = 34 };

static const unsigned widths[] = {8, 16, 24, 32, 40, 48, 56, 64, 96, 128};
#define WIDTHS (sizeof widths / sizeof widths[0])

/* Sets the counter field to 2^w - k, with ones above if `ones`, else what is there. */
static void set_field(uint8_t *block, unsigned bits, unsigned offset, unsigned little, unsigned w, unsigned k, int ones)
{
    unsigned bytes = bits / 8;
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t *p = block + offset + (little ? i : bytes - 1 - i);
        if (i < w / 8)
            *p = k == 0 ? 0 : 0xff;
        else if (ones)
            *p = 0xff;
    }
    if (k > 1) { /* 2^w - k = (2^w - 1) - (k - 1); k < 256 */
        uint8_t *low = block + offset + (little ? 0 : bytes - 1);
        *low = (uint8_t)(0x100 - k);
    }
}

/* Counter mode: the IV's counter starts k blocks before a carry out of its low w bits, or is reached by seeking. */
static void boundaries_of_layout(const target *t, naive *model, runnel_stream *s, message *m)
{
    static uint8_t keystream[(BLOCKS + 1) * 16], out[BLOCKS * 16];
    const size_t block_bytes = t->cipher->block_bytes;
    unsigned bits, offset, little;
    layout_field(m->layout, block_bytes, &bits, &offset, &little);
    for (unsigned i = 0; i < WIDTHS && widths[i] <= bits; i++)
        for (unsigned k = 0; k < STARTS; k += (unsigned)stride(6)) {
            unsigned w = widths[i];
            random_bytes(m->iv, sizeof m->iv);
            set_field(m->iv, bits, offset, little, w, k, k % 3 == 0);
            model_iv(model, m->iv, m->iv_bytes, m->layout);
            model_keystream(model, 0, 0, keystream, sizeof keystream);
            for (size_t n = 1; n <= BLOCKS; n += scale > 1 ? 1 + random_below(scale) : 1) {
                CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, m->layout));
                CHECK_OK(runnel_stream_xor(s, out, NULL, n * block_bytes));
                CHECK_BYTES(out, keystream, n * block_bytes, "%s from 2^%u - %u, %zu blocks",
                            runnel_layout_name(m->layout), w, k, n);
                CHECK_OK(runnel_stream_xor(s, out, NULL, block_bytes));
                CHECK_BYTES(out, keystream + n * block_bytes, block_bytes, "%s from 2^%u - %u, the block after %zu",
                            runnel_layout_name(m->layout), w, k, n);
            }
            /* The same counter, reached from an IV that lies a random distance before it. */
            uint8_t before[16];
            uint64_t distance = random64() >> (random_below(bits < 60 ? bits - 1 : 59) + (bits < 60 ? 65 - bits : 5));
            memcpy(before, m->iv, block_bytes);
            for (unsigned b = 0; b < bits / 8; b++) /* x - n = ~(~x + n) */
                before[offset + b] = (uint8_t)~before[offset + b];
            add_to_counter(before, bits, offset, little, distance);
            for (unsigned b = 0; b < bits / 8; b++)
                before[offset + b] = (uint8_t)~before[offset + b];
            CHECK_OK(runnel_stream_iv(s, before, m->iv_bytes, m->layout));
            CHECK_OK(runnel_stream_seek(s, distance * block_bytes));
            size_t n = 1 + random_below(BLOCKS);
            uint64_t period = model_period(t->cipher, m->layout);
            if (period != 0 && period - distance < n)
                n = (size_t)(period - distance);
            CHECK_OK(runnel_stream_xor(s, out, NULL, n * block_bytes));
            CHECK_BYTES(out, keystream, n * block_bytes, "%s from 2^%u - %u, sought", runnel_layout_name(m->layout), w,
                        k);
        }
}

/* Ciphers with a counter of their own: positions of k blocks before 2^w. */
static void boundaries_of_position(const target *t, naive *model, runnel_stream *s, const message *m)
{
    static uint8_t keystream[(BLOCKS + 1) * 512], out[BLOCKS * 512];
    const size_t block_bytes = t->cipher->block_bytes;
    for (unsigned i = 0; i < WIDTHS && widths[i] < 60; i++)
        for (unsigned k = 0; k < STARTS; k += (unsigned)stride(6)) {
            uint64_t first = ((uint64_t)1 << widths[i]) - k, period = t->cipher->blocks;
            if (first > UINT64_MAX / block_bytes - BLOCKS || (period != 0 && first >= period))
                continue;
            size_t most = period != 0 && period - first < BLOCKS ? (size_t)(period - first) : BLOCKS;
            model_keystream(model, first, 0, keystream, most * block_bytes);
            for (size_t n = 1; n <= most; n += scale > 1 ? 1 + random_below(scale) : 1) {
                CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, 0));
                CHECK_OK(runnel_stream_seek(s, first * block_bytes));
                CHECK_OK(runnel_stream_xor(s, out, NULL, n * block_bytes));
                CHECK_BYTES(out, keystream, n * block_bytes, "from block 2^%u - %u, %zu blocks", widths[i], k, n);
            }
        }
}

void test_boundaries(const target *t)
{
    message m = random_message(t);
    runnel_stream *s = new_context(t->cipher);
    naive model;
    model_init(&model, t->cipher);
    int layouts[RUNNEL_LAYOUTS];
    size_t count = layouts_of(t->cipher, layouts);
    start_message(s, t, &m);
    model_message(&model, &m);
    for (size_t i = 0; i < count; i++) {
        m.layout = layouts[i];
        if (m.layout != 0)
            boundaries_of_layout(t, &model, s, &m);
        else if (t->cipher->seekable)
            boundaries_of_position(t, &model, s, &m);
        else
            CHECK_RESULT(runnel_stream_seek(s, 0), RUNNEL_ERR_SEEK);
    }
    free_context(s);
    model_free(&model);
}

/* Seeking is reading and throwing away: from any position to any other. */
void test_seek(const target *t)
{
    enum { REACH = 3000 };
    static uint8_t keystream[REACH + 200], out[200];
    message m = random_message(t);
    runnel_stream *s = new_context(t->cipher);
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    start_message(s, t, &m);
    if (!t->cipher->seekable) {
        runnel_stream *copy = new_context(t->cipher);
        CHECK_OK(runnel_stream_xor(s, out, NULL, 33));
        memcpy(copy, s, t->cipher->context_bytes);
        CHECK_RESULT(runnel_stream_seek(s, 0), RUNNEL_ERR_SEEK);
        CHECK_RESULT(runnel_stream_seek(s, 33), RUNNEL_ERR_SEEK);
        CHECK_BYTES(s, copy, t->cipher->context_bytes, "context after a refused seek");
        free_context(copy);
    } else {
        model_keystream_at(&model, 0, keystream, sizeof keystream);
        for (unsigned to = 0; to < REACH; to += (unsigned)stride(12)) {
            size_t before = random_below(sizeof out), n = random_below(sizeof out);
            CHECK_OK(runnel_stream_xor(s, out, NULL, before));
            CHECK_OK(runnel_stream_seek(s, to));
            CHECK(runnel_stream_tell(s) == to, "tell after seek");
            CHECK_OK(runnel_stream_xor(s, out, NULL, n));
            CHECK_BYTES(out, keystream + to, n, "sought %u", to);
        }
    }
    free_context(s);
    model_free(&model);
}

/* An error leaves the context and the output bit for bit. */
static void refused(runnel_stream *s, runnel_stream *copy, size_t context_bytes, uint64_t seek_to, size_t bytes)
{
    static uint8_t out[4096], before[4096];
    memset(before, 0xa5, sizeof before);
    memset(out, 0xa5, sizeof out);
    memcpy(copy, s, context_bytes);
    if (bytes > 0)
        CHECK_RESULT(runnel_stream_xor(s, out, bytes % 2 ? NULL : out, bytes), RUNNEL_ERR_LIMIT);
    else
        CHECK_RESULT(runnel_stream_seek(s, seek_to), RUNNEL_ERR_LIMIT);
    CHECK_BYTES(s, copy, context_bytes, "context after the limit");
    CHECK_BYTES(out, before, sizeof out, "output after the limit");
}

static void limit_at(const target *t, naive *model, runnel_stream *s, runnel_stream *copy, uint64_t end)
{
    static uint8_t keystream[4096], out[4096];
    const size_t context_bytes = t->cipher->context_bytes;
    CHECK(runnel_stream_left(s) == end, "left at the start");
    model_keystream_at(model, end - sizeof keystream, keystream, sizeof keystream);
    for (unsigned back = 0; back <= 100; back += (unsigned)stride(12)) {
        CHECK_OK(runnel_stream_seek(s, end - back));
        CHECK(runnel_stream_tell(s) == end - back, "tell %u before the end", back);
        CHECK(runnel_stream_left(s) == back, "left %u before the end", back);
        refused(s, copy, context_bytes, 0, back + 1);
        refused(s, copy, context_bytes, 0, back + 1000);
        refused(s, copy, context_bytes, 0, SIZE_MAX);
        refused(s, copy, context_bytes, end + 1, 0);
        refused(s, copy, context_bytes, end + 100, 0);
        refused(s, copy, context_bytes, UINT64_MAX, 0);
        CHECK_OK(runnel_stream_xor(s, out, NULL, back)); /* exactly the rest */
        CHECK_BYTES(out, keystream + sizeof keystream - back, back, "the last %u bytes", back);
        CHECK(runnel_stream_tell(s) == end && runnel_stream_left(s) == 0, "at the end");
        CHECK_OK(runnel_stream_xor(s, out, NULL, 0));
        refused(s, copy, context_bytes, 0, 1);
        CHECK_OK(runnel_stream_seek(s, end)); /* the end itself is a position */
    }
    /* long calls, and pieces, that end at the end */
    for (unsigned back = 3000; back < 4096; back += scale < EMULATED ? 7 : 70) {
        CHECK_OK(runnel_stream_seek(s, end - back));
        refused(s, copy, context_bytes, 0, back + 1);
        CHECK_OK(runnel_stream_xor(s, out, NULL, back % 50));
        CHECK_OK(runnel_stream_xor(s, out + back % 50, NULL, back - back % 50));
        CHECK_BYTES(out, keystream + sizeof keystream - back, back, "the last %u bytes", back);
        refused(s, copy, context_bytes, 0, 1);
    }
    /* short pieces to the end, from where keystream cannot be made ahead without limit */
    const size_t back = 900 + random_below(200);
    CHECK_OK(runnel_stream_seek(s, end - back));
    for (size_t done = 0, n; done < back; done += n) {
        n = random_length(t->cipher->block_bytes, 60);
        n = n < back - done ? n : back - done;
        CHECK_OK(runnel_stream_xor(s, out + done, NULL, n));
        CHECK(runnel_stream_tell(s) == end - back + done + n, "tell after a piece");
        CHECK(runnel_stream_left(s) == back - done - n, "left after a piece");
    }
    CHECK_BYTES(out, keystream + sizeof keystream - back, back, "the last %zu bytes in pieces", back);
    refused(s, copy, context_bytes, 0, 1);
    CHECK_OK(runnel_stream_seek(s, 0)); /* and back */
    CHECK(runnel_stream_left(s) == end, "left after going back");
}

/* A whole period in one call, and not a byte more. */
static void whole_period(const target *t, naive *model, runnel_stream *s, const message *m, size_t bytes)
{
    uint8_t *out = malloc(bytes + 1), *wanted = malloc(bytes);
    CHECK(out != NULL && wanted != NULL, "out of memory");
    CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, m->layout));
    CHECK_RESULT(runnel_stream_xor(s, out, NULL, bytes + 1), RUNNEL_ERR_LIMIT);
    CHECK_OK(runnel_stream_xor(s, out, NULL, bytes));
    model_keystream_at(model, 0, wanted, bytes);
    CHECK_BYTES(out, wanted, bytes, "a whole period");
    CHECK_RESULT(runnel_stream_xor(s, out, NULL, 1), RUNNEL_ERR_LIMIT);
    free(out);
    free(wanted);
    (void)t;
}

/* No limit below 2^64 blocks: positions in bytes run out first. tell and left saturate, the keystream continues. */
static void no_limit(const target *t, naive *model, runnel_stream *s)
{
    enum { MOST = 700 };
    static uint8_t out[MOST], wanted[MOST];
    const size_t block_bytes = t->cipher->block_bytes;
    CHECK(runnel_stream_left(s) == UINT64_MAX, "left without a limit");
    for (unsigned back = 0; back < 150; back += (unsigned)stride(12)) {
        uint64_t position = UINT64_MAX - back;
        CHECK_OK(runnel_stream_seek(s, position));
        CHECK(runnel_stream_tell(s) == position, "tell %u below 2^64", back + 1);
        size_t n = random_below(MOST);
        CHECK_OK(runnel_stream_xor(s, out, NULL, n));
        model_keystream(model, position / block_bytes, (size_t)(position % block_bytes), wanted, n);
        CHECK_BYTES(out, wanted, n, "across position 2^64");
        CHECK(runnel_stream_tell(s) == (n > back ? UINT64_MAX : position + n), "tell saturates");
        CHECK(runnel_stream_left(s) == UINT64_MAX, "left without a limit");
    }
}

void test_limits(const target *t)
{
    runnel_stream *s = new_context(t->cipher), *copy = new_context(t->cipher);
    naive model;
    model_init(&model, t->cipher);
    int layouts[RUNNEL_LAYOUTS];
    size_t count = layouts_of(t->cipher, layouts);
    for (size_t i = 0; i < count; i++)
        for (unsigned repeat = 0; repeat < 3; repeat++) {
            message m = random_message(t);
            m.layout = layouts[i];
            if (repeat == 1)
                memset(m.iv, 0, sizeof m.iv);
            start_message(s, t, &m);
            model_message(&model, &m);
            uint64_t period = model_period(t->cipher, m.layout), block_bytes = t->cipher->block_bytes;
            if (!t->cipher->seekable) {
                CHECK(runnel_stream_left(s) == (period == 0 ? UINT64_MAX : period * block_bytes), "left");
            } else if (period == 0) {
                no_limit(t, &model, s);
            } else {
                limit_at(t, &model, s, copy, period * block_bytes);
                if (period <= 0x10000 && (scale == 1 || (repeat == 0 && scale < EMULATED)))
                    whole_period(t, &model, s, &m, (size_t)(period * block_bytes));
            }
        }
    free_context(s);
    free_context(copy);
    model_free(&model);
}
