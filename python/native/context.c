/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From the arguments of new() and xor() to a context with a key and an IV. */
#include "native.h"

int native_run(native_verb verb, runnel_stream *context, void *out, const void *in, Py_ssize_t bytes)
{
    if (bytes < NATIVE_UNLOCK_BYTES)
        return verb(context, out, in, (size_t)bytes);
    int error;
    Py_BEGIN_ALLOW_THREADS error = verb(context, out, in, (size_t)bytes);
    Py_END_ALLOW_THREADS return error;
}

int native_read_request(native_state *state, PyObject *const arguments[4], native_request *r)
{
    native_name_text name;
    if (native_check_cpu(state) < 0)
        return -1;
    if (native_name(arguments[0], "cipher", 0, &name) < 0 ||
        native_name(arguments[1], "layout", 1, &r->layout_name) < 0 ||
        native_name(arguments[2], "kernel", 1, &r->kernel) < 0)
        return -1;
    r->allow_broken = arguments[3] != NULL ? PyObject_IsTrue(arguments[3]) : 0;
    if (r->allow_broken < 0)
        return -1;
    r->cipher = runnel_cipher_find(name.found);
    if (r->cipher != NULL)
        return 0;
    native_raise_cipher(state, name.given);
    return -1;
}

int native_check_request(native_state *state, native_request *r, Py_ssize_t key_bytes, const char *iv_argument,
                         Py_ssize_t iv_bytes)
{
    const runnel_cipher *cipher = r->cipher;
    if (cipher->status == RUNNEL_BROKEN && !r->allow_broken) {
        native_raise(state, NATIVE_BROKEN_CIPHER, cipher, "broken (%s); to use it all the same: allow_broken=True",
                     cipher->remark != NULL ? cipher->remark : cipher->source);
        return -1;
    }
    if (native_check_key(state, cipher, key_bytes) < 0 ||
        native_check_iv(state, cipher, (size_t)key_bytes, iv_argument, iv_bytes) < 0)
        return -1;
    if (key_bytes < 16 && !r->allow_broken) {
        native_raise(state, NATIVE_BROKEN_CIPHER, cipher,
                     "a key of %zd bytes is too short to be safe; to use it all the same: allow_broken=True",
                     key_bytes);
        return -1;
    }
    r->layout = r->layout_name.found != NULL ? runnel_layout_find(r->layout_name.found) : RUNNEL_LAYOUT_DEFAULT;
    if (r->layout >= 0)
        return 0;
    native_raise_layout(state, cipher, r->layout_name.given);
    return -1;
}

static runnel_stream *start(native_state *state, native_request *r, const Py_buffer *key, const Py_buffer *iv)
{
    if (native_check_request(state, r, key->len, "iv", iv->len) < 0)
        return NULL;
    runnel_stream *context = native_context_new(r->cipher);
    if (context == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (runnel_cipher_key(r->cipher, context, key->buf, (size_t)key->len, r->kernel.found) != RUNNEL_OK)
        native_raise_kernel(state, r->cipher->name, native_cipher_kernel, r->cipher, &r->kernel);
    else if (runnel_stream_iv(context, iv->buf, (size_t)iv->len, r->layout) != RUNNEL_OK)
        native_raise_layout(state, r->cipher, r->layout_name.given);
    else
        return context;
    native_context_free(context);
    return NULL;
}

runnel_stream *native_context_start(native_state *state, PyObject *const arguments[6])
{
    PyObject *const names[4] = {arguments[0], arguments[3], arguments[4], arguments[5]};
    native_request r;
    Py_buffer key, iv;
    runnel_stream *context = NULL;
    if (native_read_request(state, names, &r) < 0 || native_read_buffer(arguments[1], "key", &key) < 0)
        return NULL;
    if (native_read_buffer(arguments[2], "iv", &iv) == 0) {
        context = start(state, &r, &key, &iv);
        PyBuffer_Release(&iv);
    }
    PyBuffer_Release(&key);
    return context;
}

PyObject *native_raise_verb(native_state *state, const runnel_cipher *cipher, const runnel_stream *context, int error,
                            uint64_t bytes)
{
    uint64_t position = runnel_stream_tell(context);
    switch (error) {
    case RUNNEL_ERR_STATE:
        return native_raise(state, NATIVE_STATE, cipher, "the stream was wiped");
    case RUNNEL_ERR_LIMIT:
        return native_raise_limit(state, cipher, position, bytes, position + runnel_stream_left(context));
    case RUNNEL_ERR_OVERLAP:
        return native_raise(state, NATIVE_OVERLAP, cipher,
                            "data and out overlap by a part; they must be the same memory or apart");
    case RUNNEL_ERR_SEEK:
        return native_raise(state, NATIVE_SEEK, cipher, "cannot seek: its keystream only goes forward");
    case RUNNEL_ERR_DIRECTION:
        return native_raise(state, NATIVE_DIRECTION, cipher,
                            "encryption and decryption differ: it has encrypt and decrypt, and no keystream");
    default:
        return native_raise(state, NATIVE_ERROR, cipher, "%s", runnel_error_text(error));
    }
}
