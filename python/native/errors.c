/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The exceptions and their texts: what was wrong, and where. */
#include "native.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *doc;
    int second_base; /* of bases[] */
} errors[NATIVE_ERRORS] = {
    [NATIVE_ERROR] = {"runnel.Error",
                      "Base of all errors of this package. Attribute cipher: the name of the cipher or AEAD, or None.",
                      0},
    [NATIVE_UNKNOWN_CIPHER] = {"runnel.UnknownCipherError", "No cipher has this name.", 1},
    [NATIVE_BROKEN_CIPHER] = {"runnel.BrokenCipherError",
                              "The cipher is broken, or its key shorter than 16 bytes, and allow_broken is not set.",
                              1},
    [NATIVE_KEY_LENGTH] = {"runnel.KeyLengthError", "The cipher, AEAD or MAC has no key of this length.", 1},
    [NATIVE_IV_LENGTH] = {"runnel.IVLengthError", "The cipher has no IV, the AEAD no nonce, of this length.", 1},
    [NATIVE_LAYOUT] = {"runnel.LayoutError", "The cipher does not count in this counter layout.", 1},
    [NATIVE_KERNEL] = {"runnel.KernelError",
                       "The cipher or AEAD has no kernel of this name, or this CPU cannot run it.", 1},
    [NATIVE_LIMIT] =
        {"runnel.LimitError",
         "The keystream ends, or would repeat, before the last byte asked for; an AEAD's message is too long; a "
         "counter of nonces has come to its end.\n\n"
         "Attributes: position (bytes from the IV; a counter's number) and end (the position at which the "
         "keystream ends; the bytes that a message may have; how many numbers there are).",
         1},
    [NATIVE_SEEK] = {"runnel.SeekError", "The cipher cannot seek.", 1},
    [NATIVE_DIRECTION] = {"runnel.DirectionError",
                          "The cipher encrypts and decrypts differently: it has no xor and no keystream.", 1},
    [NATIVE_OVERLAP] = {"runnel.OverlapError", "What is written overlaps what is read without being the same memory.",
                        1},
    [NATIVE_OUTPUT_LENGTH] = {"runnel.OutputLengthError", "out is too short.", 1},
    [NATIVE_AUTHENTICATION] = {"runnel.AuthenticationError",
                               "The data does not authenticate: it was changed, cut or extended, or the key or the "
                               "associated data is another one.",
                               0},
    [NATIVE_UNKNOWN_MAC] = {"runnel.UnknownMACError", "No MAC has this name.", 1},
    [NATIVE_TAG_LENGTH] = {"runnel.TagLengthError", "The MAC or AEAD has no tag of this length.", 1},
    [NATIVE_UNKNOWN_AEAD] = {"runnel.UnknownAEADError", "No AEAD has this name.", 1},
    [NATIVE_STATE] = {"runnel.StateError", "The object was wiped, or another thread is using it.", 2},
};

int native_add_errors(PyObject *module, native_state *state)
{
    PyObject *const bases[] = {PyExc_Exception, PyExc_ValueError, PyExc_RuntimeError};
    for (int i = 0; i < NATIVE_ERRORS; i++) {
        PyObject *base = bases[errors[i].second_base];
        PyObject *all = i == NATIVE_ERROR ? PyTuple_Pack(1, base) : PyTuple_Pack(2, state->errors[NATIVE_ERROR], base);
        if (all == NULL)
            return -1;
        state->errors[i] = PyErr_NewExceptionWithDoc(errors[i].name, errors[i].doc, all, NULL);
        Py_DECREF(all);
        if (state->errors[i] == NULL ||
            PyModule_AddObjectRef(module, strrchr(errors[i].name, '.') + 1, state->errors[i]) < 0)
            return -1;
    }
    return PyObject_SetAttrString(state->errors[NATIVE_ERROR], "cipher", Py_None);
}

static int set_number(PyObject *object, const char *name, uint64_t value)
{
    PyObject *number = PyLong_FromUnsignedLongLong(value);
    int result = number == NULL ? -1 : PyObject_SetAttrString(object, name, number);
    Py_XDECREF(number);
    return result;
}

/* Returns a new exception object for a text that this function takes over, or NULL. of: the name of the cipher or AEAD,
 * or NULL. */
static PyObject *make(native_state *state, native_error which, const char *of, PyObject *text)
{
    if (text == NULL)
        return NULL;
    PyObject *whole = of != NULL ? PyUnicode_FromFormat("%s: %U", of, text) : Py_NewRef(text);
    Py_DECREF(text);
    if (whole == NULL)
        return NULL;
    PyObject *error = PyObject_CallFunctionObjArgs(state->errors[which], whole, NULL);
    Py_DECREF(whole);
    if (error == NULL || of == NULL)
        return error;
    PyObject *name = PyUnicode_FromString(of);
    int failed = name == NULL || PyObject_SetAttrString(error, "cipher", name) < 0;
    Py_XDECREF(name);
    if (failed)
        Py_CLEAR(error);
    return error;
}

static const char *name_of(const runnel_cipher *cipher)
{
    return cipher != NULL ? cipher->name : NULL;
}

/* Raises an exception with a text that this takes over, or leaves the one that made it NULL. Returns NULL. */
static PyObject *raise_text(native_state *state, native_error which, const char *of, PyObject *text)
{
    PyObject *error = make(state, which, of, text);
    if (error != NULL)
        PyErr_SetObject(state->errors[which], error);
    Py_XDECREF(error);
    return NULL;
}

PyObject *native_raise(native_state *state, native_error which, const runnel_cipher *cipher, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_text(state, which, name_of(cipher), PyUnicode_FromFormatV(format, arguments));
    va_end(arguments);
    return NULL;
}

PyObject *native_raise_of_aead(native_state *state, native_error which, const runnel_aead *aead, const char *format,
                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_text(state, which, aead->name, PyUnicode_FromFormatV(format, arguments));
    va_end(arguments);
    return NULL;
}

/* Raises LimitError with a text that this takes over. Returns NULL. */
static PyObject *raise_limit(native_state *state, const char *of, PyObject *text, uint64_t position, uint64_t end)
{
    PyObject *error = make(state, NATIVE_LIMIT, of, text);
    if (error != NULL && set_number(error, "position", position) == 0 && set_number(error, "end", end) == 0)
        PyErr_SetObject(state->errors[NATIVE_LIMIT], error);
    Py_XDECREF(error);
    return NULL;
}

PyObject *native_raise_limit(native_state *state, const runnel_cipher *cipher, uint64_t position, uint64_t bytes,
                             uint64_t end)
{
    PyObject *text = bytes > 0 ? PyUnicode_FromFormat("position %llu + %llu bytes runs past the end of the keystream "
                                                      "at %llu",
                                                      (unsigned long long)position, (unsigned long long)bytes,
                                                      (unsigned long long)end)
                               : PyUnicode_FromFormat("position %llu is past the end of the keystream at %llu",
                                                      (unsigned long long)position, (unsigned long long)end);
    return raise_limit(state, name_of(cipher), text, position, end);
}

PyObject *native_raise_message_limit(native_state *state, const runnel_aead *aead, size_t bytes, size_t nonce_bytes)
{
    const uint64_t most = runnel_aead_plaintext_max(aead, nonce_bytes);
    if (bytes <= most)
        return raise_limit(
            state, aead->name,
            PyUnicode_FromFormat("associated data may have at most %llu bytes", (unsigned long long)aead->aad_max), 0,
            aead->aad_max);
    return raise_limit(state, aead->name,
                       PyUnicode_FromFormat("a message of %zu bytes; under a nonce of %zu it may have at most %llu",
                                            bytes, nonce_bytes, (unsigned long long)most),
                       0, most);
}

/* Writes "16", "16 or 32", "16, 24 or 32"; from five on "1 to 64" or "16 to 256 in steps of 16". */
static void list_lengths(char text[64], const runnel_lengths *lengths)
{
    const unsigned count = runnel_lengths_count(lengths);
    if (count > 4) {
        int used = snprintf(text, 64, "%u to %u", (unsigned)lengths->first, (unsigned)lengths->last);
        if (lengths->step > 1)
            snprintf(text + used, 64 - (size_t)used, " in steps of %u", (unsigned)lengths->step);
        return;
    }
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1u == count ? " or " : ", ";
        used += (size_t)snprintf(text + used, 64 - used, "%s%zu", before, runnel_lengths_at(lengths, i));
    }
}

int native_check_length(native_state *state, native_error which, const runnel_cipher *cipher,
                        const runnel_lengths *lengths, const char *what, Py_ssize_t bytes)
{
    char text[64];
    for (unsigned i = 0; i < runnel_lengths_count(lengths); i++)
        if (runnel_lengths_at(lengths, i) == (size_t)bytes)
            return 0;
    list_lengths(text, lengths);
    native_raise(state, which, cipher, "%s has %zd byte%s, must have %s", what, bytes, bytes == 1 ? "" : "s", text);
    return -1;
}

int native_check_key(native_state *state, const runnel_cipher *cipher, Py_ssize_t bytes)
{
    return native_check_length(state, NATIVE_KEY_LENGTH, cipher, &cipher->key_bytes, "key", bytes);
}

int native_check_iv(native_state *state, const runnel_cipher *cipher, size_t key_bytes, const char *argument,
                    Py_ssize_t bytes)
{
    if (cipher->iv_as_key && key_bytes > 0 && (size_t)bytes != key_bytes) {
        native_raise(state, NATIVE_IV_LENGTH, cipher, "%s has %zd byte%s, must have %zu as the key has", argument,
                     bytes, bytes == 1 ? "" : "s", key_bytes);
        return -1;
    }
    return native_check_length(state, NATIVE_IV_LENGTH, cipher, &cipher->iv_bytes, argument, bytes);
}

/* Raises with a name and a list of words, which this releases, in the place of %s and %U. Returns NULL, also for NULL. */
static PyObject *raise_list(native_state *state, native_error which, const char *of, const char *format,
                            const char *name, PyObject *words)
{
    PyObject *comma = words != NULL ? PyUnicode_FromString(", ") : NULL;
    PyObject *text = comma != NULL ? PyUnicode_Join(comma, words) : NULL;
    if (text != NULL)
        raise_text(state, which, of, PyUnicode_FromFormat(format, name, text));
    Py_XDECREF(text);
    Py_XDECREF(comma);
    Py_XDECREF(words);
    return NULL;
}

PyObject *native_raise_cipher(native_state *state, const char *name)
{
    PyObject *names = PyList_New(0);
    const runnel_cipher *cipher;
    for (size_t i = 0; (cipher = runnel_cipher_at(i)) != NULL; i++)
        names = native_append(names, PyUnicode_FromString(cipher->name));
    return raise_text(state, NATIVE_UNKNOWN_CIPHER, NULL,
                      native_unknown_name("cipher", name, names, "; runnel.ciphers() lists them"));
}

PyObject *native_raise_aead(native_state *state, const char *name)
{
    PyObject *names = PyList_New(0);
    const runnel_aead *aead;
    for (size_t i = 0; (aead = runnel_aead_at(i)) != NULL; i++)
        names = native_append(names, PyUnicode_FromString(aead->name));
    return raise_text(state, NATIVE_UNKNOWN_AEAD, NULL,
                      native_unknown_name("AEAD", name, names, "; runnel.aeads() lists them"));
}

/* Says which features of the CPU a kernel lacks. */
static PyObject *raise_cpu(native_state *state, const char *of, const runnel_kernel_info *info)
{
    PyObject *names = PyList_New(0);
    for (uint32_t missing = info->cpu & ~runnel_cpu(), bit = 1; bit != 0; bit <<= 1)
        if (missing & bit)
            names = native_append(names, PyUnicode_FromString(runnel_cpu_name(bit) != NULL ? runnel_cpu_name(bit)
                                                                                           : "an unnamed feature"));
    return raise_list(state, NATIVE_KERNEL, of,
                      "kernel '%s' needs CPU features that are absent or masked by RUNNEL_CPU: %U", info->name, names);
}

PyObject *native_raise_kernel(native_state *state, const char *of, native_kernel_at at, const void *described,
                              const native_name_text *kernel)
{
    PyObject *names = PyList_New(0);
    runnel_kernel_info info;
    for (size_t i = 0; at(described, i, &info) == RUNNEL_OK; i++) {
        if (kernel->found != NULL && strcmp(info.name, kernel->found) == 0) {
            Py_XDECREF(names);
            return raise_cpu(state, of, &info);
        }
        names = native_append(names, PyUnicode_FromString(info.name));
    }
    if (kernel->given != NULL)
        return raise_text(state, NATIVE_KERNEL, of, native_unknown_name("kernel", kernel->given, names, NULL));
    return raise_list(state, NATIVE_KERNEL, of, "%sno kernel may run by default on this CPU; by name: %U", "", names);
}

PyObject *native_raise_layout(native_state *state, const runnel_cipher *cipher, const char *layout)
{
    if (cipher->layout == 0)
        return native_raise(state, NATIVE_LAYOUT, cipher, "not a counter mode, so it takes no layout ('%s')", layout);
    PyObject *names = PyList_New(0);
    for (int i = 1; i < RUNNEL_LAYOUTS; i++)
        if (cipher->layouts >> i & 1)
            names = native_append(names, PyUnicode_FromString(runnel_layout_name(i)));
    return raise_list(state, NATIVE_LAYOUT, cipher->name, "no counter layout '%s', only %U", layout, names);
}
