/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every AEAD of the registry as a subject; no AEAD is named here. */
#ifndef RUNNEL_BENCH_OURS_AEAD_H
#define RUNNEL_BENCH_OURS_AEAD_H

#include <runnel/aead.h>

#include "subject.h"

/* Returns the shape an AEAD is measured with: the nonce to be preferred and the longest tag. */
bench_shape ours_aead_shape(const runnel_aead *aead);

/* Opens an AEAD with a kernel by name, or NULL for the library's choice. Returns 1, or 0 if the AEAD does not have that
 * kernel or this CPU cannot run it. */
int ours_aead_open(const runnel_aead *aead, const char *kernel, bench_subject *subject);

#endif
