/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Messages of AEADs in pieces: lengths, associated data, text and tag, in any order. */
#include "aead_machine.h"

void aead_step_start(machine *m)
{
    static message k;
    unsigned may = aead_choose_head(m, &k);
    if (!m->aead->multipart)
        may |= one_of(RUNNEL_ERR_ONE_SHOT);
    aead_keep(m);
    const int result = runnel_aead_start(m->s, k.nonce, k.nonce_bytes, k.tag_bytes);
    aead_check_error(m, "start", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "start");
        return;
    }
    memcpy(&m->m, &k, sizeof k);
    m->m.aad_bytes = m->m.bytes = 0;
    m->stage = STARTED;
    m->has_lengths = 0;
    m->aad_total = m->aead->aad_max;
    m->text_total = runnel_aead_plaintext_max(m->aead, k.nonce_bytes);
}

/* Checks before every call of a message in pieces. */
static unsigned errors_of_stage(const machine *m)
{
    return !m->keyed || m->stage == IDLE || (m->aead->lengths_first && !m->has_lengths) ? one_of(RUNNEL_ERR_STATE) : 0;
}

void aead_step_lengths(machine *m)
{
    const uint64_t aad = choose(m->c, 1) < 250 ? choose_length(m->c, MOST_AAD) : choose(m->c, 8);
    const uint64_t text = choose(m->c, 1) < 250 ? choose_length(m->c, MOST) : choose(m->c, 8);
    unsigned may = 0;
    if (!m->keyed || m->stage != STARTED || m->has_lengths || m->m.aad_bytes > 0)
        may |= one_of(RUNNEL_ERR_STATE);
    else if (aad > m->aad_total || text > m->text_total)
        may |= one_of(RUNNEL_ERR_LIMIT);
    aead_keep(m);
    const int result = runnel_aead_lengths(m->s, aad, text);
    aead_check_error(m, "lengths", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "lengths");
        return;
    }
    m->has_lengths = 1;
    m->aad_total = aad;
    m->text_total = text;
}

void aead_step_aad(machine *m)
{
    uint8_t aad[MOST_AAD];
    const size_t n = choose_length(m->c, MOST_AAD);
    choose_random(m->c, aad, n);
    unsigned may = errors_of_stage(m);
    if (m->stage != STARTED)
        may |= one_of(RUNNEL_ERR_STATE);
    if (may == 0 && n > m->aad_total - m->m.aad_bytes)
        may |= one_of(RUNNEL_ERR_LIMIT);
    if (may == 0 && n > sizeof m->m.aad - m->m.aad_bytes)
        return;
    aead_keep(m);
    const int result = runnel_aead_aad(m->s, aad, n);
    aead_check_error(m, "aad", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "aad");
        return;
    }
    memcpy(m->m.aad + m->m.aad_bytes, aad, n);
    m->m.aad_bytes += n;
}

/* A piece of text. What comes out is looked at when the message ends. */
void aead_step_crypt(machine *m)
{
    const int decrypt = m->stage == DECRYPTING || (m->stage != ENCRYPTING && choose_bit(m->c));
    const int turned = choose(m->c, 1) == 255;
    const size_t n = choose_length(m->c, MOST - 64);
    const int stage = decrypt ? DECRYPTING : ENCRYPTING, place = (int)choose(m->c, 1);
    uint8_t in[MOST], *const out = aead_memory + CANARY + place % 16;
    choose_random(m->c, in, n);
    memset(aead_memory, 0x5a, sizeof aead_memory);
    memcpy(out, in, n);
    unsigned may = errors_of_stage(m);
    if (turned && (m->stage == ENCRYPTING || m->stage == DECRYPTING))
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->stage == STARTED && m->has_lengths && m->m.aad_bytes != m->aad_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (n > m->text_total - m->m.bytes && m->stage != IDLE)
        may |= one_of(RUNNEL_ERR_LIMIT);
    if (may == 0 && n > sizeof m->m.text - m->m.bytes)
        return;
    aead_keep(m);
    const int result =
        (decrypt != turned ? runnel_aead_decrypt : runnel_aead_encrypt)(m->s, out, place & 16 ? out : in, n);
    aead_check_error(m, "a piece", result, may);
    if (result != RUNNEL_OK) {
        aead_check_unchanged(m, "a piece");
        return;
    }
    m->stage = turned ? ENCRYPTING + DECRYPTING - stage : stage;
    /* Both are kept: what was text and what was ciphertext. */
    memcpy((m->stage == DECRYPTING ? m->m.sealed : m->m.text) + m->m.bytes, in, n);
    memcpy((m->stage == DECRYPTING ? m->m.text : m->m.sealed) + m->m.bytes, out, n);
    CHECK(out[-1] == 0x5a && out[n] == 0x5a, "written outside a piece");
    m->m.bytes += n;
}

void aead_step_end(machine *m)
{
    static message k;
    const int verify = m->stage == DECRYPTING || (m->stage == STARTED && choose_bit(m->c));
    const int turned = choose(m->c, 1) == 255, wrong = choose_bit(m->c);
    const size_t tag_bytes = choose(m->c, 1) < 240 ? m->m.tag_bytes : choose_below(m->c, TAG + 1);
    uint8_t tag[TAG + 1];
    unsigned may = errors_of_stage(m);
    if (m->stage == STARTED && m->has_lengths && m->m.aad_bytes != m->aad_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->has_lengths && m->m.bytes != m->text_total)
        may |= one_of(RUNNEL_ERR_STATE);
    if (turned && (m->stage == ENCRYPTING || m->stage == DECRYPTING))
        may |= one_of(RUNNEL_ERR_STATE);
    if (m->stage != IDLE && tag_bytes != m->m.tag_bytes)
        may |= one_of(RUNNEL_ERR_TAG_LENGTH);
    memset(tag, 0x5a, sizeof tag);
    if (may == 0) {
        memcpy(&k, &m->m, sizeof k);
        aead_reference_seal(m, &k);
        CHECK_BYTES(m->m.sealed, k.sealed, k.bytes, "%s/%s: %zu bytes in pieces", m->aead->name, m->kernel, k.bytes);
        if (verify != turned)
            memcpy(tag, k.tag, tag_bytes);
        if (verify != turned && wrong && tag_bytes > 0)
            tag[tag_bytes - 1] ^= 1;
    }
    aead_keep(m);
    const int result =
        verify != turned ? runnel_aead_verify(m->s, tag, tag_bytes) : runnel_aead_tag(m->s, tag, tag_bytes);
    if (may == 0 && verify != turned && wrong && tag_bytes > 0)
        may = one_of(RUNNEL_ERR_TAG);
    aead_check_error(m, "the end", result, may);
    if (result != RUNNEL_OK && result != RUNNEL_ERR_TAG) {
        aead_check_unchanged(m, "the end");
        return;
    }
    if (verify == turned)
        CHECK_BYTES(tag, k.tag, tag_bytes, "%s/%s: tag of %zu bytes in pieces", m->aead->name, m->kernel, k.bytes);
    CHECK(tag[TAG] == 0x5a, "written behind the tag");
    m->stage = IDLE;
}
