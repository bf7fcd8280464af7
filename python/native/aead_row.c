/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sealed packets one after another in one buffer: Sealer.seal_in_place and Sealer.open_in_place. */
#include "native.h"

#define AT_A_TIME 64

/* The arguments of a call. */
typedef struct row {
    Py_buffer nonces, packets;
    Py_ssize_t nonce_bytes;
    Py_ssize_t packet_bytes; /* of each packet with its tag; the last may be shorter */
    Py_ssize_t count;
} row;

/* 0, or -1 with an exception. */
static int check(sealer_object *sealer, row *r)
{
    native_state *state = native_sealer_state(sealer);
    const Py_ssize_t tag_bytes = (Py_ssize_t)sealer->tag_bytes, last = r->packets.len % r->packet_bytes;
    r->count = r->packets.len / r->packet_bytes + (last != 0);
    if (r->packet_bytes < tag_bytes || (last != 0 && last < tag_bytes)) {
        PyErr_Format(PyExc_ValueError, "a packet has %zd bytes, fewer than the %zd of its tag",
                     r->packet_bytes < tag_bytes ? r->packet_bytes : last, tag_bytes);
        return -1;
    }
    if (r->count == 0 ? r->nonces.len != 0 : r->nonces.len % r->count != 0) {
        native_raise_of_aead(state, NATIVE_IV_LENGTH, sealer->aead, "nonces has %zd bytes, which are not %zd nonces",
                             r->nonces.len, r->count);
        return -1;
    }
    r->nonce_bytes = r->count > 0 ? r->nonces.len / r->count : 0;
    if (r->count > 0 && native_check_nonce(sealer, "each of nonces", r->nonce_bytes) < 0)
        return -1;
    if (runnel_ranges_overlap(r->nonces.buf, (size_t)r->nonces.len, r->packets.buf, (size_t)r->packets.len)) {
        native_raise_of_aead(state, NATIVE_OVERLAP, sealer->aead, "nonces overlaps packets");
        return -1;
    }
    return native_sealer_ready(sealer);
}

static runnel_aead_packet packet_at(const sealer_object *sealer, const row *r, Py_ssize_t i)
{
    uint8_t *sealed = (uint8_t *)r->packets.buf + i * r->packet_bytes;
    const Py_ssize_t left = r->packets.len - i * r->packet_bytes;
    native_sealed m;
    uint8_t *text = native_lay_out(sealer, &m, sealed,
                                   (size_t)(left < r->packet_bytes ? left : r->packet_bytes) - sealer->tag_bytes, 0);
    return (runnel_aead_packet){
        .nonce = (const uint8_t *)r->nonces.buf + i * r->nonce_bytes,
        .nonce_bytes = (size_t)r->nonce_bytes,
        .in = text,
        .out = text,
        .bytes = m.bytes,
        .tag = m.tag,
        .tag_bytes = sealer->tag_bytes,
    };
}

/* Works on all packets, or up to the first that is not authentic, which *done then counts. */
static int work(sealer_object *sealer, const row *r, int opening, Py_ssize_t *done)
{
    runnel_aead_packet packets[AT_A_TIME];
    for (*done = 0; *done < r->count;) {
        Py_ssize_t n = 0;
        while (n < AT_A_TIME && *done + n < r->count) {
            packets[n] = packet_at(sealer, r, *done + n);
            n++;
        }
        const int error = opening ? runnel_aead_open_batch(sealer->context, packets, (size_t)n)
                                  : runnel_aead_seal_batch(sealer->context, packets, (size_t)n);
        if (error && error != RUNNEL_ERR_TAG)
            return error; /* of the first packet, before it was touched: no later one is longer */
        for (Py_ssize_t i = 0; i < n; i++, ++*done)
            if (error && packets[i].result != RUNNEL_OK)
                return RUNNEL_OK;
    }
    return RUNNEL_OK;
}

static PyObject *run(sealer_object *sealer, row *r, int opening)
{
    if (check(sealer, r) < 0)
        return NULL;
    Py_ssize_t done = 0;
    sealer->busy = 1;
    const int alone = r->packets.len / NATIVE_PACKET_COST + r->count < NATIVE_UNLOCK_BYTES / NATIVE_PACKET_COST;
    PyThreadState *thread = alone ? NULL : PyEval_SaveThread();
    const int error = work(sealer, r, opening, &done);
    if (thread != NULL)
        PyEval_RestoreThread(thread);
    sealer->busy = 0;
    if (!error)
        return PyLong_FromSsize_t(done);
    const native_sealed longest = {.bytes = packet_at(sealer, r, 0).bytes, .nonce_bytes = (size_t)r->nonce_bytes};
    return native_raise_sealed(sealer, &longest, error);
}

static PyObject *call(PyObject *self, const char *function, int opening, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *result = NULL;
    row r;
    if (nargs != 3)
        return PyErr_Format(PyExc_TypeError, "%s() takes 3 arguments (%zd given)", function, nargs);
    r.packet_bytes = PyNumber_AsSsize_t(args[2], PyExc_OverflowError);
    if (r.packet_bytes == -1 && PyErr_Occurred())
        return NULL;
    if (r.packet_bytes < 1)
        return PyErr_Format(PyExc_ValueError, "packet_bytes must be at least 1, not %zd", r.packet_bytes);
    if (native_read_buffer(args[0], "nonces", &r.nonces) < 0)
        return NULL;
    if (native_write_buffer(args[1], "packets", &r.packets) == 0) {
        result = run((sealer_object *)self, &r, opening);
        PyBuffer_Release(&r.packets);
    }
    PyBuffer_Release(&r.nonces);
    return result;
}

PyObject *native_seal_in_place(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return call(self, "seal_in_place", 0, args, nargs);
}

PyObject *native_open_in_place(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return call(self, "open_in_place", 1, args, nargs);
}
