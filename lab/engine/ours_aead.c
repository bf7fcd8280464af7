/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ours_aead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ours {
    const runnel_aead *aead;
    const char *kernel;
    runnel_aead_context *context;
} ours;

static int set_key(void *context, const uint8_t *key)
{
    ours *o = context;
    return runnel_aead_key(o->aead, o->context, key, o->aead->key_bytes, o->kernel);
}

/* Where a message comes whole or after its length, its nonce comes with it. */
static int no_iv(void *context, const uint8_t *iv)
{
    (void)context;
    (void)iv;
    return 0;
}

static int start(void *context, const uint8_t *iv)
{
    ours *o = context;
    return runnel_aead_start(o->context, iv, o->aead->nonce_default, o->aead->tag_default);
}

static int update(void *context, uint8_t *out, const uint8_t *in, size_t bytes)
{
    return runnel_aead_encrypt(((ours *)context)->context, out, in, bytes);
}

static int message(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    ours *o = context;
    return runnel_aead_seal(o->context, iv, o->aead->nonce_default, NULL, 0, out, in, bytes, out + bytes,
                            o->aead->tag_default);
}

static const subject_verbs whole = {.key = set_key, .iv = no_iv, .message = message};
static const subject_verbs in_pieces = {.key = set_key, .iv = start, .message = message, .update = update};

bench_shape ours_aead_shape(const runnel_aead *aead)
{
    return (bench_shape){aead->name, aead->key_bytes, aead->nonce_default, aead->tag_default};
}

int ours_aead_open(const runnel_aead *aead, const char *kernel, bench_subject *subject)
{
    static const uint8_t key[64];
    ours *o = malloc(sizeof *o);
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (aead->context_bytes + line - 1) / line * line;
    runnel_aead_context *context = aligned_alloc(line, bytes);
    if (o == NULL || context == NULL)
        abort();
    memset(context, 0, bytes);
    *o = (ours){aead, kernel, context};
    if (set_key(o, key)) {
        free(context);
        free(o);
        return 0;
    }
    snprintf(subject->implementation, sizeof subject->implementation, "runnel");
    subject->kernel = runnel_aead_kernel(context);
    subject->verbs = aead->multipart && !aead->lengths_first ? &in_pieces : &whole;
    subject->context = o;
    return 1;
}
