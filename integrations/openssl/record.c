/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Records of TLS 1.2. libssl sets the header of a record as a parameter, and then one update seals or opens the record
 * in place: 8 bytes of explicit IV (GCM and CCM), the text, and the tag. */
#include "aead.h"

enum { FIXED = 4, EXPLICIT = 8, NONCE = 12 };

/* Bytes of IV in the record; ChaCha20-Poly1305's is the number of the record instead (RFC 7905). */
static size_t explicit_bytes(const aead_context *c)
{
    return c->algorithm->kind == KIND_CHACHA20_POLY1305 ? 0 : EXPLICIT;
}

static int has_records(const aead_context *c)
{
    const cipher_kind kind = c->algorithm->kind;
    return kind == KIND_GCM || kind == KIND_CCM || kind == KIND_CHACHA20_POLY1305;
}

/* In GCM and ChaCha20-Poly1305 the tag has its full length, whatever was set for other messages. */
static size_t tag_bytes(const aead_context *c)
{
    return c->algorithm->kind == KIND_CCM ? c->tag_bytes : LONGEST_TAG;
}

int record_header(aead_context *c, const uint8_t *header, size_t bytes)
{
    if (bytes != RECORD_HEADER || !has_records(c))
        return FAIL_FOR(c, REASON_RECORD);
    const size_t length = (size_t)(header[RECORD_HEADER - 2] << 8 | header[RECORD_HEADER - 1]);
    const size_t around = explicit_bytes(c) + (c->encrypts ? 0 : tag_bytes(c));
    if (length < around)
        return FAIL_FOR(c, REASON_RECORD);
    memcpy(c->record, header, RECORD_HEADER); /* what is authenticated has the length of the text alone */
    c->record[RECORD_HEADER - 2] = (uint8_t)((length - around) >> 8);
    c->record[RECORD_HEADER - 1] = (uint8_t)(length - around);
    c->record_pad = tag_bytes(c);
    c->has_record = 1;
    return 1;
}

int record_fixed_iv(aead_context *c, const uint8_t *iv, size_t bytes)
{
    const cipher_kind kind = c->algorithm->kind;
    if (kind == KIND_GCM && bytes == SIZE_MAX) { /* the whole IV, of the length that was set */
        if (c->iv_bytes < EXPLICIT)
            return FAIL(c, RUNNEL_ERR_IV_LENGTH);
        bytes = c->iv_bytes;
    } else if (kind == KIND_GCM ? bytes < FIXED || bytes > c->iv_bytes || c->iv_bytes - bytes < EXPLICIT
                                : !has_records(c) || bytes != (kind == KIND_CCM ? FIXED : NONCE)) {
        return FAIL(c, RUNNEL_ERR_IV_LENGTH);
    }
    memcpy(c->iv, iv, bytes);
    c->counts = kind == KIND_GCM;
    if (kind == KIND_GCM && bytes < c->iv_bytes) {
        c->unused = 0; /* it lacks its end, which each record that is opened brings along */
        c->iv_state = IV_SPENT;
        return c->encrypts ? aead_random_iv(c, bytes) : 1;
    }
    c->unused = 1;
    c->iv_state = kind == KIND_CCM ? IV_RECORDS : IV_READY;
    return 1;
}

/* In CCM and ChaCha20-Poly1305 the number of a record may give the IV itself, which a message must not have had then. */
static int has_iv_for_records(const aead_context *c)
{
    if (c->iv_bytes != NONCE)
        return 0;
    if (c->algorithm->kind == KIND_GCM)
        return c->counts;
    return c->iv_state != IV_NONE && (c->unused || !c->encrypts);
}

/* Finds the record's nonce. Sealing writes its explicit part to out; opening reads it from in. */
static int find_nonce(aead_context *c, uint8_t *nonce, uint8_t *out, const uint8_t *in)
{
    if (c->algorithm->kind == KIND_CHACHA20_POLY1305) {
        memcpy(nonce, c->iv, NONCE);
        for (int i = 0; i < 8; i++)
            nonce[NONCE - 8 + i] ^= c->record[i];
        return 1;
    }
    memcpy(nonce, c->iv, NONCE);
    if (!c->encrypts)
        memcpy(nonce + FIXED, in, EXPLICIT);
    else if (c->algorithm->kind == KIND_CCM)
        memcpy(nonce + FIXED, c->record, EXPLICIT); /* the number of the record */
    else if (!aead_next_iv(c, nonce + FIXED, EXPLICIT))
        return 0;
    if (c->encrypts)
        memcpy(out, nonce + FIXED, EXPLICIT);
    return 1;
}

int record_crypt(aead_context *c, uint8_t *out, size_t *out_bytes, const uint8_t *in, size_t bytes)
{
    const size_t before = explicit_bytes(c), tag = tag_bytes(c);
    uint8_t nonce[NONCE];
    c->has_record = 0;
    if (in == NULL || out == NULL || (before > 0 && out != in) || bytes < before + tag)
        return FAIL_FOR(c, REASON_RECORD);
    const size_t text = bytes - before - tag;
    if (text != (size_t)(c->record[RECORD_HEADER - 2] << 8 | c->record[RECORD_HEADER - 1]))
        return FAIL_FOR(c, REASON_RECORD);
    if (!c->keyed)
        return FAIL(c, RUNNEL_ERR_STATE);
    if (!has_iv_for_records(c))
        return FAIL(c, RUNNEL_ERR_STATE);
    if (!find_nonce(c, nonce, out, in))
        return 0;
    c->iv_state = c->algorithm->kind == KIND_GCM ? IV_SPENT : IV_RECORDS;
    if (!c->encrypts)
        c->unused = 0; /* it may be the nonce that the other side has used */
    out += before;
    in += before;
    int error;
    if (c->encrypts)
        error =
            runnel_aead_seal(library_aead(c), nonce, NONCE, c->record, RECORD_HEADER, out, in, text, out + text, tag);
    else
        error =
            runnel_aead_open(library_aead(c), nonce, NONCE, c->record, RECORD_HEADER, out, in, text, in + text, tag);
    if (error)
        return FAIL(c, error);
    *out_bytes = c->encrypts ? before + text + tag : text;
    return 1;
}
