/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several streams at once: whatever the mixture of streams, lengths and left-over bytes, each makes the bytes that it
 * makes alone, and may be used alone before and after; an error of one changes none. */
#include "properties.h"

enum { MOST_STREAMS = 21, MOST = 3000 };

typedef struct crowd {
    const target *t;
    size_t count, iv_bytes;
    runnel_stream *s[MOST_STREAMS], *alone[MOST_STREAMS];
    uint8_t *out[MOST_STREAMS], *wanted[MOST_STREAMS], *in[MOST_STREAMS];
    size_t bytes[MOST_STREAMS];
} crowd;

static void new_crowd(crowd *c, const target *t)
{
    c->t = t;
    for (size_t i = 0; i < MOST_STREAMS; i++) {
        c->s[i] = new_context(t->cipher);
        c->alone[i] = new_context(t->cipher);
        c->out[i] = malloc(MOST);
        c->wanted[i] = malloc(MOST);
        c->in[i] = malloc(MOST);
        random_bytes(c->in[i], MOST);
    }
}

static void free_crowd(crowd *c)
{
    for (size_t i = 0; i < MOST_STREAMS; i++) {
        free_context(c->s[i]);
        free_context(c->alone[i]);
        free(c->out[i]);
        free(c->wanted[i]);
        free(c->in[i]);
    }
}

/* A kernel for a stream of the crowd: mostly the target's, sometimes the reference, so that groups form. */
static target random_kernel(const target *t)
{
    const target other = {t->cipher, random_below(8) == 0 ? reference_kernel(t->cipher) : t->kernel};
    return other;
}

/* Keys for all; the IVs are set at once, for some of the streams a second time. */
static void start_crowd(crowd *c)
{
    const runnel_cipher *cipher = c->t->cipher;
    const uint8_t *ivs[MOST_STREAMS];
    message m[MOST_STREAMS];
    const pair lengths = random_pair(cipher);
    const int layout = random_layout(cipher);
    c->count = random_below(MOST_STREAMS + 1);
    c->iv_bytes = lengths.iv_bytes;
    for (size_t i = 0; i < c->count; i++) {
        const target t = random_kernel(c->t);
        m[i] = random_message(&t);
        if (random_below(3) == 0) /* an earlier message, and left-over bytes of it */
            start_message(c->s[i], &t, &m[i]);
        CHECK_OK(runnel_cipher_key(cipher, c->s[i], m[i].key, lengths.key_bytes, t.kernel->name));
        memcpy(c->alone[i], c->s[i], cipher->context_bytes);
        CHECK_OK(runnel_stream_iv(c->alone[i], m[i].iv, lengths.iv_bytes, layout));
        ivs[i] = m[i].iv;
    }
    CHECK_OK(runnel_stream_iv_batch(c->s, ivs, lengths.iv_bytes, layout, c->count));
}

static void xor_crowd(crowd *c)
{
    const uint8_t *in[MOST_STREAMS];
    const size_t block_bytes = c->t->cipher->block_bytes;
    const size_t most = random_below(6) == 0 ? MOST : 4 * block_bytes < MOST ? 4 * block_bytes : MOST;
    const int same = random_below(3) == 0, no_input = random_below(5) == 0;
    for (size_t i = 0; i < c->count; i++) {
        c->bytes[i] = same && i > 0 ? c->bytes[0] : random_length(block_bytes, most);
        if (c->bytes[i] > MOST)
            c->bytes[i] = MOST;
        const int kind = no_input ? 0 : (int)random_below(4); /* the keystream, in place, from elsewhere */
        in[i] = kind == 0 ? NULL : kind == 1 ? c->out[i] : c->in[i];
        memcpy(c->out[i], c->in[i], MOST);
        memcpy(c->wanted[i], c->in[i], MOST);
        CHECK_OK(runnel_stream_xor(c->alone[i], c->wanted[i], kind == 0 ? NULL : c->wanted[i], c->bytes[i]));
    }
    CHECK_OK(runnel_stream_xor_batch(c->s, c->out, no_input ? NULL : in, c->bytes, c->count));
    for (size_t i = 0; i < c->count; i++) {
        CHECK_BYTES(c->out[i], c->wanted[i], MOST, "stream %zu of %zu, %zu bytes", i, c->count, c->bytes[i]);
        CHECK(runnel_stream_tell(c->s[i]) == runnel_stream_tell(c->alone[i]), "position of stream %zu", i);
    }
}

/* Streams that continue alone, each some way, so that the next call finds them at different places. */
static void scatter(crowd *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (random_below(2) == 0) {
            const size_t n = random_length(c->t->cipher->block_bytes, 200);
            CHECK_OK(runnel_stream_xor(c->alone[i], c->wanted[i], NULL, n));
            CHECK_OK(runnel_stream_xor(c->s[i], c->out[i], NULL, n));
            CHECK_BYTES(c->out[i], c->wanted[i], n, "stream %zu alone after others", i);
        }
}

/* With stream number bad of the crowd in the way, nothing happens to any. */
static void refuse(crowd *c, const uint8_t *const *in, size_t bad, int wanted)
{
    const uint32_t context_bytes = c->t->cipher->context_bytes;
    for (size_t i = 0; i < c->count; i++) {
        if (c->s[i] != NULL)
            memcpy(c->alone[i], c->s[i], context_bytes);
        memcpy(c->wanted[i], c->out[i], MOST);
    }
    CHECK_RESULT(runnel_stream_xor_batch(c->s, c->out, in, c->bytes, c->count), wanted);
    for (size_t i = 0; i < c->count; i++) {
        if (c->s[i] != NULL)
            CHECK_BYTES(c->s[i], c->alone[i], context_bytes, "stream %zu, with an error in number %zu", i, bad);
        CHECK_BYTES(c->out[i], c->wanted[i], MOST, "output %zu, with an error in number %zu", i, bad);
    }
}

/* IVs for streams of two ciphers in turn, of which one may not take IVs of that length. */
static void check_two_ciphers(const target *t)
{
    static const char *const others[] = {"aes-128-cfb", "hight-ctr", "chacha20"};
    const pair lengths = random_pair(t->cipher);
    const message m = random_message(t);
    const uint8_t *const ivs[3] = {m.iv, m.iv, m.iv};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const runnel_cipher *of[3] = {t->cipher, runnel_cipher_find(others[i]), t->cipher};
        runnel_stream *s[3], *alone[3];
        for (size_t k = 0; k < 3; k++) {
            const size_t key_bytes = k == 1 ? of[1]->key_bytes.last : lengths.key_bytes;
            s[k] = new_context(of[k]);
            alone[k] = new_context(of[k]);
            CHECK_OK(runnel_cipher_key(of[k], s[k], m.key, key_bytes, k == 1 ? NULL : t->kernel->name));
            CHECK_OK(runnel_cipher_key(of[k], alone[k], m.key, key_bytes, k == 1 ? NULL : t->kernel->name));
        }
        const int fits = runnel_stream_iv(alone[1], m.iv, lengths.iv_bytes, 0) == RUNNEL_OK;
        for (size_t k = 0; k < 3 && fits; k++)
            CHECK_OK(runnel_stream_iv(alone[k], m.iv, lengths.iv_bytes, 0));
        CHECK_RESULT(runnel_stream_iv_batch(s, ivs, lengths.iv_bytes, 0, 3), fits ? RUNNEL_OK : RUNNEL_ERR_IV_LENGTH);
        for (size_t k = 0; k < 3; k++) {
            uint8_t made[40] = {0}, wanted[40] = {0};
            CHECK_BYTES((uint8_t *)s[k], (uint8_t *)alone[k], sizeof *s[k], "stream %zu beside %s", k, others[i]);
            CHECK_RESULT(runnel_stream_encrypt(s[k], made, made, sizeof made), fits ? RUNNEL_OK : RUNNEL_ERR_STATE);
            CHECK_RESULT(runnel_stream_encrypt(alone[k], wanted, wanted, sizeof made),
                         fits ? RUNNEL_OK : RUNNEL_ERR_STATE);
            CHECK_BYTES(made, wanted, sizeof made, "stream %zu beside %s", k, others[i]);
            free_context(s[k]);
            free_context(alone[k]);
        }
    }
}

static void check_errors(crowd *c)
{
    const uint8_t *in[MOST_STREAMS], *ivs[MOST_STREAMS];
    static const uint8_t zeros[LONGEST_IV];
    if (c->count < 2)
        return;
    const size_t bad = random_below(c->count), other = (bad + 1) % c->count;
    for (size_t i = 0; i < c->count; i++) {
        c->bytes[i] = 100;
        in[i] = c->in[i];
        ivs[i] = zeros;
    }
    runnel_stream *s = c->s[bad], *empty = new_context(c->t->cipher);
    uint8_t *out = c->out[bad];
    c->s[bad] = NULL;
    refuse(c, in, bad, RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_iv_batch(c->s, ivs, c->iv_bytes, 0, c->count), RUNNEL_ERR_NULL);
    c->s[bad] = empty;
    refuse(c, in, bad, RUNNEL_ERR_STATE);
    CHECK_RESULT(runnel_stream_iv_batch(c->s, ivs, c->iv_bytes, 0, c->count), RUNNEL_ERR_STATE);
    c->s[bad] = c->s[other];
    refuse(c, in, bad, RUNNEL_ERR_OVERLAP);
    c->s[bad] = s;
    in[bad] = out + 1;
    refuse(c, in, bad, RUNNEL_ERR_OVERLAP);
    in[bad] = c->in[bad];
    CHECK_RESULT(runnel_stream_iv_batch(c->s, ivs, LONGEST_IV + 1, 0, c->count), RUNNEL_ERR_IV_LENGTH);
    CHECK_RESULT(runnel_stream_iv_batch(c->s, ivs, c->iv_bytes, 99, c->count), RUNNEL_ERR_LAYOUT);
    c->bytes[bad] = 0; /* then NULL is nothing wrong */
    c->out[bad] = NULL;
    in[bad] = NULL;
    CHECK_OK(runnel_stream_xor_batch(c->s, c->out, in, c->bytes, c->count));
    c->out[bad] = out;
    CHECK_OK(runnel_stream_xor_batch(c->s, c->out, in, c->bytes, c->count));
    CHECK_OK(runnel_stream_xor_batch(NULL, NULL, NULL, NULL, 0));
    CHECK_RESULT(runnel_stream_xor_batch(c->s, NULL, NULL, c->bytes, c->count), RUNNEL_ERR_NULL);
    free_context(empty);
}

static const runnel_batch *counted;
static unsigned calls;

static void count_call(void *const *states, uint64_t index, uint8_t *const *out, const uint8_t *const *in,
                       size_t nblocks)
{
    calls++;
    counted->xor_blocks(states, index, out, in, nblocks);
}

/* The functions for several streams are called, once for as many as there are lanes, where this CPU has what they need, and
 * not where a mask hides it; a stream of another kernel among them changes nothing. All by a kernel that counts the calls. */
static void check_side_by_side(const target *t)
{
    const runnel_batch *batch = t->kernel->batch;
    if (batch == NULL || batch->min_streams_xor > batch->lanes || runnel_batch_of(t->kernel) == NULL)
        return;
    runnel_batch counting = *batch;
    runnel_kernel kernel = *t->kernel;
    runnel_stream *s[MOST_STREAMS];
    uint8_t *out[MOST_STREAMS];
    size_t bytes[MOST_STREAMS];
    const size_t count = 2u * batch->lanes + 1u;
    const message m = random_message(t);
    counted = batch;
    counting.xor_blocks = count_call;
    kernel.batch = &counting;
    for (int masked = 0; masked < 2; masked++) {
        for (size_t i = 0; i < count; i++) {
            const target of = {t->cipher, i == 1 ? reference_kernel(t->cipher) : t->kernel};
            s[i] = new_context(t->cipher);
            start_message(s[i], &of, &m);
            if (i != 1)
                s[i]->kernel = &kernel;
            bytes[i] = 2u * t->cipher->block_bytes;
            out[i] = malloc(bytes[i]);
        }
        calls = 0;
        runnel_cpu_mask(masked ? ~batch->cpu : UINT32_MAX);
        CHECK_OK(runnel_stream_xor_batch(s, out, NULL, bytes, count));
        runnel_cpu_mask(UINT32_MAX);
        CHECK(calls == (masked && batch->cpu != 0 ? 0 : 2), "%u calls for %zu streams", calls, count);
        for (size_t i = 0; i < count; i++) {
            free_context(s[i]);
            free(out[i]);
        }
    }
}

void test_batch(const target *t)
{
    crowd c;
    check_two_ciphers(t);
    check_side_by_side(t);
    new_crowd(&c, t);
    for (unsigned i = 0; i < 60 / scale + 3; i++) {
        start_crowd(&c);
        for (unsigned k = 0; k < 4; k++) {
            xor_crowd(&c);
            scatter(&c);
        }
        check_errors(&c);
    }
    free_crowd(&c);
}
