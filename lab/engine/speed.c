/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-speed: every cipher of the registry beside the libraries found on this machine, all in this one process. */
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <runnel/cpu.h>

#include "ours_batch.h"
#include "plan.h"
#include "report.h"

enum { NAMES = 64 };

static const char usage[] =
    "usage: runnel-speed [--cipher NAME]... [--kernel NAME | --all-kernels] [--operation OPERATION]...\n"
    "                    [--full] [--no-peers] [--seconds S] [--core N]\n"
    "       runnel-speed --batch STREAMS ...\n"
    "measures every cipher, or those that are named, and AEADs that are named;\n"
    "prints one JSON object; operations are key, iv, message, stream and new-key; with --full every operation on "
    "every\n"
    "size, with --batch messages of so many streams of ours, one after another and at once, without other options by "
    "all\n"
    "kernels that have functions for it\n";

typedef struct options {
    const char *ciphers[NAMES];
    size_t cipher_count;
    selection selected;
    double seconds;
    int core; /* -1: the last one that this process may run on */
} options;

void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("runnel-speed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(status);
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
    fail(EXIT_USAGE, "unknown operation '%s'; choose from key, iv, message, stream and new-key", name);
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
            o.selected.all_kernels = 1;
            continue;
        } else if (strcmp(name, "--no-peers") == 0) {
            o.selected.no_peers = 1;
            continue;
        } else if (strcmp(name, "--full") == 0) {
            o.selected.full = 1;
            continue;
        }
        const char *value = i + 1 < count ? arguments[++i] : NULL;
        if (value == NULL) {
            fputs(usage, stderr);
            exit(EXIT_USAGE);
        }
        if (strcmp(name, "--cipher") == 0) {
            if (runnel_cipher_find(value) == NULL && runnel_aead_find(value) == NULL)
                fail(EXIT_USAGE, "unknown cipher '%s'", value);
            if (o.cipher_count < NAMES)
                o.ciphers[o.cipher_count++] = value;
            o.selected.named = 1;
        } else if (strcmp(name, "--kernel") == 0) {
            o.selected.kernel = value;
        } else if (strcmp(name, "--operation") == 0) {
            o.selected.operations |= operation_bit(value);
        } else if (strcmp(name, "--batch") == 0) {
            o.selected.batch = (size_t)number(name, value, 2, OURS_BATCH_MOST);
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

static int wanted(const options *o, const char *cipher)
{
    for (size_t i = 0; i < o->cipher_count; i++)
        if (strcmp(o->ciphers[i], cipher) == 0)
            return 1;
    return o->cipher_count == 0;
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
    fail(EXIT_USAGE, "RUNNEL_CPU: unknown CPU feature '%.*s'; known are %s, all and none", (int)bytes, word, known);
}

int main(int count, char **arguments)
{
    options o = parse(count, arguments);
    check_environment();
    static plan p; /* lives, with all it holds, as long as the process */
    int core = pin(o.core);
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++)
        if (wanted(&o, runnel_cipher_at(i)->name))
            (o.selected.batch ? plan_batch : plan_cipher)(&p, &o.selected, runnel_cipher_at(i));
    for (size_t i = 0; i < runnel_aead_count() && o.cipher_count > 0; i++)
        if (wanted(&o, runnel_aead_at(i)->name)) {
            if (o.selected.batch)
                fail(EXIT_USAGE, "--batch is for ciphers, not for %s", runnel_aead_at(i)->name);
            plan_aead(&p, &o.selected, runnel_aead_at(i));
        }
    measured m = measure(p.cells, p.count, o.seconds);
    for (size_t i = 0; i < p.count; i++)
        if (p.cells[i].failed)
            fail(EXIT_FAILED, "%s: %s: %s of %zu bytes fails", p.cells[i].shape->cipher,
                 p.cells[i].subject->implementation, operation_names[p.cells[i].operation], p.cells[i].bytes);
    if (report_json(p.cells, p.count, &m, core, !o.selected.no_peers && !o.selected.batch))
        fail(EXIT_FAILED, "cannot write: %s", strerror(errno));
    return 0;
}
