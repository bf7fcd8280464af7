/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The marks of lab/mark.h as a clock: the counter's ticks between them go to the file that LAB_MARKS names, less those
 * of a pair with nothing in between. */
#include <stdio.h>
#include <stdlib.h>

#include "mark.h"
#include "tsc.h"

static FILE *marks;
static uint64_t start;
static int64_t nothing;

static void open_marks(void)
{
    const char *name = getenv("LAB_MARKS");
    marks = fopen(name != NULL ? name : "/dev/null", "w");
    if (marks == NULL)
        exit(1);
    /* The counter ticks in steps: a mean, without the pairs that something came between. */
    uint64_t least = UINT64_MAX, sum = 0, pairs = 0;
    for (int i = 0; i < 4000; i++) {
        const uint64_t before = tsc_begin(), ticks = tsc_end() - before;
        if (ticks < least)
            least = ticks;
        if (ticks < 2 * least + 8) {
            sum += ticks;
            pairs++;
        }
    }
    nothing = (int64_t)((sum + pairs / 2) / pairs);
}

void lab_begin(void)
{
    if (marks == NULL)
        open_marks();
    start = tsc_begin();
}

void lab_end(void)
{
    const int64_t ticks = (int64_t)(tsc_end() - start);
    fprintf(marks, "%lld - - - -\n", (long long)(ticks - nothing));
}
