/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several streams at once. A first pass decides every error and marks the streams as waiting. Then those of one cipher
 * and kernel go into lanes, and whenever one has all its blocks the next takes its lane. Last blocks that are used in part
 * are made in lanes too; their left-over bytes stay in the stream, as in driver.c. */
#include "arch/common/bytes.h"
#include "driver.h"
#include "keystream_buffer.h"

#if RUNNEL_HOSTED

enum {
    BATCH_WAITING = 0x80,      /* in a stream's stage, while runnel_stream_…_batch runs */
    BATCH_WORTH_KEYS = 5,      /* from so many on, those of AES take less time side by side */
    BATCH_SCRATCH_BYTES = 2048 /* output of lanes that nobody asked for */
};

/* The caller's array may hold pointers to a cipher's own type of context. Copied, each is read as the type that it has. */
static runnel_stream *batch_stream_at(runnel_stream *const *streams, size_t i)
{
    runnel_stream *s;
    memcpy(&s, (const uint8_t *)streams + i * sizeof s, sizeof s);
    return s;
}

static int batch_is_waiting(const runnel_stream *s)
{
    return (s->stage & BATCH_WAITING) != 0;
}

static void batch_release(runnel_stream *s)
{
    s->stage = (uint8_t)(s->stage & ~BATCH_WAITING);
}

/* Ends a pass that failed at stream number count: no stream is left waiting. */
static int batch_give_up(runnel_stream *const *streams, size_t count, int error)
{
    for (size_t i = 0; i < count; i++)
        batch_release(batch_stream_at(streams, i));
    return error;
}

/* The next stream from *next on that waits and may go side by side with `first`; NULL if there is none. */
static runnel_stream *batch_claim(runnel_stream *const *streams, size_t count, size_t *next, const runnel_stream *first)
{
    while (*next < count) {
        runnel_stream *s = batch_stream_at(streams, *next);
        if (batch_is_waiting(s) && s->kernel == first->kernel && s->cipher == first->cipher)
            return s;
        ++*next;
    }
    return NULL;
}

/* ---- Key ---- */

int runnel_cipher_key_batch(const runnel_cipher *cipher, runnel_stream *const *streams, const uint8_t *const *keys,
                            size_t key_bytes, const char *kernel_name, size_t count)
{
    if (cipher == NULL || (count > 0 && (streams == NULL || keys == NULL)))
        return RUNNEL_ERR_NULL;
    for (size_t i = 0; i < count; i++)
        if (batch_stream_at(streams, i) == NULL || (keys[i] == NULL && key_bytes > 0))
            return RUNNEL_ERR_NULL;
    if (!runnel_has_length(&cipher->key_bytes, key_bytes))
        return RUNNEL_ERR_KEY_LENGTH;
    const runnel_kernel *kernel = runnel_choose_kernel(cipher, key_bytes, kernel_name);
    if (kernel == NULL)
        return RUNNEL_ERR_KERNEL;
    for (size_t done = 0; done < count;) {
        const size_t left = count - done, n = left < RUNNEL_KEY_LANES ? left : RUNNEL_KEY_LANES;
        void *states[RUNNEL_KEY_LANES];
        const uint8_t *lane_keys[RUNNEL_KEY_LANES];
        for (size_t k = 0; k < RUNNEL_KEY_LANES; k++) {
            const size_t lane = done + (k < n ? k : 0);
            runnel_stream *s = batch_stream_at(streams, lane);
            if (k < n)
                runnel_key_begins(s, cipher, kernel, key_bytes);
            states[k] = runnel_state_of(s);
            lane_keys[k] = keys[lane];
        }
        if (kernel->keys != NULL && n >= BATCH_WORTH_KEYS)
            kernel->keys(states, lane_keys, key_bytes);
        else
            for (size_t k = 0; k < n; k++)
                kernel->key(states[k], lane_keys[k], key_bytes);
        done += n;
    }
    return RUNNEL_OK;
}

/* ---- IV ---- */

int runnel_stream_iv_batch(runnel_stream *const *streams, const uint8_t *const *ivs, size_t iv_bytes, int layout,
                           size_t count)
{
    if (count > 0 && (streams == NULL || (ivs == NULL && iv_bytes > 0)))
        return RUNNEL_ERR_NULL;
    const runnel_cipher *cipher =
        NULL; /* of the stream before, for which number is the layout, and most how many blocks */
    int number = layout;
    for (size_t i = 0; i < count; i++) {
        runnel_stream *s = batch_stream_at(streams, i);
        const uint8_t *iv = ivs == NULL ? NULL : ivs[i];
        int error = RUNNEL_OK;
        if (s == NULL || iv == NULL || s->stage == RUNNEL_NOTHING_SET || s->cipher != cipher || cipher->iv_as_key) {
            number = layout;
            error = runnel_check_iv(s, iv, iv_bytes, &number);
            cipher = error ? NULL : s->cipher;
        }
        if (!error && batch_is_waiting(s))
            error = RUNNEL_ERR_OVERLAP;
        if (error)
            return batch_give_up(streams, i, error);
        s->stage |= BATCH_WAITING;
    }
    runnel_count most = 0;
    cipher = NULL;
    for (size_t i = 0; i < count; i++) {
        runnel_stream *first = batch_stream_at(streams, i);
        const runnel_batch *batch = runnel_batch_of(first->kernel);
        if (!batch_is_waiting(first))
            continue;
        if (batch == NULL || batch->iv == NULL || iv_bytes == 0) {
            if (first->cipher != cipher) {
                cipher = first->cipher;
                number = layout == RUNNEL_LAYOUT_DEFAULT ? cipher->layout : layout;
                most = cipher->mode == RUNNEL_MODE_CTR ? runnel_counter_period(number)
                                                       : runnel_narrow_count(cipher->blocks);
            }
            runnel_begin(first, ivs == NULL ? NULL : ivs[i], iv_bytes, number, &most); /* no longer waits */
            continue;
        }
        for (size_t next = i; batch_claim(streams, count, &next, first) != NULL;) {
            runnel_stream *taken[RUNNEL_LANES_MOST];
            void *states[RUNNEL_LANES_MOST];
            const uint8_t *lane_ivs[RUNNEL_LANES_MOST];
            size_t n = 0;
            for (runnel_stream *s; n < batch->lanes && (s = batch_claim(streams, count, &next, first)) != NULL; n++) {
                batch_release(s);
                taken[n] = s;
                states[n] = runnel_state_of(s);
                lane_ivs[n] = ivs[next];
            }
            if (n < batch->min_streams_iv) {
                for (size_t k = 0; k < n; k++)
                    taken[k]->kernel->stream.iv(states[k], lane_ivs[k], iv_bytes);
            } else {
                for (size_t k = n; k < batch->lanes; k++) {
                    states[k] = states[0];
                    lane_ivs[k] = lane_ivs[0];
                }
                batch->iv(states, lane_ivs, iv_bytes);
            }
            for (size_t k = 0; k < n; k++)
                runnel_message_begins(taken[k], 0, runnel_narrow_count(taken[k]->cipher->blocks));
        }
    }
    return RUNNEL_OK;
}

/* ---- XOR ---- */

/* A stream at work: whole blocks, and then a tail. */
typedef struct batch_lane {
    runnel_stream *s;
    uint8_t *out;
    const uint8_t *in;
    size_t nblocks;
    size_t tail; /* less than a block; while it is made, the array of left-over bytes is its output */
    uint8_t *tail_out;
    const uint8_t *tail_in;
} batch_lane;

/* Uses up left-over bytes; the lane is what remains. */
static batch_lane batch_begin(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes)
{
    const size_t block_bytes = s->cipher->block_bytes;
    const size_t n = bytes < s->leftover ? bytes : s->leftover;
    batch_release(s);
    if (n > 0)
        runnel_keystream_take(runnel_leftover_array(s) + block_bytes, &s->leftover, out, in, n, RUNNEL_USED_STAYS);
    batch_lane l = {
        .s = s, .out = out + n, .in = runnel_advance(in, n), .nblocks = runnel_whole_blocks(bytes - n, block_bytes)};
    l.tail = bytes - n - l.nblocks * block_bytes;
    return l;
}

/* After the whole blocks turns to the tail's block, and when that is made uses what was asked for. Returns 0 when all is
 * done. */
static int batch_lane_next(batch_lane *l)
{
    if (l->nblocks > 0)
        return 1;
    if (l->tail == 0)
        return 0;
    if (l->tail_out == NULL) {
        l->tail_out = l->out;
        l->tail_in = l->in;
        l->out = runnel_leftover_array(l->s);
        l->in = NULL;
        l->nblocks = 1;
        return 1;
    }
    runnel_xor_bytes(l->tail_out, l->tail_in, runnel_leftover_array(l->s), l->tail);
    l->s->leftover = (uint16_t)(l->s->cipher->block_bytes - l->tail);
    return 0;
}

static void batch_made(batch_lane *l, size_t nblocks)
{
    const size_t bytes = nblocks * l->s->cipher->block_bytes;
    l->s->block += nblocks;
    l->nblocks -= nblocks;
    l->out += bytes;
    l->in = runnel_advance(l->in, bytes);
}

static void batch_alone(batch_lane *l)
{
    while (batch_lane_next(l)) {
        l->s->kernel->stream.xor_blocks(runnel_state_of(l->s), l->s->block, l->out, l->in, l->nblocks);
        batch_made(l, l->nblocks);
    }
}

/* Makes as many blocks in all lanes as the shortest has. The first n of `lanes` belong to streams. */
static void batch_together(const runnel_batch *batch, batch_lane *lanes, size_t n)
{
    void *states[RUNNEL_LANES_MOST];
    uint8_t *out[RUNNEL_LANES_MOST];
    const uint8_t *in[RUNNEL_LANES_MOST];
    uint8_t scratch[BATCH_SCRATCH_BYTES];
    const size_t block_bytes = lanes[0].s->cipher->block_bytes;
    size_t nblocks = n < batch->lanes ? BATCH_SCRATCH_BYTES / block_bytes : SIZE_MAX;
    for (size_t k = 0; k < batch->lanes; k++) {
        const int repeated = k >= n;
        states[k] = runnel_state_of(lanes[repeated ? 0 : k].s);
        out[k] = repeated ? scratch : lanes[k].out;
        in[k] = repeated ? NULL : lanes[k].in;
        if (!repeated && lanes[k].nblocks < nblocks)
            nblocks = lanes[k].nblocks;
    }
    batch->xor_blocks(states, lanes[0].s->block, out, in, nblocks);
    for (size_t k = 0; k < n; k++)
        batch_made(&lanes[k], nblocks);
    if (n < batch->lanes)
        runnel_wipe(scratch, nblocks * block_bytes);
}

/* All streams that wait and may go side by side with stream number first. */
static void batch_side_by_side(const runnel_batch *batch, runnel_stream *const *streams, uint8_t *const *out,
                               const uint8_t *const *in, const size_t *bytes, size_t count, size_t first)
{
    const runnel_stream *like = batch_stream_at(streams, first);
    batch_lane lanes[RUNNEL_LANES_MOST];
    size_t n = 0, next = first;
    for (;;) {
        runnel_stream *s;
        while (n < batch->lanes && (s = batch_claim(streams, count, &next, like)) != NULL) {
            if (batch->in_step && n > 0 && s->block != lanes[0].s->block) {
                next++; /* its turn comes with others */
                continue;
            }
            if (bytes[next] == 0) {
                batch_release(s);
                continue;
            }
            lanes[n] = batch_begin(s, out[next], in == NULL ? NULL : in[next], bytes[next]);
            if (batch_lane_next(&lanes[n]))
                n++;
        }
        if (n < batch->min_streams_xor)
            break;
        batch_together(batch, lanes, n);
        for (size_t k = 0; k < n;)
            if (batch_lane_next(&lanes[k]))
                k++;
            else
                lanes[k] = lanes[--n];
    }
    for (size_t k = 0; k < n; k++)
        batch_alone(&lanes[k]);
}

static inline int batch_check(const runnel_stream *s, const uint8_t *out, const uint8_t *in, size_t bytes)
{
    if (s == NULL)
        return RUNNEL_ERR_NULL;
    if (s->stage != RUNNEL_IV_SET)
        return batch_is_waiting(s) ? RUNNEL_ERR_OVERLAP : RUNNEL_ERR_STATE; /* waiting: it was there before */
    if (s->cipher->directions != NULL)
        return RUNNEL_ERR_DIRECTION;
    return bytes == 0 ? RUNNEL_OK : runnel_check_call(s, out, in, bytes);
}

int runnel_stream_xor_batch(runnel_stream *const *streams, uint8_t *const *out, const uint8_t *const *in,
                            const size_t *bytes, size_t count)
{
    if (count > 0 && (streams == NULL || out == NULL || bytes == NULL))
        return RUNNEL_ERR_NULL;
    for (size_t i = 0; i < count; i++) {
        runnel_stream *s = batch_stream_at(streams, i);
        const int error = batch_check(s, out[i], in == NULL ? NULL : in[i], bytes[i]);
        if (error)
            return batch_give_up(streams, i, error);
        s->stage |= BATCH_WAITING;
    }
    for (size_t i = 0; i < count; i++) {
        runnel_stream *s = batch_stream_at(streams, i);
        if (!batch_is_waiting(s))
            continue;
        const runnel_batch *batch = runnel_batch_of(s->kernel);
        if (batch != NULL) {
            batch_side_by_side(batch, streams, out, in, bytes, count, i);
            continue;
        }
        const uint8_t *from = in == NULL ? NULL : in[i];
        batch_release(s);
        if (bytes[i] > 0)
            (void)runnel_xor_message(s, out[i], from, bytes[i]);
    }
    return RUNNEL_OK;
}

#endif
