/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The marks of lab/mark.h as a clock: the counter's ticks between them go to the file that LAB_MARKS names, less those of
 * a pair with nothing in between. */
#include <stdio.h>
#include <stdlib.h>

#include "mark.h"
#include "tsc.h"

static FILE *marks;
static uint64_t start, nothing;

static void open_marks(void)
{
    const char *name = getenv("LAB_MARKS");
    marks = fopen(name != NULL ? name : "/dev/null", "w");
    if (marks == NULL)
        exit(1);
    nothing = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        const uint64_t before = tsc_begin(), ticks = tsc_end() - before;
        if (ticks < nothing)
            nothing = ticks;
    }
}

void lab_begin(void)
{
    if (marks == NULL)
        open_marks();
    start = tsc_begin();
}

void lab_end(void)
{
    const uint64_t ticks = tsc_end() - start;
    fprintf(marks, "%llu - - - -\n", (unsigned long long)(ticks > nothing ? ticks - nothing : 0));
}
