/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams in pieces: however a message is cut, whatever happens in between and wherever the context lies, the bytes are
 * the model's. */
#include <time.h>

#include "properties.h"

enum { LONGEST = 10000 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every cut in two of every length up to 257, and random cuts of long messages. */
void test_splits(const target *t)
{
    static uint8_t keystream[LONGEST], plain[LONGEST], wanted[LONGEST], out[LONGEST];
    message m = random_message(t);
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    model_keystream_at(&model, 0, keystream, LONGEST);
    random_bytes(plain, LONGEST);
    for (unsigned i = 0; i < LONGEST; i++)
        wanted[i] = keystream[i] ^ plain[i];
    runnel_stream *s = new_context(t->cipher);
    start_message(s, t, &m);
    for (size_t n = 0; n <= 257; n += scale > 1 ? 1 + random_below(scale) : 1)
        for (size_t cut = 0; cut <= n; cut++) {
            CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
            memcpy(out, plain, n);
            CHECK_OK(runnel_stream_xor(s, out, out, cut));
            CHECK_OK(runnel_stream_xor(s, out + cut, out + cut, n - cut));
            CHECK_BYTES(out, wanted, n, "length %zu cut at %zu", n, cut);
        }
    for (unsigned i = 0; i < 1000 / scale; i++) {
        size_t n = random_below(LONGEST + 1), most = 1 + random_below(i % 2 ? 3000 : 100);
        CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        for (size_t done = 0, piece; done < n; done += piece) {
            piece = random_length(t->cipher->block_bytes, most);
            piece = piece < n - done ? piece : n - done;
            CHECK_OK(runnel_stream_xor(s, out + done, plain + done, piece));
            CHECK(runnel_stream_tell(s) == done + piece, "position after pieces");
        }
        CHECK_BYTES(out, wanted, n, "length %zu in random pieces up to %zu", n, most);
    }
    free_context(s);
    model_free(&model);
}

/* The expected state of a context. */
typedef struct expectation {
    int stage; /* 0 nothing, 1 key, 2 IV */
    message m;
    uint64_t position;
} expectation;

typedef struct machine {
    const target *t;
    runnel_stream *s[2];
    expectation e[2];
    naive model[2];
} machine;

static void step_xor(machine *k, unsigned i)
{
    enum { MOST = 4200 };
    static uint8_t in[MOST], out[MOST], keystream[MOST];
    const runnel_cipher *cipher = k->t->cipher;
    expectation *e = &k->e[i];
    size_t n = random_below(40) == 0 ? random_below(MOST + 1) : random_length(cipher->block_bytes, 150);
    int keystream_only = random_below(3) == 0, in_place = random_below(2) == 0;
    random_bytes(in, n < 16 ? n : 16); /* the rest stays from earlier steps: random enough */
    uint64_t period = e->stage == 2 ? model_period(cipher, e->m.layout) : 0;
    int beyond =
        period != 0 && (e->position / cipher->block_bytes >= period || n > period * cipher->block_bytes - e->position);
    memcpy(out, in, n);
    int result = runnel_stream_xor(k->s[i], out, keystream_only ? NULL : in_place ? out : in, n);
    if (e->stage < 2) {
        CHECK(result == RUNNEL_ERR_STATE, "xor without an IV gives %d", result);
    } else if (beyond && n > 0) {
        CHECK(result == RUNNEL_ERR_LIMIT, "xor beyond the limit gives %d", result);
    } else {
        CHECK(result == RUNNEL_OK, "xor gives %d", result);
        model_keystream_at(&k->model[i], e->position, keystream, n);
        for (size_t b = 0; b < n; b++)
            keystream[b] ^= keystream_only ? 0 : in[b];
        CHECK_BYTES(out, keystream, n, "xor of %zu at position %llu", n, (unsigned long long)e->position);
        e->position += n;
        return;
    }
    CHECK_BYTES(out, in, n, "output after an error");
}

static void step_seek(machine *k, unsigned i)
{
    const runnel_cipher *cipher = k->t->cipher;
    expectation *e = &k->e[i];
    uint64_t to, period = e->stage == 2 ? model_period(cipher, e->m.layout) : 0;
    switch (random_below(5)) {
    case 0:
        to = random_below(300);
        break;
    case 1:
        to = random64() >> (2 + random_below(62));
        break;
    case 2: /* near a power of two blocks */
        to = ((uint64_t)cipher->block_bytes << random_below(50)) + random_below(64);
        break;
    case 3: /* near the end, or not far from here */
        to = period != 0 ? period * cipher->block_bytes - random_below(5000) : e->position + random_below(100);
        break;
    default:
        to = e->position - (e->position < 100 ? 0 : random_below(100));
    }
    int result = runnel_stream_seek(k->s[i], to);
    if (e->stage < 2)
        CHECK(result == RUNNEL_ERR_STATE, "seek without an IV gives %d", result);
    else if (!cipher->seekable)
        CHECK(result == RUNNEL_ERR_SEEK, "seek gives %d", result);
    else if (period != 0 && to > period * cipher->block_bytes)
        CHECK(result == RUNNEL_ERR_LIMIT, "seek beyond the end gives %d", result);
    else {
        CHECK(result == RUNNEL_OK, "seek to %llu gives %d", (unsigned long long)to, result);
        e->position = to;
    }
}

static void step(machine *k)
{
    const runnel_cipher *cipher = k->t->cipher;
    unsigned i = (unsigned)random_below(2), what = (unsigned)random_below(100);
    expectation *e = &k->e[i];
    if (what < 2) {
        message fresh = random_message(k->t);
        e->m = fresh;
        CHECK_OK(runnel_cipher_key(cipher, k->s[i], e->m.key, e->m.key_bytes, k->t->kernel->name));
        model_key(&k->model[i], e->m.key, e->m.key_bytes);
        e->stage = 1;
    } else if (what < 10) {
        message fresh = next_message(k->t, e->m.key_bytes);
        if (cipher->layout != 0 && random_below(2) == 0) /* many messages under one nonce prefix, as in practice */
            memcpy(fresh.iv, e->m.iv, 12);
        if (cipher->layout != 0 && random_below(4) == 0)
            memset(fresh.iv + random_below(cipher->block_bytes), 0xff, 1);
        int result = runnel_stream_iv(k->s[i], fresh.iv, fresh.iv_bytes, fresh.layout);
        if (e->stage == 0) {
            CHECK(result == RUNNEL_ERR_STATE, "IV without a key gives %d", result);
        } else {
            CHECK(result == RUNNEL_OK, "IV gives %d", result);
            memcpy(e->m.iv, fresh.iv, sizeof fresh.iv);
            e->m.iv_bytes = fresh.iv_bytes;
            e->m.layout = fresh.layout;
            model_iv(&k->model[i], fresh.iv, fresh.iv_bytes, fresh.layout);
            e->stage = 2;
            e->position = 0;
        }
    } else if (what < 30) {
        step_seek(k, i);
    } else if (what < 32) { /* the other context becomes a copy; then both go their own ways */
        memcpy(k->s[!i], k->s[i], cipher->context_bytes);
        k->e[!i] = *e;
        if (e->stage >= 1)
            model_key(&k->model[!i], e->m.key, e->m.key_bytes);
        if (e->stage == 2)
            model_iv(&k->model[!i], e->m.iv, e->m.iv_bytes, e->m.layout);
    } else if (what < 33) {
        runnel_stream_wipe(k->s[i]);
        e->stage = 0;
        CHECK(runnel_stream_kernel(k->s[i]) == NULL, "a wiped context has a kernel");
    } else {
        step_xor(k, i);
    }
    uint64_t period = e->stage == 2 ? model_period(cipher, e->m.layout) : 0;
    CHECK(runnel_stream_tell(k->s[i]) == (e->stage == 2 ? e->position : 0), "tell is %llu, not %llu",
          (unsigned long long)runnel_stream_tell(k->s[i]), (unsigned long long)e->position);
    CHECK(runnel_stream_left(k->s[i]) == (e->stage < 2  ? 0
                                          : period == 0 ? UINT64_MAX
                                                        : period * cipher->block_bytes - e->position),
          "left is %llu at %llu", (unsigned long long)runnel_stream_left(k->s[i]), (unsigned long long)e->position);
}

/* 100,000 random steps on two contexts. */
void test_machine(const target *t)
{
    machine k = {.t = t};
    for (unsigned i = 0; i < 2; i++) {
        k.s[i] = new_context(t->cipher);
        model_init(&k.model[i], t->cipher);
    }
    for (unsigned i = 0; i < 100000 / scale; i++) {
        step(&k);
        for (unsigned c = 0; c < 2; c++) /* what cannot seek would make the model keep too much */
            if (!t->cipher->seekable && k.e[c].position > 100000) {
                CHECK_OK(runnel_stream_iv(k.s[c], k.e[c].m.iv, k.e[c].m.iv_bytes, k.e[c].m.layout));
                model_iv(&k.model[c], k.e[c].m.iv, k.e[c].m.iv_bytes, k.e[c].m.layout);
                k.e[c].position = 0;
            }
    }
    for (unsigned i = 0; i < 2; i++) {
        free_context(k.s[i]);
        model_free(&k.model[i]);
    }
}

/* The kernel beside the reference kernel: random key, IV, position and length, 100,000 times or for five seconds. */
void test_random(const target *t)
{
    enum { MOST = 9000 };
    static uint8_t out[MOST], wanted[MOST];
    const runnel_cipher *cipher = t->cipher;
    const target reference = {cipher, reference_kernel(cipher)};
    runnel_stream *s = new_context(cipher), *r = new_context(cipher);
    message m = random_message(t);
    const double until = seconds() + 2;
    unsigned i = 0;
    for (; i < 100000 / scale && (i < 10000 / scale || seconds() < until); i++) {
        message fresh = i % 8 == 0 ? random_message(t) : next_message(t, m.key_bytes);
        if (i % 8 == 0) {
            m = fresh;
            start_message(s, t, &m);
            start_message(r, &reference, &m);
        } else {
            memcpy(m.iv, fresh.iv, sizeof m.iv);
            m.iv_bytes = fresh.iv_bytes;
            m.layout = fresh.layout;
            CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
            CHECK_OK(runnel_stream_iv(r, m.iv, m.iv_bytes, m.layout));
        }
        if (cipher->seekable && i % 2) {
            uint64_t blocks = model_period(cipher, m.layout), to = random64() >> (random_below(60) + 1);
            if (blocks != 0)
                to %= blocks * cipher->block_bytes - MOST;
            CHECK_OK(runnel_stream_seek(s, to));
            CHECK_OK(runnel_stream_seek(r, to));
        }
        size_t n = i % 64 == 0 ? random_below(MOST + 1) : random_below(320);
        CHECK_OK(runnel_stream_xor(s, out, NULL, n));
        CHECK_OK(runnel_stream_xor(r, wanted, NULL, n));
        CHECK_BYTES(out, wanted, n, "message %u of %zu bytes", i, n);
    }
    printf("%u messages\n", i);
    free_context(s);
    free_context(r);
}

/* Messages under one key, in one counter layout, whose IVs differ in one byte. */
static void nonces_of(const target *t, int layout)
{
    enum { MOST = 1300 };
    const size_t block_bytes = t->cipher->block_bytes;
    uint8_t *wanted = malloc(MOST * block_bytes), *out = malloc(MOST * block_bytes);
    message m = random_message(t);
    m.iv_bytes = t->cipher->iv_as_key ? m.key_bytes : t->cipher->iv_bytes.last;
    m.layout = layout;
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    runnel_stream *s = new_context(t->cipher);
    start_message(s, t, &m);
    CHECK_OK(runnel_stream_xor(s, out, NULL, MOST * block_bytes));
    CHECK_OK(runnel_stream_xor(s, out, NULL, MOST * block_bytes)); /* continuing: now it keeps what it ever keeps */
    for (unsigned again = 0; again < 2; again++)
        for (size_t byte = 0; byte < m.iv_bytes; byte++) {
            m.iv[byte] ^= (uint8_t)(1 << random_below(8));
            const size_t n = block_bytes * (byte % 4 == again ? MOST : 1 + random_below(300));
            model_iv(&model, m.iv, m.iv_bytes, m.layout);
            model_keystream_at(&model, 0, wanted, n);
            CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
            const size_t cut = random_below(n);
            CHECK_OK(runnel_stream_xor(s, out, NULL, cut));
            CHECK_OK(runnel_stream_xor(s, out + cut, NULL, n - cut));
            CHECK_BYTES(out, wanted, n, "after byte %zu of the IV has changed", byte);
        }
    free_context(s);
    free(wanted);
    free(out);
    model_free(&model);
}

/* Messages under one key and IV, in one counter layout after another: of the first or the last byte of the IV, one counts
 * and the other is what tables are made for. */
static void layouts_in_turn(const target *t, const int *layouts, size_t count)
{
    enum { MOST = 1300 };
    const size_t block_bytes = t->cipher->block_bytes;
    uint8_t *wanted = malloc(MOST * block_bytes), *out = malloc(MOST * block_bytes);
    message m = random_message(t);
    m.iv[0] = m.iv[block_bytes - 1]; /* so that one could be taken for the other */
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    runnel_stream *s = new_context(t->cipher);
    start_message(s, t, &m);
    for (unsigned i = 0; i < 4 * count; i++) {
        const size_t n = block_bytes * (i % 2 ? MOST : 1 + random_below(600));
        m.layout = layouts[i < count ? i : random_below(count)];
        model_iv(&model, m.iv, m.iv_bytes, m.layout);
        model_keystream_at(&model, 0, wanted, n);
        CHECK_OK(runnel_stream_packet(s, m.iv, m.iv_bytes, m.layout, out, NULL, n));
        CHECK_BYTES(out, wanted, n, "in layout %s after another", runnel_layout_name(m.layout));
    }
    free_context(s);
    free(wanted);
    free(out);
    model_free(&model);
}

/* Whatever a kernel keeps of one nonce or layout, no other may see it. */
void test_nonces(const target *t)
{
    int layouts[RUNNEL_LAYOUTS];
    const size_t count = layouts_of(t->cipher, layouts);
    if (count > 1)
        layouts_in_turn(t, layouts, count);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || scale < 100)
            nonces_of(t, layouts[i]);
}

/* One message by a context that continues at another place after each piece. */
static void wander(const target *t, const message *m, unsigned place, unsigned step, runnel_verb v, uint8_t *out,
                   const uint8_t *in, size_t bytes)
{
    const size_t block_bytes = t->cipher->block_bytes;
    runnel_stream *s = new_context_at(t->cipher, place);
    start_message(s, t, m);
    for (size_t done = 0, piece; done < bytes; done += piece) {
        piece = random_below(2) ? random_length(block_bytes, bytes) : block_bytes * random_below(400);
        piece = piece < bytes - done ? piece : bytes - done;
        CHECK_OK(v(s, out + done, in + done, piece));
        runnel_stream *there = new_context_at(t->cipher, place += step);
        memcpy(there, s, t->cipher->context_bytes);
        memset(s, 0xa5, t->cipher->context_bytes); /* gone, with all that it kept */
        free_context(s);
        s = there;
    }
    free_context(s);
}

/* A context may lie anywhere that malloc may put it, and be copied to any such place in the middle of a message. */
void test_places(const target *t)
{
    enum { BLOCKS = 1700 };
    const size_t bytes = BLOCKS * (size_t)(t->cipher->block_bytes < 16 ? t->cipher->block_bytes : 16);
    const target reference = {t->cipher, reference_kernel(t->cipher)};
    uint8_t *plain = malloc(bytes), *wanted = malloc(bytes), *out = malloc(bytes);
    random_bytes(plain, bytes);
    for (unsigned step = 0; step < PLACES; step++) { /* 0: it stays where it is */
        message m = random_message(t);
        runnel_stream *r = new_context_at(t->cipher, 0);
        start_message(r, &reference, &m);
        CHECK_OK(runnel_stream_encrypt(r, wanted, plain, bytes));
        free_context(r);
        for (unsigned place = 0; place < PLACES; place++) {
            wander(t, &m, place, step, runnel_stream_encrypt, out, plain, bytes);
            CHECK_BYTES(out, wanted, bytes, "encryption from place %u, %u further each time", place, step);
            wander(t, &m, place, step, runnel_stream_decrypt, out, wanted, bytes);
            CHECK_BYTES(out, plain, bytes, "decryption from place %u, %u further each time", place, step);
        }
    }
    free(plain);
    free(wanted);
    free(out);
}
