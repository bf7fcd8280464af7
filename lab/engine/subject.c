/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "subject.h"

#include <stdlib.h>

void subject_add_context(bench_subject *subject, size_t number, const bench_subject *another)
{
    for (size_t i = number; i < SUBJECT_CONTEXTS; i++)
        subject->contexts[i] = another->context;
    if (malloc(1 + 704 * number) == NULL) /* kept, as all contexts are */
        abort();
}
