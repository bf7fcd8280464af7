/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many keys in one call: new_batch. */
#include "native.h"

/* Buffers borrowed for a call and given back after it; the contexts are ours until they are streams. */
typedef struct batch {
    native_request request;
    Py_ssize_t count;
    Py_ssize_t borrowed;
    Py_buffer *views; /* a key and an IV in turn */
    const uint8_t **keys, **ivs;
    runnel_stream **contexts;
} batch;

static int same_length(native_state *state, const batch *b, native_error which, const char *argument, Py_ssize_t i,
                       Py_ssize_t bytes, Py_ssize_t first)
{
    if (bytes == first)
        return 0;
    native_raise(state, which, b->request.cipher, "%s[%zd] has %zd bytes, %s[0] %zd; all must be equally long",
                 argument, i, bytes, argument, first);
    return -1;
}

static int borrow(native_state *state, batch *b, PyObject *keys, PyObject *ivs)
{
    for (Py_ssize_t i = 0; i < b->count; i++) {
        Py_buffer *key = &b->views[2 * i], *iv = key + 1;
        if (native_read_item(PyTuple_GetItem(keys, i), "keys", i, key) < 0)
            return -1;
        b->borrowed++;
        if (native_read_item(PyTuple_GetItem(ivs, i), "ivs", i, iv) < 0)
            return -1;
        b->borrowed++;
        if (i == 0 && native_check_request(state, &b->request, key->len, "ivs[0]", iv->len) < 0)
            return -1;
        if (same_length(state, b, NATIVE_KEY_LENGTH, "keys", i, key->len, b->views[0].len) < 0 ||
            same_length(state, b, NATIVE_IV_LENGTH, "ivs", i, iv->len, b->views[1].len) < 0)
            return -1;
        b->keys[i] = key->buf;
        b->ivs[i] = iv->buf;
    }
    return 0;
}

static int set_up(native_state *state, const batch *b)
{
    const native_request *r = &b->request;
    for (Py_ssize_t i = 0; i < b->count; i++) {
        b->contexts[i] = native_context_new(r->cipher);
        if (b->contexts[i] == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    if (runnel_cipher_key_batch(r->cipher, b->contexts, b->keys, (size_t)b->views[0].len, r->kernel.found,
                                (size_t)b->count) != RUNNEL_OK) {
        native_raise_kernel(state, r->cipher->name, native_cipher_kernel, r->cipher, &r->kernel);
        return -1;
    }
    if (runnel_stream_iv_batch(b->contexts, b->ivs, (size_t)b->views[1].len, r->layout, (size_t)b->count) !=
        RUNNEL_OK) {
        native_raise_layout(state, r->cipher, r->layout_name.given);
        return -1;
    }
    return 0;
}

static PyObject *as_streams(native_state *state, const batch *b)
{
    PyObject *list = PyList_New(b->count);
    for (Py_ssize_t i = 0; list != NULL && i < b->count; i++) {
        PyObject *stream = native_stream_new(state, b->contexts[i]);
        b->contexts[i] = NULL;
        if (stream == NULL || PyList_SetItem(list, i, stream) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *run(native_state *state, batch *b, PyObject *keys, PyObject *ivs)
{
    PyObject *result = NULL;
    const size_t count = (size_t)b->count;
    b->views = PyMem_Calloc(2 * count, sizeof *b->views);
    b->keys = PyMem_Calloc(count, sizeof *b->keys);
    b->ivs = PyMem_Calloc(count, sizeof *b->ivs);
    b->contexts = PyMem_Calloc(count, sizeof *b->contexts);
    if (b->views == NULL || b->keys == NULL || b->ivs == NULL || b->contexts == NULL)
        PyErr_NoMemory();
    else if (count == 0 || (borrow(state, b, keys, ivs) == 0 && set_up(state, b) == 0))
        result = as_streams(state, b);
    for (Py_ssize_t i = 0; b->contexts != NULL && i < b->count; i++)
        native_context_free(b->contexts[i]);
    for (Py_ssize_t i = 0; i < b->borrowed; i++)
        PyBuffer_Release(&b->views[i]);
    PyMem_Free(b->contexts);
    PyMem_Free(b->ivs);
    PyMem_Free(b->keys);
    PyMem_Free(b->views);
    return result;
}

PyObject *native_new_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"cipher", "keys", "ivs", "layout", "kernel", "allow_broken", NULL};
    native_state *state = PyModule_GetState(module);
    PyObject *values[6], *result = NULL;
    batch b = {.count = 0};
    if (native_arguments("new_batch", names, 3, 3, args, nargs, kwnames, values) < 0)
        return NULL;
    PyObject *const request[4] = {values[0], values[3], values[4], values[5]};
    if (native_read_request(state, request, &b.request) < 0)
        return NULL;
    PyObject *keys = PySequence_Tuple(values[1]), *ivs = keys != NULL ? PySequence_Tuple(values[2]) : NULL;
    if (ivs != NULL) {
        b.count = PyTuple_Size(keys);
        if (PyTuple_Size(ivs) == b.count)
            result = run(state, &b, keys, ivs);
        else
            PyErr_Format(PyExc_ValueError, "keys has %zd items, ivs %zd", b.count, PyTuple_Size(ivs));
    }
    Py_XDECREF(ivs);
    Py_XDECREF(keys);
    return result;
}
