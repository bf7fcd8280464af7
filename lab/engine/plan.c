/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "ours.h"
#include "ours_aead.h"
#include "ours_batch.h"
#include "peers.h"

enum { SUBJECTS = 48 /* of one cipher */ };

/* Messages: what a full run measures, what a usual one does of a cipher and of an AEAD. 0 ends a list. */
static const size_t full_sizes[] = {16, 64, 128, 256, 1024, 1500, 4096, 16384, 65536, 0};
static const size_t cipher_sizes[] = {16, 128, 1024, 16384, 0};
static const size_t aead_sizes[] = {16, 64, 256, 1024, 1500, 4096, 16384, 65536, 0};
static const size_t stream_sizes[] = {65536, 0};
static const size_t none[] = {0};

/* All implementations of one cipher: first ours, the one that runs by default before the others. */
typedef struct group {
    bench_shape shape;
    bench_subject subjects[SUBJECTS];
    size_t count;
} group;

static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (p == NULL)
        fail(EXIT_FAILED, "out of memory");
    return p;
}

static void add_cell(plan *p, const bench_shape *shape, const bench_subject *subject, operation op, size_t bytes)
{
    if (p->count == p->room) {
        p->room = p->room * 2 + 64;
        p->cells = grow(p->cells, p->room * sizeof *p->cells);
    }
    p->cells[p->count++] = (cell){.shape = shape, .subject = subject, .operation = op, .bytes = bytes};
}

static int asked_for(const selection *s, operation op)
{
    return (s->operations >> op & 1) != 0;
}

/* Tells whether a subject can do it: an AEAD sets no IV without its message, and what needs no set-up has no time for it. */
static int can(const bench_shape *shape, const bench_subject *subject, operation op, size_t bytes)
{
    switch (op) {
    case OPERATION_KEY:
        return !subject->verbs->stateless;
    case OPERATION_IV:
        return !subject->verbs->stateless && shape->iv_bytes > 0 && shape->tag_bytes == 0;
    case OPERATION_STREAM:
        return subject_can_continue(subject->verbs, bytes);
    default:
        return 1;
    }
}

/* Returns the sizes with which an operation is measured. */
static const size_t *sizes(const selection *s, const bench_shape *shape, operation op, int full)
{
    const int aead = shape->tag_bytes > 0;
    const size_t *const messages = full ? full_sizes : aead ? aead_sizes : cipher_sizes;
    if (s->operations != 0 && !asked_for(s, op))
        return none;
    switch (op) {
    case OPERATION_MESSAGE:
        return messages;
    case OPERATION_STREAM:
        if (full)
            return full_sizes;
        return aead && !asked_for(s, op) ? none : stream_sizes;
    case OPERATION_NEW_KEY:
        return full || asked_for(s, op) ? messages : none;
    default:
        return none;
    }
}

/* A kernel that does not run by default is measured as in a usual run. */
static void add_cells_of(plan *p, const selection *s, const group *g, operation op)
{
    if (op == OPERATION_KEY || op == OPERATION_IV) {
        for (size_t i = 0; i < g->count; i++)
            if ((s->operations == 0 || asked_for(s, op)) && can(&g->shape, &g->subjects[i], op, 0))
                add_cell(p, &g->shape, &g->subjects[i], op, 0);
        return;
    }
    for (const size_t *bytes = sizes(s, &g->shape, op, s->full); *bytes != 0; bytes++)
        for (size_t i = 0; i < g->count; i++) {
            const int other_kernel = i > 0 && *g->subjects[i].kernel != '\0';
            const size_t *own = sizes(s, &g->shape, op, s->full && !other_kernel);
            while (*own != 0 && *own != *bytes)
                own++;
            if (*own != 0 && can(&g->shape, &g->subjects[i], op, *bytes))
                add_cell(p, &g->shape, &g->subjects[i], op, *bytes);
        }
}

/* Compares the bytes of all and plans what is measured of them. The implementations of one thing stand side by side, so
 * that they are measured at about the same time. */
static void add_group(plan *p, const selection *s, group *g)
{
    if (!s->no_peers)
        g->count += peers_open(&g->shape, g->subjects + g->count, SUBJECTS - g->count);
    for (size_t i = 1; i < g->count; i++) {
        const bench_subject *other = &g->subjects[i];
        char text[160];
        if (!check_agree(&g->shape, &g->subjects[0], other, text, sizeof text))
            fail(EXIT_FAILED, "%s: runnel (%s) and %s%s%s do not agree: %s", g->shape.cipher, g->subjects[0].kernel,
                 other->implementation, *other->kernel ? " " : "", other->kernel, text);
    }
    for (operation op = OPERATION_KEY; op < OPERATIONS; op++)
        add_cells_of(p, s, g, op);
}

static void no_kernel(const char *cipher, const char *kernel)
{
    fail(EXIT_USAGE, "%s has no kernel '%s' that this CPU runs", cipher, kernel != NULL ? kernel : "constant-time");
}

void plan_cipher(plan *p, const selection *s, const runnel_cipher *cipher)
{
    group *g = grow(NULL, sizeof *g);
    runnel_kernel_info info;
    *g = (group){.shape = ours_shape(cipher)};
    if (!ours_open(cipher, s->kernel, &g->subjects[g->count++]))
        no_kernel(cipher->name, s->kernel);
    for (size_t i = 0; s->all_kernels && runnel_cipher_kernel(cipher, i, &info) == RUNNEL_OK; i++)
        if (info.available && strcmp(info.name, g->subjects[0].kernel) != 0 && g->count < SUBJECTS &&
            ours_open(cipher, info.name, &g->subjects[g->count]))
            g->count++;
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (size_t i = 0; i < g->count; i++) {
            bench_subject another = g->subjects[i];
            if (number == 0 || ours_open(cipher, g->subjects[i].kernel, &another))
                subject_add_context(&g->subjects[i], number, &another);
        }
    add_group(p, s, g);
}

void plan_aead(plan *p, const selection *s, const runnel_aead *aead)
{
    group *g = grow(NULL, sizeof *g);
    runnel_kernel_info info;
    *g = (group){.shape = ours_aead_shape(aead)};
    if (!ours_aead_open(aead, s->kernel, &g->subjects[g->count++]))
        no_kernel(aead->name, s->kernel);
    for (size_t i = 0; s->all_kernels && runnel_aead_kernel_at(aead, i, &info) == RUNNEL_OK; i++)
        if (info.available && strcmp(info.name, g->subjects[0].kernel) != 0 && g->count < SUBJECTS &&
            ours_aead_open(aead, info.name, &g->subjects[g->count]))
            g->count++;
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (size_t i = 0; i < g->count; i++) {
            bench_subject another = g->subjects[i];
            if (number == 0 || ours_aead_open(aead, g->subjects[i].kernel, &another))
                subject_add_context(&g->subjects[i], number, &another);
        }
    add_group(p, s, g);
}

/* Several streams of one kernel, one after another and at once. Returns 0 if the kernel is not for this CPU. */
static int add_batch_of(plan *p, const selection *s, const runnel_cipher *cipher, const char *kernel)
{
    static const size_t messages[] = {128, 16384};
    group *g = grow(NULL, sizeof *g);
    *g = (group){.shape = ours_shape(cipher), .count = 2};
    for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
        for (int at_once = 0; at_once < 2; at_once++) {
            bench_subject another;
            if (!ours_batch_open(cipher, kernel, s->batch, at_once, &another)) {
                free(g);
                return 0;
            }
            if (number == 0)
                g->subjects[at_once] = another;
            subject_add_context(&g->subjects[at_once], number, &another);
        }
    char text[160];
    if (!check_agree(&g->shape, &g->subjects[0], &g->subjects[1], text, sizeof text))
        fail(EXIT_FAILED, "%s (%s): streams at once and alone differ: %s", cipher->name, g->subjects[0].kernel, text);
    add_cells_of(p, s, g, OPERATION_IV);
    for (size_t m = 0; m < sizeof messages / sizeof messages[0]; m++)
        for (int at_once = 0; at_once < 2; at_once++)
            if (s->operations == 0 || asked_for(s, OPERATION_MESSAGE))
                add_cell(p, &g->shape, &g->subjects[at_once], OPERATION_MESSAGE, s->batch * messages[m]);
    return 1;
}

void plan_batch(plan *p, const selection *s, const runnel_cipher *cipher)
{
    runnel_kernel_info info;
    if (cipher->directions != NULL)
        return;
    if (s->all_kernels || !s->named) {
        for (size_t i = 0; runnel_cipher_kernel(cipher, i, &info) == RUNNEL_OK; i++)
            if (info.available && (info.lanes > 1 || s->all_kernels))
                add_batch_of(p, s, cipher, info.name);
    } else if (!add_batch_of(p, s, cipher, s->kernel)) {
        no_kernel(cipher->name, s->kernel);
    }
}
