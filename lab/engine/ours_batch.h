/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Several streams of a cipher as one subject, one after another or at once. A call's bytes are shared out among them,
 * and each has a key and IVs of its own. */
#ifndef RUNNEL_BENCH_OURS_BATCH_H
#define RUNNEL_BENCH_OURS_BATCH_H

#include "ours.h"

enum { OURS_BATCH_MOST = 8 };

/* As ours_open, for so many streams. */
int ours_batch_open(const runnel_cipher *cipher, const char *kernel, size_t streams, int at_once,
                    bench_subject *subject);

#endif
