/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names of ciphers, layouts, kernels and MACs: found in upper and lower case, and what to say of one that is unknown. */
#include "native.h"

int native_name(PyObject *object, const char *argument, int optional, native_name_text *name)
{
    name->folded[0] = '\0';
    name->found = NULL;
    int error =
        optional ? native_optional_text(object, argument, &name->given) : native_text(object, argument, &name->given);
    if (error < 0 || name->given == NULL)
        return error;
    size_t i = 0;
    for (; i < sizeof name->folded - 1 && name->given[i] != '\0'; i++) {
        const char c = name->given[i];
        name->folded[i] = (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    name->folded[i] = '\0';
    name->found = name->given[i] == '\0' ? name->folded : name->given; /* too long for any name */
    return 0;
}

PyObject *native_unknown_name(const char *what, const char *name, PyObject *known, const char *otherwise)
{
    PyObject *module = known != NULL ? PyImport_ImportModule("runnel._names") : NULL;
    PyObject *text =
        module != NULL ? PyObject_CallMethod(module, "unknown", "ssOs", what, name, known, otherwise) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(known);
    return text;
}
