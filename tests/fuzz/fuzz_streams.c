/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ciphers: calls of every verb on one context of any cipher and kernel. The naive model says what comes out and where the
 * position is; of each call, which errors it may give. An error leaves output and context as they were, nothing is written
 * outside the output, and a wiped context is zeros. */
#include "stream_machine.h"

enum { STEPS = 48, KEPT = 60000 };

static uint8_t memory[MOST + 2 * CANARY], apart[MOST + CANARY], wanted[MOST + 2 * CANARY];

/* ---- key and IV ---- */

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
