/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-speed: every cipher of the registry beside the libraries found on this machine, all in this one process. */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <runnel/cpu.h>

#include "check.h"
#include "measure.h"
#include "ours.h"
#include "ours_aead.h"
#include "ours_batch.h"
#include "report.h"

enum { NAMES = 64, SUBJECTS = 32 /* of one cipher */, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: runnel-speed [--cipher NAME]... [--kernel NAME | --all-kernels] [--operation OPERATION]...\n"
    "                    [--no-peers] [--seconds S] [--core N]\n"
    "       runnel-speed --batch STREAMS ...\n"
    "measures every cipher, or those that are named, and AEADs that are named;\n"
    "prints one JSON object; operations are key, iv, message and stream; with --batch, messages of so many streams of\n"
    "ours, one after another and at once, without other options by all kernels that have functions for it\n";

typedef struct options {
    const char *ciphers[NAMES];
    size_t cipher_count;
    const char *kernel;
    int all_kernels;
    int no_peers;
    unsigned operations; /* bit 1 << operation; 0: all */
    double seconds;
    size_t batch; /* streams at once; 0: the usual, one and its peers */
    int core;     /* -1: the last one that this process may run on */
} options;

/* What is measured, in order of cipher. */
typedef struct plan {
    cell *cells;
    size_t count, room;
} plan;

static void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("runnel-speed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(status);
}

static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (p == NULL)
        fail(EXIT_FAILED, "out of memory");
    return p;
}

static double number(const char *option, const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value >= least && value <= most))
        fail(EXIT_USAGE, "%s takes a number from %g to %g, not '%s'", option, least, most, text);
    return value;
}

static unsigned operation_bit(const char *name)
{
    for (unsigned o = 0; o < OPERATIONS; o++)
        if (strcmp(operation_names[o], name) == 0)
            return 1u << o;
    fail(EXIT_USAGE, "no operation is called '%s'; there are key, iv, message and stream", name);
    return 0;
}

static options parse(int count, char **arguments)
{
    options o = {.seconds = 45, .core = -1};
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        } else if (strcmp(name, "--all-kernels") == 0) {
            o.all_kernels = 1;
            continue;
        } else if (strcmp(name, "--no-peers") == 0) {
            o.no_peers = 1;
            continue;
        }
        const char *value = i + 1 < count ? arguments[++i] : NULL;
        if (value == NULL) {
            fputs(usage, stderr);
            exit(EXIT_USAGE);
        }
        if (strcmp(name, "--cipher") == 0) {
            if (runnel_cipher_find(value) == NULL && runnel_aead_find(value) == NULL)
                fail(EXIT_USAGE, "no cipher is called '%s'", value);
            if (o.cipher_count < NAMES)
                o.ciphers[o.cipher_count++] = value;
        } else if (strcmp(name, "--kernel") == 0) {
            o.kernel = value;
        } else if (strcmp(name, "--operation") == 0) {
            o.operations |= operation_bit(value);
        } else if (strcmp(name, "--batch") == 0) {
            o.batch = (size_t)number(name, value, 2, OURS_BATCH_MOST);
        } else if (strcmp(name, "--seconds") == 0) {
            o.seconds = number(name, value, 0, 3600);
        } else if (strcmp(name, "--core") == 0) {
            o.core = (int)number(name, value, 0, CPU_SETSIZE - 1);
        } else {
            fputs(usage, stderr);
            exit(EXIT_USAGE);
        }
    }
    return o;
}

/* Stays on one core from here on, and gives its number. */
static int pin(int core)
{
    cpu_set_t set;
    if (core < 0) {
        if (sched_getaffinity(0, sizeof set, &set))
            fail(EXIT_FAILED, "cannot ask which cores there are: %s", strerror(errno));
        for (int i = 0; i < CPU_SETSIZE; i++)
            if (CPU_ISSET(i, &set))
                core = i;
    }
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        fail(EXIT_USAGE, "cannot run on core %d: %s", core, strerror(errno));
    return core;
}

/* Where the shims are: RUNNEL_SPEED_SHIMS, or the directory of this program. */
static const char *shim_directory(void)
{
    static char path[4096];
    const char *named = getenv("RUNNEL_SPEED_SHIMS");
    if (named != NULL && *named != '\0')
        return named;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ".";
    *slash = '\0';
    return path;
}

static int wanted(const options *o, const char *cipher)
{
    for (size_t i = 0; i < o->cipher_count; i++)
        if (strcmp(o->ciphers[i], cipher) == 0)
            return 1;
    return o->cipher_count == 0;
}

/* Takes one more context for a subject; until there are more, the first serves for all. What lies in between puts it
 * at another place of its page. */
static void add_context(bench_subject *subject, size_t number, const bench_subject *another)
{
    for (size_t i = number; i < SUBJECT_CONTEXTS; i++)
        subject->contexts[i] = another->context;
    grow(NULL, 1 + 704 * number);
}

static size_t open_ours(const options *o, const runnel_cipher *cipher, bench_subject *subjects)
{
    size_t count = 0;
    runnel_kernel_info info;
    if (!ours_open(cipher, o->kernel, &subjects[count]))
        fail(EXIT_USAGE, "%s has no kernel '%s' that this CPU runs", cipher->name,
             o->kernel != NULL ? o->kernel : "constant-time");
    const char *first = subjects[count++].kernel;
    for (size_t i = 0; o->all_kernels && runnel_cipher_kernel(cipher, i, &info) == RUNNEL_OK; i++)
        if (info.available && strcmp(info.name, first) != 0 && count < SUBJECTS &&
            ours_open(cipher, info.name, &subjects[count]))
            count++;
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (size_t i = 0; i < count; i++) {
            bench_subject another = subjects[i];
            if (number == 0 || ours_open(cipher, subjects[i].kernel, &another))
                add_context(&subjects[i], number, &another);
        }
    return count;
}

static size_t open_peers(const bench_shape *shape, bench_subject *subjects, size_t room)
{
    static const peer *const peers[] = {&peer_openssl,   &peer_libgcrypt, &peer_libsodium, &peer_botan,
                                        &peer_botan_ffi, &peer_cryptopp,  &peer_nettle};
    enum { PEERS = sizeof peers / sizeof peers[0] };
    static struct {
        char name[48]; /* with the version */
        int here;      /* 0 not tried, 1 here, -1 absent */
    } found[PEERS];
    size_t count = 0;
    for (size_t i = 0; i < PEERS && count < room; i++) {
        if (found[i].here == 0) {
            char version[24] = "";
            int second = peers[i] == &peer_botan_ffi && found[i - 1].here > 0; /* Botan is here already */
            found[i].here = !second && peers[i]->load(shim_directory(), version) ? 1 : -1;
            snprintf(found[i].name, sizeof found[i].name, "%.20s %.23s", peers[i]->name, version);
        }
        if (found[i].here < 0 || !peers[i]->open(shape, &subjects[count]))
            continue;
        bench_subject *subject = &subjects[count++], another = *subject;
        memcpy(subject->implementation, found[i].name, sizeof found[i].name);
        subject->kernel = "";
        for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
            if (number == 0 || peers[i]->open(shape, &another))
                add_context(subject, number, &another);
    }
    return count;
}

static void add_cell(plan *p, const options *o, const bench_shape *shape, const bench_subject *s, operation op,
                     size_t bytes)
{
    if (o->operations != 0 && !(o->operations >> op & 1))
        return;
    if (s->verbs->stateless && (op == OPERATION_KEY || op == OPERATION_IV))
        return;
    if (p->count == p->room) {
        p->room = p->room * 2 + 64;
        p->cells = grow(p->cells, p->room * sizeof *p->cells);
    }
    p->cells[p->count++] = (cell){.shape = shape, .subject = s, .operation = op, .bytes = bytes};
}

/* Opens all implementations of one cipher, compares their bytes, and plans what is measured of them. */
static void add_cipher(plan *p, const options *o, const runnel_cipher *cipher)
{
    static const size_t messages[] = {16, 128, 1024, 16384};
    bench_subject *subjects = grow(NULL, SUBJECTS * sizeof *subjects);
    bench_shape *s = grow(NULL, sizeof *s);
    *s = ours_shape(cipher);
    size_t count = open_ours(o, cipher, subjects);
    if (!o->no_peers)
        count += open_peers(s, subjects + count, SUBJECTS - count);
    for (size_t i = 1; i < count; i++) {
        char text[160];
        if (!check_agree(s, &subjects[0], &subjects[i], text, sizeof text))
            fail(EXIT_FAILED, "%s: runnel (%s) and %s%s%s do not agree: %s", cipher->name, subjects[0].kernel,
                 subjects[i].implementation, *subjects[i].kernel ? " " : "", subjects[i].kernel, text);
    }
    /* The implementations of one thing stand side by side, so that they are measured at about the same time. */
    for (operation op = OPERATION_KEY; op <= OPERATION_IV; op++)
        for (size_t i = 0; i < count; i++)
            if (op == OPERATION_KEY || s->iv_bytes > 0)
                add_cell(p, o, s, &subjects[i], op, 0);
    for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++)
        for (size_t i = 0; i < count; i++)
            add_cell(p, o, s, &subjects[i], OPERATION_MESSAGE, messages[m]);
    for (size_t i = 0; i < count; i++)
        add_cell(p, o, s, &subjects[i], OPERATION_STREAM, MEASURE_STREAM);
}

/* An AEAD: key set-up, and messages sealed under a new nonce. */
static void add_aead(plan *p, const options *o, const runnel_aead *aead)
{
    static const size_t messages[] = {16, 64, 256, 1024, 1500, 4096, 16384, 65536};
    bench_subject *subjects = grow(NULL, SUBJECTS * sizeof *subjects);
    bench_shape *s = grow(NULL, sizeof *s);
    size_t count = 0;
    *s = ours_aead_shape(aead);
    if (!ours_aead_open(aead, o->kernel, &subjects[count++]))
        fail(EXIT_USAGE, "%s has no kernel '%s' that this CPU runs", aead->name,
             o->kernel != NULL ? o->kernel : "constant-time");
    runnel_kernel_info info;
    for (size_t i = 0; o->all_kernels && runnel_aead_kernel_at(aead, i, &info) == RUNNEL_OK; i++)
        if (info.available && strcmp(info.name, subjects[0].kernel) != 0 && count < SUBJECTS &&
            ours_aead_open(aead, info.name, &subjects[count]))
            count++;
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (size_t i = 0; i < count; i++) {
            bench_subject another = subjects[i];
            if (number == 0 || ours_aead_open(aead, subjects[i].kernel, &another))
                add_context(&subjects[i], number, &another);
        }
    if (!o->no_peers)
        count += open_peers(s, subjects + count, SUBJECTS - count);
    for (size_t i = 1; i < count; i++) {
        char text[160];
        if (!check_agree(s, &subjects[0], &subjects[i], text, sizeof text))
            fail(EXIT_FAILED, "%s: runnel (%s) and %s%s%s do not agree: %s", aead->name, subjects[0].kernel,
                 subjects[i].implementation, *subjects[i].kernel ? " " : "", subjects[i].kernel, text);
    }
    for (size_t i = 0; i < count; i++)
        add_cell(p, o, s, &subjects[i], OPERATION_KEY, 0);
    for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++)
        for (size_t i = 0; i < count; i++)
            add_cell(p, o, s, &subjects[i], OPERATION_MESSAGE, messages[m]);
}

/* Several streams of one kernel, one after another and at once. Returns 0 if the kernel is not for this CPU. */
static int add_batch_of(plan *p, const options *o, const runnel_cipher *cipher, const char *kernel)
{
    static const size_t messages[] = {128, 16384};
    bench_subject *subjects = grow(NULL, 2 * sizeof *subjects);
    bench_shape *s = grow(NULL, sizeof *s);
    *s = ours_shape(cipher);
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (int at_once = 0; at_once < 2; at_once++) {
            bench_subject another;
            if (!ours_batch_open(cipher, kernel, o->batch, at_once, &another))
                return 0;
            if (number == 0)
                subjects[at_once] = another;
            add_context(&subjects[at_once], number, &another);
        }
    char text[160];
    if (!check_agree(s, &subjects[0], &subjects[1], text, sizeof text))
        fail(EXIT_FAILED, "%s (%s): streams at once and alone differ: %s", cipher->name, subjects[0].kernel, text);
    for (int at_once = 0; at_once < 2 && s->iv_bytes > 0; at_once++)
        add_cell(p, o, s, &subjects[at_once], OPERATION_IV, 0);
    for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++)
        for (int at_once = 0; at_once < 2; at_once++)
            add_cell(p, o, s, &subjects[at_once], OPERATION_MESSAGE, o->batch * messages[m]);
    return 1;
}

static void add_batch(plan *p, const options *o, const runnel_cipher *cipher)
{
    runnel_kernel_info info;
    if (cipher->directions != NULL)
        return;
    if (o->all_kernels || o->cipher_count == 0) {
        for (size_t i = 0; runnel_cipher_kernel(cipher, i, &info) == RUNNEL_OK; i++)
            if (info.available && (info.lanes > 1 || o->all_kernels))
                add_batch_of(p, o, cipher, info.name);
    } else if (!add_batch_of(p, o, cipher, o->kernel)) {
        fail(EXIT_USAGE, "%s has no kernel '%s' that this CPU runs", cipher->name,
             o->kernel != NULL ? o->kernel : "constant-time");
    }
}

/* With a word misspelt in RUNNEL_CPU the slowest kernels would be measured in silence. */
static void check_environment(void)
{
    char known[200] = "";
    size_t bytes;
    const char *word = runnel_cpu_unknown(NULL, &bytes);
    if (word == NULL)
        return;
    for (uint32_t bit = 1; bit != 0 && runnel_cpu_name(bit) != NULL; bit <<= 1)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", bit == 1 ? "" : ", ",
                 runnel_cpu_name(bit));
    fail(EXIT_USAGE, "RUNNEL_CPU: no CPU feature is called '%.*s'; known are %s, and alone all or none", (int)bytes,
         word, known);
}

int main(int count, char **arguments)
{
    options o = parse(count, arguments);
    check_environment();
    static plan p; /* lives, with all it holds, as long as the process */
    int core = pin(o.core);
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++)
        if (wanted(&o, runnel_cipher_at(i)->name))
            (o.batch ? add_batch : add_cipher)(&p, &o, runnel_cipher_at(i));
    for (size_t i = 0; i < runnel_aead_count() && o.cipher_count > 0; i++)
        if (wanted(&o, runnel_aead_at(i)->name)) {
            if (o.batch)
                fail(EXIT_USAGE, "--batch is for ciphers, not for %s", runnel_aead_at(i)->name);
            add_aead(&p, &o, runnel_aead_at(i));
        }
    measured m = measure(p.cells, p.count, o.seconds);
    for (size_t i = 0; i < p.count; i++)
        if (p.cells[i].failed)
            fail(EXIT_FAILED, "%s: %s: %s of %zu bytes fails", p.cells[i].shape->cipher,
                 p.cells[i].subject->implementation, operation_names[p.cells[i].operation], p.cells[i].bytes);
    if (report_json(p.cells, p.count, &m, core))
        fail(EXIT_FAILED, "cannot write: %s", strerror(errno));
    return 0;
}
