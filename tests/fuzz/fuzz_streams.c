/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers: calls of every verb on one context of any cipher and kernel. The naive model says what comes out and where the
 * position is; of each call, which errors it may give. An error leaves output and context as they were, nothing is written
 * outside the output, and a wiped context is zeros. */
#include "fuzz.h"
#include "fuzz_ahead.h"
#include "model.h"

#include <runnel/runnel.h>

enum { MOST = 4400, CANARY = 16, CROWD = 20, STEPS = 48, KEPT = 60000 };

__extension__ typedef unsigned __int128 wide;

typedef struct machine {
    choices *c;
    const runnel_cipher *cipher;
    const runnel_kernel *kernel;
    runnel_stream *s;
    uint8_t *before; /* the context before a call */
    naive model;
    runnel_stream *twin; /* where directions differ and it is no feedback mode: the same through the reference kernel */
    int stage;           /* 0 nothing, 1 key, 2 IV */
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    size_t key_bytes, iv_bytes;
    int layout;
    wide position;
    int directed; /* where directions differ: 1 encrypting, 2 decrypting, 0 not known yet */
    uint8_t feedback[16];
} machine;

static uint8_t memory[MOST + 2 * CANARY], apart[MOST + CANARY], wanted[MOST + 2 * CANARY];

/* A set of errors; RUNNEL_OK is in it where there may be none. */
static unsigned one_of(int error)
{
    return 1u << -error;
}

static void check_error(const machine *m, const char *what, int result, unsigned may)
{
    CHECK(may >> -result & 1, "%s/%s: %s gives %d, may be %x", m->cipher->name, m->kernel->name, what, result, may);
}

static void keep(machine *m)
{
    memcpy(m->before, m->s, m->cipher->context_bytes);
}

static void check_unchanged(const machine *m, const char *what)
{
    CHECK_BYTES(m->s, m->before, m->cipher->context_bytes, "%s/%s: context after an error of %s", m->cipher->name,
                m->kernel->name, what);
}

static uint64_t period(const machine *m)
{
    return m->stage == 2 ? model_period(m->cipher, m->layout) : 0;
}

static wide end_of(const machine *m)
{
    return (wide)period(m) * m->cipher->block_bytes;
}

static void check_position(const machine *m)
{
    const wide end = end_of(m), left = end - m->position;
    const uint64_t tell = m->stage < 2 ? 0 : m->position > UINT64_MAX ? UINT64_MAX : (uint64_t)m->position;
    const uint64_t more = m->stage < 2 ? 0 : end == 0 || left > UINT64_MAX ? UINT64_MAX : (uint64_t)left;
    CHECK(runnel_stream_tell(m->s) == tell, "%s: tell is %llu, not %llu", m->cipher->name,
          (unsigned long long)runnel_stream_tell(m->s), (unsigned long long)tell);
    CHECK(runnel_stream_left(m->s) == more, "%s: left is %llu, not %llu", m->cipher->name,
          (unsigned long long)runnel_stream_left(m->s), (unsigned long long)more);
    const char *const name = runnel_stream_kernel(m->s);
    CHECK(m->stage == 0 ? name == NULL : name != NULL && strcmp(name, m->kernel->name) == 0, "kernel %s",
          name != NULL ? name : "none");
}

/* ---- key and IV ---- */

static size_t any_length(choices *c, const runnel_lengths *lengths)
{
    const size_t which = choose(c, 1);
    return which < 240 ? runnel_lengths_at(lengths, (unsigned)which % runnel_lengths_count(lengths)) : which - 240;
}

static void keyed(machine *m, size_t key_bytes)
{
    m->key_bytes = key_bytes;
    model_key(&m->model, m->key, key_bytes);
    if (m->twin != NULL)
        CHECK_OK(runnel_cipher_key(m->cipher, m->twin, m->key, key_bytes, m->model.kernel->name));
    m->stage = 1;
}

static void step_key(machine *m)
{
    uint8_t key[LONGEST_KEY];
    const size_t key_bytes = any_length(m->c, &m->cipher->key_bytes);
    const unsigned how = (unsigned)choose(m->c, 1);
    choose_random(m->c, key, sizeof key);
    const char *name = how < 250 ? m->kernel->name : "no such kernel";
    const int null = how == 249 && key_bytes > 0, fits = is_among(&m->cipher->key_bytes, key_bytes);
    keep(m);
    const int result = runnel_cipher_key(how == 248 ? NULL : m->cipher, m->s, null ? NULL : key, key_bytes, name);
    unsigned may = 0;
    if (null || how == 248)
        may |= one_of(RUNNEL_ERR_NULL);
    if (!fits)
        may |= one_of(RUNNEL_ERR_KEY_LENGTH);
    if (how >= 250 || (fits && !runnel_kernel_takes(m->kernel, key_bytes)))
        may |= one_of(RUNNEL_ERR_KERNEL);
    check_error(m, "key", result, may != 0 ? may : one_of(RUNNEL_OK));
    if (result != RUNNEL_OK) {
        check_unchanged(m, "key");
        return;
    }
    memcpy(m->key, key, sizeof key);
    keyed(m, key_bytes);
}

/* An IV, its length and layout, as the input says; of each step the same that sets one. Returns the errors that they may
 * give, RUNNEL_OK alone if there is none. */
static unsigned choose_message(machine *m, uint8_t iv[LONGEST_IV], size_t *iv_bytes, int *layout, const uint8_t **at)
{
    const unsigned how = (unsigned)choose(m->c, 1);
    *iv_bytes = m->cipher->iv_as_key && how % 8 != 0 ? m->key_bytes : any_length(m->c, &m->cipher->iv_bytes);
    *layout = 0;
    if (m->cipher->layout != 0 || how % 16 == 1)
        *layout = (int)choose_below(m->c, RUNNEL_LAYOUTS + 2) - 1;
    choose_iv(m->c, iv, LONGEST_IV);
    *at = how == 255 && *iv_bytes > 0 ? NULL : iv;
    unsigned may = 0;
    if (*at == NULL)
        may |= one_of(RUNNEL_ERR_NULL);
    if (m->stage == 0)
        may |= one_of(RUNNEL_ERR_STATE);
    if (!is_among(&m->cipher->iv_bytes, *iv_bytes) || (m->cipher->iv_as_key && *iv_bytes != m->key_bytes))
        may |= one_of(RUNNEL_ERR_IV_LENGTH);
    if (*layout != 0 && (*layout < 0 || *layout >= RUNNEL_LAYOUTS || !(m->cipher->layouts >> *layout & 1)))
        may |= one_of(RUNNEL_ERR_LAYOUT);
    return may != 0 ? may : one_of(RUNNEL_OK);
}

static void started(machine *m, const uint8_t *iv, size_t iv_bytes, int layout)
{
    memcpy(m->iv, iv, LONGEST_IV);
    m->iv_bytes = iv_bytes;
    m->layout = layout != 0 ? layout : m->cipher->layout;
    m->position = 0;
    m->stage = 2;
    m->directed = 0;
    if (m->twin != NULL)
        CHECK_OK(runnel_stream_iv(m->twin, iv, iv_bytes, layout));
    else if (m->cipher->directions == NULL)
        model_iv(&m->model, iv, iv_bytes, layout);
}

static void step_iv(machine *m)
{
    uint8_t iv[LONGEST_IV];
    const uint8_t *at;
    size_t iv_bytes;
    int layout;
    const unsigned may = choose_message(m, iv, &iv_bytes, &layout, &at);
    keep(m);
    const int result = runnel_stream_iv(m->s, at, iv_bytes, layout);
    check_error(m, "iv", result, may);
    if (result == RUNNEL_OK)
        started(m, iv, iv_bytes, layout);
    else
        check_unchanged(m, "iv");
}

/* ---- bytes ---- */

enum { XOR, ENCRYPT, DECRYPT };

/* The model of feedback mode, by its definition: the block before is encrypted, and XORed. */
static void model_feedback(machine *m, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    const size_t block_bytes = m->cipher->block_bytes;
    const uint8_t *state = m->model.context + m->cipher->state_offset;
    static uint8_t pad[16], text[16];
    if (m->twin != NULL) {
        CHECK_OK((decrypt ? runnel_stream_decrypt : runnel_stream_encrypt)(m->twin, out, in, bytes));
        m->position += bytes;
        return;
    }
    if (m->position == 0)
        memcpy(m->feedback, m->iv, block_bytes);
    for (size_t i = 0; i < bytes; i++) {
        const size_t at = (size_t)(m->position % block_bytes);
        if (at == 0) {
            m->model.kernel->block.encrypt_blocks(state, pad, m->feedback, 1);
            memcpy(text, pad, block_bytes);
        }
        const uint8_t given = in[i], made = given ^ text[at];
        m->feedback[at] = decrypt ? given : made;
        out[i] = made;
        m->position++;
    }
}

/* The model's output, and its position behind it. */
static void model_verb(machine *m, uint8_t *out, const uint8_t *in, size_t bytes, int verb)
{
    if (m->cipher->directions != NULL) {
        model_feedback(m, out, in, bytes, verb == DECRYPT);
        return;
    }
    const size_t block_bytes = m->cipher->block_bytes;
    model_keystream(&m->model, (uint64_t)(m->position / block_bytes), (size_t)(m->position % block_bytes), out, bytes);
    for (size_t i = 0; in != NULL && i < bytes; i++)
        out[i] ^= in[i];
    m->position += bytes;
}

/* A call's buffers. */
typedef struct call {
    size_t bytes;
    uint8_t *out;
    const uint8_t *in;
    int verb;
    unsigned may; /* the errors of output and input */
} call;

static call choose_call(machine *m)
{
    const unsigned how = (unsigned)choose(m->c, 1);
    call k = {.bytes = choose_length(m->c, MOST - 64), .out = memory + CANARY + how % 16, .in = apart + how / 16};
    k.verb = (int)choose_below(m->c, 8) - 5;
    if (k.verb < 0)
        k.verb = m->cipher->directions == NULL ? XOR : m->directed == 2 ? DECRYPT : ENCRYPT;
    choose_random(m->c, apart, 64); /* the rest stays from earlier calls: random enough */
    memset(memory, 0x5a, sizeof memory);
    const unsigned place = (unsigned)choose(m->c, 1);
    if (place < 80) { /* in place */
        memcpy(k.out, k.in, k.bytes);
        k.in = k.out;
    } else if (place < 130) {
        k.in = NULL;
    } else if (place == 254) {
        k.out = NULL;
    } else if (place >= 250 && k.bytes > 1) {
        k.in = k.out + (place == 250 ? 1 : place == 251 ? k.bytes - 1 : k.bytes / 2 + 1);
        if (k.in + k.bytes > memory + sizeof memory - CANARY)
            k.in = k.out;
    }
    if (k.bytes == 0)
        return k;
    if (k.out == NULL || (k.in == NULL && m->cipher->directions != NULL && k.verb != XOR))
        k.may |= one_of(RUNNEL_ERR_NULL);
    if (k.out != NULL && k.in != NULL && k.in != k.out && k.in > k.out - k.bytes && k.in < k.out + k.bytes)
        k.may |= one_of(RUNNEL_ERR_OVERLAP);
    return k;
}

/* Returns the expected error of a call whose message begins or continues at a position. */
static unsigned errors_of(const machine *m, const call *k, wide position, wide end, unsigned may)
{
    if (k->verb == XOR && m->cipher->directions != NULL)
        may |= one_of(RUNNEL_ERR_DIRECTION);
    if (end != 0 && k->bytes > 0 && k->bytes > end - position)
        may |= one_of(RUNNEL_ERR_LIMIT);
    may |= k->may;
    return may != 0 ? may : one_of(RUNNEL_OK);
}

/* Tells whether another direction was used in this message already, which the library does not check. */
static int turns(machine *m, int verb)
{
    const int direction = verb == DECRYPT ? 2 : 1;
    if (m->cipher->directions == NULL || verb == XOR)
        return 0;
    if (m->directed == 0)
        m->directed = direction;
    return m->directed != direction;
}

static void check_output(machine *m, const call *k, int result, const uint8_t *kept, const char *what)
{
    if (result != RUNNEL_OK) {
        CHECK_BYTES(memory, kept, sizeof memory, "%s: memory after error %d of %s", m->cipher->name, result, what);
        check_unchanged(m, what);
        return;
    }
    if (k->bytes == 0)
        return;
    static uint8_t expected[MOST + 2 * CANARY];
    memcpy(expected, kept, sizeof expected);
    model_verb(m, wanted, k->in == k->out ? kept + (k->out - memory) : k->in, k->bytes, k->verb);
    memcpy(expected + (k->out - memory), wanted, k->bytes);
    CHECK_BYTES(memory, expected, sizeof memory, "%s/%s: %s of %zu bytes in layout %d up to %llu", m->cipher->name,
                m->kernel->name, what, k->bytes, m->layout, (unsigned long long)m->position);
}

static void step_bytes(machine *m)
{
    static uint8_t kept[sizeof memory];
    static int (*const verbs[])(runnel_stream *, uint8_t *, const uint8_t *,
                                size_t) = {runnel_stream_xor, runnel_stream_encrypt, runnel_stream_decrypt};
    const call k = choose_call(m);
    if (m->stage == 2 && turns(m, k.verb))
        return;
    memcpy(kept, memory, sizeof kept);
    keep(m);
    const int result = verbs[k.verb](m->s, k.out, k.in, k.bytes);
    unsigned may = m->stage < 2 ? one_of(RUNNEL_ERR_STATE) : 0;
    check_error(m, "a verb", result, errors_of(m, &k, m->position, end_of(m), may));
    check_output(m, &k, result, kept, "a verb");
}

static void step_packet(machine *m)
{
    static uint8_t kept[sizeof memory];
    static int (*const verbs[])(runnel_stream *, const uint8_t *, size_t, int, uint8_t *, const uint8_t *, size_t) = {
        runnel_stream_packet, runnel_stream_encrypt_packet, runnel_stream_decrypt_packet};
    uint8_t iv[LONGEST_IV];
    const uint8_t *at;
    size_t iv_bytes;
    int layout;
    const unsigned wrong = choose_message(m, iv, &iv_bytes, &layout, &at);
    const call k = choose_call(m);
    memcpy(kept, memory, sizeof kept);
    keep(m);
    const int result = verbs[k.verb](m->s, at, iv_bytes, layout, k.out, k.in, k.bytes);
    wide end = 0;
    if (wrong == one_of(RUNNEL_OK))
        end = (wide)model_period(m->cipher, layout != 0 ? layout : m->cipher->layout) * m->cipher->block_bytes;
    check_error(m, "packet", result, errors_of(m, &k, 0, end, wrong & ~one_of(RUNNEL_OK)));
    if (result == RUNNEL_OK) {
        started(m, iv, iv_bytes, layout);
        turns(m, k.verb);
    }
    check_output(m, &k, result, kept, "packet");
}

static void step_seek(machine *m)
{
    const wide end = end_of(m);
    const unsigned how = (unsigned)choose(m->c, 1);
    uint64_t to = choose(m->c, how % 4 == 0 ? 8 : 2);
    if (how % 4 == 1) /* near a power of two blocks */
        to = ((uint64_t)m->cipher->block_bytes << (to >> 8) % 50) + to % 256 - 64;
    else if (how % 4 == 2) /* near the end, or not far from here */
        to = end != 0 && end <= UINT64_MAX ? (uint64_t)end - to % 3000 + 10 : (uint64_t)m->position + to % 100;
    keep(m);
    const int result = runnel_stream_seek(m->s, to);
    unsigned may = 0;
    if (m->stage < 2)
        may |= one_of(RUNNEL_ERR_STATE);
    if (!m->cipher->seekable)
        may |= one_of(RUNNEL_ERR_SEEK);
    if (end != 0 && to > end)
        may |= one_of(RUNNEL_ERR_LIMIT);
    check_error(m, "seek", result, may != 0 ? may : one_of(RUNNEL_OK));
    if (result == RUNNEL_OK)
        m->position = to;
    else
        check_unchanged(m, "seek");
}

/* ---- contexts ---- */

static void step_wipe(machine *m)
{
    runnel_stream_wipe(m->s);
    for (size_t i = 0; m->stage > 0 && i < m->cipher->context_bytes; i++)
        CHECK(((const uint8_t *)m->s)[i] == 0, "%s: byte %zu of a wiped context", m->cipher->name, i);
    m->stage = 0;
}

/* The context continues elsewhere. */
static void step_move(machine *m)
{
    runnel_stream *const there = new_context_at(m->cipher, (unsigned)choose(m->c, 1));
    memcpy(there, m->s, m->cipher->context_bytes);
    memset(m->s, 0xa5, m->cipher->context_bytes);
    free_context(m->s);
    m->s = there;
}

static void step_mask(machine *m)
{
    const uint32_t mask = (uint32_t)choose(m->c, 2);
    runnel_cpu_mask(mask | m->kernel->cpu);
}

/* Copies of the context, each with an IV of its own and some of them a little further, work in one call. */
static void step_batch(machine *m)
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
    if (m->stage > 0)
        model_key(&m->model, m->key, m->key_bytes);
    if (m->stage == 2) { /* what cannot seek makes its keystream again */
        model_iv(&m->model, m->iv, m->iv_bytes, m->layout);
    }
}

/* The block cipher itself, there and back, and its errors. */
static void step_blocks(machine *m)
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
    if (m->stage > 0)
        model_key(&m->model, m->key, m->key_bytes);
}

/* All in one call, with the kernel that is the default. */
static void step_once(machine *m)
{
    runnel_cipher_list family = {m->cipher, NULL};
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    const size_t key_bytes = any_length(m->c, &m->cipher->key_bytes), n = choose_length(m->c, 1000);
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
    if (m->stage > 0)
        model_key(&m->model, m->key, m->key_bytes);
    if (m->stage == 2)
        model_iv(&m->model, m->iv, m->iv_bytes, m->layout);
}

/* Calls that make no sense with this cipher, whatever the input says. */
static void check_nonsense(const machine *m)
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

static void step(machine *m)
{
    static void (*const rare[])(machine *) = {step_wipe, step_move, step_mask, step_batch, step_blocks, step_once};
    const unsigned what = (unsigned)choose(m->c, 1) % 64;
    if (what < 30)
        step_bytes(m);
    else if (what < 38)
        step_packet(m);
    else if (what < 46)
        step_seek(m);
    else if (what < 52)
        step_iv(m);
    else if (what < 55)
        step_key(m);
    else
        rare[what % (sizeof rare / sizeof *rare)](m);
    check_position(m);
}

static void run(choices *c)
{
    static const runnel_cipher *ciphers[256]; /* finding one by its number takes long */
    static size_t count;
    while (count < sizeof ciphers / sizeof *ciphers && (count == 0 || ciphers[count - 1] != NULL)) {
        ciphers[count] = runnel_cipher_at(count);
        count++;
    }
    runnel_cpu_mask(UINT32_MAX);
    static uint8_t checked[256];
    const size_t which = choose_below(c, count - 1);
    machine m = {.c = c, .cipher = ciphers[which]};
    const runnel_kernel *usable[64];
    size_t kernels = 0;
    for (const runnel_kernel_head *const *k = m.cipher->kernels; *k != NULL; k++)
        if (runnel_cipher_has(m.cipher, runnel_kernel_of(*k)) && runnel_kernel_available(*k))
            usable[kernels++] = runnel_kernel_of(*k);
    m.kernel = usable[choose_below(c, kernels)];
    m.s = new_context_at(m.cipher, (unsigned)choose(c, 1));
    m.before = malloc(m.cipher->context_bytes);
    model_init(&m.model, m.cipher);
    if (!checked[which]++)
        check_nonsense(&m);
    if (m.cipher->directions != NULL && m.cipher->mode == RUNNEL_MODE_STREAM)
        m.twin = new_context(m.cipher);
    for (unsigned i = 0; c->left > 0 && i < STEPS && (m.cipher->seekable || m.position < KEPT); i++)
        step(&m);
    model_free(&m.model);
    if (m.twin != NULL)
        free_context(m.twin);
    free(m.before);
    free_context(m.s);
}

const fuzz_target fuzz_streams = {"streams", run};
