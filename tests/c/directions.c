/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encryption and decryption as verbs: for ciphers in which they differ, cut anywhere, in place, at any alignment, with
 * every error before the first byte; for all others they are xor. And raw blocks, both ways. */
#include "properties.h"

enum { LONGEST = 3000, CANARY = 32 };

typedef int (*verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* CFB by its definition, from the kernel's raw blocks; other directional ciphers through the reference kernel. */
static void model_encryption(const target *t, const message *m, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const runnel_cipher *cipher = t->cipher;
    const target reference = {cipher, reference_kernel(cipher)};
    runnel_stream *s = new_context(cipher);
    start_message(s, &reference, m);
    if (reference.kernel->kind != RUNNEL_KIND_BLOCK) {
        CHECK_OK(runnel_stream_encrypt(s, out, in, bytes));
        free_context(s);
        return;
    }
    const size_t block_bytes = cipher->block_bytes;
    uint8_t block[16];
    memcpy(block, m->iv, block_bytes);
    for (size_t i = 0; i < bytes; i++) {
        if (i % block_bytes == 0) {
            if (i > 0)
                memcpy(block, out + i - block_bytes, block_bytes);
            reference.kernel->block.encrypt_blocks((const uint8_t *)s + cipher->state_offset, block, block, 1);
        }
        out[i] = in[i] ^ block[i % block_bytes];
    }
    free_context(s);
}

static void in_pieces(runnel_stream *s, verb v, uint8_t *out, const uint8_t *in, size_t n, const char *what)
{
    size_t most = 1 + random_below(random_below(2) ? 100 : n + 1);
    for (size_t done = 0, piece; done < n; done += piece) {
        piece = random_below(most + 1);
        piece = piece < n - done ? piece : n - done;
        CHECK_OK(v(s, out + done, in + done, piece));
        CHECK(runnel_stream_tell(s) == done + piece, "position while %s", what);
    }
}

/* One direction: `from` becomes `to`. */
static void one_way(const target *t, runnel_stream *s, const message *m, verb v, const uint8_t *from, const uint8_t *to,
                    const char *what)
{
    static uint8_t memory[LONGEST + 2 * CANARY + 16], apart[LONGEST + 16];
    for (size_t n = 0; n <= 97; n += scale > 1 ? 1 + random_below(scale) : 1)
        for (size_t cut = 0; cut <= n; cut++) {
            uint8_t *out = memory + CANARY + n % 16;
            memset(memory, 0x5a, sizeof memory);
            memcpy(out, from, n);
            CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, 0));
            CHECK_OK(v(s, out, out, cut));
            CHECK_OK(v(s, out + cut, out + cut, n - cut));
            CHECK_BYTES(out, to, n, "%s %zu bytes cut at %zu", what, n, cut);
            for (unsigned i = 1; i <= CANARY; i++)
                CHECK(out[-(int)i] == 0x5a && out[n + i - 1] == 0x5a, "written outside, %s %zu bytes", what, n);
        }
    for (unsigned i = 0; i < 200 / scale + 1; i++) {
        const size_t n = random_length(t->cipher->block_bytes, LONGEST);
        uint8_t *out = memory + random_below(16), *in = apart + random_below(16);
        memcpy(in, from, n);
        CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, 0));
        in_pieces(s, v, out, in, n, what);
        CHECK_BYTES(out, to, n, "%s %zu bytes in pieces", what, n);
        CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, 0));
        in_pieces(s, v, in, in, n, what);
        CHECK_BYTES(in, to, n, "%s %zu bytes in pieces, in place", what, n);
    }
}

static void errors(const target *t, const message *m)
{
    const runnel_cipher *cipher = t->cipher;
    runnel_stream *s = new_context(cipher), *copy = new_context(cipher);
    uint8_t out[64] = {0}, before[64] = {0}, in[64] = {0};
    CHECK_RESULT(runnel_stream_encrypt(s, out, in, 10), RUNNEL_ERR_STATE);
    CHECK_OK(runnel_cipher_key(cipher, s, m->key, m->key_bytes, t->kernel->name));
    CHECK_RESULT(runnel_stream_decrypt(s, out, in, 10), RUNNEL_ERR_STATE);
    for (unsigned used = 0; used < 40; used += 13) {
        CHECK_OK(runnel_stream_iv(s, m->iv, m->iv_bytes, 0));
        CHECK_OK(runnel_stream_encrypt(s, out, in, used));
        memcpy(before, out, sizeof out);
        memcpy(copy, s, cipher->context_bytes);
        CHECK_RESULT(runnel_stream_xor(s, out, in, 10), RUNNEL_ERR_DIRECTION);
        CHECK_RESULT(runnel_stream_xor(s, out, NULL, 10), RUNNEL_ERR_DIRECTION);
        CHECK_RESULT(runnel_stream_seek(s, 0), RUNNEL_ERR_SEEK);
        CHECK_RESULT(runnel_stream_encrypt(NULL, out, in, 10), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_encrypt(s, out, NULL, 10), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_decrypt(s, NULL, in, 10), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_stream_encrypt(s, out, out + 1, 10), RUNNEL_ERR_OVERLAP);
        CHECK_RESULT(runnel_stream_decrypt(s, out + 9, out, 10), RUNNEL_ERR_OVERLAP);
        CHECK_RESULT(runnel_stream_iv(s, m->iv, m->iv_bytes, RUNNEL_BE128), RUNNEL_ERR_LAYOUT);
        CHECK_RESULT(runnel_stream_iv(s, m->iv, 63, 0), RUNNEL_ERR_IV_LENGTH);
        CHECK_OK(runnel_stream_encrypt(s, NULL, NULL, 0));
        CHECK_BYTES(out, before, sizeof out, "output after errors");
        CHECK_BYTES(s, copy, cipher->context_bytes, "context after errors");
    }
    runnel_stream_wipe(s);
    for (size_t i = 0; i < cipher->context_bytes; i++)
        CHECK(((const uint8_t *)s)[i] == 0, "byte %zu of a wiped context", i);
    free_context(s);
    free_context(copy);
}

static void directional(const target *t)
{
    static uint8_t plain[LONGEST], secret[LONGEST], out[LONGEST];
    runnel_cipher_list family = {t->cipher, NULL};
    pair pairs[MOST_PAIRS];
    const size_t count = pairs_of(t->cipher, pairs);
    for (size_t i = 0; i < count; i++) {
        message m = random_message(t);
        m.key_bytes = pairs[i].key_bytes;
        m.iv_bytes = pairs[i].iv_bytes;
        random_bytes(plain, LONGEST);
        model_encryption(t, &m, secret, plain, LONGEST);
        runnel_stream *s = new_context(t->cipher);
        CHECK_OK(runnel_cipher_key(t->cipher, s, m.key, m.key_bytes, t->kernel->name));
        one_way(t, s, &m, runnel_stream_encrypt, plain, secret, "encrypting");
        one_way(t, s, &m, runnel_stream_decrypt, secret, plain, "decrypting");
        free_context(s);
        errors(t, &m);
        runnel_cpu_mask(t->kernel->cpu);
        s = new_context(t->cipher);
        CHECK_OK(runnel_family_once(family, s, out, secret, LONGEST, m.key, m.key_bytes, m.iv, m.iv_bytes, 0,
                                    runnel_stream_decrypt));
        runnel_cpu_mask(UINT32_MAX);
        CHECK_BYTES(out, plain, LONGEST, "decrypting at once");
        free_context(s);
    }
}

void test_directions(const target *t)
{
    if (t->cipher->directions != NULL) {
        directional(t);
        return;
    }
    uint8_t in[300], xored[300], out[300];
    message m = random_message(t);
    runnel_stream *s = new_context(t->cipher);
    random_bytes(in, sizeof in);
    start_message(s, t, &m);
    CHECK_OK(runnel_stream_xor(s, xored, in, sizeof in));
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        CHECK_OK(runnel_stream_iv(s, m.iv, m.iv_bytes, m.layout));
        CHECK_OK((decrypt ? runnel_stream_decrypt : runnel_stream_encrypt)(s, out, in, sizeof in));
        CHECK_BYTES(out, xored, sizeof in, "%s", decrypt ? "decrypt" : "encrypt");
    }
    free_context(s);
}

/* The block cipher itself: kernels that decrypt undo their encryption, for any number of blocks. */
void test_blocks(const target *t)
{
    enum { MOST = 40 };
    runnel_cipher_list family = {t->cipher, NULL};
    const size_t block_bytes = t->cipher->block_bytes;
    CHECK((t->kernel->kind == RUNNEL_KIND_BLOCK) == (t->cipher->mode != RUNNEL_MODE_STREAM), "kind and mode disagree");
    if (t->kernel->kind != RUNNEL_KIND_BLOCK)
        return;
    const int decrypts = t->kernel->block.decrypt_blocks != NULL;
    const target reference = {t->cipher, reference_kernel(t->cipher)};
    uint8_t *plain = malloc(MOST * block_bytes), *memory = malloc(MOST * block_bytes + 2 * CANARY + 16);
    uint8_t *wanted = malloc(MOST * block_bytes);
    runnel_stream *encrypt = new_context(t->cipher), *decrypt = new_context(t->cipher), *r = new_context(t->cipher);
    runnel_blocks b = {NULL};
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, memory, plain, 1, block_bytes), RUNNEL_ERR_STATE);
    for (size_t n = 0; n <= MOST; n++) {
        message m = random_message(t);
        random_bytes(plain, MOST * block_bytes);
        start_message(r, &reference, &m);
        if (n > 0)
            reference.kernel->block.encrypt_blocks((uint8_t *)r + t->cipher->state_offset, wanted, plain, n);
        CHECK_OK(runnel_blocks_key(family, &b, encrypt, decrypt, m.key, m.key_bytes, t->kernel->name));
        for (int in_place = 0; in_place < 2; in_place++) {
            uint8_t *out = memory + CANARY + random_below(16);
            memset(memory, 0x5a, MOST * block_bytes + 2 * CANARY + 16);
            if (in_place)
                memcpy(out, plain, n * block_bytes);
            CHECK_OK(runnel_blocks_encrypt(&b, encrypt, out, in_place ? out : plain, n, block_bytes));
            CHECK_BYTES(out, wanted, n * block_bytes, "%zu blocks", n);
            CHECK_RESULT(runnel_blocks_decrypt(&b, decrypt, out, out, n, block_bytes),
                         decrypts ? RUNNEL_OK : RUNNEL_ERR_KERNEL);
            CHECK_BYTES(out, decrypts ? plain : wanted, n * block_bytes, "%zu blocks there and back", n);
            for (unsigned i = 0; i < CANARY; i++)
                CHECK(out[-1 - (int)i] == 0x5a && out[n * block_bytes + i] == 0x5a, "written outside %zu blocks", n);
        }
    }
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, memory, memory + 1, 1, block_bytes), RUNNEL_ERR_OVERLAP);
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, NULL, plain, 1, block_bytes), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, memory, NULL, 1, block_bytes), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_blocks_key(family, &b, encrypt, decrypt, plain, 63, NULL), RUNNEL_ERR_KEY_LENGTH);
    CHECK_RESULT(runnel_blocks_key(family, &b, encrypt, decrypt, plain, t->cipher->key_bytes.last, "no such"),
                 RUNNEL_ERR_KERNEL);
    free(plain);
    free(memory);
    free(wanted);
    free_context(encrypt);
    free_context(decrypt);
    free_context(r);
}
