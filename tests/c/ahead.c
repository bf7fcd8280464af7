/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keystream made ahead into the caller's memory, and the counter blocks that a caller asks for. */
#include "properties.h"

enum { LONGEST = 6000 };

static void same_as_before(const runnel_stream *s, const runnel_stream *copy, size_t bytes, const runnel_keystream *k,
                           const runnel_keystream *old, const char *what)
{
    CHECK_BYTES(s, copy, bytes, "the stream after %s", what);
    CHECK_BYTES(k, old, sizeof *k, "the keystream after %s", what);
}

/* A message in pieces is the model's, whatever their lengths; what was used is not kept. */
static void pieces(const target *t, const message *m, const uint8_t *keystream, size_t most)
{
    static uint8_t plain[LONGEST], wanted[LONGEST], out[LONGEST];
    static const runnel_keystream clear;
    runnel_keystream k = {0};
    runnel_stream *s = new_context(t->cipher);
    start_message(s, t, m);
    random_bytes(plain, sizeof plain);
    for (size_t i = 0; i < LONGEST; i++)
        wanted[i] = keystream[i] ^ plain[i];
    const size_t before = random_below(3) * random_below(70); /* by the usual verb */
    CHECK_OK(runnel_stream_xor(s, out, plain, before));
    for (size_t done = before, n; done < LONGEST; done += n) {
        n = random_length(t->cipher->block_bytes, most);
        n = n < LONGEST - done ? n : LONGEST - done;
        const int way = (int)random_below(3);
        if (way == 1)
            memcpy(out + done, plain + done, n);
        CHECK_OK(runnel_stream_xor_ahead(s, &k, out + done, way == 0 ? plain + done : way == 1 ? out + done : NULL, n));
        if (way == 2)
            for (size_t i = done; i < done + n; i++)
                out[i] ^= plain[i];
        CHECK_BYTES(out + done, wanted + done, n, "%zu bytes from %zu on", n, done);
        CHECK(runnel_stream_tell(s) - k.left == done + n, "the position after a piece");
        CHECK(k.left <= sizeof k.bytes, "more is left than there is room");
        CHECK_BYTES(k.bytes, clear.bytes, sizeof k.bytes - k.left, "keystream that was used");
    }
    CHECK(most > 256 || k.made > 0, "nothing was made ahead");
    runnel_keystream_wipe(&k);
    CHECK_BYTES(&k, &clear, sizeof k, "after its wipe");
    free_context(s);
}

/* Up to the end of the keystream and not beyond, from every state of what is ahead. */
static void to_the_end(const target *t, const message *m, naive *model)
{
    enum { BACK = 1500 };
    static uint8_t wanted[BACK], out[BACK + 1];
    const uint64_t end = model_period(t->cipher, m->layout) * t->cipher->block_bytes;
    runnel_keystream k = {0}, old;
    runnel_stream *s = new_context(t->cipher), *copy = new_context(t->cipher);
    start_message(s, t, m);
    model_keystream_at(model, end - BACK, wanted, BACK);
    CHECK_OK(runnel_stream_seek(s, end - BACK));
    for (size_t done = 0, n; done < BACK; done += n) {
        n = 1 + random_below(40);
        n = n < BACK - done ? n : BACK - done;
        CHECK_OK(runnel_stream_xor_ahead(s, &k, out, NULL, n));
        CHECK_BYTES(out, wanted + done, n, "%zu bytes before the end", BACK - done);
        memcpy(copy, s, t->cipher->context_bytes);
        memcpy(&old, &k, sizeof k);
        CHECK_RESULT(runnel_stream_xor_ahead(s, &k, out, NULL, BACK - done - n + 1), RUNNEL_ERR_LIMIT);
        same_as_before(s, copy, t->cipher->context_bytes, &k, &old, "the limit");
    }
    free_context(s);
    free_context(copy);
}

static void errors(const target *t, const message *m)
{
    uint8_t out[64], block[16];
    runnel_keystream k = {0}, old;
    runnel_stream *s = new_context(t->cipher), *copy = new_context(t->cipher);
    CHECK_RESULT(runnel_stream_xor_ahead(s, &k, out, NULL, 1), RUNNEL_ERR_STATE);
    CHECK_RESULT(runnel_stream_counter(s, 0, block), RUNNEL_ERR_STATE);
    start_message(s, t, m);
    CHECK_RESULT(runnel_stream_xor_ahead(NULL, &k, out, NULL, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_xor_ahead(s, NULL, out, NULL, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_counter(NULL, 0, block), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_counter(s, 0, NULL), RUNNEL_ERR_NULL);
    if (t->cipher->mode != RUNNEL_MODE_CTR)
        CHECK_RESULT(runnel_stream_counter(s, 0, block), RUNNEL_ERR_LAYOUT);
    CHECK_OK(runnel_stream_xor_ahead(s, &k, out, NULL, 3));
    for (int i = 0; i < 2; i++) { /* with nothing ahead, and with something */
        memcpy(copy, s, t->cipher->context_bytes);
        memcpy(&old, &k, sizeof k);
        CHECK_RESULT(runnel_stream_xor_ahead(s, &k, NULL, out, 1), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_xor_ahead(s, &k, out, out + 1, 2), RUNNEL_ERR_OVERLAP);
        CHECK_RESULT(runnel_stream_xor_ahead(s, &k, out + 40, out, 41), RUNNEL_ERR_OVERLAP);
        CHECK_OK(runnel_stream_xor_ahead(s, &k, NULL, NULL, 0));
        same_as_before(s, copy, t->cipher->context_bytes, &k, &old, "an error");
        CHECK_OK(runnel_stream_xor_ahead(s, &k, out, NULL, 40));
    }
    runnel_keystream_wipe(NULL);
    free_context(s);
    free_context(copy);
}

/* The counter block of any number is the IV plus that number, in the field of the layout. */
static void counter_blocks(const target *t, const message *m)
{
    const size_t block_bytes = t->cipher->block_bytes;
    unsigned bits, offset, little;
    layout_field(m->layout, block_bytes, &bits, &offset, &little);
    runnel_stream *s = new_context(t->cipher), *copy = new_context(t->cipher);
    start_message(s, t, m);
    const uint64_t period = model_period(t->cipher, m->layout);
    for (unsigned i = 0; i < 200; i++) {
        uint64_t number = random64() >> random_below(64);
        if (period != 0)
            number = i == 0 ? period : number % period;
        uint8_t wanted[16], block[17];
        memset(block, 0xa5, sizeof block);
        memcpy(wanted, m->iv, block_bytes);
        add_to_counter(wanted, bits, offset, little, number);
        memcpy(copy, s, t->cipher->context_bytes);
        CHECK_OK(runnel_stream_counter(s, number, block));
        CHECK_BYTES(block, wanted, block_bytes, "counter block %llu", (unsigned long long)number);
        CHECK(block[block_bytes] == 0xa5, "written behind the counter block");
        CHECK_BYTES(s, copy, t->cipher->context_bytes, "the stream after a counter block");
    }
    uint8_t block[16];
    if (period != 0)
        CHECK_RESULT(runnel_stream_counter(s, period + 1, block), RUNNEL_ERR_LIMIT);
    free_context(s);
    free_context(copy);
}

void test_ahead(const target *t)
{
    static uint8_t keystream[LONGEST];
    static const size_t longest[] = {5, 100, 256, 257, 1025};
    naive model;
    model_init(&model, t->cipher);
    int layouts[RUNNEL_LAYOUTS];
    const size_t count = layouts_of(t->cipher, layouts);
    for (size_t i = 0; i < count; i++) {
        message m = random_message(t);
        m.layout = layouts[i];
        model_message(&model, &m);
        model_keystream_at(&model, 0, keystream, sizeof keystream);
        for (size_t k = 0; k < sizeof longest / sizeof longest[0]; k++)
            pieces(t, &m, keystream, longest[k]);
        if (t->cipher->seekable && model_period(t->cipher, m.layout) != 0)
            to_the_end(t, &m, &model);
        errors(t, &m);
        if (m.layout != 0)
            counter_blocks(t, &m);
    }
    model_free(&model);
}
