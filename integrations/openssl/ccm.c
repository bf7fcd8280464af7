/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CCM as OpenSSL uses it. The first block has the lengths in it, so a program says the text's before associated data
 * (an update without input and output), gives the associated data in one call and the text in one. Opening verifies
 * before it returns; OpenSSL's own final function does nothing then, ours verifies what has no text. */
#include "aead.h"

/* Starts the message with associated data that are too long to be kept. */
static int start(aead_context *c, const uint8_t *aad, size_t aad_bytes)
{
    const uint8_t iv_state = c->iv_state;
    if (!aead_start(c, c->tag_bytes))
        return 0;
    c->iv_state = iv_state; /* the text spends it */
    int error = runnel_aead_lengths(library_aead(c), aad_bytes, c->text_bytes);
    if (!error)
        error = runnel_aead_aad(library_aead(c), aad, aad_bytes);
    return error ? FAIL(c, error) : 1;
}

static int open_after_aad(aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int error = runnel_aead_decrypt(library_aead(c), out, in, bytes);
    if (error)
        return error;
    error = runnel_aead_verify(library_aead(c), c->tag, c->tag_bytes);
    if (error && bytes > 0)
        memset(out, 0, bytes);
    return error;
}

static int seal_after_aad(aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int error = runnel_aead_encrypt(library_aead(c), out, in, bytes);
    return error ? error : runnel_aead_tag(library_aead(c), c->tag, c->tag_bytes);
}

/* The whole message in one call of the library, which is faster. */
static int message(aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return c->encrypts ? runnel_aead_seal(library_aead(c), c->iv, c->iv_bytes, c->kept_aad, c->aad_bytes, out, in,
                                          bytes, c->tag, c->tag_bytes)
                       : runnel_aead_open(library_aead(c), c->iv, c->iv_bytes, c->kept_aad, c->aad_bytes, out, in,
                                          bytes, c->tag, c->tag_bytes);
}

static int text(aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (c->text == TEXT_AWAITED) {
        c->text_bytes = bytes;
        c->aad_bytes = 0;
        c->text = TEXT_ANNOUNCED;
    }
    if (c->text == TEXT_DONE || c->text == TEXT_FORGED)
        return FAIL(c, RUNNEL_ERR_STATE);
    if (bytes != c->text_bytes)
        return FAIL(c, RUNNEL_ERR_LIMIT);
    if (!c->encrypts && !c->has_tag)
        return FAIL_FOR(c, REASON_NO_TAG);
    c->unused = 0;
    int error;
    if (c->text == TEXT_ANNOUNCED)
        error = message(c, out, in, bytes);
    else if (c->encrypts)
        error = seal_after_aad(c, out, in, bytes);
    else
        error = open_after_aad(c, out, in, bytes);
    if (error && error != RUNNEL_ERR_TAG)
        return FAIL(c, error);
    c->text = error ? TEXT_FORGED : TEXT_DONE;
    c->made_tag = c->encrypts;
    c->iv_state = IV_SPENT;
    if (!c->encrypts)
        c->has_tag = 0;
    return error ? FAIL(c, error) : 1;
}

int ccm_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in, size_t bytes)
{
    aead_context *c = context;
    *out_bytes = 0;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    if (c->has_record)
        return record_crypt(c, out, out_bytes, in, bytes);
    if (!c->keyed || c->iv_state != IV_READY) {
        c->text = TEXT_AWAITED; /* neither the end nor the tag is to speak for the message before */
        c->made_tag = 0;
        return FAIL(c, RUNNEL_ERR_STATE);
    }
    int done = 1;
    if (out != NULL) {
        done = text(c, out, in, bytes);
        if (!done && c->encrypts && bytes > 0) { /* no tag without this text, of what was sealed before or of nothing */
            c->made_tag = 0;
            c->iv_state = IV_SPENT;
        }
    } else if (in == NULL) {
        c->text_bytes = bytes;
        c->aad_bytes = 0;
        c->text = TEXT_ANNOUNCED;
    } else if (bytes > 0) {
        if (c->text != TEXT_ANNOUNCED || c->aad_bytes > 0)
            return FAIL(c, RUNNEL_ERR_STATE);
        if (bytes <= LONGEST_KEPT_AAD) {
            memcpy(c->kept_aad, in, bytes);
            c->aad_bytes = bytes;
        } else {
            done = start(c, in, bytes);
            c->text = TEXT_AFTER_AAD;
        }
    }
    if (done)
        *out_bytes = bytes;
    return done;
}

int ccm_final(void *context, unsigned char *out, size_t *out_bytes, size_t room)
{
    aead_context *c = context;
    (void)out;
    (void)room;
    *out_bytes = 0;
    if (!c->keyed || c->text == TEXT_FORGED)
        return FAIL(c, c->keyed ? RUNNEL_ERR_TAG : RUNNEL_ERR_STATE);
    if (c->text == TEXT_DONE || (c->encrypts && c->iv_state != IV_READY))
        return 1;
    if (c->iv_state != IV_READY)
        return FAIL(c, RUNNEL_ERR_STATE);
    return text(c, NULL, NULL, 0);
}

/* No input is the end of the message; only a length without input and output announces a text. */
int ccm_cipher(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in, size_t bytes)
{
    const aead_context *c = context;
    const int ends = in == NULL && (out != NULL || bytes == 0);
    return ends && !c->has_record ? ccm_final(context, out, out_bytes, room)
                                  : ccm_update(context, out, out_bytes, room, in, bytes);
}
