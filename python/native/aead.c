/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel.Sealer: an AEAD with a key, which seals and opens one message at a time. */
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static native_state *state_of(PyObject *sealer)
{
    return PyType_GetModuleState(Py_TYPE(sealer));
}

int native_sealer_ready(sealer_object *sealer)
{
    native_state *state = state_of((PyObject *)sealer);
    if (sealer->busy)
        native_raise_of_aead(state, NATIVE_STATE, sealer->aead,
                             "another thread is using this sealer; give each thread one of its own");
    else if (sealer->context->aead == NULL)
        native_raise_of_aead(state, NATIVE_STATE, sealer->aead, "the sealer was wiped");
    else
        return 0;
    return -1;
}

/* ---- messages ---- */

int native_random(uint8_t *out, size_t bytes)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *random = os != NULL ? PyObject_CallMethod(os, "urandom", "n", (Py_ssize_t)bytes) : NULL;
    const int right = random != NULL && PyBytes_Check(random) && PyBytes_Size(random) == (Py_ssize_t)bytes;
    if (right)
        memcpy(out, PyBytes_AsString(random), bytes);
    else if (random != NULL)
        PyErr_Format(PyExc_TypeError, "os.urandom did not return %zu bytes", bytes);
    Py_XDECREF(random);
    Py_XDECREF(os);
    return right ? 0 : -1;
}

int native_check_random_nonce(sealer_object *sealer)
{
    if (sealer->aead->nonce_random)
        return 0;
    native_raise_of_aead(state_of((PyObject *)sealer), NATIVE_IV_LENGTH, sealer->aead,
                         "its nonces are not to be drawn at random; count them: see runnel.NonceCounter");
    return -1;
}

int native_check_nonce(sealer_object *sealer, const char *argument, Py_ssize_t bytes)
{
    const runnel_aead *aead = sealer->aead;
    char wanted[48];
    if (runnel_aead_takes_nonce(aead, (size_t)bytes))
        return 0;
    if (aead->nonce_max == UINT16_MAX)
        snprintf(wanted, sizeof wanted, "at least %u", (unsigned)aead->nonce_min);
    else if (aead->nonce_min < aead->nonce_max)
        snprintf(wanted, sizeof wanted, "%u to %u", (unsigned)aead->nonce_min, (unsigned)aead->nonce_max);
    else
        snprintf(wanted, sizeof wanted, "%u", (unsigned)aead->nonce_min);
    native_raise_of_aead(state_of((PyObject *)sealer), NATIVE_IV_LENGTH, aead, "%s has %zd byte%s, must have %s",
                         argument, bytes, bytes == 1 ? "" : "s", wanted);
    return -1;
}

size_t native_overhead(const sealer_object *sealer, int random)
{
    return sealer->tag_bytes + (random ? sealer->aead->nonce_default : 0u);
}

uint8_t *native_lay_out(const sealer_object *sealer, native_sealed *message, uint8_t *sealed, size_t bytes, int random)
{
    if (random) {
        message->nonce = sealed;
        message->nonce_bytes = sealer->aead->nonce_default;
        sealed += message->nonce_bytes;
    }
    message->bytes = bytes;
    message->tag = sealer->aead->tag_first ? sealed : sealed + bytes;
    return sealer->aead->tag_first ? sealed + sealer->tag_bytes : sealed;
}

PyObject *native_raise_sealed(sealer_object *sealer, const native_sealed *message, int error)
{
    native_state *state = state_of((PyObject *)sealer);
    switch (error) {
    case RUNNEL_ERR_TAG:
        return native_raise_of_aead(state, NATIVE_AUTHENTICATION, sealer->aead,
                                    "not authentic: the message, its associated data or its nonce was changed, or the "
                                    "key is another one");
    case RUNNEL_ERR_LIMIT:
        return native_raise_message_limit(state, sealer->aead, message->bytes, message->nonce_bytes);
    case RUNNEL_ERR_OVERLAP:
        return native_raise_of_aead(state, NATIVE_OVERLAP, sealer->aead,
                                    "out overlaps data by a part, or the nonce or the associated data; the text may "
                                    "stay in its place, all else must be apart");
    default:
        return native_raise_of_aead(state, NATIVE_ERROR, sealer->aead, "%s", runnel_error_text(error));
    }
}

/* Seals or opens, and gives up the interpreter's lock if the message is long. */
static int work(sealer_object *sealer, const native_sealed *m, int opening)
{
    runnel_aead_context *c = sealer->context;
    int error;
    sealer->busy = 1;
    PyThreadState *thread = m->bytes + m->aad_bytes >= NATIVE_UNLOCK_BYTES ? PyEval_SaveThread() : NULL;
    if (opening)
        error = runnel_aead_open(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->out, m->in, m->bytes, m->tag,
                                 sealer->tag_bytes);
    else
        error = runnel_aead_seal(c, m->nonce, m->nonce_bytes, m->aad, m->aad_bytes, m->out, m->in, m->bytes, m->tag,
                                 sealer->tag_bytes);
    if (thread != NULL)
        PyEval_RestoreThread(thread);
    sealer->busy = 0;
    return error;
}

/* The arguments of a call. An absent nonce, None, is one that is drawn at random and sent with the message. */
typedef struct request {
    Py_buffer nonce, data, aad, out; /* obj and buf NULL: none */
    int random;
} request;

static void release(request *r)
{
    PyBuffer_Release(&r->out);
    PyBuffer_Release(&r->aad);
    PyBuffer_Release(&r->data);
    PyBuffer_Release(&r->nonce);
}

/* Reads nonce, data, out if it is not NULL, and aad; 0, or -1 with an exception. The caller releases in both cases. */
static int read_request(sealer_object *sealer, request *r, PyObject *nonce, PyObject *data, PyObject *out,
                        PyObject *aad)
{
    memset(r, 0, sizeof *r);
    r->random = Py_IsNone(nonce);
    if (r->random ? native_check_random_nonce(sealer) < 0 : native_read_buffer(nonce, "nonce", &r->nonce) < 0)
        return -1;
    if (native_read_buffer(data, "data", &r->data) < 0)
        return -1;
    if (aad != NULL && native_read_buffer(aad, "aad", &r->aad) < 0)
        return -1;
    if (out != NULL && native_write_buffer(out, "out", &r->out) < 0)
        return -1;
    return r->random ? 0 : native_check_nonce(sealer, "nonce", r->nonce.len);
}

static native_sealed message_of(const request *r)
{
    return (native_sealed){
        .nonce = r->nonce.buf,
        .nonce_bytes = (size_t)r->nonce.len,
        .aad = r->aad.buf,
        .aad_bytes = (size_t)r->aad.len,
    };
}

/* Tells whether `bytes` bytes at `place` are among what is sealed or authenticated. */
static int is_read(const native_sealed *m, const uint8_t *place, size_t bytes)
{
    return runnel_ranges_overlap(place, bytes, m->in, m->bytes) ||
           runnel_ranges_overlap(place, bytes, m->aad, m->aad_bytes);
}

/* Seals r's data to `sealed`, native_overhead bytes longer; 0, or -1 with an exception, and then `sealed` is as it was. A
 * random nonce is written last. */
static int seal_to(sealer_object *sealer, const request *r, uint8_t *sealed)
{
    uint8_t drawn[UINT8_MAX];
    native_sealed m = message_of(r);
    m.in = r->data.buf;
    m.out = native_lay_out(sealer, &m, sealed, (size_t)r->data.len, r->random);
    int error = RUNNEL_OK;
    if (is_read(&m, m.tag, sealer->tag_bytes))
        error = RUNNEL_ERR_OVERLAP; /* of the text the library sees it */
    if (r->random) {
        if (is_read(&m, sealed, m.nonce_bytes))
            error = RUNNEL_ERR_OVERLAP;
        m.nonce = drawn;
        if (native_random(drawn, m.nonce_bytes) < 0)
            return -1;
    } else if (runnel_ranges_overlap(m.nonce, m.nonce_bytes, m.tag, sealer->tag_bytes)) {
        error = RUNNEL_ERR_OVERLAP;
    }
    if (native_sealer_ready(sealer) < 0)
        return -1;
    if (!error)
        error = work(sealer, &m, 0);
    if (error)
        native_raise_sealed(sealer, &m, error);
    else if (r->random)
        memcpy(sealed, drawn, m.nonce_bytes);
    return error ? -1 : 0;
}

/* Returns how many bytes r's data opens to, or -1 with AuthenticationError where it is too short. */
static Py_ssize_t opened_bytes(sealer_object *sealer, const request *r)
{
    const Py_ssize_t overhead = (Py_ssize_t)native_overhead(sealer, r->random);
    if (r->data.len >= overhead)
        return r->data.len - overhead;
    native_raise_of_aead(state_of((PyObject *)sealer), NATIVE_AUTHENTICATION, sealer->aead,
                         "not authentic: data has %zd byte%s, a sealed message at least %zd", r->data.len,
                         r->data.len == 1 ? "" : "s", overhead);
    return -1;
}

/* Opens r's data, `bytes` bytes of text; 0, or -1 with an exception. */
static int open_to(sealer_object *sealer, const request *r, uint8_t *out, size_t bytes)
{
    native_sealed m = message_of(r);
    m.in = native_lay_out(sealer, &m, r->data.buf, bytes, r->random); /* of which nothing is written */
    m.out = out;
    if (native_sealer_ready(sealer) < 0)
        return -1;
    const int error = work(sealer, &m, 1);
    if (error)
        native_raise_sealed(sealer, &m, error);
    return error ? -1 : 0;
}

static PyObject *to_bytes(PyObject *self, const char *name, int opening, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames)
{
    static const char *const names[] = {"nonce", "data", "aad", NULL};
    sealer_object *sealer = (sealer_object *)self;
    PyObject *values[3], *result = NULL;
    request r;
    if (native_arguments(name, names, 2, 3, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_request(sealer, &r, values[0], values[1], NULL, values[2]) == 0) {
        const Py_ssize_t bytes =
            opening ? opened_bytes(sealer, &r) : r.data.len + (Py_ssize_t)native_overhead(sealer, r.random);
        result = bytes >= 0 ? native_result_new(bytes) : NULL;
        if (result != NULL) {
            uint8_t *out = (uint8_t *)PyBytes_AsString(result);
            if ((opening ? open_to(sealer, &r, out, (size_t)bytes) : seal_to(sealer, &r, out)) < 0)
                Py_CLEAR(result);
        }
    }
    release(&r);
    return result;
}

static PyObject *seal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_bytes(self, "seal", 0, args, nargs, kwnames);
}

static PyObject *open_sealed(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_bytes(self, "open", 1, args, nargs, kwnames);
}

static PyObject *to_buffer(PyObject *self, const char *name, int opening, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames)
{
    static const char *const names[] = {"nonce", "data", "out", "aad", NULL};
    sealer_object *sealer = (sealer_object *)self;
    PyObject *values[4], *result = NULL;
    request r;
    if (native_arguments(name, names, 3, 4, args, nargs, kwnames, values) < 0)
        return NULL;
    if (read_request(sealer, &r, values[0], values[1], values[2], values[3]) == 0) {
        const Py_ssize_t bytes =
            opening ? opened_bytes(sealer, &r) : r.data.len + (Py_ssize_t)native_overhead(sealer, r.random);
        if (bytes > r.out.len)
            native_raise_of_aead(state_of(self), NATIVE_OUTPUT_LENGTH, sealer->aead,
                                 "%s writes %zd bytes, out has only %zd", name, bytes, r.out.len);
        else if (bytes >= 0 &&
                 (opening ? open_to(sealer, &r, r.out.buf, (size_t)bytes) : seal_to(sealer, &r, r.out.buf)) == 0)
            result = PyLong_FromSsize_t(bytes);
    }
    release(&r);
    return result;
}

static PyObject *seal_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_buffer(self, "seal_into", 0, args, nargs, kwnames);
}

static PyObject *open_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_buffer(self, "open_into", 1, args, nargs, kwnames);
}

/* ---- the object ---- */

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

NATIVE_LOCKED_WORDS(seal)
NATIVE_LOCKED_WORDS(open_sealed)
NATIVE_LOCKED_WORDS(seal_into)
NATIVE_LOCKED_WORDS(open_into)
NATIVE_LOCKED_WORDS(native_seal_batch)
NATIVE_LOCKED_WORDS(native_open_batch)
NATIVE_LOCKED_FAST(native_seal_in_place)
NATIVE_LOCKED_FAST(native_open_in_place)
NATIVE_LOCKED_ONE(sealer_wipe)
NATIVE_LOCKED_ONE(sealer_exit)
NATIVE_LOCKED_REPR(sealer_repr)

#define FAST(function) (PyCFunction)(void (*)(void)) function

static PyMethodDef methods[] = {
    {"seal", FAST(locked_seal), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR(
         "seal($self, nonce, data, aad=b'')\n--\n\n"
         "Return data encrypted, len(data) bytes, and behind it the tag of tag_bytes bytes.\n\n"
         "nonce: a C-contiguous buffer of a length that the AEAD takes, never the same twice under one key; None: a "
         "random one of nonce_bytes bytes, put before the result, where the AEAD has nonce_random.\n"
         "data: any C-contiguous buffer. aad: associated data, which is authenticated and not sent.\n"
         "Raises IVLengthError, LimitError (too long for the AEAD), StateError, BufferError, TypeError.")},
    {"open", FAST(locked_open_sealed), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("open($self, nonce, data, aad=b'')\n--\n\n"
               "Return what was sealed; nonce and aad: as for seal, None for a nonce that data begins with.\n\n"
               "Raises AuthenticationError if key, nonce, data and aad do not belong together; all else as seal.")},
    {"seal_into", FAST(locked_seal_into), METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("seal_into($self, nonce, data, out, aad=b'')\n--\n\n"
               "Write what seal returns to the beginning of out and return the number of its bytes.\n\n"
               "out: a C-contiguous writable buffer of at least that many bytes. data may be the memory that its "
               "ciphertext is written to; other overlaps are an error.\n"
               "Raises as seal, and OutputLengthError, OverlapError; then nothing is sealed and out is as it was.")},
    {"open_into", FAST(locked_open_into), METH_FASTCALL | METH_KEYWORDS,
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
