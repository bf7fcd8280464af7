/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Methods of runnel.Sealer for one message at a time, and how a sealed message lies in memory. */
#include "native.h"

#include <stdio.h>
#include <string.h>

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
    native_raise_of_aead(native_sealer_state(sealer), NATIVE_IV_LENGTH, sealer->aead,
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
    native_raise_of_aead(native_sealer_state(sealer), NATIVE_IV_LENGTH, aead, "%s has %zd byte%s, must have %s",
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
    native_state *state = native_sealer_state(sealer);
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
    native_raise_of_aead(native_sealer_state(sealer), NATIVE_AUTHENTICATION, sealer->aead,
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

/* Returns how many bytes a request writes, or -1 with an exception. */
static Py_ssize_t written_bytes(sealer_object *sealer, const request *r, int opening)
{
    return opening ? opened_bytes(sealer, r) : r->data.len + (Py_ssize_t)native_overhead(sealer, r->random);
}

/* Seals or opens a request to out, which has room for so many bytes. Returns 0, or -1 with an exception. */
static int write_to(sealer_object *sealer, const request *r, uint8_t *out, size_t bytes, int opening)
{
    return opening ? open_to(sealer, r, out, bytes) : seal_to(sealer, r, out);
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
        const Py_ssize_t bytes = written_bytes(sealer, &r, opening);
        result = bytes >= 0 ? native_result_new(bytes) : NULL;
        if (result != NULL) {
            uint8_t *out = (uint8_t *)PyBytes_AsString(result);
            if (write_to(sealer, &r, out, (size_t)bytes, opening) < 0)
                Py_CLEAR(result);
        }
    }
    release(&r);
    return result;
}

PyObject *native_seal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_bytes(self, "seal", 0, args, nargs, kwnames);
}

PyObject *native_open(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
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
        const Py_ssize_t bytes = written_bytes(sealer, &r, opening);
        if (bytes > r.out.len)
            native_raise_of_aead(native_sealer_state(sealer), NATIVE_OUTPUT_LENGTH, sealer->aead,
                                 "%s writes %zd bytes, out has only %zd", name, bytes, r.out.len);
        else if (bytes >= 0 && write_to(sealer, &r, r.out.buf, (size_t)bytes, opening) == 0)
            result = PyLong_FromSsize_t(bytes);
    }
    release(&r);
    return result;
}

PyObject *native_seal_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_buffer(self, "seal_into", 0, args, nargs, kwnames);
}

PyObject *native_open_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return to_buffer(self, "open_into", 1, args, nargs, kwnames);
}
