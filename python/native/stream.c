/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel.Stream: one key, one message at a time. */
#include "native.h"

static native_state *state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self)); /* Stream has no subclasses */
}

PyObject *native_stream_new(native_state *state, runnel_stream *context)
{
    stream_object *stream = PyObject_New(stream_object, state->stream_type);
    if (stream == NULL) {
        native_context_free(context);
        return NULL;
    }
    stream->context = context;
    stream->cipher = context->cipher;
    stream->kernel = runnel_stream_kernel(context);
    stream->layout = context->layout;
    stream->busy = 0;
    return (PyObject *)stream;
}

int native_ready(stream_object *stream)
{
    if (!stream->busy)
        return 0;
    native_raise(state_of((PyObject *)stream), NATIVE_STATE, stream->cipher,
                 "another thread is using this stream; give each thread a stream of its own");
    return -1;
}

static PyObject *raise_verb(stream_object *stream, int error, uint64_t bytes)
{
    return native_raise_verb(state_of((PyObject *)stream), stream->cipher, stream->context, error, bytes);
}

static int work(stream_object *stream, native_verb verb, void *out, const void *in, Py_ssize_t bytes)
{
    stream->busy = 1;
    int error = native_run(verb, stream->context, out, in, bytes);
    stream->busy = 0;
    return error;
}

/* Returns what the verb makes of in as a new bytes object. */
static PyObject *run_to_bytes(stream_object *stream, native_verb verb, const void *in, Py_ssize_t bytes)
{
    if (native_ready(stream) < 0)
        return NULL;
    PyObject *result = native_result_new(bytes);
    if (result == NULL)
        return NULL;
    int error = work(stream, verb, PyBytes_AsString(result), in, bytes);
    if (error) {
        Py_DECREF(result);
        return raise_verb(stream, error, (uint64_t)bytes);
    }
    return result;
}

static PyObject *run(PyObject *self, native_verb verb, PyObject *data)
{
    Py_buffer in;
    if (native_read_buffer(data, "data", &in) < 0)
        return NULL;
    /* runnel_stream_xor takes NULL for "the keystream itself", and an empty buffer may have a NULL address. */
    PyObject *result = run_to_bytes((stream_object *)self, verb, in.buf != NULL ? in.buf : "", in.len);
    PyBuffer_Release(&in);
    return result;
}

static PyObject *stream_xor(PyObject *self, PyObject *data)
{
    return run(self, runnel_stream_xor, data);
}

static PyObject *stream_encrypt(PyObject *self, PyObject *data)
{
    return run(self, runnel_stream_encrypt, data);
}

static PyObject *stream_decrypt(PyObject *self, PyObject *data)
{
    return run(self, runnel_stream_decrypt, data);
}

/* Checks that position and limit can be asked for. */
static int has_position(stream_object *stream)
{
    if (native_ready(stream) < 0)
        return 0;
    if (runnel_stream_kernel(stream->context) != NULL)
        return 1;
    raise_verb(stream, RUNNEL_ERR_STATE, 0);
    return 0;
}

static PyObject *stream_keystream(PyObject *self, PyObject *argument)
{
    stream_object *stream = (stream_object *)self;
    uint64_t bytes;
    if (native_uint64(argument, "bytes", &bytes) < 0 || !has_position(stream))
        return NULL;
    if (stream->cipher->directions != NULL) /* before memory for the result */
        return raise_verb(stream, RUNNEL_ERR_DIRECTION, bytes);
    if (bytes > runnel_stream_left(stream->context))
        return raise_verb(stream, RUNNEL_ERR_LIMIT, bytes);
    if (bytes > PY_SSIZE_T_MAX)
        return PyErr_NoMemory();
    return run_to_bytes(stream, runnel_stream_xor, NULL, (Py_ssize_t)bytes);
}

static PyObject *run_into(const char *name, native_verb verb, PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    stream_object *stream = (stream_object *)self;
    PyObject *result = NULL;
    Py_buffer in, out;
    if (nargs != 2)
        return PyErr_Format(PyExc_TypeError, "%s() takes 2 arguments (%zd given)", name, nargs);
    if (native_read_buffer(args[0], "data", &in) < 0)
        return NULL;
    if (native_write_buffer(args[1], "out", &out) < 0) {
        PyBuffer_Release(&in);
        return NULL;
    }
    if (out.len < in.len)
        native_raise(state_of(self), NATIVE_OUTPUT_LENGTH, stream->cipher, "data has %zd bytes, out only %zd", in.len,
                     out.len);
    else if (native_ready(stream) == 0) {
        int error = work(stream, verb, out.buf, in.buf != NULL ? in.buf : "", in.len);
        result = error ? raise_verb(stream, error, (uint64_t)in.len) : PyLong_FromSsize_t(in.len);
    }
    PyBuffer_Release(&out);
    PyBuffer_Release(&in);
    return result;
}

static PyObject *stream_xor_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return run_into("xor_into", runnel_stream_xor, self, args, nargs);
}

static PyObject *stream_encrypt_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return run_into("encrypt_into", runnel_stream_encrypt, self, args, nargs);
}

static PyObject *stream_decrypt_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return run_into("decrypt_into", runnel_stream_decrypt, self, args, nargs);
}

static PyObject *stream_reset(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"iv", "layout", NULL};
    stream_object *stream = (stream_object *)self;
    PyObject *values[2];
    native_name_text name;
    Py_buffer iv;
    if (native_arguments("reset", names, 1, 2, args, nargs, kwnames, values) < 0 ||
        native_name(values[1], "layout", 1, &name) < 0)
        return NULL;
    int layout = name.found != NULL ? runnel_layout_find(name.found) : stream->layout;
    if (layout < 0)
        return native_raise_layout(state_of(self), stream->cipher, name.given);
    if (native_read_buffer(values[0], "iv", &iv) < 0)
        return NULL;
    PyObject *result = NULL;
    if (native_check_iv(state_of(self), stream->cipher, stream->context->key_bytes, "iv", iv.len) == 0 &&
        native_ready(stream) == 0) {
        int error = runnel_stream_iv(stream->context, iv.buf, (size_t)iv.len, layout);
        if (error == RUNNEL_ERR_LAYOUT)
            native_raise_layout(state_of(self), stream->cipher, name.given);
        else if (error)
            raise_verb(stream, error, 0);
        else {
            stream->layout = stream->context->layout;
            result = Py_NewRef(Py_None);
        }
    }
    PyBuffer_Release(&iv);
    return result;
}

static PyObject *stream_seek(PyObject *self, PyObject *argument)
{
    stream_object *stream = (stream_object *)self;
    uint64_t position;
    if (native_uint64(argument, "position", &position) < 0 || native_ready(stream) < 0)
        return NULL;
    int error = runnel_stream_seek(stream->context, position);
    if (error == RUNNEL_ERR_LIMIT)
        return native_raise_limit(state_of(self), stream->cipher, position, 0,
                                  runnel_stream_tell(stream->context) + runnel_stream_left(stream->context));
    return error ? raise_verb(stream, error, 0) : Py_NewRef(Py_None);
}

static PyObject *stream_tell(PyObject *self, PyObject *unused)
{
    stream_object *stream = (stream_object *)self;
    (void)unused;
    return has_position(stream) ? PyLong_FromUnsignedLongLong(runnel_stream_tell(stream->context)) : NULL;
}

static PyObject *stream_left(PyObject *self, PyObject *unused)
{
    stream_object *stream = (stream_object *)self;
    (void)unused;
    return has_position(stream) ? PyLong_FromUnsignedLongLong(runnel_stream_left(stream->context)) : NULL;
}

static PyObject *stream_wipe(PyObject *self, PyObject *unused)
{
    stream_object *stream = (stream_object *)self;
    (void)unused;
    if (native_ready(stream) < 0)
        return NULL;
    runnel_stream_wipe(stream->context);
    return Py_NewRef(Py_None);
}

static PyObject *stream_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *stream_exit(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)args;
    (void)nargs;
    return stream_wipe(self, NULL);
}

static PyObject *stream_repr(PyObject *self)
{
    stream_object *stream = (stream_object *)self;
    if (stream->busy)
        return PyUnicode_FromFormat("<runnel.Stream %s, kernel %s, in use>", stream->cipher->name, stream->kernel);
    if (runnel_stream_kernel(stream->context) == NULL)
        return PyUnicode_FromFormat("<runnel.Stream %s, wiped>", stream->cipher->name);
    return PyUnicode_FromFormat("<runnel.Stream %s, kernel %s, position %llu>", stream->cipher->name, stream->kernel,
                                (unsigned long long)runnel_stream_tell(stream->context));
}

static PyObject *stream_cipher(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((stream_object *)self)->cipher->name);
}

static PyObject *stream_kernel(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((stream_object *)self)->kernel);
}

static PyObject *stream_layout(PyObject *self, void *closure)
{
    int layout = ((stream_object *)self)->layout;
    (void)closure;
    return layout == 0 ? Py_NewRef(Py_None) : PyUnicode_FromString(runnel_layout_name(layout));
}

static void stream_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    native_context_free(((stream_object *)self)->context);
    PyObject_Free(self);
    Py_DECREF(type);
}

NATIVE_LOCKED_ONE(stream_xor)
NATIVE_LOCKED_FAST(stream_xor_into)
NATIVE_LOCKED_ONE(stream_encrypt)
NATIVE_LOCKED_ONE(stream_decrypt)
NATIVE_LOCKED_FAST(stream_encrypt_into)
NATIVE_LOCKED_FAST(stream_decrypt_into)
NATIVE_LOCKED_ONE(stream_keystream)
NATIVE_LOCKED_FAST(native_xor_packets)
NATIVE_LOCKED_FAST(native_xor_packets_into)
NATIVE_LOCKED_WORDS(stream_reset)
NATIVE_LOCKED_ONE(stream_seek)
NATIVE_LOCKED_ONE(stream_tell)
NATIVE_LOCKED_ONE(stream_left)
NATIVE_LOCKED_ONE(stream_wipe)
NATIVE_LOCKED_FAST(stream_exit)
NATIVE_LOCKED_REPR(stream_repr)
NATIVE_LOCKED(stream_layout, (PyObject * self, void *closure), (self, closure))

/* A method that METH_FASTCALL calls; the detour over void (*)(void) is how C spells that this cast is meant. */
#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef methods[] = {
    {"xor", locked_stream_xor, METH_O,
     PyDoc_STR(
         "xor($self, data, /)\n--\n\n"
         "Return data XOR keystream and move on by len(data) bytes: encryption and decryption alike.\n\n"
         "data: any C-contiguous buffer, read without copying; its size in bytes counts. Returns bytes of the "
         "same size.\nRaises LimitError, StateError, DirectionError (encryption and decryption differ: see encrypt), "
         "BufferError, TypeError; then nothing has moved.")},
    {"xor_into", FAST(locked_stream_xor_into), METH_FASTCALL,
     PyDoc_STR("xor_into($self, data, out, /)\n--\n\n"
               "Write data XOR keystream to the first len(data) bytes of out and return that number.\n\n"
               "data: any C-contiguous buffer. out: any C-contiguous writable one, at least as long; it may be the "
               "same memory as data, other overlaps are an error.\n"
               "Raises OutputLengthError, OverlapError, LimitError, StateError, BufferError, TypeError; then out is "
               "untouched.")},
    {"encrypt", locked_stream_encrypt, METH_O,
     PyDoc_STR("encrypt($self, data, /)\n--\n\n"
               "Return data encrypted: what xor does, and the way to do it where encryption and decryption differ.\n\n"
               "A message is encrypted or decrypted, not both. Raises as xor.")},
    {"decrypt", locked_stream_decrypt, METH_O,
     PyDoc_STR("decrypt($self, data, /)\n--\n\nReturn data decrypted; see encrypt.")},
    {"encrypt_into", FAST(locked_stream_encrypt_into), METH_FASTCALL,
     PyDoc_STR("encrypt_into($self, data, out, /)\n--\n\nAs xor_into, with encrypt.")},
    {"decrypt_into", FAST(locked_stream_decrypt_into), METH_FASTCALL,
     PyDoc_STR("decrypt_into($self, data, out, /)\n--\n\nAs xor_into, with decrypt.")},
    {"keystream", locked_stream_keystream, METH_O,
     PyDoc_STR("keystream($self, bytes, /)\n--\n\n"
               "Return the next `bytes` bytes of keystream themselves and move on.\n\n"
               "Raises LimitError, StateError, DirectionError, OverflowError (negative), MemoryError.")},
    {"xor_packets", FAST(locked_native_xor_packets), METH_FASTCALL,
     PyDoc_STR("xor_packets($self, ivs, packets, /)\n--\n\n"
               "Encrypt many messages under this key, each with its own IV: the list of what reset(iv) and "
               "xor(packet) would return for each pair.\n\n"
               "ivs, packets: sequences, equally long, of C-contiguous buffers. The counter layout stays. Afterwards "
               "the stream stands behind the last packet.\n"
               "Raises as reset and xor do, and ValueError for sequences of unequal length; then nothing has moved.")},
    {"xor_packets_into", FAST(locked_native_xor_packets_into), METH_FASTCALL,
     PyDoc_STR("xor_packets_into($self, ivs, data, out, packet_bytes, /)\n--\n\n"
               "The same for packets of packet_bytes bytes that lie one behind the other in data; the last may be "
               "shorter. Writes to out as xor_into does and returns the number of packets.\n\n"
               "ivs: a C-contiguous buffer with one IV for each packet, one behind the other.")},
    {"reset", FAST(locked_stream_reset), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("reset($self, iv, layout=None)\n--\n\n"
               "Start a new message at position 0 under the same key.\n\n"
               "iv: a C-contiguous buffer of a length that the cipher lists. layout: the counter layout; None keeps "
               "the present one.\nRaises IVLengthError, LayoutError, StateError.")},
    {"seek", locked_stream_seek, METH_O,
     PyDoc_STR("seek($self, position, /)\n--\n\n"
               "Move to a position in bytes from the IV, forwards or backwards, in constant time.\n\n"
               "position: 0 to 2**64 - 1, at most the end of the keystream.\n"
               "Raises SeekError, LimitError, StateError, OverflowError.")},
    {"tell", locked_stream_tell, METH_NOARGS,
     PyDoc_STR("tell($self)\n--\n\nReturn the position in bytes from the IV; 2**64 - 1 also for more.")},
    {"left", locked_stream_left, METH_NOARGS,
     PyDoc_STR("left($self)\n--\n\n"
               "Return how many bytes of keystream are left before it ends; 2**64 - 1 also for more.")},
    {"wipe", locked_stream_wipe, METH_NOARGS,
     PyDoc_STR("wipe($self)\n--\n\n"
               "Clear key and keystream from memory; the stream cannot be used any more. Leaving a with block does "
               "it, and so does the end of the object.")},
    {"__enter__", stream_enter, METH_NOARGS, NULL},
    {"__exit__", FAST(locked_stream_exit), METH_FASTCALL, NULL},
    {"__reduce__", native_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"cipher", stream_cipher, NULL, PyDoc_STR("The name of the cipher."), NULL},
    {"kernel", stream_kernel, NULL, PyDoc_STR("The name of the kernel that runs."), NULL},
    {"layout", locked_stream_layout, NULL, PyDoc_STR("The counter layout, or None if this is not a counter mode."),
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     (void *)PyDoc_STR("A cipher with a key and an IV, at a position in its keystream. Made by runnel.new().\n\n"
                       "Not for two threads at a time: a second one gets StateError. Not copied and not pickled, "
                       "because a copy would make the same keystream again; fork() does copy it, so reset the IV in "
                       "one of the two processes.")},
    {Py_tp_dealloc, (void *)stream_dealloc},
    {Py_tp_repr, (void *)locked_stream_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec native_stream_spec = {
    .name = "runnel.Stream",
    .basicsize = sizeof(stream_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
