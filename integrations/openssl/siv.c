/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* AEADs that read a message twice, as OpenSSL uses them: the text in one call, which must be the last, and the tag for
 * opening before it. Associated data come before it in any number of pieces, and are kept until then. */
#include "aead.h"

#include <stdlib.h>

void siv_forget(aead_context *c)
{
    free(c->aad);
    c->aad = NULL;
    c->aad_bytes = 0;
}

int siv_duplicate(aead_context *c)
{
    if (c->aad == NULL)
        return 1;
    const uint8_t *const old = c->aad;
    c->aad = malloc(c->aad_bytes);
    if (c->aad == NULL)
        return FAIL_FOR(c, REASON_MEMORY);
    memcpy(c->aad, old, c->aad_bytes);
    return 1;
}

static int keep(aead_context *c, const uint8_t *aad, size_t bytes)
{
    uint8_t *const more = bytes > SIZE_MAX - c->aad_bytes ? NULL : realloc(c->aad, c->aad_bytes + bytes);
    if (more == NULL)
        return FAIL_FOR(c, REASON_MEMORY);
    memcpy(more + c->aad_bytes, aad, bytes);
    c->aad = more;
    c->aad_bytes += bytes;
    return 1;
}

static int text(aead_context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (!c->encrypts && !c->has_tag)
        return FAIL_FOR(c, REASON_NO_TAG);
    int error;
    if (c->encrypts)
        error = runnel_aead_seal(library_aead(c), c->iv, c->iv_bytes, c->aad, c->aad_bytes, out, in, bytes, c->tag,
                                 LONGEST_TAG);
    else
        error = runnel_aead_open(library_aead(c), c->iv, c->iv_bytes, c->aad, c->aad_bytes, out, in, bytes, c->tag,
                                 c->tag_bytes);
    if (error && error != RUNNEL_ERR_TAG) {
        if (c->encrypts)
            c->iv_state = IV_SPENT; /* the end is not to seal a message without this text */
        return FAIL(c, error);
    }
    c->iv_state = IV_SPENT;
    c->text = error ? TEXT_FORGED : TEXT_DONE;
    c->made_tag = c->encrypts;
    c->has_tag = 0;
    siv_forget(c);
    return error ? FAIL(c, error) : 1;
}

int siv_update(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in, size_t bytes)
{
    aead_context *c = context;
    *out_bytes = 0;
    if (bytes == 0)
        return 1;
    if (room < bytes)
        return FAIL_FOR(c, REASON_ROOM);
    if (in == NULL)
        return FAIL(c, RUNNEL_ERR_NULL);
    if (!c->keyed || c->iv_state != IV_READY) {
        c->text = TEXT_AWAITED; /* the end is not to speak for the message before */
        return FAIL(c, RUNNEL_ERR_STATE);
    }
    if (!(out == NULL ? keep(c, in, bytes) : text(c, out, in, bytes)))
        return 0;
    *out_bytes = bytes;
    return 1;
}

int siv_final(void *context, unsigned char *out, size_t *out_bytes, size_t room)
{
    aead_context *c = context;
    (void)out;
    (void)room;
    *out_bytes = 0;
    if (c->text == TEXT_DONE)
        return 1;
    if (c->text == TEXT_FORGED || !c->keyed || c->iv_state != IV_READY)
        return FAIL(c, c->text == TEXT_FORGED ? RUNNEL_ERR_TAG : RUNNEL_ERR_STATE);
    return text(c, NULL, NULL, 0);
}

int siv_cipher(void *context, unsigned char *out, size_t *out_bytes, size_t room, const unsigned char *in, size_t bytes)
{
    return in == NULL ? siv_final(context, out, out_bytes, room) : siv_update(context, out, out_bytes, room, in, bytes);
}
