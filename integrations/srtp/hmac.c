/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HMAC-SHA1. Both blocks of the key are hashed once, when it is set. */
#include "types.h"

#include "vectors.h"

enum { LONGEST = 20, SHORTEST = 4 }; /* keys and tags in libsrtp; the shortest tag of the library */

typedef struct mac {
    runnel_hmac_sha_1 started; /* the key, and no message yet */
    runnel_hmac_sha_1 now;
} mac;

static srtp_err_status_t make(srtp_auth_t **a, int key_len, int tag_len)
{
    if (key_len < 0 || key_len > LONGEST || tag_len < 0 || tag_len > LONGEST)
        return srtp_err_status_bad_param;
    const size_t before = (sizeof(srtp_auth_t) + RUNNEL_ALIGN - 1) / RUNNEL_ALIGN * RUNNEL_ALIGN;
    uint8_t *const memory = calloc(1, before + sizeof(mac));
    if (memory == NULL)
        return srtp_err_status_alloc_fail;
    *a = (void *)memory;
    (*a)->type = &runnel_hmac_sha1;
    (*a)->state = memory + before;
    (*a)->out_len = tag_len;
    (*a)->key_len = key_len;
    (*a)->prefix_len = 0;
    return srtp_err_status_ok;
}

static srtp_err_status_t dealloc(srtp_auth_t *a)
{
    runnel_wipe(a->state, sizeof(mac));
    free(a);
    return srtp_err_status_ok;
}

static srtp_err_status_t set_key(void *state, const uint8_t *key, int key_len)
{
    mac *s = state;
    if (key_len < 0 || key_len > LONGEST)
        return srtp_err_status_bad_param;
    const int error = runnel_hmac_sha_1_key(&s->started, key, (size_t)key_len);
    s->now = s->started;
    return runnel_status(error);
}

/* A tag leaves the context ready for the next message, so that this is for messages without one. */
static srtp_err_status_t start(void *state)
{
    mac *s = state;
    s->now = s->started;
    return srtp_err_status_ok;
}

static srtp_err_status_t update(void *state, const uint8_t *data, int bytes)
{
    mac *s = state;
    return bytes < 0 ? srtp_err_status_bad_param
                     : runnel_status(runnel_hmac_sha_1_update(&s->now, data, (size_t)bytes));
}

static srtp_err_status_t compute(void *state, const uint8_t *data, int bytes, int tag_len, uint8_t *tag)
{
    mac *s = state;
    uint8_t longest[LONGEST];
    if (tag_len < 0 || tag_len > LONGEST)
        return srtp_err_status_bad_param;
    srtp_err_status_t status = update(state, data, bytes);
    if (status != srtp_err_status_ok)
        return status;
    if (tag_len >= SHORTEST)
        return runnel_status(runnel_hmac_sha_1_tag(&s->now, tag, (size_t)tag_len));
    status = runnel_status(runnel_hmac_sha_1_tag(&s->now, longest, sizeof longest));
    if (status == srtp_err_status_ok && tag_len > 0)
        memcpy(tag, longest, (size_t)tag_len);
    runnel_wipe(longest, sizeof longest);
    return status;
}

const srtp_auth_type_t runnel_hmac_sha1 = {
    make, dealloc, set_key, compute, update, start, "HMAC-SHA1 by Runnel", &runnel_hmac_sha1_vector, SRTP_HMAC_SHA1};
