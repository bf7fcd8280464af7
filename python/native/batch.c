/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many messages under one key in one call: Stream.xor_packets and Stream.xor_packets_into. */
#include "native.h"

#include <stdio.h>
#include <string.h>

/* One message. */
typedef struct packet {
    Py_buffer iv;
    Py_buffer in;
    uint8_t *out;
} packet;

static native_state *state_of(stream_object *stream)
{
    return PyType_GetModuleState(Py_TYPE((PyObject *)stream));
}

/* Returns how many bytes one message may have. */
static uint64_t capacity(const stream_object *stream)
{
    uint64_t left = runnel_stream_left(stream->context);
    return left == UINT64_MAX ? left : runnel_stream_tell(stream->context) + left;
}

/* The last checks before the work: 0, or -1 with an exception. longest is the length of the longest message. */
static int ready(stream_object *stream, uint64_t longest)
{
    if (native_ready(stream) < 0)
        return -1;
    if (runnel_stream_kernel(stream->context) == NULL) {
        native_raise_verb(state_of(stream), stream->cipher, stream->context, RUNNEL_ERR_STATE, 0);
        return -1;
    }
    if (stream->cipher->directions != NULL) {
        native_raise_verb(state_of(stream), stream->cipher, stream->context, RUNNEL_ERR_DIRECTION, 0);
        return -1;
    }
    if (longest <= capacity(stream))
        return 0;
    native_raise_limit(state_of(stream), stream->cipher, 0, longest, capacity(stream));
    return -1;
}

static int xor_one(stream_object *stream, const void *iv, size_t iv_bytes, void *out, const void *in, size_t bytes)
{
    return runnel_stream_packet(stream->context, iv, iv_bytes, stream->layout, out, in, bytes);
}

static int xor_packets(stream_object *stream, const packet *packets, Py_ssize_t count)
{
    int error = RUNNEL_OK;
    for (Py_ssize_t i = 0; i < count && !error; i++)
        error = xor_one(stream, packets[i].iv.buf, (size_t)packets[i].iv.len, packets[i].out, packets[i].in.buf,
                        (size_t)packets[i].in.len);
    return error;
}

/* Fills in iv and in of each packet; *borrowed says how many of them to release. */
static int borrow(stream_object *stream, packet *packets, PyObject *ivs, PyObject *data, Py_ssize_t count,
                  Py_ssize_t *borrowed)
{
    Py_ssize_t good = -1; /* a length of IV that was checked */
    for (Py_ssize_t i = 0; i < count; i++) {
        packet *p = &packets[i];
        if (native_read_item(PyTuple_GetItem(ivs, i), "ivs", i, &p->iv) < 0)
            return -1;
        if (native_read_item(PyTuple_GetItem(data, i), "packets", i, &p->in) < 0) {
            PyBuffer_Release(&p->iv);
            return -1;
        }
        *borrowed = i + 1;
        if (p->iv.len != good) {
            char name[40];
            snprintf(name, sizeof name, "ivs[%lld]", (long long)i);
            if (native_check_iv(state_of(stream), stream->cipher, stream->context->key_bytes, name, p->iv.len) < 0)
                return -1;
            good = p->iv.len;
        }
    }
    return 0;
}

/* Returns the list of results, not yet written, and says how long they are together and at most. */
static PyObject *make_results(packet *packets, Py_ssize_t count, uint64_t *total, uint64_t *longest)
{
    PyObject *list = PyList_New(count);
    *total = *longest = 0;
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        uint64_t bytes = (uint64_t)packets[i].in.len;
        PyObject *result = PyBytes_FromStringAndSize(NULL, packets[i].in.len);
        if (result == NULL || PyList_SetItem(list, i, result) < 0) {
            Py_CLEAR(list);
            break;
        }
        packets[i].out = (uint8_t *)PyBytes_AsString(result);
        *total += bytes;
        if (bytes > *longest)
            *longest = bytes;
    }
    return list;
}

static PyObject *xor_borrowed(stream_object *stream, packet *packets, Py_ssize_t count)
{
    uint64_t total, longest;
    PyObject *results = make_results(packets, count, &total, &longest);
    if (results == NULL)
        return NULL;
    if (ready(stream, longest) < 0) {
        Py_DECREF(results);
        return NULL;
    }
    int error;
    stream->busy = 1;
    if (total + (uint64_t)count * NATIVE_PACKET_COST < NATIVE_UNLOCK_BYTES) {
        error = xor_packets(stream, packets, count);
    } else {
        Py_BEGIN_ALLOW_THREADS error = xor_packets(stream, packets, count);
        Py_END_ALLOW_THREADS
    }
    stream->busy = 0;
    if (error) {
        Py_DECREF(results);
        return native_raise_verb(state_of(stream), stream->cipher, stream->context, error, longest);
    }
    return results;
}

PyObject *native_xor_packets(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    stream_object *stream = (stream_object *)self;
    if (nargs != 2)
        return PyErr_Format(PyExc_TypeError, "xor_packets() takes 2 arguments (%zd given)", nargs);
    /* Tuples of our own: another thread may change the caller's lists while the lock is given up. */
    PyObject *ivs = PySequence_Tuple(args[0]);
    PyObject *data = ivs != NULL ? PySequence_Tuple(args[1]) : NULL;
    PyObject *results = NULL;
    packet *packets = NULL;
    Py_ssize_t borrowed = 0;
    if (data == NULL)
        goto done;
    Py_ssize_t count = PyTuple_Size(data);
    if (PyTuple_Size(ivs) != count) {
        PyErr_Format(PyExc_ValueError, "ivs has %zd items, packets %zd", PyTuple_Size(ivs), count);
        goto done;
    }
    packets = PyMem_Malloc((size_t)count * sizeof *packets);
    if (packets == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    if (borrow(stream, packets, ivs, data, count, &borrowed) == 0)
        results = xor_borrowed(stream, packets, count);
done:
    for (Py_ssize_t i = 0; i < borrowed; i++) {
        PyBuffer_Release(&packets[i].in);
        PyBuffer_Release(&packets[i].iv);
    }
    PyMem_Free(packets);
    Py_XDECREF(data);
    Py_XDECREF(ivs);
    return results;
}

/* Packets that lie one behind the other. */
typedef struct row {
    Py_buffer ivs;
    Py_buffer in;
    Py_buffer out;
    Py_ssize_t packet_bytes; /* of each packet but the last, which may be shorter */
    Py_ssize_t count;
    Py_ssize_t iv_bytes;
} row;

static int xor_row(stream_object *stream, const row *r)
{
    const uint8_t *iv = r->ivs.buf, *in = r->in.buf;
    uint8_t *out = r->out.buf;
    Py_ssize_t left = r->in.len;
    int error = RUNNEL_OK;
    for (; left > 0 && !error; left -= r->packet_bytes) {
        Py_ssize_t bytes = left < r->packet_bytes ? left : r->packet_bytes;
        error = xor_one(stream, iv, (size_t)r->iv_bytes, out, in, (size_t)bytes);
        iv += r->iv_bytes;
        in += bytes;
        out += bytes;
    }
    return error;
}

static int check_row(stream_object *stream, row *r)
{
    native_state *state = state_of(stream);
    const size_t bytes = (size_t)r->in.len;
    r->count = r->in.len / r->packet_bytes + (r->in.len % r->packet_bytes != 0);
    if (r->count == 0 ? r->ivs.len != 0 : r->ivs.len % r->count != 0) {
        native_raise(state, NATIVE_IV_LENGTH, stream->cipher, "ivs has %zd bytes, which are not %zd IVs", r->ivs.len,
                     r->count);
        return -1;
    }
    r->iv_bytes = r->count > 0 ? r->ivs.len / r->count : 0;
    if (r->count > 0 &&
        native_check_iv(state, stream->cipher, stream->context->key_bytes, "each of ivs", r->iv_bytes) < 0)
        return -1;
    if (r->out.len < r->in.len) {
        native_raise(state, NATIVE_OUTPUT_LENGTH, stream->cipher, "data has %zd bytes, out only %zd", r->in.len,
                     r->out.len);
        return -1;
    }
    if (runnel_partial_overlap(r->out.buf, r->in.buf, bytes)) {
        native_raise_verb(state, stream->cipher, stream->context, RUNNEL_ERR_OVERLAP, 0);
        return -1;
    }
    if (runnel_ranges_overlap(r->ivs.buf, (size_t)r->ivs.len, r->out.buf, bytes)) {
        native_raise(state, NATIVE_OVERLAP, stream->cipher, "ivs overlaps out");
        return -1;
    }
    return ready(stream, (uint64_t)(r->in.len < r->packet_bytes ? r->in.len : r->packet_bytes));
}

static PyObject *run_row(stream_object *stream, row *r)
{
    if (check_row(stream, r) < 0)
        return NULL;
    int error;
    stream->busy = 1;
    if (r->in.len / NATIVE_PACKET_COST + r->count < NATIVE_UNLOCK_BYTES / NATIVE_PACKET_COST) {
        error = xor_row(stream, r);
    } else {
        Py_BEGIN_ALLOW_THREADS error = xor_row(stream, r);
        Py_END_ALLOW_THREADS
    }
    stream->busy = 0;
    return error ? native_raise_verb(state_of(stream), stream->cipher, stream->context, error, 0)
                 : PyLong_FromSsize_t(r->count);
}

PyObject *native_xor_packets_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *result = NULL;
    row r;
    if (nargs != 4)
        return PyErr_Format(PyExc_TypeError, "xor_packets_into() takes 4 arguments (%zd given)", nargs);
    r.packet_bytes = PyNumber_AsSsize_t(args[3], PyExc_OverflowError);
    if (r.packet_bytes == -1 && PyErr_Occurred())
        return NULL;
    if (r.packet_bytes < 1)
        return PyErr_Format(PyExc_ValueError, "packet_bytes must be at least 1, not %zd", r.packet_bytes);
    if (native_read_buffer(args[0], "ivs", &r.ivs) < 0)
        return NULL;
    if (native_read_buffer(args[1], "data", &r.in) == 0) {
        if (native_write_buffer(args[2], "out", &r.out) == 0) {
            result = run_row((stream_object *)self, &r);
            PyBuffer_Release(&r.out);
        }
        PyBuffer_Release(&r.in);
    }
    PyBuffer_Release(&r.ivs);
    return result;
}
