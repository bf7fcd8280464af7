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

/* What new() was told. */
typedef struct request {
    const runnel_cipher *cipher;
    Py_buffer key;
    Py_buffer iv;
    native_name_text layout; /* optional, as is the kernel */
    native_name_text kernel;
    int allow_broken;
} request;

static runnel_stream *start(native_state *state, const request *r)
{
    const runnel_cipher *cipher = r->cipher;
    if (cipher->status == RUNNEL_BROKEN && !r->allow_broken) {
        native_raise(state, NATIVE_BROKEN_CIPHER, cipher, "broken (%s); to use it all the same: allow_broken=True",
                     cipher->remark != NULL ? cipher->remark : cipher->source);
        return NULL;
    }
    if (native_check_key(state, cipher, r->key.len) < 0 ||
        native_check_iv(state, cipher, (size_t)r->key.len, "iv", r->iv.len) < 0)
        return NULL;
    if (r->key.len < 16 && !r->allow_broken) {
        native_raise(state, NATIVE_BROKEN_CIPHER, cipher,
                     "a key of %zd bytes is too short to be safe; to use it all the same: allow_broken=True",
                     r->key.len);
        return NULL;
    }
    int layout = r->layout.found != NULL ? runnel_layout_find(r->layout.found) : RUNNEL_LAYOUT_DEFAULT;
    if (layout < 0) {
        native_raise_layout(state, cipher, r->layout.given);
        return NULL;
    }
    runnel_stream *context = native_context_new(cipher);
    if (context == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (runnel_cipher_key(cipher, context, r->key.buf, (size_t)r->key.len, r->kernel.found) != RUNNEL_OK)
        native_raise_kernel(state, cipher->name, native_cipher_kernel, cipher, &r->kernel);
    else if (runnel_stream_iv(context, r->iv.buf, (size_t)r->iv.len, layout) != RUNNEL_OK)
        native_raise_layout(state, cipher, r->layout.given);
    else
        return context;
    native_context_free(context);
    return NULL;
}

runnel_stream *native_context_start(native_state *state, PyObject *const arguments[6])
{
    request r;
    native_name_text name;
    runnel_stream *context = NULL;
    if (native_check_cpu(state) < 0)
        return NULL;
    if (native_name(arguments[0], "cipher", 0, &name) < 0 || native_name(arguments[3], "layout", 1, &r.layout) < 0 ||
        native_name(arguments[4], "kernel", 1, &r.kernel) < 0)
        return NULL;
    r.allow_broken = arguments[5] != NULL ? PyObject_IsTrue(arguments[5]) : 0;
    if (r.allow_broken < 0)
        return NULL;
    r.cipher = runnel_cipher_find(name.found);
    if (r.cipher == NULL) {
        native_raise_cipher(state, name.given);
        return NULL;
    }
    if (native_read_buffer(arguments[1], "key", &r.key) < 0)
        return NULL;
    if (native_read_buffer(arguments[2], "iv", &r.iv) == 0) {
        context = start(state, &r);
        PyBuffer_Release(&r.iv);
    }
    PyBuffer_Release(&r.key);
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
