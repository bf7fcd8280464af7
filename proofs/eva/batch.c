/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Batches: up to STREAMS streams, of kernels with lanes and without, any of them missing, unready or given twice. */
#include "ciphers.h"

enum { STREAMS = 3 };

static stream_context ahead[STREAMS];
static plain_context side_by_side[STREAMS];
static ctr_context counters[STREAMS];

/* Stream number i: of a kind for itself, or like its neighbours. */
static runnel_stream *stream_of(int kind, size_t i)
{
    switch (kind) {
    case 0:
        return &side_by_side[i].head;
    case 1:
        return &ahead[i].head;
    case 2:
        return &counters[i].head.stream;
    case 3:
        return &side_by_side[0].head; /* given twice */
    default:
        return NULL;
    }
}

static void set_messages(size_t leftover)
{
    for (size_t i = 0; i < STREAMS; i++) {
        any_message(&side_by_side[i].head, &lanes_cipher, &lanes_kernel, 0, leftover);
        any_message(&ahead[i].head, &ahead_cipher, &stream_kernel, 0, leftover);
        any_message(&counters[i].head.stream, &ctr_16, &full_16, 0, leftover);
    }
}

static void one_batch(const int *kinds, const size_t *bytes, int way, size_t count)
{
    runnel_stream *streams[STREAMS];
    uint8_t *out[STREAMS];
    const uint8_t *in[STREAMS];
    for (size_t i = 0; i < count; i++) {
        streams[i] = stream_of(kinds[i], i);
        out[i] = OUT(bytes[i]); /* on top of each other, which no stub minds */
        in[i] = IN(way, bytes[i]);
    }
    (void)runnel_stream_xor_batch(streams, out, way == KEYSTREAM ? NULL : in, bytes, count);
    for (size_t i = 0; i < count; i++)
        if (streams[i] != NULL) {
            check_message_state(streams[i]);
            /*@ assert streams[i]->stage == RUNNEL_IV_SET; */
        }
    FORGET_OUTPUT();
}

static void one_iv_batch(const int *kinds, size_t iv_bytes, int layout, size_t count)
{
    static uint8_t iv[16];
    runnel_stream *streams[STREAMS];
    const uint8_t *ivs[STREAMS];
    ANY_BYTES(iv);
    for (size_t i = 0; i < count; i++) {
        streams[i] = stream_of(kinds[i], i);
        ivs[i] = iv + sizeof iv - iv_bytes;
    }
    const int error = runnel_stream_iv_batch(streams, ivs, iv_bytes, layout, count);
    for (size_t i = 0; i < count; i++)
        if (streams[i] != NULL) {
            check_message_state(streams[i]);
            /*@ assert streams[i]->stage == RUNNEL_IV_SET; */
        }
    (void)error;
}

static void keys(const runnel_cipher *cipher, int kind, size_t count)
{
    static uint8_t key[16];
    runnel_stream *streams[STREAMS];
    const uint8_t *lane_keys[STREAMS];
    ANY_BYTES(key);
    for (size_t i = 0; i < count; i++) {
        streams[i] = stream_of(kind, i);
        lane_keys[i] = key;
    }
    (void)runnel_cipher_key_batch(cipher, streams, lane_keys, sizeof key, NULL, count);
    (void)runnel_cipher_key_batch(cipher, streams, lane_keys, sizeof key - 1, NULL, count);
}

/* More keys than one call of a kernel takes. */
static void many_keys(void)
{
    enum { MANY = RUNNEL_KEY_LANES + 5 };
    static ctr_context contexts[MANY];
    static uint8_t key[16];
    runnel_stream *streams[MANY];
    const uint8_t *lane_keys[MANY];
    ANY_BYTES(key);
    for (size_t i = 0; i < MANY; i++) {
        streams[i] = &contexts[i].head.stream;
        lane_keys[i] = key;
    }
    for (size_t count = 0; count <= MANY; count++)
        (void)runnel_cipher_key_batch(&ctr_16, streams, lane_keys, sizeof key, NULL, count);
}

int main(void)
{
    enum { KINDS = 5, LENGTHS = WAYS };
    static const size_t lengths[LENGTHS] = {0, 32, 70};
    ANY_BYTES(in_buffer);
    FORGET_OUTPUT();
    cpu_features = FEATURE;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            const int kinds[STREAMS] = {a, b, 0};
            for (size_t n = 0; n < LENGTHS; n++) {
                const size_t bytes[STREAMS] = {lengths[n], lengths[(n + a) % LENGTHS], 33};
                set_messages(n % 2 * 15);
                one_batch(kinds, bytes, (int)n, STREAMS - (a == b && n == 0));
            }
            for (int layout = -1; layout <= RUNNEL_LAYOUTS; layout += RUNNEL_LAYOUTS / 2)
                for (size_t iv_bytes = 0; iv_bytes <= 16; iv_bytes += 8) {
                    set_messages(0);
                    one_iv_batch(kinds, iv_bytes, layout, STREAMS);
                }
        }
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t count = 0; count <= STREAMS; count++)
            keys(kind == 1 ? &ahead_cipher : kind == 2 ? &ctr_16 : &lanes_cipher, kind, count);
    many_keys();
    Frama_C_show_each_all_done();
    return 0;
}
