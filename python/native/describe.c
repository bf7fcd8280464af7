/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Descriptions of the library's ciphers and of this CPU, as dicts, lists and strings. */
#include "native.h"

PyObject *native_lengths(const runnel_lengths *l)
{
    const unsigned count = runnel_lengths_count(l);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (unsigned i = 0; tuple != NULL && i < count; i++) {
        PyObject *number = PyLong_FromSize_t(runnel_lengths_at(l, i));
        if (number == NULL || PyTuple_SetItem(tuple, i, number) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *native_append(PyObject *list, PyObject *item)
{
    if (list != NULL && (item == NULL || PyList_Append(list, item) < 0))
        Py_CLEAR(list);
    Py_XDECREF(item);
    return list;
}

/* Turns a list into a tuple, in place of it. */
static PyObject *frozen(PyObject *list)
{
    PyObject *tuple = list != NULL ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

static PyObject *feature_names(uint32_t features)
{
    PyObject *list = PyList_New(0);
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if ((features & bit) && runnel_cpu_name(bit) != NULL)
            list = native_append(list, PyUnicode_FromString(runnel_cpu_name(bit)));
    return frozen(list);
}

static PyObject *layouts(const runnel_cipher *cipher)
{
    PyObject *list = PyList_New(0);
    for (int i = 1; i < RUNNEL_LAYOUTS; i++)
        if (cipher->layouts >> i & 1)
            list = native_append(list, PyUnicode_FromString(runnel_layout_name(i)));
    return frozen(list);
}

static PyObject *truth(int value)
{
    return Py_NewRef(value ? Py_True : Py_False);
}

int native_cipher_kernel(const void *described, size_t index, runnel_kernel_info *info)
{
    return runnel_cipher_kernel(described, index, info);
}

int native_aead_kernel(const void *described, size_t index, runnel_kernel_info *info)
{
    return runnel_aead_kernel_at(described, index, info);
}

static PyObject *kernels(native_kernel_at at, const void *described)
{
    PyObject *list = PyList_New(0);
    runnel_kernel_info info;
    for (size_t i = 0; at(described, i, &info) == RUNNEL_OK; i++)
        list =
            native_append(list, Py_BuildValue("{s:s,s:s,s:N,s:N,s:s,s:N}", "name", info.name, "timing_class",
                                              info.timing == RUNNEL_CONSTANT_TIME ? "constant-time" : "secret-indexed",
                                              "available", truth(info.available), "chosen", truth(info.chosen),
                                              "citation", info.citation, "cpu", feature_names(info.cpu)));
    return frozen(list);
}

static const char *const statuses[] = {"recommended", "legacy", "broken"};

static PyObject *describe(const runnel_cipher *c)
{
    static const char *const modes[] = {
        [RUNNEL_MODE_STREAM] = "stream", [RUNNEL_MODE_CTR] = "ctr", [RUNNEL_MODE_CFB] = "cfb"};
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:s,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:z,s:k,s:s,s:z,s:N}", "name", c->name, "family", c->family,
        "title", c->title, "mode", modes[c->mode], "status", statuses[c->status], "key_bytes",
        native_lengths(&c->key_bytes), "iv_bytes", native_lengths(&c->iv_bytes), "iv_as_key", truth(c->iv_as_key),
        "seekable", truth(c->seekable), "directional", truth(c->directions != NULL), "layouts", layouts(c), "layout",
        c->layout != 0 ? runnel_layout_name(c->layout) : NULL, "context_bytes", (unsigned long)c->context_bytes,
        "source", c->source, "remark", c->remark, "kernels", kernels(native_cipher_kernel, c));
}

PyObject *native_ciphers(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    const runnel_cipher *cipher;
    for (size_t i = 0; (cipher = runnel_cipher_at(i)) != NULL; i++)
        list = native_append(list, describe(cipher));
    return list;
}

static PyObject *tag_lengths(const runnel_aead *a)
{
    PyObject *list = PyList_New(0);
    for (size_t bytes = 0; bytes <= RUNNEL_AEAD_TAG_MAX; bytes++)
        if (runnel_aead_takes_tag(a, bytes))
            list = native_append(list, PyLong_FromSize_t(bytes));
    return frozen(list);
}

/* A number, or None for the one that stands for no limit. */
static PyObject *limit(uint64_t value, uint64_t none)
{
    return value == none ? Py_NewRef(Py_None) : PyLong_FromUnsignedLongLong(value);
}

static PyObject *describe_aead(const runnel_aead *a)
{
    return Py_BuildValue(
        "{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:N,s:N,s:i,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:s,s:N,s:k,s:s,s:z,s:N}", "name",
        a->name, "family", a->family, "title", a->title, "status", statuses[a->status], "key_bytes", (int)a->key_bytes,
        "nonce_bytes", (int)a->nonce_default, "nonce_min", (int)a->nonce_min, "nonce_max",
        limit(a->nonce_max, UINT16_MAX), "nonce_random", truth(a->nonce_random), "tag_bytes", (int)a->tag_default,
        "tag_lengths", tag_lengths(a), "tag_first", truth(a->tag_first), "multipart", truth(a->multipart),
        "lengths_first", truth(a->lengths_first), "message_bytes",
        limit(runnel_aead_plaintext_max(a, a->nonce_default), UINT64_MAX), "aad_bytes", limit(a->aad_max, UINT64_MAX),
        "messages", limit(a->messages, 0), "nonce_reuse", a->nonce_reuse, "commits", truth(a->commits), "context_bytes",
        (unsigned long)a->context_bytes, "source", a->source, "remark", a->remark, "kernels",
        kernels(native_aead_kernel, a));
}

PyObject *native_aeads(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    const runnel_aead *aead;
    for (size_t i = 0; (aead = runnel_aead_at(i)) != NULL; i++)
        list = native_append(list, describe_aead(aead));
    return list;
}

PyObject *native_cpu_names(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return feature_names(UINT32_MAX);
}

PyObject *native_cpu_unknown(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    size_t bytes;
    const char *word = runnel_cpu_unknown(NULL, &bytes);
    return word != NULL ? PyUnicode_DecodeFSDefaultAndSize(word, (Py_ssize_t)bytes) : Py_NewRef(Py_None);
}

/* RUNNEL_CPU: unknown CPU feature 'word'; … */
static PyObject *unknown_message(PyObject *word)
{
    PyObject *comma = PyUnicode_FromString(", "), *list = feature_names(UINT32_MAX), *known = NULL, *message = NULL;
    if (comma != NULL && list != NULL)
        known = PyUnicode_Join(comma, list);
    if (known != NULL)
        message = PyUnicode_FromFormat("RUNNEL_CPU: unknown CPU feature %R; known are %U, all and none", word, known);
    Py_XDECREF(comma);
    Py_XDECREF(list);
    Py_XDECREF(known);
    return message;
}

PyObject *native_cpu_complaint(PyObject *module, PyObject *unused)
{
    PyObject *word = native_cpu_unknown(module, unused);
    if (word == NULL || Py_IsNone(word))
        return word;
    PyObject *message = unknown_message(word);
    Py_DECREF(word);
    return message;
}

int native_check_cpu(native_state *state)
{
    if (atomic_load_explicit(&state->checked_cpu, memory_order_relaxed) || atomic_exchange(&state->checked_cpu, 1))
        return 0;
    PyObject *message = native_cpu_complaint(NULL, NULL);
    int result = message == NULL      ? -1
                 : Py_IsNone(message) ? 0
                                      : PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%U", message);
    Py_XDECREF(message);
    return result;
}

PyObject *native_cpu_features(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return feature_names(runnel_cpu());
}
