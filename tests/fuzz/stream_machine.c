/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "stream_machine.h"

void check_error(const machine *m, const char *what, int result, unsigned may)
{
    CHECK(may >> -result & 1, "%s/%s: %s gives %d, may be %x", m->cipher->name, m->kernel->name, what, result, may);
}

void keep(machine *m)
{
    memcpy(m->before, m->s, m->cipher->context_bytes);
}

void check_unchanged(const machine *m, const char *what)
{
    CHECK_BYTES(m->s, m->before, m->cipher->context_bytes, "%s/%s: context after an error of %s", m->cipher->name,
                m->kernel->name, what);
}

static uint64_t period(const machine *m)
{
    return m->stage == 2 ? model_period(m->cipher, m->layout) : 0;
}

wide end_of(const machine *m)
{
    return (wide)period(m) * m->cipher->block_bytes;
}

void check_position(const machine *m)
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

size_t any_length(choices *c, const runnel_lengths *lengths)
{
    const size_t which = choose(c, 1);
    return which < 240 ? runnel_lengths_at(lengths, (unsigned)which % runnel_lengths_count(lengths)) : which - 240;
}

void keyed(machine *m, size_t key_bytes)
{
    m->key_bytes = key_bytes;
    model_key(&m->model, m->key, key_bytes);
    if (m->twin != NULL)
        CHECK_OK(runnel_cipher_key(m->cipher, m->twin, m->key, key_bytes, m->model.kernel->name));
    m->stage = 1;
}

void started(machine *m, const uint8_t *iv, size_t iv_bytes, int layout)
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

void model_verb(machine *m, uint8_t *out, const uint8_t *in, size_t bytes, int verb)
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

void restore_model(machine *m)
{
    if (m->stage > 0)
        model_key(&m->model, m->key, m->key_bytes);
    if (m->stage == 2 && m->cipher->directions == NULL) /* a stream that cannot seek makes its keystream again */
        model_iv(&m->model, m->iv, m->iv_bytes, m->layout);
}
