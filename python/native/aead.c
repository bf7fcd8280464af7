/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel.aead, and what it returns, runnel.Sealer: an AEAD with a key. */
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

native_state *native_sealer_state(sealer_object *sealer)
{
    return PyType_GetModuleState(Py_TYPE((PyObject *)sealer));
}

int native_sealer_ready(sealer_object *sealer)
{
    native_state *state = native_sealer_state(sealer);
    if (sealer->busy)
        native_raise_of_aead(state, NATIVE_STATE, sealer->aead,
                             "another thread is using this sealer; give each thread one of its own");
    else if (sealer->context->aead == NULL)
        native_raise_of_aead(state, NATIVE_STATE, sealer->aead, "the sealer was wiped");
    else
        return 0;
    return -1;
}

/* Raises TagLengthError, with the lengths that a tag may have. */
static void raise_tag_length(native_state *state, const runnel_aead *aead, uint64_t bytes)
{
    char wanted[96];
    size_t used = 0, last = RUNNEL_AEAD_TAG_MAX;
    while (!runnel_aead_takes_tag(aead, last))
        last--;
    for (size_t i = 0; i <= last; i++)
        if (runnel_aead_takes_tag(aead, i))
            used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%zu",
                                     used == 0   ? ""
                                     : i == last ? " or "
                                                 : ", ",
                                     i);
    native_raise_of_aead(state, NATIVE_TAG_LENGTH, aead, "a tag has %llu byte%s, must have %s",
                         (unsigned long long)bytes, bytes == 1 ? "" : "s", wanted);
}

static sealer_object *allocate(native_state *state, const runnel_aead *aead, size_t tag_bytes)
{
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (aead->context_bytes + line - 1u) / line * line;
    runnel_aead_context *context = aligned_alloc(line, bytes);
    if (context == NULL)
        return (sealer_object *)PyErr_NoMemory();
    memset(context, 0, sizeof *context);
    sealer_object *sealer = PyObject_New(sealer_object, state->sealer_type);
    if (sealer == NULL) {
        free(context);
        return NULL;
    }
    *sealer = (sealer_object){
        .ob_base = sealer->ob_base, .aead = aead, .context = context, .kernel = NULL, .tag_bytes = tag_bytes};
    return sealer;
}

static sealer_object *start(native_state *state, const runnel_aead *aead, const Py_buffer *key, PyObject *tag_bytes,
                            const native_name_text *kernel)
{
    uint64_t bytes = aead->tag_default;
    if (key->len != (Py_ssize_t)aead->key_bytes) {
        native_raise_of_aead(state, NATIVE_KEY_LENGTH, aead, "key has %zd byte%s, must have %d", key->len,
                             key->len == 1 ? "" : "s", (int)aead->key_bytes);
        return NULL;
    }
    if (tag_bytes != NULL && !Py_IsNone(tag_bytes) && native_uint64(tag_bytes, "tag_bytes", &bytes) < 0)
        return NULL;
    if (bytes > RUNNEL_AEAD_TAG_MAX || !runnel_aead_takes_tag(aead, (size_t)bytes)) {
        raise_tag_length(state, aead, bytes);
        return NULL;
    }
    sealer_object *sealer = allocate(state, aead, (size_t)bytes);
    if (sealer == NULL)
        return NULL;
    if (runnel_aead_key(aead, sealer->context, key->buf, (size_t)key->len, kernel->found) == RUNNEL_OK) {
        sealer->kernel = runnel_aead_kernel(sealer->context);
        return sealer;
    }
    native_raise_kernel(state, aead->name, native_aead_kernel, aead, kernel);
    Py_DECREF((PyObject *)sealer);
    return NULL;
}

PyObject *native_aead(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"name", "key", "tag_bytes", "kernel", NULL};
    native_state *state = PyModule_GetState(module);
    native_name_text name, kernel;
    PyObject *values[4];
    Py_buffer key;
    if (native_check_cpu(state) < 0 || native_arguments("aead", names, 2, 2, args, nargs, kwnames, values) < 0 ||
        native_name(values[0], "name", 0, &name) < 0 || native_name(values[3], "kernel", 1, &kernel) < 0)
        return NULL;
    const runnel_aead *aead = runnel_aead_find(name.found);
    if (aead == NULL)
        return native_raise_aead(state, name.given);
    if (native_read_buffer(values[1], "key", &key) < 0)
        return NULL;
    sealer_object *sealer = start(state, aead, &key, values[2], &kernel);
    PyBuffer_Release(&key);
    return (PyObject *)sealer;
}

static PyObject *sealer_wipe(PyObject *self, PyObject *unused)
{
    sealer_object *sealer = (sealer_object *)self;
    (void)unused;
    if (sealer->busy && native_sealer_ready(sealer) < 0)
        return NULL;
    runnel_aead_wipe(sealer->context);
    return Py_NewRef(Py_None);
}

static PyObject *sealer_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *sealer_exit(PyObject *self, PyObject *args)
{
    (void)args;
    return sealer_wipe(self, NULL);
}

static PyObject *sealer_repr(PyObject *self)
{
    sealer_object *sealer = (sealer_object *)self;
    return PyUnicode_FromFormat("<runnel.Sealer %s, kernel %s, tags of %zu bytes%s>", sealer->aead->name,
                                sealer->kernel, sealer->tag_bytes,
                                sealer->busy || sealer->context->aead != NULL ? "" : ", wiped");
}

static PyObject *sealer_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((sealer_object *)self)->aead->name);
}

static PyObject *sealer_kernel(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((sealer_object *)self)->kernel);
}

static PyObject *sealer_tag_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(((sealer_object *)self)->tag_bytes);
}

static PyObject *sealer_nonce_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((sealer_object *)self)->aead->nonce_default);
}

static void sealer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    sealer_object *sealer = (sealer_object *)self;
    runnel_aead_wipe(sealer->context);
    free(sealer->context);
    PyObject_Free(self);
    Py_DECREF(type);
}

NATIVE_LOCKED_WORDS(native_seal)
NATIVE_LOCKED_WORDS(native_open)
NATIVE_LOCKED_WORDS(native_seal_into)
NATIVE_LOCKED_WORDS(native_open_into)
NATIVE_LOCKED_WORDS(native_seal_batch)
NATIVE_LOCKED_WORDS(native_open_batch)
NATIVE_LOCKED_FAST(native_seal_in_place)
NATIVE_LOCKED_FAST(native_open_in_place)
NATIVE_LOCKED_ONE(sealer_wipe)
NATIVE_LOCKED_ONE(sealer_exit)
NATIVE_LOCKED_REPR(sealer_repr)

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef methods[] = {
    {"seal", FAST(locked_native_seal), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR(
         "seal($self, nonce, data, aad=b'')\n--\n\n"
         "Return data encrypted, len(data) bytes, and behind it the tag of tag_bytes bytes.\n\n"
         "nonce: a C-contiguous buffer of a length that the AEAD takes, never the same twice under one key; None: a "
         "random one of nonce_bytes bytes, put before the result, where the AEAD has nonce_random.\n"
         "data: any C-contiguous buffer. aad: associated data, which is authenticated and not sent.\n"
         "Raises IVLengthError, LimitError (too long for the AEAD), StateError, BufferError, TypeError.")},
    {"open", FAST(locked_native_open), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("open($self, nonce, data, aad=b'')\n--\n\n"
               "Return what was sealed; nonce and aad: as for seal, None for a nonce that data begins with.\n\n"
               "Raises AuthenticationError if key, nonce, data and aad do not belong together; all else as seal.")},
    {"seal_into", FAST(locked_native_seal_into), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("seal_into($self, nonce, data, out, aad=b'')\n--\n\n"
               "Write what seal returns to the beginning of out and return the number of its bytes.\n\n"
               "out: a C-contiguous writable buffer of at least that many bytes. data may be the memory that its "
               "ciphertext is written to; other overlaps are an error.\n"
               "Raises as seal, and OutputLengthError, OverlapError; then nothing is sealed and out is as it was.")},
    {"open_into", FAST(locked_native_open_into), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("open_into($self, nonce, data, out, aad=b'')\n--\n\n"
               "Write what open returns to the beginning of out and return the number of its bytes.\n\n"
               "After AuthenticationError these bytes of out are zeros. out may begin where data's ciphertext does.\n"
               "Raises as open, and OutputLengthError, OverlapError.")},
    {"seal_batch", FAST(locked_native_seal_batch), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("seal_batch($self, nonces, packets, aads=None)\n--\n\n"
               "Return the list of what seal returns for each packet; several at once where that is faster, above all "
               "with CCM.\n\n"
               "nonces: as many buffers as packets, or None: random ones, each put before its packet's result. aads: "
               "as many buffers, or None.\n"
               "Raises as seal, and ValueError for unequal numbers; then nothing is sealed.")},
    {"open_batch", FAST(locked_native_open_batch), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("open_batch($self, nonces, packets, aads=None)\n--\n\n"
               "Return the list of what open returns for each packet, None for one that is not authentic.\n\n"
               "Arguments and errors as for seal_batch.")},
    {"seal_in_place", FAST(locked_native_seal_in_place), METH_FASTCALL,
     PyDoc_STR(
         "seal_in_place($self, nonces, packets, packet_bytes, /)\n--\n\n"
         "Seal the packets that lie one after another in a buffer, each in its place; return their number.\n\n"
         "packets: a C-contiguous writable buffer. Each packet has packet_bytes bytes, room for its tag of tag_bytes "
         "bytes included, behind the text for most AEADs; the last may be shorter. nonces: a C-contiguous buffer of "
         "as many nonces of one length, one after another. No associated data.\n"
         "Raises IVLengthError, LimitError, OverlapError, ValueError (no room for a tag), StateError, BufferError, "
         "TypeError; then nothing is sealed.")},
    {"open_in_place", FAST(locked_native_open_in_place), METH_FASTCALL,
     PyDoc_STR("open_in_place($self, nonces, packets, packet_bytes, /)\n--\n\n"
               "Open what seal_in_place sealed; return how many packets are authentic before the first that is not.\n\n"
               "The text of a packet that is not authentic becomes zeros; those behind it may be opened or not.\n"
               "Arguments and errors as for seal_in_place.")},
    {"wipe", locked_sealer_wipe, METH_NOARGS,
     PyDoc_STR("wipe($self)\n--\n\n"
               "Clear the key from memory; the sealer cannot be used any more. Leaving a with block does it, and so "
               "does the end of the object.")},
    {"__reduce__", native_reduce, METH_NOARGS, NULL},
    {"__enter__", sealer_enter, METH_NOARGS, NULL},
    {"__exit__", locked_sealer_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"name", sealer_name, NULL, PyDoc_STR("The name of the AEAD."), NULL},
    {"kernel", sealer_kernel, NULL, PyDoc_STR("The name of the kernel that runs."), NULL},
    {"tag_bytes", sealer_tag_bytes, NULL, PyDoc_STR("The size of its tags in bytes."), NULL},
    {"nonce_bytes", sealer_nonce_bytes, NULL, PyDoc_STR("The usual size of a nonce, that of a random one."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("An AEAD with a key, which seals and opens messages. Made by runnel.aead().\n\n"
                                  "Not for two threads at a time: a second one gets StateError.")},
    {Py_tp_dealloc, (void *)sealer_dealloc},
    {Py_tp_repr, (void *)locked_sealer_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec native_sealer_spec = {
    .name = "runnel.Sealer",
    .basicsize = sizeof(sealer_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
