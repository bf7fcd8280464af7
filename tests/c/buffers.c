/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Buffers: every length at several alignments, in place and not, between guard pages, and overlaps refused. */
#include <sys/mman.h>
#include <unistd.h>

#include "properties.h"

enum { MOST = 1025, LONGEST = 20000, CANARY = 64, AFTER = 48, FIRST = 200 };

/* xor of n bytes that leaves everything around the output as it was, and the stream where it must be. */
static void one_length(const target *t, runnel_stream *s, const message *m, const uint8_t *keystream,
                       const uint8_t *plain, size_t n, unsigned out_shift, unsigned in_shift, int how)
{
    static _Alignas(64) uint8_t out_memory[64 + LONGEST + 2 * CANARY], in_memory[64 + LONGEST];
    static uint8_t wanted[LONGEST];
    const uint8_t pattern = (uint8_t)(0x5a + n);
    uint8_t *area = out_memory + out_shift, *out = area + CANARY;
    const uint8_t *in = NULL;

    memset(area, pattern, n + 2 * CANARY);
    if (how == 0) { /* separate */
        memcpy(in_memory + in_shift, plain, n);
        in = in_memory + in_shift;
    } else if (how == 1) { /* in place */
        memcpy(out, plain, n);
        in = out;
    }
    for (size_t i = 0; i < n; i++)
        wanted[i] = keystream[i] ^ (how == 2 ? 0 : plain[i]);

    CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, m->layout));
    CHECK_OK(runnel_stream_xor(s, out, in, n));
    CHECK_BYTES(out, wanted, n, "length %zu, alignments %u and %u, way %d", n, out_shift, in_shift, how);
    for (unsigned i = 0; i < CANARY; i++)
        CHECK(area[i] == pattern && out[n + i] == pattern, "written outside the output of length %zu", n);
    if (how == 0)
        CHECK_BYTES(in, plain, n, "the input of length %zu", n);
    CHECK(runnel_stream_tell(s) == n, "position after %zu bytes", n);
    uint8_t after[AFTER];
    CHECK_OK(runnel_stream_xor(s, after, NULL, AFTER));
    CHECK_BYTES(after, keystream + n, AFTER, "what follows %zu bytes", n);
    (void)t;
}

void test_lengths(const target *t)
{
    static uint8_t keystream[LONGEST + AFTER], plain[LONGEST];
    static const unsigned alignments[][2] = {{0, 0}, {1, 0}, {8, 15}, {15, 3}};
    message m = random_message(t);
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    model_keystream_at(&model, 0, keystream, sizeof keystream);
    random_bytes(plain, sizeof plain);
    runnel_stream *s = new_context(t->cipher);
    CHECK_OK(runnel_cipher_key(t->cipher, s, m.key, m.key_bytes, t->kernel->name));
    for (size_t n = 0; n <= MOST; n += scale > 1 ? 1 + random_below(2 * scale) : 1)
        for (unsigned a = 0; a < 4; a++)
            for (int how = 0; how < 3; how++)
                one_length(t, s, &m, keystream, plain, n, alignments[a][0], alignments[a][1], how);
    for (unsigned i = 0; i < 100; i++) {
        size_t n = MOST + random_below(LONGEST - MOST);
        one_length(t, s, &m, keystream, plain, n, (unsigned)random_below(64), (unsigned)random_below(64),
                   (int)random_below(3));
    }
    free_context(s);
    model_free(&model);
}

/* Output and input at every pair of places from 0 to 15 bytes beyond a multiple of 16, by turns in place or not. */
void test_alignments(const target *t)
{
    static uint8_t keystream[MOST + AFTER], plain[MOST];
    message m = random_message(t);
    naive model;
    model_init(&model, t->cipher);
    model_message(&model, &m);
    model_keystream_at(&model, 0, keystream, sizeof keystream);
    random_bytes(plain, sizeof plain);
    runnel_stream *s = new_context(t->cipher);
    CHECK_OK(runnel_cipher_key(t->cipher, s, m.key, m.key_bytes, t->kernel->name));
    for (unsigned a = 0; a < 256; a++)
        for (size_t n = random_below(scale); n <= MOST; n += scale > 1 ? 1 + random_below(20 * scale) : 1)
            one_length(t, s, &m, keystream, plain, n, a / 16, a % 16, (int)((n + a) % 3));
    free_context(s);
    model_free(&model);
}

/* Readable memory between two pages that may not be touched. */
typedef struct guarded {
    uint8_t *map, *start, *end;
    size_t map_bytes;
} guarded;

static guarded guard(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = (bytes + page - 1) / page * page;
    guarded g;
    g.map_bytes = inner + 2 * page;
    g.map = mmap(NULL, g.map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(g.map != MAP_FAILED, "mmap");
    g.start = g.map + page;
    g.end = g.start + inner;
    CHECK(mprotect(g.start, inner, PROT_READ | PROT_WRITE) == 0, "mprotect");
    return g;
}

static void unguard(guarded *g)
{
    munmap(g->map, g->map_bytes);
}

/* A read or write outside any of the buffers ends the program with SIGSEGV. */
void test_guard(const target *t)
{
    const runnel_cipher *cipher = t->cipher;
    static uint8_t keystream[MOST], plain[MOST], wanted[MOST];
    guarded in = guard(MOST), out = guard(MOST), key = guard(64), iv = guard(64),
            context = guard(cipher->context_bytes);
    message m = random_message(t);
    naive model;
    model_init(&model, cipher);
    model_message(&model, &m);
    model_keystream_at(&model, 0, keystream, MOST);
    random_bytes(plain, MOST);
    for (unsigned i = 0; i < MOST; i++)
        wanted[i] = keystream[i] ^ plain[i];

    for (int right = 0; right < 2; right++) {
        uint8_t *k = right ? key.end - m.key_bytes : key.start, *v = right ? iv.end - m.iv_bytes : iv.start;
        runnel_stream *s = (void *)(right ? context.end - cipher->context_bytes : context.start);
        memcpy(k, m.key, m.key_bytes);
        memcpy(v, m.iv, m.iv_bytes);
        CHECK_OK(runnel_cipher_key(cipher, s, k, m.key_bytes, t->kernel->name));
        for (size_t n = 0; n <= MOST; n += scale > 1 ? 1 + random_below(2 * scale) : 1)
            for (int how = 0; how < 4; how++) { /* separate, in place, keystream, out on the other side */
                uint8_t *o = (how == 3) != right ? out.end - n : out.start;
                uint8_t *i = right ? in.end - n : in.start;
                memcpy(how == 1 ? o : i, plain, n);
                CHECK_OK(runnel_stream_iv(s, v, m.iv_bytes, m.layout));
                CHECK_OK(runnel_stream_xor(s, o, how == 2 ? NULL : how == 1 ? o : i, n));
                CHECK_BYTES(o, how == 2 ? keystream : wanted, n, "length %zu, flush %s, way %d", n,
                            right ? "right" : "left", how);
            }
        runnel_stream_wipe(s);
    }
    unguard(&in);
    unguard(&out);
    unguard(&key);
    unguard(&iv);
    unguard(&context);
    model_free(&model);
}

/* nblocks whole blocks and `tail` bytes from some position on, flush with pages that may not be touched, and what comes
 * after them: the rest of the tail's block, more blocks, and the tail's block again by seeking. */
static void one_tail(const target *t, runnel_stream *s, const message *m, const uint8_t *keystream,
                     const uint8_t *plain, const guarded *in, const guarded *out, size_t nblocks, size_t tail)
{
    static uint8_t before[FIRST], after[AFTER];
    const size_t block_bytes = t->cipher->block_bytes, n = nblocks * block_bytes + tail;
    const size_t first = random_below(2) == 0 ? random_below(3) * block_bytes % FIRST : random_below(FIRST);
    const int way = (int)random_below(3), right = random_below(4) > 0; /* separate, in place, keystream */
    uint8_t *o = right ? out->end - n : out->start + random_below(64);
    uint8_t *i = way == 1 ? o : right ? in->end - n : in->start + random_below(64);
    memset(out->start, 0x5a, (size_t)(out->end - out->start));
    memcpy(i, plain, n);
    CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, m->layout));
    CHECK_OK(runnel_stream_xor(s, before, NULL, first));
    CHECK_OK(runnel_stream_xor(s, o, way == 2 ? NULL : i, n));
    for (size_t b = 0; b < n; b++)
        CHECK(o[b] == (keystream[first + b] ^ (way == 2 ? 0 : plain[b])), "byte %zu of %zu blocks and %zu, from %zu", b,
              nblocks, tail, first);
    for (uint8_t *p = out->start; p < out->end; p++)
        CHECK((p >= o && p < o + n) || *p == 0x5a, "written outside %zu blocks and %zu", nblocks, tail);
    CHECK(runnel_stream_tell(s) == first + n, "position after %zu blocks and %zu", nblocks, tail);
    CHECK_OK(runnel_stream_xor(s, after, NULL, AFTER));
    CHECK_BYTES(after, keystream + first + n, AFTER, "after %zu blocks and %zu, from %zu", nblocks, tail, first);
    if (t->cipher->seekable && tail > 0) {
        const size_t at = first + n - 1 - random_below(tail);
        CHECK_OK(runnel_stream_seek(s, at));
        CHECK_OK(runnel_stream_xor(s, after, NULL, AFTER));
        CHECK_BYTES(after, keystream + at, AFTER, "from byte %zu on, in the tail of %zu blocks", at, nblocks);
    }
}

/* Every tail, with as many blocks as kernels make at a time, one more and one less. In counter mode some messages begin
 * so that the counter wraps among the last blocks. */
void test_tails(const target *t)
{
    static const size_t sizes[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  11, 12,  15,  16, 17,
                                   23, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129};
    const size_t block_bytes = t->cipher->block_bytes, most = 130 * block_bytes;
    const size_t long_block = block_bytes > 64 ? block_bytes / 16 : 1; /* then not each, but some of all */
    uint8_t *keystream = malloc(most + FIRST + AFTER), *plain = malloc(most);
    guarded in = guard(most + 64), out = guard(most + 64);
    runnel_stream *s = new_context(t->cipher);
    naive model;
    model_init(&model, t->cipher);
    random_bytes(plain, most);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        message m = random_message(t);
        if (t->cipher->mode == RUNNEL_MODE_CTR && random_below(2) == 0) {
            memset(m.iv, 0xff, m.iv_bytes);
            m.iv[m.iv_bytes - 1] = (uint8_t)(0xff - sizes[i] - random_below(3));
        }
        start_message(s, t, &m);
        model_message(&model, &m);
        model_keystream_at(&model, 0, keystream, most + FIRST + AFTER);
        const size_t step = long_block * (scale > 1 ? 1 + random_below(scale) : 1);
        for (size_t tail = 0; tail < block_bytes; tail += 1 + random_below(2 * step - 1))
            one_tail(t, s, &m, keystream, plain, &in, &out, sizes[i], tail);
    }
    unguard(&in);
    unguard(&out);
    free_context(s);
    free(keystream);
    free(plain);
    model_free(&model);
}

/* out and in may be equal or apart; anything else is refused before the first byte. */
void test_overlap(const target *t)
{
    enum { N = 100 };
    static uint8_t memory[3 * N], before[3 * N];
    message m = random_message(t);
    runnel_stream *s = new_context(t->cipher), *copy = new_context(t->cipher);
    start_message(s, t, &m);
    CHECK_OK(runnel_stream_xor(s, memory, NULL, 5)); /* so that there are bytes left over */
    random_bytes(memory, sizeof memory);
    memcpy(before, memory, sizeof memory);
    memcpy(copy, s, t->cipher->context_bytes);
    for (int shift = -N + 1; shift < N; shift++) {
        if (shift == 0)
            continue;
        CHECK_RESULT(runnel_stream_xor(s, memory + N + shift, memory + N, N), RUNNEL_ERR_OVERLAP);
        CHECK_BYTES(memory, before, sizeof memory, "memory after an overlap of %d", shift);
        CHECK_BYTES(s, copy, t->cipher->context_bytes, "context after an overlap of %d", shift);
    }
    CHECK_OK(runnel_stream_xor(s, memory + N, memory, N)); /* side by side */
    CHECK_OK(runnel_stream_xor(s, memory, memory + N, N));
    CHECK_OK(runnel_stream_xor(s, memory + 1, memory, 0)); /* nothing cannot overlap */
    CHECK_OK(runnel_stream_xor(s, memory, memory, N));
    free_context(s);
    free_context(copy);
}
