/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The module runnel._native. */
#include "native.h"

static PyObject *new_stream(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"cipher", "key", "iv", "layout", "kernel", "allow_broken", NULL};
    native_state *state = PyModule_GetState(module);
    PyObject *values[6];
    if (native_arguments("new", names, 3, 3, args, nargs, kwnames, values) < 0)
        return NULL;
    runnel_stream *context = native_context_start(state, values);
    return context != NULL ? native_stream_new(state, context) : NULL;
}

/* Seeks, and gives data XOR keystream as a new bytes object. */
static PyObject *xor_from(native_state *state, runnel_stream *context, uint64_t offset, const Py_buffer *data)
{
    const runnel_cipher *cipher = context->cipher;
    int error = offset > 0 ? runnel_stream_seek(context, offset) : RUNNEL_OK;
    if (error == RUNNEL_ERR_LIMIT)
        return native_raise_limit(state, cipher, offset, 0, runnel_stream_left(context));
    if (error)
        return native_raise_verb(state, cipher, context, error, 0);
    PyObject *result = native_result_new(data->len);
    if (result == NULL)
        return NULL;
    error =
        native_run(runnel_stream_xor, context, PyBytes_AsString(result), data->buf != NULL ? data->buf : "", data->len);
    if (error) {
        Py_DECREF(result);
        return native_raise_verb(state, cipher, context, error, (uint64_t)data->len);
    }
    return result;
}

static PyObject *xor_once(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"cipher", "key",    "iv",           "data", "layout",
                                        "kernel", "offset", "allow_broken", NULL};
    native_state *state = PyModule_GetState(module);
    PyObject *values[8], *result = NULL;
    uint64_t offset = 0;
    Py_buffer data;
    if (native_arguments("xor", names, 4, 4, args, nargs, kwnames, values) < 0)
        return NULL;
    if (values[6] != NULL && native_uint64(values[6], "offset", &offset) < 0)
        return NULL;
    if (native_read_buffer(values[3], "data", &data) < 0)
        return NULL;
    PyObject *const start[6] = {values[0], values[1], values[2], values[4], values[5], values[7]};
    runnel_stream *context = native_context_start(state, start);
    if (context != NULL) {
        result = xor_from(state, context, offset, &data);
        native_context_free(context);
    }
    PyBuffer_Release(&data);
    return result;
}

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef functions[] = {
    {"new", FAST(new_stream), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR(
         "new(cipher, key, iv, *, layout=None, kernel=None, allow_broken=False)\n--\n\n"
         "Return a Stream: a cipher with a key and an IV, at position 0.\n\n"
         "cipher: a name that ciphers() lists, such as 'aes-128-ctr'. key, iv: C-contiguous buffers of lengths "
         "that the cipher lists; in counter mode the IV is the whole first counter block.\n"
         "layout: where the counter sits in a counter mode's block ('be128', 'be32' ...); None: the cipher's default.\n"
         "kernel: the implementation to run; None: the fastest constant-time one that this CPU has.\n"
         "allow_broken: must be true for ciphers of status 'broken' and for keys under 16 bytes.\n\n"
         "Constant-time in the key if the kernel's timing class is 'constant-time'.\n"
         "Never use a key with the same IV for two messages. A keystream does not authenticate: whoever can "
         "change the ciphertext can change the plaintext.\n"
         "Raises UnknownCipherError, BrokenCipherError, KeyLengthError, IVLengthError, LayoutError, "
         "KernelError.")},
    {"new_batch", FAST(native_new_batch), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("new_batch(cipher, keys, ivs, *, layout=None, kernel=None, allow_broken=False)\n--\n\n"
               "Return a list of Streams, one for each key and its IV: what new(cipher, key, iv) would return for each "
               "pair, in one call, which sets several keys at a time where the kernel can.\n\n"
               "keys, ivs: sequences, equally long, of C-contiguous buffers; all keys have one length, and all IVs. "
               "All else as for new(). Each Stream has a context of its own, context_bytes of cipher(name).\n"
               "Raises as new(), and ValueError for sequences of unequal length; then there is no stream.")},
    {"xor", FAST(xor_once), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("xor(cipher, key, iv, data, *, layout=None, offset=0, kernel=None, allow_broken=False)\n--\n\n"
               "Return data XOR keystream in one call: encryption and decryption alike.\n\n"
               "data: any C-contiguous buffer. offset: the position of data's first byte in the message, in bytes, 0 "
               "to 2**64 - 1; other than 0 only where the cipher can seek. All else as for new().\n"
               "Raises as new(), and LimitError, SeekError and DirectionError.")},
    {"mac", FAST(native_mac), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("mac(name, key, data=b'', *, tag_bytes=None)\n--\n\n"
               "Return an Authenticator: a MAC with a key, and the message data, to which more may be added.\n\n"
               "name: a name that macs() lists, such as 'hmac-sha-256'. key, data: C-contiguous buffers.\n"
               "tag_bytes: the size of its tags; None: the longest.\n\n"
               "Encrypt first, then authenticate what was encrypted together with its IV, under another key than the "
               "cipher's. Constant-time in key and data.\n"
               "Raises UnknownMACError, KeyLengthError, TagLengthError.")},
    {"macs", native_macs, METH_NOARGS, PyDoc_STR("macs()\n--\n\nReturn a dict for each MAC, by name.")},
    {"aead", FAST(native_aead), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("aead(name, key, *, tag_bytes=None, kernel=None)\n--\n\n"
               "Return a Sealer: an AEAD with a key, which seals and opens messages.\n\n"
               "name: a name that aeads() lists, such as 'aes-256-gcm'. key: a C-contiguous buffer of the AEAD's "
               "key_bytes.\n"
               "tag_bytes: the size of its tags, one of the AEAD's tag_lengths; None: the longest.\n"
               "kernel: the implementation to run; None: the fastest constant-time one that this CPU has.\n\n"
               "Constant-time in key, message and associated data if the kernel's timing class is 'constant-time'.\n"
               "Raises UnknownAEADError, KeyLengthError, TagLengthError, KernelError.")},
    {"aeads", native_aeads, METH_NOARGS, PyDoc_STR("aeads()\n--\n\nReturn a dict for each AEAD, by name.")},
    {"ciphers", native_ciphers, METH_NOARGS, PyDoc_STR("ciphers()\n--\n\nReturn a dict for each cipher, by name.")},
    {"cpu_features", native_cpu_features, METH_NOARGS,
     PyDoc_STR("cpu_features()\n--\n\n"
               "Return the names of the CPU features that kernels may use, as restricted by the environment variable "
               "RUNNEL_CPU when the first kernel was chosen.")},
    {"cpu_names", native_cpu_names, METH_NOARGS,
     PyDoc_STR("cpu_names()\n--\n\n"
               "Return the names of all CPU features that the environment variable RUNNEL_CPU may list, those of other "
               "processors too.")},
    {"cpu_unknown", native_cpu_unknown, METH_NOARGS,
     PyDoc_STR("cpu_unknown()\n--\n\n"
               "Return the first word of the environment variable RUNNEL_CPU that cpu_names() lacks, or None.\n\n"
               "Such a word is ignored, and what is left may be only the slowest kernels: the first new() or xor() "
               "warns with a RuntimeWarning, the command line refuses to run.")},
    {"_seal_segments", FAST(native_seal_segments), METH_FASTCALL,
     PyDoc_STR(
         "_seal_segments(stream, authenticator, ivs, memory, first_bytes, segment_bytes, /)\n--\n\n"
         "Encrypt and authenticate segments in memory, a buffer in which each lies as IV | text | tag, one behind "
         "another; the first has first_bytes bytes, the others segment_bytes, the last may be shorter.\n\n"
         "stream: a cipher in counter mode. authenticator: HMAC-SHA-256, of IV and ciphertext. ivs: the segments' "
         "IVs, which are written before them. Returns the number of segments.\n"
         "Raises ValueError, TypeError, StateError.")},
    {"_open_segments", FAST(native_open_segments), METH_FASTCALL,
     PyDoc_STR("_open_segments(stream, authenticator, ivs, memory, first_bytes, segment_bytes, /)\n--\n\n"
               "Verify and decrypt what _seal_segments has made. Returns how many segments are authentic before the "
               "first that is not; that one and those behind it must not be used.")},
    {"_cpu_complaint", native_cpu_complaint, METH_NOARGS,
     PyDoc_STR("_cpu_complaint()\n--\n\nReturn what to say of cpu_unknown(), or None.")},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    native_state *state = PyModule_GetState(module);
    if (native_add_errors(module, state) < 0)
        return -1;
    state->stream_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &native_stream_spec, NULL);
    if (state->stream_type == NULL || PyModule_AddType(module, state->stream_type) < 0)
        return -1;
    state->mac_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &native_mac_spec, NULL);
    if (state->mac_type == NULL || PyModule_AddType(module, state->mac_type) < 0)
        return -1;
    state->sealer_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &native_sealer_spec, NULL);
    if (state->sealer_type == NULL || PyModule_AddType(module, state->sealer_type) < 0)
        return -1;
    return PyModule_AddStringConstant(module, "__version__", RUNNEL_VERSION);
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    native_state *state = PyModule_GetState(module);
    Py_VISIT(state->stream_type);
    Py_VISIT(state->mac_type);
    Py_VISIT(state->sealer_type);
    for (int i = 0; i < NATIVE_ERRORS; i++)
        Py_VISIT(state->errors[i]);
    return 0;
}

static int clear(PyObject *module)
{
    native_state *state = PyModule_GetState(module);
    Py_CLEAR(state->stream_type);
    Py_CLEAR(state->mac_type);
    Py_CLEAR(state->sealer_type);
    for (int i = 0; i < NATIVE_ERRORS; i++)
        Py_CLEAR(state->errors[i]);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "runnel._native",
    .m_doc = PyDoc_STR("The binding to the C library; use it through the package runnel."),
    .m_size = sizeof(native_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__native(void); /* the one name that Python looks for */
PyMODINIT_FUNC PyInit__native(void)
{
    return PyModuleDef_Init(&definition);
}
