/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The binding of Python to the C library: what its files share. Limited API of Python 3.11 only, and where there is no
 * global lock the critical sections of Python 3.13. */
#ifndef RUNNEL_PYTHON_NATIVE_H
#define RUNNEL_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <runnel/aead.h>
#include <runnel/runnel.h>
#include <stdatomic.h>

/* Between these a thread has the object, or both, to itself: by the global lock, or else by the objects' own. Those are
 * given up where the global one would be: when the thread waits, runs Python code or calls PyEval_SaveThread. */
#ifdef Py_GIL_DISABLED
#define NATIVE_LOCK(object) Py_BEGIN_CRITICAL_SECTION(object)
#define NATIVE_UNLOCK Py_END_CRITICAL_SECTION();
#define NATIVE_LOCK_BOTH(one, other) Py_BEGIN_CRITICAL_SECTION2(one, other)
#define NATIVE_UNLOCK_BOTH Py_END_CRITICAL_SECTION2();
#else
#define NATIVE_LOCK(object) {
#define NATIVE_UNLOCK }
#define NATIVE_LOCK_BOTH(one, other) {
#define NATIVE_UNLOCK_BOTH }
#endif

/* Defines locked_METHOD, which has the object to itself, for the tables of methods: every method that looks at `busy` or
 * the context. By what is called: one argument or none, METH_FASTCALL, METH_FASTCALL | METH_KEYWORDS. */
#define NATIVE_LOCKED(method, parameters, arguments)                                                                   \
    static PyObject *locked_##method parameters                                                                        \
    {                                                                                                                  \
        PyObject *result;                                                                                              \
        NATIVE_LOCK(self);                                                                                             \
        result = method arguments;                                                                                     \
        NATIVE_UNLOCK                                                                                                  \
        return result;                                                                                                 \
    }
#define NATIVE_LOCKED_ONE(method) NATIVE_LOCKED(method, (PyObject * self, PyObject * argument), (self, argument))
#define NATIVE_LOCKED_FAST(method)                                                                                     \
    NATIVE_LOCKED(method, (PyObject * self, PyObject *const *args, Py_ssize_t nargs), (self, args, nargs))
#define NATIVE_LOCKED_WORDS(method)                                                                                    \
    NATIVE_LOCKED(method, (PyObject * self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames),               \
                  (self, args, nargs, kwnames))
#define NATIVE_LOCKED_REPR(method) NATIVE_LOCKED(method, (PyObject * self), (self))

/* The exceptions, runnel.Error first: the base of all others. */
typedef enum native_error {
    NATIVE_ERROR,
    NATIVE_UNKNOWN_CIPHER,
    NATIVE_BROKEN_CIPHER,
    NATIVE_KEY_LENGTH,
    NATIVE_IV_LENGTH,
    NATIVE_LAYOUT,
    NATIVE_KERNEL,
    NATIVE_LIMIT,
    NATIVE_SEEK,
    NATIVE_DIRECTION,
    NATIVE_OVERLAP,
    NATIVE_OUTPUT_LENGTH,
    NATIVE_STATE,
    NATIVE_AUTHENTICATION,
    NATIVE_UNKNOWN_MAC,
    NATIVE_TAG_LENGTH,
    NATIVE_UNKNOWN_AEAD,
    NATIVE_ERRORS
} native_error;

/* The module's state. */
typedef struct native_state {
    PyTypeObject *stream_type;
    PyTypeObject *mac_type;
    PyTypeObject *sealer_type;
    PyObject *errors[NATIVE_ERRORS];
    _Atomic int checked_cpu; /* 1: RUNNEL_CPU has been looked at for words that nobody knows */
} native_state;

/* A name: as it was given, for messages, and in lower case, to be looked up. Both NULL if it was absent. */
typedef struct native_name_text {
    const char *given;
    const char *found;
    char folded[48];
} native_name_text;

/* errors.c */

/* Creates the exceptions in state and adds them to the module; -1 with an exception on failure. */
int native_add_errors(PyObject *module, native_state *state);
/* Raises an exception whose text begins with the cipher's name and whose attribute `cipher` is that name; cipher may
 * be NULL. Returns NULL. */
PyObject *native_raise(native_state *state, native_error which, const runnel_cipher *cipher, const char *format, ...);
/* The same of an AEAD. */
PyObject *native_raise_of_aead(native_state *state, native_error which, const runnel_aead *aead, const char *format,
                               ...);
/* Checks that a length is one of `lengths`, and says which would be right of `what`; 0 or -1 with an exception. cipher
 * may be NULL, as in native_raise. */
int native_check_length(native_state *state, native_error which, const runnel_cipher *cipher,
                        const runnel_lengths *lengths, const char *what, Py_ssize_t bytes);
/* Checks lengths of keys and IVs and says which lengths would be right; 0 or -1 with an exception. */
int native_check_key(native_state *state, const runnel_cipher *cipher, Py_ssize_t bytes);
int native_check_iv(native_state *state, const runnel_cipher *cipher, size_t key_bytes, const char *argument,
                    Py_ssize_t bytes);
/* Fills in what is known of kernel number index of a cipher or an AEAD, see runnel_cipher_kernel. */
typedef int (*native_kernel_at)(const void *described, size_t index, runnel_kernel_info *info);
/* Raises what it means that no cipher, or no AEAD, has this name, and that a key set-up or IV set-up failed when the
 * lengths were right; of: the name of what `described` describes. Return NULL. */
PyObject *native_raise_cipher(native_state *state, const char *name);
PyObject *native_raise_aead(native_state *state, const char *name);
PyObject *native_raise_kernel(native_state *state, const char *of, native_kernel_at at, const void *described,
                              const native_name_text *kernel);
PyObject *native_raise_layout(native_state *state, const runnel_cipher *cipher, const char *layout);
/* Raises LimitError for bytes asked for at position. Returns NULL. */
PyObject *native_raise_limit(native_state *state, const runnel_cipher *cipher, uint64_t position, uint64_t bytes,
                             uint64_t end);
/* The same for an AEAD's message of so many bytes, or its associated data. */
PyObject *native_raise_message_limit(native_state *state, const runnel_aead *aead, size_t bytes, size_t nonce_bytes);

/* arguments.c */

/* Fills view with the memory of any object that has the buffer protocol, C-contiguous, without copying. `argument`
 * names it in errors. The caller releases view with PyBuffer_Release. Python code may run in here. 0 or -1. */
int native_read_buffer(PyObject *object, const char *argument, Py_buffer *view);
int native_write_buffer(PyObject *object, const char *argument, Py_buffer *view);
/* native_read_buffer for item number index of a sequence. */
int native_read_item(PyObject *object, const char *argument, Py_ssize_t index, Py_buffer *view);
/* __reduce__ of objects that hold a key: raises TypeError, for copy and for pickle. */
PyObject *native_reduce(PyObject *self, PyObject *unused);
/* Sorts the arguments of a METH_FASTCALL | METH_KEYWORDS function into values, in the order of names (which ends with
 * NULL); missing ones become NULL. The first `required` must be given, the first `positional` may be given without a
 * name. 0 or -1. */
int native_arguments(const char *function, const char *const *names, int required, int positional,
                     PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames, PyObject **values);
/* Give the UTF-8 text of a str; the optional one gives NULL for None and NULL. 0 or -1 with TypeError, ValueError. */
int native_text(PyObject *object, const char *argument, const char **text);
int native_optional_text(PyObject *object, const char *argument, const char **text);
/* Returns an integer from 0 to 2^64 - 1. 0 or -1 with TypeError or OverflowError. */
int native_uint64(PyObject *object, const char *argument, uint64_t *value);

/* names.c */

/* Reads a str, or if it is optional None and NULL too. 0 or -1 with TypeError, ValueError. */
int native_name(PyObject *object, const char *argument, int optional, native_name_text *name);
/* Returns the text "no WHAT 'name'" with the name among `known`, a sequence which this releases, that was probably
 * meant; else with `otherwise`, or if that is NULL with all of them. NULL with an exception, also if known is NULL. */
PyObject *native_unknown_name(const char *what, const char *name, PyObject *known, const char *otherwise);

/* memory.c */

/* Returns memory for a context, with its head cleared, or NULL. */
runnel_stream *native_context_new(const runnel_cipher *cipher);
/* Wipes and frees it; NULL is allowed. */
void native_context_free(runnel_stream *context);
/* Returns a new bytes object of that size, to be written. */
PyObject *native_result_new(Py_ssize_t bytes);

/* context.c */

/* From this many bytes on, a call lets other Python threads run. Measured (Zen 5, Python 3.11): giving the lock up and
 * taking it back costs 12 ns when nobody waits for it, 2 % of the 0.66 us that the fastest cipher needs for so many
 * bytes; beside a busy Python thread it costs about 2 us, and only calls of 50 us and more let that thread in. */
#define NATIVE_UNLOCK_BYTES 32768
/* The cost of one packet besides its bytes, in bytes, for deciding whether a call releases the lock. */
#define NATIVE_PACKET_COST 512

/* runnel_stream_xor, _encrypt or _decrypt. */
typedef int (*native_verb)(runnel_stream *context, uint8_t *out, const uint8_t *in, size_t bytes);
/* Calls the verb, without the interpreter's lock from NATIVE_UNLOCK_BYTES on. */
int native_run(native_verb verb, runnel_stream *context, void *out, const void *in, Py_ssize_t bytes);
/* Options of new() and new_batch(), besides keys and IVs. */
typedef struct native_request {
    const runnel_cipher *cipher;
    native_name_text layout_name; /* optional, as is the kernel */
    native_name_text kernel;
    int allow_broken;
    int layout; /* by native_check_request */
} native_request;
/* `arguments` are cipher, layout, kernel, allow_broken; absent ones are NULL. 0 or -1 with an exception. */
int native_read_request(native_state *state, PyObject *const arguments[4], native_request *r);
/* Applies the rules for lengths, broken ciphers, short keys and layouts. 0 or -1 with an exception. */
int native_check_request(native_state *state, native_request *r, Py_ssize_t key_bytes, const char *iv_argument,
                         Py_ssize_t iv_bytes);
/* Finds the cipher, applies the rules for broken ciphers and short keys, and keys and starts a fresh context.
 * `arguments` are cipher, key, iv, layout, kernel, allow_broken; absent ones are NULL. NULL with an exception. */
runnel_stream *native_context_start(native_state *state, PyObject *const arguments[6]);
/* Raises what went wrong in a verb that worked on `bytes` bytes. Returns NULL. */
PyObject *native_raise_verb(native_state *state, const runnel_cipher *cipher, const runnel_stream *context, int error,
                            uint64_t bytes);

/* stream.c */

typedef struct stream_object {
    PyObject_HEAD runnel_stream *context; /* aligned to RUNNEL_RECOMMENDED_ALIGN, owned */
    const runnel_cipher *cipher;
    const char *kernel;
    int layout; /* RUNNEL_BE128 ..., 0 if not counter mode */
    int busy;   /* 1 while a call works on the context, perhaps without the interpreter's lock */
} stream_object;

extern PyType_Spec native_stream_spec;

/* Checks that the stream may be worked with now; 0 or -1 with StateError. No Python code may run between this and the
 * use of the context. */
int native_ready(stream_object *stream);

/* Returns a Stream that owns the context, which is freed if there is an exception. */
PyObject *native_stream_new(native_state *state, runnel_stream *context);

/* new_batch.c */
PyObject *native_new_batch(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* batch.c: methods of Stream */
PyObject *native_xor_packets(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *native_xor_packets_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs);

/* mac.c */

typedef struct mac_object {
    PyObject_HEAD const runnel_mac *mac;
    runnel_mac_info about;
    runnel_mac_context *context; /* aligned to RUNNEL_RECOMMENDED_ALIGN, owned */
    size_t tag_bytes;
    int busy; /* 1 while a call works on the context, perhaps without the interpreter's lock */
} mac_object;

extern PyType_Spec native_mac_spec;

/* Checks that the authenticator may be worked with now; 0 or -1 with StateError. No Python code may run between this and
 * the use of the context. */
int native_mac_ready(mac_object *mac);
PyObject *native_mac(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *native_macs(PyObject *module, PyObject *unused);

/* aead.c */

typedef struct sealer_object {
    PyObject_HEAD const runnel_aead *aead;
    runnel_aead_context *context; /* aligned to RUNNEL_RECOMMENDED_ALIGN, owned */
    const char *kernel;
    size_t tag_bytes;
    int busy; /* 1 while a call works on the context, perhaps without the interpreter's lock */
} sealer_object;

extern PyType_Spec native_sealer_spec;
PyObject *native_aead(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

native_state *native_sealer_state(sealer_object *sealer);
/* Checks that the sealer may be worked with now; 0 or -1 with StateError. No Python code may run between this and the
 * use of the context. */
int native_sealer_ready(sealer_object *sealer);

/* aead_message.c */

/* A message and what it is sealed to, both as they lie in memory: nonce if it is random, text and tag. */
typedef struct native_sealed {
    const uint8_t *nonce;
    size_t nonce_bytes;
    const uint8_t *aad;
    size_t aad_bytes;
    const uint8_t *in; /* the text to be sealed or opened */
    uint8_t *out;
    size_t bytes;
    uint8_t *tag; /* written by sealing, only read by opening */
} native_sealed;

/* Checks that None may stand for a nonce, and that a nonce has a length that the AEAD takes, `argument` naming it; 0 or
 * -1 with an exception. */
int native_check_random_nonce(sealer_object *sealer);
int native_check_nonce(sealer_object *sealer, const char *argument, Py_ssize_t bytes);
/* Bytes that a sealed message has more than the message; random: its nonce comes first. */
size_t native_overhead(const sealer_object *sealer, int random);
/* Lays out a message of `bytes` bytes sealed at `sealed`: sets the place of the tag, and that of the nonce if it is
 * random; returns that of the text. */
uint8_t *native_lay_out(const sealer_object *sealer, native_sealed *message, uint8_t *sealed, size_t bytes, int random);
/* Writes `bytes` random bytes; 0 or -1 with an exception. */
int native_random(uint8_t *out, size_t bytes);
/* Raises what an error of the AEAD's functions means for a message. Returns NULL. */
PyObject *native_raise_sealed(sealer_object *sealer, const native_sealed *message, int error);
/* Methods of Sealer. */
PyObject *native_seal(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *native_open(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *native_seal_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *native_open_into(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* aead_batch.c: methods of Sealer */
PyObject *native_seal_batch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *native_open_batch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* aead_row.c: methods of Sealer */
PyObject *native_seal_in_place(PyObject *self, PyObject *const *args, Py_ssize_t nargs);
PyObject *native_open_in_place(PyObject *self, PyObject *const *args, Py_ssize_t nargs);

/* segments.c: functions of the module */
PyObject *native_seal_segments(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *native_open_segments(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* describe.c */

PyObject *native_lengths(const runnel_lengths *lengths);
/* Appends item, which it takes over, to list and returns that; NULL, with list released, on failure or for NULL. */
PyObject *native_append(PyObject *list, PyObject *item);
/* A native_kernel_at of ciphers, and one of AEADs. */
int native_cipher_kernel(const void *described, size_t index, runnel_kernel_info *info);
int native_aead_kernel(const void *described, size_t index, runnel_kernel_info *info);
/* Functions of the module. */
PyObject *native_ciphers(PyObject *module, PyObject *unused);
PyObject *native_aeads(PyObject *module, PyObject *unused);
PyObject *native_cpu_features(PyObject *module, PyObject *unused);
PyObject *native_cpu_names(PyObject *module, PyObject *unused);
/* The first unknown word of RUNNEL_CPU, and what to say of it; None if there is none. */
PyObject *native_cpu_unknown(PyObject *module, PyObject *unused);
PyObject *native_cpu_complaint(PyObject *module, PyObject *unused);
/* Warns of an unknown word, at the first call; -1 with an exception where warnings are errors. */
int native_check_cpu(native_state *state);

#endif
