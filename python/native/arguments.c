/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From Python's objects to C's values. */
#include "native.h"

#include <string.h>

/* Returns "ivs[3]", or without an index (-1) "ivs". */
static PyObject *item_name(const char *argument, Py_ssize_t index)
{
    return index < 0 ? PyUnicode_FromString(argument) : PyUnicode_FromFormat("%s[%zd]", argument, index);
}

/* Says which argument it was in the exception that PyObject_GetBuffer raised. */
static void explain(PyObject *object, const char *argument, Py_ssize_t index, int flags)
{
    const char *writable = flags & PyBUF_WRITABLE ? "writable " : "";
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *name = item_name(argument, index);
    PyObject *kind = PyType_GetName(Py_TYPE(object));
    if (name == NULL || kind == NULL)
        ; /* the exception of that */
    else if (PyErr_GivenExceptionMatches(type, PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%U must be a %sbuffer (bytes, bytearray, memoryview ...), not %U", name,
                     writable, kind);
    else if (PyErr_GivenExceptionMatches(type, PyExc_BufferError) ||
             PyErr_GivenExceptionMatches(type, PyExc_ValueError))
        PyErr_Format(PyExc_BufferError, "%U must be a contiguous %sbuffer; %U: %S", name, writable, kind,
                     value != NULL ? value : Py_None);
    else {
        PyErr_Restore(type, value, traceback);
        type = value = traceback = NULL;
    }
    Py_XDECREF(name);
    Py_XDECREF(kind);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static int get_buffer(PyObject *object, const char *argument, Py_ssize_t index, Py_buffer *view, int flags)
{
    if (PyObject_GetBuffer(object, view, flags) == 0)
        return 0;
    explain(object, argument, index, flags);
    return -1;
}

int native_read_item(PyObject *object, const char *argument, Py_ssize_t index, Py_buffer *view)
{
    if (PyBytes_CheckExact(object)) { /* immutable: needs no export, only a reference, which the caller has */
        view->obj = NULL;
        view->buf = PyBytes_AsString(object);
        view->len = PyBytes_Size(object);
        return 0;
    }
    return get_buffer(object, argument, index, view, PyBUF_SIMPLE);
}

int native_read_buffer(PyObject *object, const char *argument, Py_buffer *view)
{
    return native_read_item(object, argument, -1, view);
}

PyObject *native_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *name = PyType_GetQualName(Py_TYPE(self));
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "a runnel.%U cannot be copied or pickled: it holds a key", name);
    Py_XDECREF(name);
    return NULL;
}

int native_write_buffer(PyObject *object, const char *argument, Py_buffer *view)
{
    return get_buffer(object, argument, -1, view, PyBUF_WRITABLE);
}

int native_arguments(const char *function, const char *const *names, int required, int positional,
                     PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **values)
{
    int count = 0;
    while (names[count] != NULL)
        values[count++] = NULL;
    if (nargs > positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", function, positional,
                     nargs);
        return -1;
    }
    for (Py_ssize_t i = 0; i < nargs; i++)
        values[i] = args[i];
    Py_ssize_t named = kwnames != NULL ? PyTuple_Size(kwnames) : 0;
    for (Py_ssize_t k = 0; k < named; k++) {
        PyObject *name = PyTuple_GetItem(kwnames, k);
        int i = 0;
        while (i < count && PyUnicode_CompareWithASCIIString(name, names[i]) != 0)
            i++;
        if (i == count) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, name);
            return -1;
        }
        if (values[i] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", function, names[i]);
            return -1;
        }
        values[i] = args[nargs + k];
    }
    for (int i = 0; i < required; i++)
        if (values[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", function, names[i]);
            return -1;
        }
    return 0;
}

static int wrong_type(const char *argument, const char *wanted, PyObject *object)
{
    PyObject *name = PyType_GetName(Py_TYPE(object));
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", argument, wanted, name);
    Py_XDECREF(name);
    return -1;
}

int native_text(PyObject *object, const char *argument, const char **text)
{
    if (!PyUnicode_Check(object))
        return wrong_type(argument, "a str", object);
    Py_ssize_t bytes;
    const char *utf8 = PyUnicode_AsUTF8AndSize(object, &bytes);
    if (utf8 == NULL)
        return -1;
    if (memchr(utf8, '\0', (size_t)bytes) != NULL) {
        PyErr_Format(PyExc_ValueError, "%s contains a null character", argument);
        return -1;
    }
    *text = utf8;
    return 0;
}

int native_optional_text(PyObject *object, const char *argument, const char **text)
{
    *text = NULL;
    if (object == NULL || object == Py_None)
        return 0;
    if (!PyUnicode_Check(object))
        return wrong_type(argument, "a str or None", object);
    return native_text(object, argument, text);
}

int native_uint64(PyObject *object, const char *argument, uint64_t *value)
{
    if (!PyIndex_Check(object))
        return wrong_type(argument, "an integer", object);
    PyObject *number = PyNumber_Index(object);
    if (number == NULL)
        return -1;
    unsigned long long result = PyLong_AsUnsignedLongLong(number);
    if (result == (unsigned long long)-1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyObject *text = PyObject_Str(number); /* Python has none for thousands of digits */
            PyErr_Clear();
            PyErr_Format(PyExc_OverflowError, "%s must be from 0 to 2**64 - 1, not %V", argument, text,
                         "one of thousands of digits");
            Py_XDECREF(text);
        }
        Py_DECREF(number);
        return -1;
    }
    Py_DECREF(number);
    *value = result;
    return 0;
}
