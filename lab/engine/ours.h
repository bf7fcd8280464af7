/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every cipher of the registry as a subject; no cipher is named here. */
#ifndef RUNNEL_BENCH_OURS_H
#define RUNNEL_BENCH_OURS_H

#include <runnel/cipher.h>

#include "subject.h"

/* Returns the shape a cipher is measured with: its longest key and its longest IV. */
bench_shape ours_shape(const runnel_cipher *cipher);

/* Opens a cipher with a kernel by name, or NULL for the library's choice. Returns 1, or 0 if the cipher does not have
 * that kernel or this CPU cannot run it. */
int ours_open(const runnel_cipher *cipher, const char *kernel, bench_subject *subject);

#endif
