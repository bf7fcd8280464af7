/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "measure.h"

#include <stdlib.h>

#include "clock.h"
#include "random.h"

enum {
    WINDOW_NS = 100000,
    WINDOWS = 3, /* in one visit */
    ROUNDS_AT_LEAST = 3,
    CLOCKS_FIRST = 100, /* readings of the clock before the first window */
    RECENT = 8,         /* readings, in about a millisecond */
    KEYS = 16,          /* keys and IVs change from call to call, as they do in use */
    IVS = 64,
    LENGTH = 256
};

const char *const operation_names[OPERATIONS] = {"key", "iv", "message", "stream", "new-key"};

static uint8_t keys[KEYS][LENGTH], ivs[IVS][LENGTH];
enum { PLACES = 16, APART = 2048, PAGE = 4096 };
static _Alignas(PAGE) uint8_t buffers[2 * MEASURE_LONGEST + APART + 64 * PLACES];
static uint8_t *const in = buffers, *out = buffers + MEASURE_LONGEST + APART; /* half a page apart, and further */
static unsigned round_number;

static void *context_of(const bench_subject *s)
{
    return s->contexts[round_number % SUBJECT_CONTEXTS];
}

static int call(const cell *c, unsigned calls)
{
    const subject_verbs *verbs = c->subject->verbs;
    void *context = context_of(c->subject);
    int failed = 0;
    switch (c->operation) {
    case OPERATION_KEY:
        for (unsigned i = 0; i < calls; i++)
            failed |= verbs->key(context, keys[i % KEYS]);
        break;
    case OPERATION_IV:
        for (unsigned i = 0; i < calls; i++)
            failed |= verbs->iv(context, ivs[i % IVS]);
        break;
    case OPERATION_MESSAGE:
        for (unsigned i = 0; i < calls; i++)
            failed |= verbs->message(context, ivs[i % IVS], out, in, c->bytes);
        break;
    case OPERATION_NEW_KEY:
        for (unsigned i = 0; i < calls; i++)
            failed |= subject_key_message(verbs, context, keys[i % KEYS], ivs[i % IVS], out, in, c->bytes);
        break;
    default:
        for (unsigned i = 0; i < calls; i++)
            failed |= verbs->update(context, out, in, c->bytes);
    }
    return failed;
}

/* All readings of the clock, the oldest overwritten. */
static double readings[4096];
static size_t readings_taken;
static double highest;
enum { READINGS = sizeof readings / sizeof readings[0] };

static double read_clock(void)
{
    double ghz = clock_core_ghz();
    readings[readings_taken++ % READINGS] = ghz;
    if (ghz > highest)
        highest = ghz;
    return ghz;
}

/* Tells whether two readings in a row were undisturbed: within 3 % of the best of the last millisecond, and not below
 * 70 % of the best of all, which is further than the clock wanders. */
static int undisturbed(double before, double after)
{
    double best = 0.7 / 0.97 * highest;
    for (size_t i = 1; i <= RECENT && i <= readings_taken; i++) {
        double ghz = readings[(readings_taken - i) % READINGS];
        if (ghz > best)
            best = ghz;
    }
    return before >= 0.97 * best && after >= 0.97 * best;
}

/* Returns the time of one window in nanoseconds. */
static double window(cell *c)
{
    double start = clock_ns();
    if (call(c, c->calls))
        c->failed = 1;
    return clock_ns() - start;
}

/* Makes the subject ready, and its code, its tables and the branch predictors warm. */
static void warm_up(cell *c)
{
    const bench_subject *s = c->subject;
    c->failed |= s->verbs->key(context_of(s), keys[0]) != 0 || s->verbs->iv(context_of(s), ivs[0]) != 0;
    c->failed |= call(c, c->calls / 4 + 1) != 0;
}

static void visit(cell *c)
{
    warm_up(c);
    double ns = 0, before = read_clock();
    for (int i = 0; i < WINDOWS && ns < 2 * WINDOW_NS && !c->failed; i++) {
        ns = window(c);
        double after = read_clock();
        double cycles = ns * (after > before ? after : before) / c->calls;
        if (undisturbed(before, after) && (c->cycles == 0 || cycles < c->cycles))
            c->cycles = cycles;
        if (c->ns == 0 || ns / c->calls < c->ns)
            c->ns = ns / c->calls;
        before = after;
    }
}

/* The same from further down the stack. */
static __attribute__((noinline)) void visit_below(cell *c, size_t bytes)
{
    volatile uint8_t *between = __builtin_alloca(bytes + 1);
    between[0] = 0;
    visit(c);
}

/* Finds how many calls fill a window. */
static void fit(cell *c)
{
    for (c->calls = 1; !c->failed; c->calls *= 2) {
        warm_up(c);
        double ns = window(c);
        if (ns >= WINDOW_NS / 4.0) {
            unsigned calls = (unsigned)(WINDOW_NS / ns * c->calls);
            c->calls = calls > 0 ? calls : 1;
            return;
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

measured measure(cell *cells, size_t count, double seconds)
{
    measured m = {0, 0, 0};
    random_bytes(keys[0], sizeof keys);
    random_bytes(ivs[0], sizeof ivs);
    random_bytes(buffers, sizeof buffers);
    double end = clock_ns() + seconds * 1e9;
    for (int i = 0; i < CLOCKS_FIRST; i++)
        read_clock();
    for (size_t i = 0; i < count; i++)
        fit(&cells[i]);
    for (; m.rounds < ROUNDS_AT_LEAST || clock_ns() < end; m.rounds++) {
        round_number = m.rounds;
        out = buffers + MEASURE_LONGEST + APART + 64 * (5 * round_number % PLACES);
        for (size_t i = 0; i < count && (m.rounds < ROUNDS_AT_LEAST || clock_ns() < end); i++)
            if (!cells[i].failed)
                visit_below(&cells[i], 7 * 64 * round_number % PAGE);
    }
    for (size_t i = 0; i < count; i++)
        if (cells[i].cycles == 0) /* never undisturbed: at least not too few */
            cells[i].cycles = cells[i].ns * highest;
    size_t kept = readings_taken < READINGS ? readings_taken : READINGS;
    if (kept > 0) {
        qsort(readings, kept, sizeof readings[0], ascending);
        m.clock_ghz = readings[kept / 2];
        m.clock_ghz_highest = highest;
    }
    return m;
}
