/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ours_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    const runnel_cipher *cipher;
    const char *kernel;
    bench_shape shape;
    size_t count;
    runnel_stream *streams[OURS_BATCH_MOST];
} group;

/* Each stream's key or IV: the same bytes, except for the first. */
static void own(uint8_t *to, const uint8_t *from, size_t bytes, size_t number)
{
    memcpy(to, from, bytes);
    if (bytes > 0)
        to[0] ^= (uint8_t)number;
}

static int set_keys(void *context, const uint8_t *key)
{
    group *g = context;
    int error = 0;
    for (size_t i = 0; i < g->count && !error; i++) {
        uint8_t of_stream[256];
        own(of_stream, key, g->shape.key_bytes, i);
        error = runnel_cipher_key(g->cipher, g->streams[i], of_stream, g->shape.key_bytes, g->kernel);
    }
    return error;
}

static int set_ivs(void *context, const uint8_t *iv)
{
    group *g = context;
    int error = 0;
    for (size_t i = 0; i < g->count && !error; i++) {
        uint8_t of_stream[256];
        own(of_stream, iv, g->shape.iv_bytes, i);
        error = runnel_stream_iv(g->streams[i], of_stream, g->shape.iv_bytes, RUNNEL_LAYOUT_DEFAULT);
    }
    return error;
}

static int set_ivs_at_once(void *context, const uint8_t *iv)
{
    group *g = context;
    uint8_t of_stream[OURS_BATCH_MOST][256];
    const uint8_t *ivs[OURS_BATCH_MOST];
    for (size_t i = 0; i < g->count; i++) {
        own(of_stream[i], iv, g->shape.iv_bytes, i);
        ivs[i] = of_stream[i];
    }
    return runnel_stream_iv_batch(g->streams, ivs, g->shape.iv_bytes, RUNNEL_LAYOUT_DEFAULT, g->count);
}

/* The task of each stream. The last one also takes what cannot be shared out. */
static void share(const group *g, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t **outs, const uint8_t **ins,
                  size_t *parts)
{
    const size_t part = bytes / g->count;
    for (size_t i = 0; i < g->count; i++) {
        outs[i] = out + i * part;
        ins[i] = in + i * part;
        parts[i] = i + 1 < g->count ? part : bytes - i * part;
    }
}

static int update(void *context, uint8_t *out, const uint8_t *in, size_t bytes)
{
    group *g = context;
    uint8_t *outs[OURS_BATCH_MOST];
    const uint8_t *ins[OURS_BATCH_MOST];
    size_t parts[OURS_BATCH_MOST];
    int error = 0;
    share(g, out, in, bytes, outs, ins, parts);
    for (size_t i = 0; i < g->count && !error; i++)
        error = runnel_stream_xor(g->streams[i], outs[i], ins[i], parts[i]);
    return error;
}

static int update_at_once(void *context, uint8_t *out, const uint8_t *in, size_t bytes)
{
    group *g = context;
    uint8_t *outs[OURS_BATCH_MOST];
    const uint8_t *ins[OURS_BATCH_MOST];
    size_t parts[OURS_BATCH_MOST];
    share(g, out, in, bytes, outs, ins, parts);
    return runnel_stream_xor_batch(g->streams, outs, ins, parts, g->count);
}

static int message(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int error = set_ivs(context, iv);
    return error ? error : update(context, out, in, bytes);
}

static int message_at_once(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const int error = set_ivs_at_once(context, iv);
    return error ? error : update_at_once(context, out, in, bytes);
}

static const subject_verbs one_by_one = {.key = set_keys, .iv = set_ivs, .message = message, .update = update};
static const subject_verbs together = {
    .key = set_keys, .iv = set_ivs_at_once, .message = message_at_once, .update = update_at_once};

int ours_batch_open(const runnel_cipher *cipher, const char *kernel, size_t streams, int at_once,
                    bench_subject *subject)
{
    static const uint8_t key[256];
    group *g = malloc(sizeof *g);
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (cipher->context_bytes + line - 1) / line * line;
    if (g == NULL)
        abort();
    *g = (group){.cipher = cipher, .kernel = kernel, .shape = ours_shape(cipher), .count = streams};
    for (size_t i = 0; i < streams; i++)
        if ((g->streams[i] = aligned_alloc(line, bytes)) == NULL)
            abort();
    if (set_keys(g, key)) {
        for (size_t i = 0; i < streams; i++)
            free(g->streams[i]);
        free(g);
        return 0;
    }
    snprintf(subject->implementation, sizeof subject->implementation, "runnel, %zu %s", streams,
             at_once ? "at once" : "one by one");
    subject->kernel = runnel_stream_kernel(g->streams[0]);
    subject->verbs = at_once ? &together : &one_by_one;
    subject->context = g;
    return 1;
}
