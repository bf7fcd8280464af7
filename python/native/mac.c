/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel.Authenticator: a MAC with a key, and the facts of all MACs. */
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static native_state *state_of(mac_object *mac)
{
    return PyType_GetModuleState(Py_TYPE((PyObject *)mac));
}

/* Describes the MAC number index of those that authenticate by themselves, which a component (GHASH, of GCM) does not: whoever
 * sees one result of it learns the key. NULL past the last. */
static const runnel_mac *authenticating(size_t index, runnel_mac_info *about)
{
    const runnel_mac *mac;
    for (size_t i = 0; (mac = runnel_mac_at(i)) != NULL; i++)
        if (runnel_mac_describe(mac, about) == RUNNEL_OK && !about->component && index-- == 0)
            return mac;
    return NULL;
}

static int any_key(const runnel_mac_info *about)
{
    return about->key_bytes.last == UINT16_MAX;
}

static const runnel_mac *find(const char *name, runnel_mac_info *about)
{
    const runnel_mac *mac = runnel_mac_find(name);
    return mac != NULL && runnel_mac_describe(mac, about) == RUNNEL_OK && !about->component ? mac : NULL;
}

static PyObject *describe(const runnel_mac_info *about)
{
    return Py_BuildValue("{s:s,s:N,s:N,s:O}", "name", about->name, "key_bytes",
                         any_key(about) ? Py_NewRef(Py_None) : native_lengths(&about->key_bytes), "tag_bytes",
                         native_lengths(&about->tag_bytes), "single_use", about->single_use ? Py_True : Py_False);
}

PyObject *native_macs(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *list = PyList_New(0);
    runnel_mac_info about;
    for (size_t i = 0; list != NULL && authenticating(i, &about) != NULL; i++)
        list = native_append(list, describe(&about));
    return list;
}

static void raise_unknown(native_state *state, const char *name)
{
    PyObject *names = PyList_New(0);
    runnel_mac_info about;
    for (size_t i = 0; names != NULL && authenticating(i, &about) != NULL; i++)
        names = native_append(names, PyUnicode_FromString(about.name));
    PyObject *text = native_unknown_name("MAC", name, names, NULL);
    if (text != NULL)
        native_raise(state, NATIVE_UNKNOWN_MAC, NULL, "%U", text);
    Py_XDECREF(text);
}

/* Absorbs data; 0, or -1 with an exception. */
static int absorb(mac_object *mac, const Py_buffer *data)
{
    int error;
    mac->busy = 1;
    if (data->len < NATIVE_UNLOCK_BYTES) {
        error = runnel_mac_update(mac->mac, mac->context, data->buf, (size_t)data->len);
    } else {
        Py_BEGIN_ALLOW_THREADS error = runnel_mac_update(mac->mac, mac->context, data->buf, (size_t)data->len);
        Py_END_ALLOW_THREADS
    }
    mac->busy = 0;
    if (error)
        native_raise(state_of(mac), NATIVE_ERROR, NULL, "%s: %s", mac->about.name, runnel_error_text(error));
    return error ? -1 : 0;
}

int native_mac_ready(mac_object *mac)
{
    if (mac->busy)
        native_raise(state_of(mac), NATIVE_STATE, NULL, "%s: another thread is using this authenticator",
                     mac->about.name);
    else if (!mac->context->keyed)
        native_raise(state_of(mac), NATIVE_STATE, NULL, "%s: the authenticator %s", mac->about.name,
                     mac->about.single_use ? "was wiped, or has made its tag: its key is for one message"
                                           : "was wiped");
    else
        return 0;
    return -1;
}

static mac_object *allocate(native_state *state, const runnel_mac *found, const runnel_mac_info *about,
                            size_t tag_bytes)
{
    const size_t line = RUNNEL_RECOMMENDED_ALIGN, bytes = (about->context_bytes + line - 1u) / line * line;
    runnel_mac_context *context = aligned_alloc(line, bytes);
    if (context == NULL)
        return (mac_object *)PyErr_NoMemory();
    context->keyed = 0;
    mac_object *mac = PyObject_New(mac_object, state->mac_type);
    if (mac == NULL) {
        free(context);
        return NULL;
    }
    mac->mac = found;
    mac->about = *about;
    mac->context = context;
    mac->tag_bytes = tag_bytes;
    mac->busy = 0;
    return mac;
}

/* Checks the length of a key or a tag, as `what`; 0 or -1 with an exception. */
static int check(native_state *state, native_error which, const runnel_mac_info *about, const runnel_lengths *lengths,
                 const char *what, uint64_t bytes)
{
    char text[64];
    snprintf(text, sizeof text, "%s: %s", about->name, what);
    return native_check_length(state, which, NULL, lengths, text,
                               (Py_ssize_t)(bytes < PY_SSIZE_T_MAX ? bytes : PY_SSIZE_T_MAX));
}

static mac_object *start(native_state *state, const runnel_mac *found, const runnel_mac_info *about,
                         const Py_buffer *key, PyObject *tag_bytes)
{
    uint64_t bytes = about->tag_bytes.last;
    if (!any_key(about) && check(state, NATIVE_KEY_LENGTH, about, &about->key_bytes, "key", (uint64_t)key->len) < 0)
        return NULL;
    if (tag_bytes != NULL && !Py_IsNone(tag_bytes) && native_uint64(tag_bytes, "tag_bytes", &bytes) < 0)
        return NULL;
    if (check(state, NATIVE_TAG_LENGTH, about, &about->tag_bytes, "a tag", bytes) < 0)
        return NULL;
    mac_object *mac = allocate(state, found, about, (size_t)bytes);
    if (mac == NULL)
        return NULL;
    const int error = runnel_mac_key(found, mac->context, key->buf, (size_t)key->len);
    if (!error)
        return mac;
    native_raise(state, NATIVE_ERROR, NULL, "%s: %s", about->name, runnel_error_text(error));
    Py_DECREF((PyObject *)mac);
    return NULL;
}

PyObject *native_mac(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"name", "key", "data", "tag_bytes", NULL};
    native_state *state = PyModule_GetState(module);
    native_name_text name;
    PyObject *values[4];
    Py_buffer key, data;
    if (native_arguments("mac", names, 2, 3, args, nargs, kwnames, values) < 0 ||
        native_name(values[0], "name", 0, &name) < 0)
        return NULL;
    runnel_mac_info about;
    const runnel_mac *found = find(name.found, &about);
    if (found == NULL) {
        raise_unknown(state, name.given);
        return NULL;
    }
    if (native_read_buffer(values[1], "key", &key) < 0)
        return NULL;
    mac_object *mac = start(state, found, &about, &key, values[3]);
    PyBuffer_Release(&key);
    if (mac != NULL && values[2] != NULL) {
        int failed = native_read_buffer(values[2], "data", &data);
        if (!failed) {
            failed = absorb(mac, &data);
            PyBuffer_Release(&data);
        }
        if (failed) {
            Py_DECREF((PyObject *)mac);
            return NULL;
        }
    }
    return (PyObject *)mac;
}

static PyObject *mac_update(PyObject *self, PyObject *argument)
{
    mac_object *mac = (mac_object *)self;
    Py_buffer data;
    if (native_read_buffer(argument, "data", &data) < 0)
        return NULL;
    const int failed = native_mac_ready(mac) < 0 || absorb(mac, &data) < 0;
    PyBuffer_Release(&data);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *mac_tag(PyObject *self, PyObject *unused)
{
    mac_object *mac = (mac_object *)self;
    uint8_t tag[RUNNEL_MAC_TAG_MAX];
    (void)unused;
    if (native_mac_ready(mac) < 0)
        return NULL;
    if (runnel_mac_tag(mac->mac, mac->context, tag, mac->tag_bytes) != RUNNEL_OK)
        return native_raise(state_of(mac), NATIVE_ERROR, NULL, "%s: no tag", mac->about.name);
    return PyBytes_FromStringAndSize((const char *)tag, (Py_ssize_t)mac->tag_bytes);
}

static PyObject *mac_verify(PyObject *self, PyObject *argument)
{
    mac_object *mac = (mac_object *)self;
    Py_buffer tag;
    if (native_read_buffer(argument, "tag", &tag) < 0)
        return NULL;
    if (native_mac_ready(mac) < 0) {
        PyBuffer_Release(&tag);
        return NULL;
    }
    static const uint8_t
        none[RUNNEL_MAC_TAG_MAX]; /* in place of one of another length: the message ends all the same */
    const int fits = (size_t)tag.len == mac->tag_bytes;
    int error = runnel_mac_verify(mac->mac, mac->context, fits ? tag.buf : none, mac->tag_bytes);
    if (!fits)
        error = RUNNEL_ERR_TAG;
    PyBuffer_Release(&tag);
    if (error)
        return native_raise(state_of(mac), NATIVE_AUTHENTICATION, NULL,
                            "%s: wrong tag: the data was changed, or the key is another one", mac->about.name);
    return Py_NewRef(Py_None);
}

static PyObject *mac_wipe(PyObject *self, PyObject *unused)
{
    mac_object *mac = (mac_object *)self;
    (void)unused;
    if (mac->busy) {
        native_mac_ready(mac);
        return NULL;
    }
    runnel_mac_wipe(mac->mac, mac->context);
    return Py_NewRef(Py_None);
}

static PyObject *mac_exit(PyObject *self, PyObject *args)
{
    (void)args;
    return mac_wipe(self, NULL);
}

static PyObject *mac_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *mac_repr(PyObject *self)
{
    mac_object *mac = (mac_object *)self;
    return PyUnicode_FromFormat("<runnel.Authenticator %s, tags of %zu bytes%s>", mac->about.name, mac->tag_bytes,
                                mac->busy || mac->context->keyed ? "" : ", wiped");
}

static PyObject *mac_name(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(((mac_object *)self)->about.name);
}

static PyObject *mac_tag_bytes(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(((mac_object *)self)->tag_bytes);
}

static void mac_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    mac_object *mac = (mac_object *)self;
    runnel_mac_wipe(mac->mac, mac->context);
    free(mac->context);
    PyObject_Free(self);
    Py_DECREF(type);
}

NATIVE_LOCKED_ONE(mac_update)
NATIVE_LOCKED_ONE(mac_tag)
NATIVE_LOCKED_ONE(mac_verify)
NATIVE_LOCKED_ONE(mac_wipe)
NATIVE_LOCKED_ONE(mac_exit)
NATIVE_LOCKED_REPR(mac_repr)

static PyMethodDef methods[] = {
    {"update", locked_mac_update, METH_O,
     PyDoc_STR("update($self, data, /)\n--\n\n"
               "Add data, any C-contiguous buffer, to the message.\n\nRaises StateError, BufferError, TypeError.")},
    {"tag", locked_mac_tag, METH_NOARGS,
     PyDoc_STR("tag($self)\n--\n\n"
               "Return the message's tag, tag_bytes bytes. The next message starts, under the same key; where a key is "
               "for one message, the authenticator cannot be used any more.")},
    {"verify", locked_mac_verify, METH_O,
     PyDoc_STR("verify($self, tag, /)\n--\n\n"
               "Raise AuthenticationError unless tag is the message's, all tag_bytes bytes of it; compares in constant "
               "time. The next message starts, as after tag().")},
    {"wipe", locked_mac_wipe, METH_NOARGS,
     PyDoc_STR("wipe($self)\n--\n\n"
               "Clear the key from memory; the authenticator cannot be used any more. Leaving a with block does it, "
               "and so does the end of the object.")},
    {"__reduce__", native_reduce, METH_NOARGS, NULL},
    {"__enter__", mac_enter, METH_NOARGS, NULL},
    {"__exit__", locked_mac_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"name", mac_name, NULL, PyDoc_STR("The name of the MAC."), NULL},
    {"tag_bytes", mac_tag_bytes, NULL, PyDoc_STR("The size of its tags in bytes."), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("A MAC with a key, in the middle of a message. Made by runnel.mac().\n\n"
                                  "Not for two threads at a time: a second one gets StateError.")},
    {Py_tp_dealloc, (void *)mac_dealloc},
    {Py_tp_repr, (void *)locked_mac_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

PyType_Spec native_mac_spec = {
    .name = "runnel.Authenticator",
    .basicsize = sizeof(mac_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
