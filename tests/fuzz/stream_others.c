/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls of the ciphers' API with contexts of their own, beside the one that the machine drives. */
#include "fuzz_ahead.h"
#include "stream_machine.h"

enum { CROWD = 20, LONGEST_ONCE = 1000 };

static uint8_t memory[LONGEST_ONCE + 2 * CANARY], apart[LONGEST_ONCE + CANARY], wanted[LONGEST_ONCE + 2 * CANARY];

/* Copies of the context, each with an IV of its own and some of them a little further, work in one call. */
void step_batch(machine *m)
{
    static uint8_t outputs[CROWD][600], inputs[600], keys[CROWD][LONGEST_KEY], ivs[CROWD][LONGEST_IV];
    runnel_stream *s[CROWD];
    uint8_t *out[CROWD];
    const uint8_t *in[CROWD], *iv[CROWD], *key[CROWD];
    size_t bytes[CROWD], skip[CROWD];
    const size_t count = 1 + choose_below(m->c, CROWD), key_bytes = runnel_lengths_at(&m->cipher->key_bytes, 0);
    const unsigned how = (unsigned)choose(m->c, 1), broken = (unsigned)choose(m->c, 1);
    const size_t iv_bytes = m->cipher->iv_as_key ? key_bytes : m->cipher->iv_bytes.last;
    const size_t bad = broken >= 240 ? broken % count : count;
    choose_random(m->c, inputs, sizeof inputs);
    if (m->cipher->directions != NULL || !runnel_kernel_takes(m->kernel, key_bytes))
        return;
    for (size_t i = 0; i < count; i++) {
        s[i] = new_context_at(m->cipher, (unsigned)i);
        choose_random(m->c, keys[i], sizeof keys[i]);
        choose_iv(m->c, ivs[i], sizeof ivs[i]);
        key[i] = keys[i];
        iv[i] = ivs[i];
        out[i] = outputs[i];
        in[i] = how & 1 ? inputs : how & 2 ? NULL : outputs[i];
        skip[i] = how & 4 ? choose_length(m->c, 200) : 0;
        bytes[i] = choose_length(m->c, sizeof outputs[i]);
        memcpy(outputs[i], inputs, sizeof inputs);
    }
    CHECK_OK(runnel_cipher_key_batch(m->cipher, s, key, key_bytes, m->kernel->name, count));
    CHECK_OK(runnel_stream_iv_batch(s, iv, iv_bytes, 0, count));
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(runnel_stream_xor(s[i], wanted, NULL, skip[i]));
        if (m->cipher->layout != 0 && how & 8) /* the last bytes that there are: so many are asked for, or more */
            CHECK_OK(runnel_stream_seek(s[i], skip[i]));
    }
    runnel_stream *const kept = bad < count ? s[bad] : NULL;
    if (bad < count && count > 1) {
        s[bad] = broken & 1 ? NULL : s[(bad + 1) % count];
        CHECK_RESULT(runnel_stream_xor_batch(s, out, in, bytes, count),
                     broken & 1 ? RUNNEL_ERR_NULL : RUNNEL_ERR_OVERLAP);
        s[bad] = kept;
        for (size_t i = 0; i < count; i++)
            CHECK_BYTES(outputs[i], inputs, sizeof inputs, "%s: output %zu after an error", m->cipher->name, i);
    }
    CHECK_OK(runnel_stream_xor_batch(s, out, in, bytes, count));
    for (size_t i = 0; i < count; i++) {
        model_key(&m->model, keys[i], key_bytes);
        model_iv(&m->model, ivs[i], iv_bytes, 0);
        model_keystream_at(&m->model, skip[i], wanted, bytes[i]);
        for (size_t b = 0; in[i] != NULL && b < bytes[i]; b++)
            wanted[b] ^= inputs[b];
        memcpy(wanted + bytes[i], inputs + bytes[i], sizeof inputs - bytes[i]);
        CHECK_BYTES(outputs[i], wanted, sizeof inputs, "%s/%s: stream %zu of %zu, %zu bytes behind %zu",
                    m->cipher->name, m->kernel->name, i, count, bytes[i], skip[i]);
        CHECK(runnel_stream_tell(s[i]) == skip[i] + bytes[i], "%s: position of stream %zu", m->cipher->name, i);
        free_context(s[i]);
    }
    restore_model(m);
}

/* The block cipher itself, there and back, and its errors. */
void step_blocks(machine *m)
{
    runnel_cipher_list family = {m->cipher, NULL};
    runnel_blocks b = {NULL};
    const size_t n = choose_below(m->c, 40), block_bytes = m->cipher->block_bytes, bytes = n * block_bytes;
    const unsigned how = (unsigned)choose(m->c, 1);
    if (m->cipher->mode == RUNNEL_MODE_STREAM)
        return;
    runnel_stream *encrypt = new_context(m->cipher), *decrypt = new_context(m->cipher);
    uint8_t key[LONGEST_KEY];
    choose_random(m->c, key, sizeof key);
    choose_random(m->c, apart, bytes);
    memset(memory, 0x5a, sizeof memory);
    uint8_t *const out = memory + CANARY + how % 16;
    const size_t key_bytes = m->cipher->key_bytes.last;
    const char *name = how < 128 && runnel_kernel_takes(m->kernel, key_bytes) ? m->kernel->name : NULL;
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, out, apart, n, block_bytes), RUNNEL_ERR_STATE);
    CHECK_OK(runnel_blocks_key(family, &b, encrypt, decrypt, key, key_bytes, name));
    const int decrypts = b.kernel->block.decrypt_blocks != NULL;
    CHECK_OK(runnel_blocks_encrypt(&b, encrypt, out, apart, n, block_bytes));
    model_key(&m->model, key, key_bytes);
    if (n > 0)
        m->model.kernel->block.encrypt_blocks(m->model.context + m->cipher->state_offset, wanted, apart, n);
    CHECK_BYTES(out, wanted, bytes, "%s: %zu blocks", m->cipher->name, n);
    CHECK(n == 0 || runnel_blocks_encrypt(&b, encrypt, out, out + 1, n, block_bytes) == RUNNEL_ERR_OVERLAP, "overlap");
    CHECK_RESULT(runnel_blocks_encrypt(&b, encrypt, out, apart, SIZE_MAX / 2, block_bytes), RUNNEL_ERR_OVERLAP);
    CHECK_RESULT(runnel_blocks_decrypt(&b, decrypt, out, out, n, block_bytes),
                 decrypts ? RUNNEL_OK : RUNNEL_ERR_KERNEL);
    CHECK_BYTES(out, decrypts ? apart : wanted, bytes, "%s: %zu blocks and back", m->cipher->name, n);
    CHECK(out[-1] == 0x5a && out[bytes] == 0x5a, "%s: written outside %zu blocks", m->cipher->name, n);
    runnel_blocks_wipe(&b, sizeof b);
    free_context(encrypt);
    free_context(decrypt);
    restore_model(m);
}

/* All in one call, with the kernel that is the default. */
void step_once(machine *m)
{
    runnel_cipher_list family = {m->cipher, NULL};
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    const size_t key_bytes = any_length(m->c, &m->cipher->key_bytes), n = choose_length(m->c, LONGEST_ONCE);
    const size_t iv_bytes = m->cipher->iv_as_key ? key_bytes : any_length(m->c, &m->cipher->iv_bytes);
    const int fits = is_among(&m->cipher->key_bytes, key_bytes) && is_among(&m->cipher->iv_bytes, iv_bytes);
    choose_random(m->c, key, sizeof key);
    choose_iv(m->c, iv, sizeof iv);
    if (m->cipher->directions != NULL || runnel_choose_kernel(m->cipher, m->cipher->key_bytes.first, NULL) == NULL)
        return;
    runnel_stream *s = new_context(m->cipher);
    memset(memory, 0x5a, sizeof memory);
    memset(wanted, 0x5a, n);
    const int result =
        runnel_family_once(family, s, memory, NULL, n, key, key_bytes, iv, iv_bytes, 0, runnel_stream_xor);
    CHECK(fits == (result == RUNNEL_OK), "%s: once gives %d for a key of %zu and an IV of %zu bytes", m->cipher->name,
          result, key_bytes, iv_bytes);
    if (fits) {
        model_key(&m->model, key, key_bytes);
        model_iv(&m->model, iv, iv_bytes, 0);
        model_keystream_at(&m->model, 0, wanted, n);
    }
    CHECK_BYTES(memory, wanted, n, "%s: once", m->cipher->name);
    for (size_t i = 0; i < m->cipher->context_bytes; i++)
        CHECK(((const uint8_t *)s)[i] == 0, "%s: byte %zu of the context after once", m->cipher->name, i);
    free_context(s);
    restore_model(m);
}

void check_nonsense(const machine *m)
{
    const runnel_cipher *const cipher = m->cipher;
    runnel_cipher_list family = {cipher, NULL};
    static const uint8_t zeros[LONGEST_KEY];
    const size_t key_bytes = cipher->key_bytes.first, iv_bytes = cipher->iv_as_key ? key_bytes : cipher->iv_bytes.first;
    uint8_t out[16] = {0}, *outs[2] = {out, out};
    const uint8_t *keys[2] = {zeros, zeros}, *none[2] = {NULL, NULL};
    const size_t bytes[2] = {1, 1};
    const char *const name = reference_kernel(cipher)->name;
    runnel_stream *const s = new_context(cipher), *streams[2] = {s, s}, *absent[2] = {s, NULL};
    CHECK_RESULT(runnel_cipher_key(cipher, NULL, zeros, key_bytes, name), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(NULL, streams, keys, key_bytes, name, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, absent, keys, key_bytes, name, 2), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, streams, keys, LONGEST_KEY + 1, name, 1), RUNNEL_ERR_KEY_LENGTH);
    CHECK_RESULT(runnel_cipher_key_batch(cipher, streams, keys, key_bytes, "none", 1), RUNNEL_ERR_KERNEL);
    CHECK_OK(runnel_cipher_key(cipher, s, zeros, key_bytes, name));
    CHECK_RESULT(runnel_stream_iv(NULL, zeros, iv_bytes, 0), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_iv_batch(NULL, keys, iv_bytes, 0, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_iv_batch(streams, keys, iv_bytes, 0, 2), RUNNEL_ERR_OVERLAP);
    CHECK(iv_bytes == 0 || runnel_stream_iv_batch(streams, none, iv_bytes, 0, 1) == RUNNEL_ERR_NULL,
          "an IV that is NULL");
    CHECK_RESULT(runnel_family_key(family, s, zeros, LONGEST_KEY + 1, name), RUNNEL_ERR_KEY_LENGTH);
    CHECK(key_bytes == 0 || runnel_family_key(family, s, NULL, key_bytes, name) == RUNNEL_ERR_NULL,
          "a key that is NULL");
    check_without_iv(s);
    CHECK_OK(runnel_stream_iv(s, zeros, iv_bytes, 0));
    check_counter(cipher, s, zeros, iv_bytes);
    check_pieces_ahead(cipher, s, zeros, iv_bytes);
    CHECK_OK(runnel_stream_iv(s, zeros, iv_bytes, 0));
    CHECK_RESULT(runnel_stream_xor_batch(NULL, outs, keys, bytes, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_xor_batch(streams, outs, keys, bytes, 2),
                 cipher->directions != NULL ? RUNNEL_ERR_DIRECTION : RUNNEL_ERR_OVERLAP);
    CHECK_RESULT(runnel_stream_xor(NULL, out, out, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_encrypt(NULL, out, out, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_packet(NULL, zeros, iv_bytes, 0, out, out, 1), RUNNEL_ERR_NULL);
    CHECK_RESULT(runnel_stream_seek(NULL, 0), RUNNEL_ERR_NULL);
    CHECK(runnel_stream_tell(NULL) == 0 && runnel_stream_left(NULL) == 0 && runnel_stream_kernel(NULL) == NULL, "NULL");
    runnel_stream_wipe(NULL);
    if (cipher->mode != RUNNEL_MODE_STREAM) {
        runnel_blocks b = {NULL};
        CHECK_RESULT(runnel_blocks_key(family, NULL, s, s, zeros, key_bytes, name), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_blocks_key(family, &b, s, s, zeros, key_bytes, "none"), RUNNEL_ERR_KERNEL);
        CHECK_RESULT(runnel_blocks_key(family, &b, s, s, zeros, LONGEST_KEY + 1, name), RUNNEL_ERR_KEY_LENGTH);
        CHECK_OK(runnel_blocks_key(family, &b, s, s, zeros, key_bytes, name));
        CHECK_RESULT(runnel_blocks_encrypt(NULL, s, out, zeros, 1, cipher->block_bytes), RUNNEL_ERR_NULL);
        CHECK_RESULT(runnel_blocks_encrypt(&b, s, NULL, zeros, 1, cipher->block_bytes), RUNNEL_ERR_NULL);
        runnel_blocks_wipe(NULL, 0);
    }
    CHECK(out[0] == 0, "written after an error");
    free_context(s);
}
