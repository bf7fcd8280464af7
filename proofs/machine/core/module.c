/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The Python module: words are bytes objects of four bytes a literal, the lowest bit first, so that Python cuts, joins and
 * compares them without looking inside. */
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "domain.h"

typedef struct {
    PyObject_HEAD domain *d;
} Domain;

typedef struct word {
    literal *bits;
    Py_ssize_t n;
} word;

static int word_of(PyObject *object, word *w)
{
    char *at;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(object, &at, &size) < 0)
        return 0;
    if (size % 4 != 0) {
        PyErr_SetString(PyExc_ValueError, "a word has four bytes a bit");
        return 0;
    }
    w->bits = (literal *)(void *)at;
    w->n = size / 4;
    return 1;
}

/* A new word of n bits, to be filled. */
static PyObject *new_word(Py_ssize_t n, literal **bits)
{
    PyObject *made = PyBytes_FromStringAndSize(NULL, 4 * n);
    if (made != NULL)
        *bits = (literal *)(void *)PyBytes_AsString(made);
    return made;
}

static int defined(const word *w)
{
    for (Py_ssize_t i = 0; i < w->n; i++)
        if (w->bits[i] == UNDEFINED) {
            PyErr_SetString(PyExc_ValueError, "an undefined bit is used");
            return 0;
        }
    return 1;
}

static int words_of(PyObject *const *args, Py_ssize_t given, Py_ssize_t wanted, word *w)
{
    if (given != wanted) {
        PyErr_SetString(PyExc_TypeError, "another number of words is wanted");
        return 0;
    }
    for (Py_ssize_t i = 0; i < wanted; i++)
        if (!word_of(args[i], &w[i]) || !defined(&w[i]))
            return 0;
    return 1;
}

static int same_width(const word *x, const word *y)
{
    if (x->n == y->n)
        return 1;
    PyErr_Format(PyExc_ValueError, "words of %zd and %zd bits", x->n, y->n);
    return 0;
}

typedef literal two_literals(domain *d, literal x, literal y);

static PyObject *bitwise(Domain *self, PyObject *const *args, Py_ssize_t n, two_literals *function)
{
    word w[2];
    literal *bits;
    if (!words_of(args, n, 2, w) || !same_width(&w[0], &w[1]))
        return NULL;
    PyObject *made = new_word(w[0].n, &bits);
    for (Py_ssize_t i = 0; made != NULL && i < w[0].n; i++)
        bits[i] = function(self->d, w[0].bits[i], w[1].bits[i]);
    return made;
}

static literal either(domain *d, literal x, literal y)
{
    return domain_and(d, x ^ 1, y ^ 1) ^ 1;
}

static PyObject *Domain_xor(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    return bitwise(self, args, n, domain_xor);
}

static PyObject *Domain_and(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    return bitwise(self, args, n, domain_and);
}

static PyObject *Domain_or(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    return bitwise(self, args, n, either);
}

static PyObject *Domain_not(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    (void)self;
    word w[1];
    literal *bits;
    if (!words_of(args, n, 1, w))
        return NULL;
    PyObject *made = new_word(w[0].n, &bits);
    for (Py_ssize_t i = 0; made != NULL && i < w[0].n; i++)
        bits[i] = w[0].bits[i] ^ 1;
    return made;
}

static PyObject *Domain_mux(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    word w[3];
    literal *bits;
    if (!words_of(args, n, 3, w) || !same_width(&w[1], &w[2]))
        return NULL;
    PyObject *made = new_word(w[1].n, &bits);
    for (Py_ssize_t i = 0; made != NULL && i < w[1].n; i++)
        bits[i] = domain_mux(self->d, w[0].bits[0], w[1].bits[i], w[2].bits[i]);
    return made;
}

static PyObject *Domain_add(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    word w[3];
    literal *bits;
    if (!words_of(args, n, 3, w) || !same_width(&w[0], &w[1]))
        return NULL;
    PyObject *made = new_word(w[0].n + 1, &bits);
    if (made == NULL)
        return NULL;
    literal carry = w[2].bits[0];
    for (Py_ssize_t i = 0; i < w[0].n; i++)
        bits[i] = domain_full_adder(self->d, w[0].bits[i], w[1].bits[i], &carry);
    bits[w[0].n] = carry;
    return made;
}

static PyObject *Domain_all(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    word w[1];
    literal *bits;
    if (!words_of(args, n, 1, w))
        return NULL;
    PyObject *made = new_word(1, &bits);
    if (made == NULL)
        return NULL;
    bits[0] = 1;
    for (Py_ssize_t i = 0; i < w[0].n; i++)
        bits[0] = domain_and(self->d, bits[0], w[0].bits[i]);
    return made;
}

static PyObject *Domain_table(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    word index;
    char *entries;
    Py_ssize_t size;
    literal *bits;
    if (n != 3) {
        PyErr_SetString(PyExc_TypeError, "an index, entries and their width are wanted");
        return NULL;
    }
    const long width = PyLong_AsLong(args[2]);
    if (!word_of(args[0], &index) || !defined(&index) || PyBytes_AsStringAndSize(args[1], &entries, &size) < 0 ||
        (width == -1 && PyErr_Occurred()))
        return NULL;
    if (index.n > 16 || width < 1 || width > 512 || ((long)1 << index.n) * width > 8 * (long)size) {
        PyErr_SetString(PyExc_ValueError, "too few entries for this index");
        return NULL;
    }
    PyObject *made = new_word(width, &bits);
    if (made != NULL &&
        !domain_look_up(self->d, bits, index.bits, (unsigned)index.n, (const uint8_t *)entries, (unsigned)width)) {
        Py_DecRef(made);
        PyErr_SetString(PyExc_ValueError, "an index of more than eight independent bits");
        return NULL;
    }
    return made;
}

static PyObject *Domain_fresh(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    literal *bits;
    const long width = n == 1 ? PyLong_AsLong(args[0]) : -1;
    if (width < 0) {
        PyErr_SetString(PyExc_TypeError, "a number of bits is wanted");
        return NULL;
    }
    PyObject *made = new_word(width, &bits);
    for (long i = 0; made != NULL && i < width; i++)
        bits[i] = domain_input(self->d);
    return made;
}

static PyObject *Domain_simulate(Domain *self, PyObject *const *args, Py_ssize_t n)
{
    word wanted;
    char *values;
    Py_ssize_t size;
    if (n != 3)
        return PyErr_Format(PyExc_TypeError, "a word, values and their words a bit are wanted");
    const long words = PyLong_AsLong(args[2]);
    if (!word_of(args[0], &wanted) || !defined(&wanted) || PyBytes_AsStringAndSize(args[1], &values, &size) < 0)
        return NULL;
    size_t inputs = 0;
    for (size_t i = 0; i < self->d->atom_count; i++)
        inputs += self->d->atoms[i].kind == ATOM_INPUT;
    if (words < 1 || (size_t)size != 8 * inputs * (size_t)words)
        return PyErr_Format(PyExc_ValueError, "%zu inputs have other values", inputs);
    PyObject *made = PyBytes_FromStringAndSize(NULL, 8 * wanted.n * words);
    if (made != NULL)
        domain_simulate(self->d, wanted.bits, (size_t)wanted.n, (const uint64_t *)(void *)values, (size_t)words,
                        (uint64_t *)(void *)PyBytes_AsString(made));
    return made;
}

static PyObject *Domain_sizes(Domain *self, PyObject *Py_UNUSED(ignored))
{
    const domain *d = self->d;
    size_t inputs = 0;
    for (size_t i = 0; i < d->atom_count; i++)
        inputs += d->atoms[i].kind == ATOM_INPUT;
    return Py_BuildValue("nnnnn", (Py_ssize_t)d->atom_count, (Py_ssize_t)d->form_count, (Py_ssize_t)d->longest,
                         (Py_ssize_t)(d->group_count - 1), (Py_ssize_t)inputs);
}

static PyObject *Domain_keep_short_sums(Domain *self, PyObject *Py_UNUSED(ignored))
{
    self->d->short_sums = 1;
    Py_RETURN_NONE;
}

static PyObject *Domain_keep_long_sums(Domain *self, PyObject *Py_UNUSED(ignored))
{
    self->d->long_sums = 1;
    Py_RETURN_NONE;
}

static PyObject *Domain_keep_own_carries(Domain *self, PyObject *Py_UNUSED(ignored))
{
    self->d->own_carries = 1;
    Py_RETURN_NONE;
}

/* Returns the bytes of memory that a domain takes, nearly all of which is in these arrays. */
static PyObject *Domain_memory(Domain *self, PyObject *Py_UNUSED(ignored))
{
    const domain *d = self->d;
    const size_t indices = (d->form_index.mask + d->product_index.mask + d->leading_index.mask) *
                           (sizeof *d->form_index.key + sizeof *d->form_index.row);
    return PyLong_FromSize_t(d->atom_room * sizeof *d->atoms + d->form_room * sizeof *d->forms +
                             d->pool_room * sizeof *d->pool + d->view_room * sizeof *d->views + indices +
                             d->adder_room * sizeof *d->adders +
                             d->product_room * (sizeof *d->product_result + sizeof *d->product_groups) +
                             d->group_count * (sizeof(group) + VARIABLES * sizeof(output)));
}

/* The bytes of a word of constants, None if a bit is none. */
static PyObject *concrete(PyObject *self, PyObject *object)
{
    (void)self;
    word w;
    if (!word_of(object, &w))
        return NULL;
    for (Py_ssize_t i = 0; i < w.n; i++)
        if (w.bits[i] > 1)
            Py_RETURN_NONE;
    if (w.n <= 64) {
        uint64_t value = 0;
        for (Py_ssize_t i = 0; i < w.n; i++)
            value |= (uint64_t)w.bits[i] << i;
        return PyLong_FromUnsignedLongLong(value);
    }
    PyObject *packed = PyBytes_FromStringAndSize(NULL, (w.n + 7) / 8);
    if (packed == NULL)
        return NULL;
    char *at = PyBytes_AsString(packed);
    for (Py_ssize_t i = 0; i < w.n; i += 8) {
        unsigned char byte = 0;
        for (Py_ssize_t k = 0; k < 8 && i + k < w.n; k++)
            byte |= (unsigned char)(w.bits[i + k] << k);
        at[i / 8] = (char)byte;
    }
    PyObject *value = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Os", packed, "little");
    Py_DecRef(packed);
    return value;
}

static PyObject *Domain_new(PyTypeObject *type, PyObject *args, PyObject *words)
{
    (void)args, (void)words;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Domain *self = (Domain *)allocate(type, 0);
    if (self != NULL)
        self->d = domain_new();
    return (PyObject *)self;
}

static void Domain_dealloc(Domain *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    domain_free(self->d);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DecRef((PyObject *)type);
}

#define METHOD(name, function, about) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, about}

static PyMethodDef domain_methods[] = {
    METHOD("xor", Domain_xor, "Return the XOR of two words."),
    METHOD("and_", Domain_and, "Return the AND of two words."),
    METHOD("or_", Domain_or, "Return the OR of two words."),
    METHOD("not_", Domain_not, "Return the complement of a word."),
    METHOD("mux", Domain_mux, "Return the second word where the first, of one bit, is 1, else the third."),
    METHOD("add", Domain_add, "Return the sum of two words and a bit, with its carry as one bit more."),
    METHOD("all", Domain_all, "Return the product of all bits of a word."),
    METHOD("table", Domain_table, "Return what a table of entries of so many bits has at an index."),
    METHOD("fresh", Domain_fresh, "Return a word of so many new inputs."),
    METHOD("simulate", Domain_simulate, "Return the values of a word's bits for values of all inputs."),
    {"sizes", (PyCFunction)(void (*)(void))Domain_sizes, METH_NOARGS,
     "Return the numbers of atoms and forms, the longest form, the numbers of groups and of inputs."},
    {"keep_long_sums", (PyCFunction)(void (*)(void))Domain_keep_long_sums, METH_NOARGS,
     "Give no names to sums, so that an XOR of a sum and other words is the same in any order."},
    {"keep_own_carries", (PyCFunction)(void (*)(void))Domain_keep_own_carries, METH_NOARGS,
     "Make each carry of three bits an atom, which products do not lead to."},
    {"keep_short_sums", (PyCFunction)(void (*)(void))Domain_keep_short_sums, METH_NOARGS,
     "From now on leave sums of a group's function and a number functions of the group."},
    {"memory", (PyCFunction)(void (*)(void))Domain_memory, METH_NOARGS, "Return how many bytes the domain takes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot domain_slots[] = {
    {Py_tp_new, Domain_new},
    {Py_tp_dealloc, Domain_dealloc},
    {Py_tp_methods, domain_methods},
    {Py_tp_doc, "Boolean functions of fresh inputs in a canonical form."},
    {0, NULL},
};

static PyType_Spec domain_spec = {"forms.Domain", sizeof(Domain), 0, Py_TPFLAGS_DEFAULT, domain_slots};

static PyMethodDef module_methods[] = {
    {"concrete", concrete, METH_O, "Return the value of a word of constants, None if a bit is none."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT, "forms", NULL, -1, module_methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_forms(void)
{
    PyObject *module = PyModule_Create(&module_definition), *type = PyType_FromSpec(&domain_spec);
    if (module == NULL || type == NULL || PyModule_AddObjectRef(module, "Domain", type) < 0)
        return NULL;
    Py_DecRef(type);
    return module;
}
