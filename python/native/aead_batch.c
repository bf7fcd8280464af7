/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many messages under one key in one call: Sealer.seal_batch and Sealer.open_batch. */
#include "native.h"

#include <stdio.h>
#include <string.h>

/* The arguments of a call. Tuples of our own: another thread may change the caller's lists while the lock is released. */
typedef struct batch {
    sealer_object *sealer;
    PyObject *nonces, *packets, *aads; /* nonces NULL: random ones; aads NULL: none */
    Py_buffer *buffers;                /* nonce, data and associated data of each packet; obj NULL if it has none */
    runnel_aead_packet *work;
    Py_ssize_t count;
    Py_ssize_t workable; /* as many as `work` has: those that are not too short to be opened */
    uint64_t cost;
    int opening;
} batch;

/* Turns an iterable into a tuple of as many items as there are packets; 0 or -1. */
static int as_tuple(const batch *b, PyObject *items, const char *argument, PyObject **tuple)
{
    *tuple = PySequence_Tuple(items);
    if (*tuple == NULL)
        return -1;
    if (PyTuple_Size(*tuple) == b->count)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s has %zd items, packets %zd", argument, PyTuple_Size(*tuple), b->count);
    return -1;
}

/* Reads the buffers of packet i; 0 or -1. */
static int borrow(batch *b, Py_ssize_t i)
{
    Py_buffer *own = &b->buffers[3 * i];
    char name[40];
    if (native_read_item(PyTuple_GetItem(b->packets, i), "packets", i, &own[1]) < 0)
        return -1;
    if (b->aads != NULL && native_read_item(PyTuple_GetItem(b->aads, i), "aads", i, &own[2]) < 0)
        return -1;
    if (b->nonces == NULL)
        return 0;
    if (native_read_item(PyTuple_GetItem(b->nonces, i), "nonces", i, &own[0]) < 0)
        return -1;
    snprintf(name, sizeof name, "nonces[%lld]", (long long)i);
    return native_check_nonce(b->sealer, name, own[0].len);
}

/* Lays out packet i, with a new bytes object for its result, which this returns; None for a packet that is too short to
 * be opened; NULL with an exception. */
static PyObject *prepare(batch *b, Py_ssize_t i)
{
    const Py_buffer *own = &b->buffers[3 * i];
    const int random = b->nonces == NULL;
    const size_t overhead = native_overhead(b->sealer, random), bytes = (size_t)own[1].len;
    if (b->opening && bytes < overhead)
        return Py_NewRef(Py_None);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(b->opening ? bytes - overhead : bytes + overhead));
    if (result == NULL)
        return NULL;
    uint8_t *made = (uint8_t *)PyBytes_AsString(result);
    native_sealed m = {.nonce = own[0].buf, .nonce_bytes = (size_t)own[0].len};
    uint8_t *text = b->opening ? native_lay_out(b->sealer, &m, own[1].buf, bytes - overhead, random)
                               : native_lay_out(b->sealer, &m, made, bytes, random);
    if (random && !b->opening && native_random(made, m.nonce_bytes) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    b->work[b->workable++] = (runnel_aead_packet){
        .nonce = m.nonce,
        .aad = own[2].buf,
        .in = b->opening ? text : own[1].buf,
        .out = b->opening ? made : text,
        .tag = m.tag,
        .nonce_bytes = m.nonce_bytes,
        .aad_bytes = (size_t)own[2].len,
        .bytes = m.bytes,
        .tag_bytes = b->sealer->tag_bytes,
    };
    b->cost += m.bytes + (uint64_t)own[2].len + NATIVE_PACKET_COST;
    return result;
}

/* Raises LimitError for the first packet that is too long, or what else was wrong. */
static void raise(const batch *b, int error)
{
    const runnel_aead *aead = b->sealer->aead;
    const runnel_aead_packet *p = b->work;
    while (p + 1 < b->work + b->workable && p->bytes <= runnel_aead_plaintext_max(aead, p->nonce_bytes) &&
           p->aad_bytes <= aead->aad_max)
        p++;
    const native_sealed m = {.bytes = p->bytes, .nonce_bytes = p->nonce_bytes};
    native_raise_sealed(b->sealer, &m, error);
}

/* Seals or opens what was prepared; 0 or -1. What was not authentic becomes None in the list of results. */
static int run(batch *b, PyObject *results)
{
    sealer_object *sealer = b->sealer;
    if (native_sealer_ready(sealer) < 0)
        return -1;
    sealer->busy = 1;
    PyThreadState *thread = b->cost >= NATIVE_UNLOCK_BYTES ? PyEval_SaveThread() : NULL;
    const int error =
        (b->opening ? runnel_aead_open_batch : runnel_aead_seal_batch)(sealer->context, b->work, (size_t)b->workable);
    if (thread != NULL)
        PyEval_RestoreThread(thread);
    sealer->busy = 0;
    if (error && error != RUNNEL_ERR_TAG) {
        raise(b, error);
        return -1;
    }
    Py_ssize_t done = 0;
    for (Py_ssize_t i = 0; error && i < b->count; i++)
        if (!Py_IsNone(PyList_GetItem(results, i)) && b->work[done++].result != RUNNEL_OK &&
            PyList_SetItem(results, i, Py_NewRef(Py_None)) < 0)
            return -1;
    return 0;
}

static PyObject *run_batch(batch *b)
{
    for (Py_ssize_t i = 0; i < b->count; i++)
        if (borrow(b, i) < 0)
            return NULL;
    PyObject *results = PyList_New(b->count);
    for (Py_ssize_t i = 0; results != NULL && i < b->count; i++) {
        PyObject *result = prepare(b, i);
        if (result == NULL || PyList_SetItem(results, i, result) < 0)
            Py_CLEAR(results);
    }
    if (results != NULL && run(b, results) < 0)
        Py_CLEAR(results);
    return results;
}

static PyObject *call(PyObject *self, const char *function, int opening, PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    static const char *const names[] = {"nonces", "packets", "aads", NULL};
    batch b = {.sealer = (sealer_object *)self, .opening = opening};
    PyObject *values[3], *results = NULL;
    if (native_arguments(function, names, 2, 3, args, nargs, kwnames, values) < 0)
        return NULL;
    if (Py_IsNone(values[0]) && native_check_random_nonce(b.sealer) < 0)
        return NULL;
    b.packets = PySequence_Tuple(values[1]);
    if (b.packets == NULL)
        return NULL;
    b.count = PyTuple_Size(b.packets);
    if ((Py_IsNone(values[0]) || as_tuple(&b, values[0], "nonces", &b.nonces) == 0) &&
        (values[2] == NULL || Py_IsNone(values[2]) || as_tuple(&b, values[2], "aads", &b.aads) == 0)) {
        b.buffers = PyMem_Calloc((size_t)b.count, 3 * sizeof *b.buffers);
        b.work = PyMem_Calloc((size_t)b.count, sizeof *b.work);
        results = b.buffers != NULL && b.work != NULL ? run_batch(&b) : PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; b.buffers != NULL && i < 3 * b.count; i++)
        PyBuffer_Release(&b.buffers[i]);
    PyMem_Free(b.buffers);
    PyMem_Free(b.work);
    Py_XDECREF(b.aads);
    Py_XDECREF(b.nonces);
    Py_DECREF(b.packets);
    return results;
}

PyObject *native_seal_batch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return call(self, "seal_batch", 0, args, nargs, kwnames);
}

PyObject *native_open_batch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return call(self, "open_batch", 1, args, nargs, kwnames);
}
