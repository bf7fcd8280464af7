/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ours.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct ours {
    const runnel_cipher *cipher;
    const char *kernel;
    bench_shape shape;
    runnel_stream *stream;
    int (*verb)(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes); /* xor, or encrypt */
    int (*packet)(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out, const uint8_t *in,
                  size_t bytes); /* likewise */
} ours;

static int set_key(void *context, const uint8_t *key)
{
    ours *o = context;
    return runnel_cipher_key(o->cipher, o->stream, key, o->shape.key_bytes, o->kernel);
}

static int set_iv(void *context, const uint8_t *iv)
{
    ours *o = context;
    return runnel_stream_iv(o->stream, iv, o->shape.iv_bytes, RUNNEL_LAYOUT_DEFAULT);
}

static int message(void *context, const uint8_t *iv, uint8_t *out, const uint8_t *in, size_t bytes)
{
    ours *o = context;
    return o->packet(o->stream, iv, o->shape.iv_bytes, RUNNEL_LAYOUT_DEFAULT, out, in, bytes);
}

static int update(void *context, uint8_t *out, const uint8_t *in, size_t bytes)
{
    ours *o = context;
    return o->verb(o->stream, out, in, bytes);
}

static const subject_verbs verbs = {.key = set_key, .iv = set_iv, .message = message, .update = update};

/* The longest length up to 32 bytes: longer ones exist on paper only. */
static size_t typical(const runnel_lengths *lengths)
{
    unsigned i = runnel_lengths_count(lengths) - 1;
    while (i > 0 && runnel_lengths_at(lengths, i) > 32)
        i--;
    return runnel_lengths_at(lengths, i);
}

bench_shape ours_shape(const runnel_cipher *cipher)
{
    return (bench_shape){cipher->name, typical(&cipher->key_bytes), typical(&cipher->iv_bytes), 0};
}

int ours_open(const runnel_cipher *cipher, const char *kernel, bench_subject *subject)
{
    static const uint8_t key[256];
    ours *o = malloc(sizeof *o);
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (cipher->context_bytes + line - 1) / line * line;
    runnel_stream *stream = aligned_alloc(line, bytes);
    if (o == NULL || stream == NULL)
        abort();
    *o = (ours){cipher,
                kernel,
                ours_shape(cipher),
                stream,
                cipher->directions != NULL ? runnel_stream_encrypt : runnel_stream_xor,
                cipher->directions != NULL ? runnel_stream_encrypt_packet : runnel_stream_packet};
    if (set_key(o, key)) {
        free(stream);
        free(o);
        return 0;
    }
    snprintf(subject->implementation, sizeof subject->implementation, "runnel");
    subject->kernel = runnel_stream_kernel(stream);
    subject->verbs = &verbs;
    subject->context = o;
    return 1;
}
