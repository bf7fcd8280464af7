/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Segments of a file that are encrypted in counter mode and authenticated by HMAC-SHA-256, many in one call: their tags
 * are made side by side. */
#include "native.h"

#include <string.h>

#define AT_A_TIME 64
#define IV_BYTES 16

/* The arguments of a call. */
typedef struct segments {
    stream_object *stream;
    mac_object *mac;
    Py_buffer ivs, memory;
    Py_ssize_t first_bytes, segment_bytes; /* IV, text and tag */
    Py_ssize_t count;
} segments;

/* 0, or -1 with an exception. */
static int check(segments *s)
{
    const Py_ssize_t least = IV_BYTES + (Py_ssize_t)s->mac->tag_bytes, length = s->memory.len;
    const Py_ssize_t first = s->first_bytes < length ? s->first_bytes : length;
    if (s->first_bytes < least || s->segment_bytes < least) {
        PyErr_Format(PyExc_ValueError, "a segment has less than %zd bytes", least);
        return -1;
    }
    const Py_ssize_t last = (length - first) % s->segment_bytes;
    s->count = (length > 0) + (length - first) / s->segment_bytes + (last > 0);
    if ((length > 0 && first < least) || (last > 0 && last < least))
        PyErr_Format(PyExc_ValueError, "the last segment has less than %zd bytes", least);
    else if (s->ivs.len != s->count * IV_BYTES)
        PyErr_Format(PyExc_ValueError, "ivs has %zd bytes, not %zd for each of %zd segments", s->ivs.len,
                     (Py_ssize_t)IV_BYTES, s->count);
    else if (runnel_ranges_overlap(s->ivs.buf, (size_t)s->ivs.len, s->memory.buf, (size_t)length))
        PyErr_SetString(PyExc_ValueError, "ivs overlaps memory");
    else
        return native_ready(s->stream) < 0 || native_mac_ready(s->mac) < 0 ? -1 : 0;
    return -1;
}

/* The authenticated bytes of segment number i, and the place of its tag. */
static runnel_hmac_sha_256_message message_at(const segments *s, Py_ssize_t i)
{
    const Py_ssize_t at = i > 0 ? s->first_bytes + (i - 1) * s->segment_bytes : 0, left = s->memory.len - at;
    const Py_ssize_t whole = i > 0 ? s->segment_bytes : s->first_bytes;
    uint8_t *const begin = (uint8_t *)s->memory.buf + at;
    const size_t bytes = (size_t)(left < whole ? left : whole) - s->mac->tag_bytes;
    return (runnel_hmac_sha_256_message){
        .data = begin, .tag = begin + bytes, .bytes = bytes, .tag_bytes = s->mac->tag_bytes};
}

static int xor_text(const segments *s, const runnel_hmac_sha_256_message *m)
{
    uint8_t *const text = m->tag - m->bytes + IV_BYTES;
    const int error = runnel_stream_iv(s->stream->context, m->data, IV_BYTES, s->stream->layout);
    return error ? error : runnel_stream_xor(s->stream->context, text, text, m->bytes - IV_BYTES);
}

/* Works on all segments, or up to the first that is not authentic, which *done then counts. */
static int work(const segments *s, int opening, Py_ssize_t *done)
{
    const runnel_hmac_sha_256 *const hmac = (const runnel_hmac_sha_256 *)s->mac->context;
    runnel_hmac_sha_256_message messages[AT_A_TIME];
    int error = RUNNEL_OK;
    for (*done = 0; *done < s->count && !error;) {
        Py_ssize_t n = 0;
        for (; n < AT_A_TIME && *done + n < s->count; n++) {
            messages[n] = message_at(s, *done + n);
            memcpy(messages[n].tag - messages[n].bytes, (const uint8_t *)s->ivs.buf + (*done + n) * IV_BYTES, IV_BYTES);
            if (!opening && !error)
                error = xor_text(s, &messages[n]);
        }
        if (!error)
            error = opening ? runnel_hmac_sha_256_verify_batch(hmac, messages, (size_t)n)
                            : runnel_hmac_sha_256_tag_batch(hmac, messages, (size_t)n);
        if (error && error != RUNNEL_ERR_TAG)
            return error;
        for (Py_ssize_t i = 0; i < n; i++, ++*done) {
            if (messages[i].result != RUNNEL_OK)
                return RUNNEL_OK;
            if (opening && (error = xor_text(s, &messages[i])) != RUNNEL_OK)
                return error;
        }
    }
    return error;
}

static PyObject *run(segments *s, int opening)
{
    if (check(s) < 0)
        return NULL;
    Py_ssize_t done = 0;
    s->stream->busy = s->mac->busy = 1;
    PyThreadState *thread = s->memory.len < NATIVE_UNLOCK_BYTES ? NULL : PyEval_SaveThread();
    const int error = work(s, opening, &done);
    if (thread != NULL)
        PyEval_RestoreThread(thread);
    s->stream->busy = s->mac->busy = 0;
    if (error)
        return native_raise_verb(PyType_GetModuleState(Py_TYPE((PyObject *)s->stream)), s->stream->cipher,
                                 s->stream->context, error, (uint64_t)s->segment_bytes);
    return PyLong_FromSsize_t(done);
}

static PyObject *call(PyObject *module, const char *function, int opening, PyObject *const *args, Py_ssize_t nargs)
{
    const native_state *state = PyModule_GetState(module);
    PyObject *result = NULL;
    if (nargs != 6)
        return PyErr_Format(PyExc_TypeError, "%s() takes 6 arguments (%zd given)", function, nargs);
    if (!PyObject_TypeCheck(args[0], state->stream_type) || !PyObject_TypeCheck(args[1], state->mac_type))
        return PyErr_Format(PyExc_TypeError, "%s() takes a Stream and an Authenticator", function);
    segments s = {.stream = (stream_object *)args[0], .mac = (mac_object *)args[1]};
    if (strcmp(s.mac->about.name, "hmac-sha-256") != 0 || s.stream->layout == 0)
        return PyErr_Format(PyExc_ValueError, "%s() takes a counter mode and hmac-sha-256", function);
    s.first_bytes = PyNumber_AsSsize_t(args[4], PyExc_OverflowError);
    s.segment_bytes = PyNumber_AsSsize_t(args[5], PyExc_OverflowError);
    if (PyErr_Occurred())
        return NULL;
    if (native_read_buffer(args[2], "ivs", &s.ivs) < 0)
        return NULL;
    if (native_write_buffer(args[3], "memory", &s.memory) == 0) {
        NATIVE_LOCK_BOTH(args[0], args[1]);
        result = run(&s, opening);
        NATIVE_UNLOCK_BOTH
        PyBuffer_Release(&s.memory);
    }
    PyBuffer_Release(&s.ivs);
    return result;
}

PyObject *native_seal_segments(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return call(module, "_seal_segments", 0, args, nargs);
}

PyObject *native_open_segments(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    return call(module, "_open_segments", 1, args, nargs);
}
