/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The contract of the calls: what is accepted, what an error leaves behind, and what wiping leaves. */
#include "properties.h"

#include "core/define.h"

/* Every length from 0 to 64 bytes is accepted exactly if the descriptor lists it. */
void test_parameters(const target *t)
{
    const runnel_cipher *cipher = t->cipher, *const family[] = {cipher, NULL};
    runnel_stream *s = new_context(cipher), *copy = new_context(cipher);
    uint8_t bytes[LONGEST_KEY + 2];
    random_bytes(bytes, sizeof bytes);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        int listed = is_among(&cipher->key_bytes, n);
        memset(s, 0, cipher->context_bytes);
        memcpy(copy, s, cipher->context_bytes);
        CHECK_RESULT(runnel_family_key(family, s, bytes, n, t->kernel->name), listed ? 0 : RUNNEL_ERR_KEY_LENGTH);
        CHECK_RESULT(runnel_family_key(family, NULL, bytes, n, t->kernel->name),
                     listed ? RUNNEL_ERR_NULL : RUNNEL_ERR_KEY_LENGTH);
        if (n > 0)
            CHECK_RESULT(runnel_family_key(family, s, NULL, n, t->kernel->name),
                         listed ? RUNNEL_ERR_NULL : RUNNEL_ERR_KEY_LENGTH);
        if (!listed)
            CHECK_BYTES(s, copy, cipher->context_bytes, "context after a family's key of %zu bytes", n);
        memset(s, 0, cipher->context_bytes);
        CHECK_RESULT(runnel_cipher_key(cipher, s, bytes, n, t->kernel->name), listed ? 0 : RUNNEL_ERR_KEY_LENGTH);
        if (!listed)
            CHECK_BYTES(s, copy, cipher->context_bytes, "context after a key of %zu bytes", n);
        else
            CHECK(strcmp(runnel_stream_kernel(s), t->kernel->name) == 0, "the kernel is %s", runnel_stream_kernel(s));
    }
    const pair lengths = random_pair(cipher);
    CHECK_OK(runnel_cipher_key(cipher, s, bytes, lengths.key_bytes, t->kernel->name));
    memcpy(copy, s, cipher->context_bytes);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        int listed = is_among(&cipher->iv_bytes, n) && (!cipher->iv_as_key || n == lengths.key_bytes);
        memcpy(s, copy, cipher->context_bytes);
        CHECK_RESULT(runnel_stream_iv(s, bytes, n, 0), listed ? 0 : RUNNEL_ERR_IV_LENGTH);
        if (!listed)
            CHECK_BYTES(s, copy, cipher->context_bytes, "context after an IV of %zu bytes", n);
    }
    for (int layout = -3; layout < 20; layout++) {
        int listed = layout == 0 || (layout > 0 && layout < RUNNEL_LAYOUTS && (cipher->layouts >> layout & 1));
        memcpy(s, copy, cipher->context_bytes);
        CHECK_RESULT(runnel_stream_iv(s, bytes, lengths.iv_bytes, layout), listed ? 0 : RUNNEL_ERR_LAYOUT);
        if (!listed)
            CHECK_BYTES(s, copy, cipher->context_bytes, "context after layout %d", layout);
        CHECK(layout <= 0 || layout >= RUNNEL_LAYOUTS || runnel_layout_find(runnel_layout_name(layout)) == layout,
              "layout %d by name", layout);
    }
    CHECK(runnel_cipher_find(cipher->name) == cipher, "the cipher by name");
    CHECK(cipher->layout == 0 || (cipher->layouts >> cipher->layout & 1), "the default layout is not in the list");
    CHECK((cipher->context_bytes & 3) == 0 && cipher->block_bytes >= 1 && cipher->block_bytes <= 512, "sizes");
    const runnel_lengths *both[2] = {&cipher->key_bytes, &cipher->iv_bytes};
    for (unsigned i = 0; i < 2; i++)
        CHECK(both[i]->step > 0 && both[i]->first <= both[i]->last && both[i]->last <= LONGEST_KEY &&
                  (both[i]->last - both[i]->first) % both[i]->step == 0,
              "lengths of key and IV");
    CHECK(!cipher->iv_as_key || memcmp(both[0], both[1], sizeof *both[0]) == 0, "IVs as long as the key");
    free_context(s);
    free_context(copy);
}

static unsigned distance(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    unsigned bits = 0;
    for (size_t i = 0; i < bytes; i++)
        bits += (unsigned)__builtin_popcount(a[i] ^ b[i]);
    return bits;
}

/* A broken cipher may be one that ignores what exceeds its shortest key and IV. */
static int ignored(const runnel_cipher *cipher, const message *m, size_t byte)
{
    return cipher->status == RUNNEL_BROKEN &&
           (byte < m->key_bytes ? byte >= cipher->key_bytes.first : byte - m->key_bytes >= cipher->iv_bytes.first);
}

/* Flipping any one bit of the key or the IV changes 30 to 70 % of the keystream's bits. */
void test_sensitivity(const target *t)
{
    enum { BYTES = 512 };
    const runnel_cipher *cipher = t->cipher;
    uint8_t plain[BYTES], changed[BYTES];
    runnel_stream *s = new_context(cipher);
    pair pairs[MOST_PAIRS];
    const size_t count = pairs_of(cipher, pairs);
    for (size_t i = 0; i < count; i++) {
        message m = random_message(t);
        m.key_bytes = pairs[i].key_bytes;
        m.iv_bytes = pairs[i].iv_bytes;
        m.layout = 0;
        start_message(s, t, &m);
        CHECK_OK(runnel_stream_xor(s, plain, NULL, BYTES));
        const size_t bits = 8 * (m.key_bytes + m.iv_bytes), step = bits > 1024 ? 7 : 1; /* 7: every bit in turn */
        for (size_t bit = 0; bit < bits; bit += step) {
            uint8_t *p = bit / 8 < m.key_bytes ? &m.key[bit / 8] : &m.iv[bit / 8 - m.key_bytes];
            *p ^= (uint8_t)(1 << bit % 8);
            start_message(s, t, &m);
            CHECK_OK(runnel_stream_xor(s, changed, NULL, BYTES));
            *p ^= (uint8_t)(1 << bit % 8);
            /* The low bits of a counter IV give other blocks of the same stream: compare all of it. */
            unsigned d = distance(plain, changed, BYTES);
            CHECK((d > 8 * BYTES * 3 / 10 && d < 8 * BYTES * 7 / 10) || (d == 0 && ignored(cipher, &m, bit / 8)),
                  "bit %zu of key and IV changes %u bits of %u", bit, d, 8 * BYTES);
        }
    }
    free_context(s);
}

/* Errors that need no limit: each leaves context and output as they were. */
void test_errors(const target *t)
{
    const runnel_cipher *cipher = t->cipher;
    message m = random_message(t);
    runnel_stream *s = new_context(cipher), *copy = new_context(cipher);
    uint8_t out[100], before[100];
    memset(out, 0x77, sizeof out);
    memset(before, 0x77, sizeof before);

    CHECK_RESULT(runnel_stream_iv(s, m.iv, m.iv_bytes, 0), RUNNEL_ERR_STATE); /* nothing set: zero-filled */
    CHECK_RESULT(runnel_stream_xor(s, out, NULL, 10), RUNNEL_ERR_STATE);
    CHECK_RESULT(runnel_stream_seek(s, 0), RUNNEL_ERR_STATE);
    CHECK(runnel_stream_tell(s) == 0 && runnel_stream_left(s) == 0 && runnel_stream_kernel(s) == NULL, "nothing set");
    runnel_stream_wipe(s);
    CHECK_BYTES(s, copy, cipher->context_bytes, "a context with nothing set");

    CHECK_OK(runnel_cipher_key(cipher, s, m.key, m.key_bytes, t->kernel->name));
    for (int stage = 1; stage <= 3; stage++) { /* key; IV; in the middle of a block */
        if (stage == 2)
            CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        if (stage == 3)
            CHECK_OK(runnel_stream_xor(s, out, NULL, 21));
        memset(out, 0x77, sizeof out);
        memcpy(copy, s, cipher->context_bytes);
        CHECK_RESULT(runnel_cipher_key(NULL, s, m.key, m.key_bytes, NULL), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_cipher_key(cipher, NULL, m.key, m.key_bytes, NULL), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_cipher_key(cipher, s, NULL, m.key_bytes, NULL), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_cipher_key(cipher, s, m.key, cipher->key_bytes.last + 1u, NULL), RUNNEL_ERR_KEY_LENGTH);
        CHECK_RESULT(runnel_cipher_key(cipher, s, m.key, m.key_bytes, "no such"), RUNNEL_ERR_KERNEL);
        CHECK_RESULT(runnel_cipher_key(cipher, s, m.key, m.key_bytes, ""), RUNNEL_ERR_KERNEL);
        if (cipher->iv_bytes.last > 0)
            CHECK_RESULT(runnel_stream_iv(s, NULL, cipher->iv_bytes.last, 0), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_iv(NULL, m.iv, m.iv_bytes, 0), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_iv(s, m.iv, cipher->iv_bytes.last + 1u, 0), RUNNEL_ERR_IV_LENGTH);
        CHECK_RESULT(runnel_stream_iv(s, m.iv, m.iv_bytes, RUNNEL_LAYOUTS), RUNNEL_ERR_LAYOUT);
        CHECK_RESULT(runnel_stream_xor(NULL, out, NULL, 10), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_seek(NULL, 0), RUNNEL_ERR_NULL);
        if (stage == 1) {
            CHECK_RESULT(runnel_stream_xor(s, out, NULL, 10), RUNNEL_ERR_STATE);
            CHECK_RESULT(runnel_stream_xor(s, NULL, NULL, 0), RUNNEL_ERR_STATE);
            CHECK_RESULT(runnel_stream_seek(s, 0), RUNNEL_ERR_STATE);
            CHECK(runnel_stream_tell(s) == 0 && runnel_stream_left(s) == 0, "no IV");
        } else {
            CHECK_RESULT(runnel_stream_xor(s, NULL, NULL, 10), RUNNEL_ERR_NULL);
            CHECK_RESULT(runnel_stream_xor(s, NULL, m.key, 10), RUNNEL_ERR_NULL);
            CHECK_OK(runnel_stream_xor(s, NULL, NULL, 0));
            CHECK_RESULT(runnel_stream_xor(s, out, out + 1, 10), RUNNEL_ERR_OVERLAP);
            CHECK_RESULT(runnel_stream_xor(s, out + 9, out, 10), RUNNEL_ERR_OVERLAP);
        }
        CHECK_BYTES(out, before, sizeof out, "output after errors at stage %d", stage);
        CHECK_BYTES(s, copy, cipher->context_bytes, "context after errors at stage %d", stage);
    }
    CHECK(runnel_stream_tell(NULL) == 0 && runnel_stream_left(NULL) == 0 && runnel_stream_kernel(NULL) == NULL, "NULL");
    runnel_stream_wipe(NULL);
    runnel_kernel_info info;
    CHECK_RESULT(runnel_cipher_kernel(NULL, 0, &info), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_kernel(cipher, 0, NULL), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_kernel(cipher, 1000, &info), RUNNEL_ERR_KERNEL);
    CHECK(runnel_cipher_find("no such") == NULL && runnel_cipher_find(NULL) == NULL, "no such cipher");

    /* A new IV, or a new key, forgets what was left over. */
    uint8_t first[40], again[40];
    CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
    CHECK_OK(runnel_stream_xor(s, first, NULL, sizeof first));
    for (size_t used = 1; used < 40; used++) {
        CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        CHECK_OK(runnel_stream_xor(s, again, NULL, used));
        if (used % 2)
            CHECK_OK(runnel_cipher_key(cipher, s, m.key, m.key_bytes, t->kernel->name));
        CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        CHECK_OK(runnel_stream_xor(s, again, NULL, sizeof again));
        CHECK_BYTES(again, first, sizeof first, "a new message after %zu bytes", used);
    }
    free_context(s);
    free_context(copy);
}

/* Each byte is zero, or was never written: it still holds either of two fills. */
static void check_wiped(const runnel_stream *a, const runnel_stream *b, size_t bytes, const char *how, unsigned i)
{
    const uint8_t *p = (const uint8_t *)a, *q = (const uint8_t *)b;
    for (size_t at = 0; at < bytes; at++)
        CHECK((p[at] == 0 && q[at] == 0) || (p[at] == 0xaa && q[at] == 0x55),
              "byte %zu of the context is %02x after %s (%u)", at, p[at], how, i);
}

/* Uses a context whose memory is filled with `fill` before, in the same way for each fill. */
static void use(runnel_stream *s, const target *t, uint8_t fill, const message *m, unsigned messages)
{
    static uint8_t out[9000];
    memset(s, fill, t->cipher->context_bytes);
    start_message(s, t, m);
    for (unsigned i = 0; i < messages; i++) {
        uint8_t iv[LONGEST_IV];
        memcpy(iv, m->iv, sizeof iv);
        iv[i % 8] ^= (uint8_t)i;
        if (i % 3 == 2) /* another key, whose tables are smaller */
            CHECK_OK(runnel_cipher_key(t->cipher, s, m->iv, m->key_bytes, t->kernel->name));
        CHECK_OK(runnel_stream_iv(s, iv, m->iv_bytes, m->layout));
        CHECK_OK(runnel_stream_xor(s, out, NULL, i == 0 ? sizeof out : 700 * i % 1900 + 5));
    }
}

/* Wiping, and what the one-shot call leaves behind, which wipes no more than it wrote. */
void test_wipe(const target *t)
{
    static uint8_t out[9000];
    const size_t bytes = t->cipher->context_bytes;
    runnel_cipher_list family = {t->cipher, NULL};
    runnel_stream *a = new_context(t->cipher), *b = new_context(t->cipher);
    for (unsigned i = 0; i < 8; i++) {
        message m = random_message(t);
        use(a, t, 0xaa, &m, i);
        use(b, t, 0x55, &m, i);
        runnel_stream_wipe(a);
        runnel_stream_wipe(b);
        check_wiped(a, b, bytes, "wiping", i);
        CHECK(runnel_stream_kernel(a) == NULL, "a wiped context has a kernel");
        CHECK_RESULT(runnel_stream_xor(a, out, NULL, 1), RUNNEL_ERR_STATE);
        CHECK_RESULT(runnel_stream_iv(a, m.iv, m.iv_bytes, 0), RUNNEL_ERR_STATE);

        static const size_t lengths[] = {0, 1, 100, 256, 700, 2000, 4096, 9000};
        memset(a, 0xaa, bytes);
        memset(b, 0x55, bytes);
        runnel_cpu_mask(t->kernel->cpu); /* so that the one-shot call chooses this kernel, or one like it */
        for (unsigned n = 0; n < 2; n++)
            CHECK_OK(runnel_family_once(family, n ? b : a, out, NULL, lengths[i], m.key, m.key_bytes, m.iv, m.iv_bytes,
                                        m.layout, runnel_stream_xor));
        runnel_cpu_mask(UINT32_MAX);
        check_wiped(a, b, bytes, "the one-shot call", i);
    }
    free_context(a);
    free_context(b);
}
