/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packets: a new IV and its message in one call do what the two calls do, whatever the stream did before, and leave it
 * where they do; an error of either is found before anything changes. */
#include "properties.h"

enum { MOST = 3000, AFTER = 150 };

typedef int (*packet_verb)(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                           const uint8_t *in, size_t bytes);
typedef int (*message_verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

static const struct {
    const char *name;
    int kinds;
    packet_verb packet;
    message_verb message;
} verbs[] = {
    {"packet", KEYSTREAM, runnel_stream_packet, runnel_stream_xor},
    {"encrypt_packet", ANY, runnel_stream_encrypt_packet, runnel_stream_encrypt},
    {"decrypt_packet", ANY, runnel_stream_decrypt_packet, runnel_stream_decrypt},
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

typedef struct pair_of_streams {
    runnel_stream *s, *other; /* by packets, and by the two calls */
} pair_of_streams;

static pair_of_streams new_pair(const runnel_cipher *cipher)
{
    const pair_of_streams p = {new_context(cipher), new_context(cipher)};
    return p;
}

static void free_pair(pair_of_streams *p)
{
    free_context(p->s);
    free_context(p->other);
}

/* The same key for both, and sometimes an earlier message that ends anywhere. */
static void key_both(pair_of_streams *p, const target *t, const message *m)
{
    static uint8_t out[AFTER], in[AFTER];
    CHECK_OK(runnel_cipher_key(t->cipher, p->s, m->key, m->key_bytes, t->kernel->name));
    if (random_below(3) > 0) {
        const message earlier = next_message(t, m->key_bytes);
        CHECK_OK(runnel_stream_iv(p->s, earlier.iv, earlier.iv_bytes, earlier.layout));
        CHECK_OK(runnel_stream_encrypt(p->s, out, in, random_below(AFTER)));
    }
    memcpy(p->other, p->s, t->cipher->context_bytes);
}

/* A counter, at either end of the block, of which some bytes wrap within a few blocks. */
static void near_a_wrap(message *m)
{
    const size_t n = 1 + random_below(m->iv_bytes);
    const int little = random_below(4) == 0;
    memset(little ? m->iv : m->iv + m->iv_bytes - n, 0xff, n);
    m->iv[little ? 0 : m->iv_bytes - 1] = (uint8_t)(0xff - random_below(8));
}

static void one_packet(const target *t, pair_of_streams *p, size_t v)
{
    static uint8_t memory[MOST + 64], apart[MOST + 64], wanted[MOST], after[AFTER], after_wanted[AFTER];
    const runnel_cipher *cipher = t->cipher;
    message m = random_message(t);
    const size_t key_bytes = m.key_bytes;
    key_both(p, t, &m);
    for (unsigned k = 0; k < 4; k++) { /* packet after packet */
        if (cipher->mode == RUNNEL_MODE_CTR && random_below(2) == 0)
            near_a_wrap(&m);
        const int keystream = kind_of(cipher) == KEYSTREAM && random_below(4) == 0, in_place = random_below(2) == 0;
        const size_t bytes = random_length(cipher->block_bytes, random_below(8) == 0 ? MOST : 200) % MOST;
        const size_t n = random_below(3) == 0 ? bytes / cipher->block_bytes * cipher->block_bytes : bytes;
        uint8_t *out = memory + random_below(64), *in = in_place ? out : apart + random_below(64);
        random_bytes(in, n);
        memcpy(wanted, in, n);
        CHECK_OK(runnel_stream_iv(p->other, m.iv, m.iv_bytes, m.layout));
        CHECK_OK(verbs[v].message(p->other, wanted, keystream ? NULL : wanted, n));
        const uint8_t before = out[n];
        CHECK_OK(verbs[v].packet(p->s, m.iv, m.iv_bytes, m.layout, out, keystream ? NULL : in, n));
        CHECK_BYTES(out, wanted, n, "%s of %zu bytes", verbs[v].name, n);
        CHECK(out[n] == before, "written after %s of %zu bytes", verbs[v].name, n);
        CHECK(runnel_stream_tell(p->s) == n, "position after %s of %zu bytes", verbs[v].name, n);
        CHECK(runnel_stream_left(p->s) == runnel_stream_left(p->other), "left after %s of %zu bytes", verbs[v].name, n);
        for (unsigned i = 0; i < 2; i++) { /* the stream continues; once from a place in the message */
            const size_t more = random_below(AFTER), to = random_below(n + 1);
            memset(after, 0, more);
            CHECK_OK(verbs[v].message(p->other, after_wanted, after, more));
            CHECK_OK(verbs[v].message(p->s, after, after, more));
            CHECK_BYTES(after, after_wanted, more, "what follows %s of %zu bytes", verbs[v].name, n);
            if (cipher->seekable) {
                CHECK_OK(runnel_stream_seek(p->s, to));
                CHECK_OK(runnel_stream_seek(p->other, to));
            }
        }
        m = next_message(t, key_bytes);
    }
}

/* An IV that lies where the output goes is read before anything is written. */
static void over_the_iv(const target *t, pair_of_streams *p, size_t v)
{
    static uint8_t memory[MOST], in[MOST], wanted[MOST];
    const message m = random_message(t);
    const size_t n = 1 + random_below(random_below(2) == 0 ? 40 : 400);
    key_both(p, t, &m);
    random_bytes(in, n);
    CHECK_OK(runnel_stream_iv(p->other, m.iv, m.iv_bytes, m.layout));
    CHECK_OK(verbs[v].message(p->other, wanted, in, n));
    uint8_t *iv = memory + (random_below(2) == 0 ? 0 : random_below(n));
    memcpy(iv, m.iv, m.iv_bytes);
    CHECK_OK(verbs[v].packet(p->s, iv, m.iv_bytes, m.layout, memory, in, n));
    CHECK_BYTES(memory, wanted, n, "%s of %zu bytes over its IV", verbs[v].name, n);
}

typedef struct arguments {
    const char *what;
    runnel_stream *s;
    const uint8_t *iv;
    size_t iv_bytes;
    int layout;
    uint8_t *out;
    const uint8_t *in;
    size_t bytes;
} arguments;

/* The result is what the two calls, one after the other, give; an error leaves all as it was. */
static void refuse(const target *t, pair_of_streams *p, size_t v, const arguments *a, const uint8_t *memory,
                   size_t memory_bytes)
{
    static uint8_t before[MOST];
    int wanted = runnel_stream_iv(a->s == NULL ? NULL : p->other, a->iv, a->iv_bytes, a->layout);
    if (!wanted)
        wanted = verbs[v].message(a->s == NULL ? NULL : p->other, a->out, a->in, a->bytes);
    CHECK(wanted < 0, "the two calls take %s", a->what);
    memcpy(p->other, p->s, t->cipher->context_bytes);
    memcpy(before, memory, memory_bytes);
    const int got = verbs[v].packet(a->s, a->iv, a->iv_bytes, a->layout, a->out, a->in, a->bytes);
    CHECK(got == wanted, "%s with %s gives %d instead of %d", verbs[v].name, a->what, got, wanted);
    CHECK_BYTES(p->s, p->other, t->cipher->context_bytes, "context after %s with %s", verbs[v].name, a->what);
    CHECK_BYTES(memory, before, memory_bytes, "memory after %s with %s", verbs[v].name, a->what);
}

/* Each error by itself, with whole blocks and without, at each stage of a stream. */
static void errors(const target *t, pair_of_streams *p, size_t v)
{
    static uint8_t memory[MOST];
    const runnel_cipher *cipher = t->cipher;
    const int directional = kind_of(cipher) == DIRECTIONAL;
    const message m = random_message(t);
    uint8_t *out = memory + 100, *in = memory + 1100;
    random_bytes(memory, sizeof memory);
    for (int stage = 0; stage < 3; stage++)
        for (size_t n = 0; n < 100; n += n == 0 ? 16 : random_below(40)) {
            memset(p->s, 0, cipher->context_bytes);
            if (stage > 0)
                CHECK_OK(runnel_cipher_key(cipher, p->s, m.key, m.key_bytes, t->kernel->name));
            if (stage > 1) {
                CHECK_OK(runnel_stream_iv(p->s, m.iv, m.iv_bytes, 0));
                CHECK_OK(runnel_stream_encrypt(p->s, memory, memory, 29));
            }
            memcpy(p->other, p->s, cipher->context_bytes);
            const arguments good = {"nothing wrong", p->s, m.iv, m.iv_bytes, m.layout, out, in, n};
            arguments a = good;
#define REFUSE(text, member, value)                                                                                    \
    do {                                                                                                               \
        a = good;                                                                                                      \
        a.what = text;                                                                                                 \
        a.member = value;                                                                                              \
        refuse(t, p, v, &a, memory, sizeof memory);                                                                    \
    } while (0)
            if (stage == 0)
                REFUSE("no key", s, p->s);
            REFUSE("no stream", s, NULL);
            if (m.iv_bytes > 0)
                REFUSE("no IV", iv, NULL);
            REFUSE("a long IV", iv_bytes, cipher->iv_bytes.last + 1u);
            REFUSE("an unknown layout", layout, RUNNEL_LAYOUTS);
            REFUSE("a negative layout", layout, -1);
            if (n > 0) {
                REFUSE("no output", out, NULL);
                REFUSE("an overlap", in, out + 1);
                REFUSE("an overlap from the left", in, out - n + 1);
                if (directional)
                    REFUSE("no input", in, NULL);
            }
#undef REFUSE
            if (stage > 0) { /* a length of 0 takes NULL */
                CHECK_OK(verbs[v].packet(p->s, m.iv, m.iv_bytes, m.layout, NULL, NULL, 0));
                CHECK(runnel_stream_tell(p->s) == 0, "position after nothing");
            }
        }
}

/* The keystream's end is counted from the new IV on, whatever was left of the last message. */
static void limits(const target *t, pair_of_streams *p, size_t v)
{
    static uint8_t byte[1];
    int layouts[RUNNEL_LAYOUTS];
    const size_t count = layouts_of(t->cipher, layouts), block_bytes = t->cipher->block_bytes;
    for (size_t i = 0; i < count; i++) {
        message m = random_message(t);
        const uint64_t period = model_period(t->cipher, layouts[i]);
        if (period == 0 || period > SIZE_MAX / block_bytes - 1)
            continue;
        m.layout = layouts[i];
        for (int zero = 0; zero < 2; zero++) {
            if (zero)
                memset(m.iv, 0, sizeof m.iv);
            const size_t end = (size_t)period * block_bytes;
            key_both(p, t, &m);
            /* in place, at an address that holds one byte: what is not refused crashes */
            arguments a = {"one byte too many", p->s, m.iv, m.iv_bytes, m.layout, byte, byte, end + 1};
            refuse(t, p, v, &a, byte, 1);
            a.what = "one block too many";
            a.bytes = end + block_bytes;
            refuse(t, p, v, &a, byte, 1);
            if (end > 0x100000 || scale >= EMULATED)
                continue;
            uint8_t *all = calloc(end, 1);
            CHECK(all != NULL, "out of memory");
            CHECK_OK(verbs[v].packet(p->s, m.iv, m.iv_bytes, m.layout, all, all, end));
            CHECK(runnel_stream_left(p->s) == 0, "left after a whole period");
            CHECK_OK(verbs[v].packet(p->s, m.iv, m.iv_bytes, m.layout, all, all, end)); /* and once more */
            free(all);
        }
    }
}

void test_packets(const target *t)
{
    pair_of_streams p = new_pair(t->cipher);
    for (size_t v = 0; v < VERBS; v++)
        if (verbs[v].kinds & kind_of(t->cipher)) {
            for (unsigned i = 0; i < 300 / scale + 3; i++)
                one_packet(t, &p, v);
            for (unsigned i = 0; i < 300 / scale + 3; i++)
                over_the_iv(t, &p, v);
            errors(t, &p, v);
            limits(t, &p, v);
        } else {
            const message m = random_message(t);
            uint8_t byte = 0;
            key_both(&p, t, &m);
            const arguments a = {"no such verb", p.s, m.iv, m.iv_bytes, m.layout, &byte, &byte, 1};
            refuse(t, &p, v, &a, &byte, 1);
        }
    free_pair(&p);
}
