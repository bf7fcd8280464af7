/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* No implementation is measured before its bytes have been compared with ours. */
#ifndef RUNNEL_BENCH_CHECK_H
#define RUNNEL_BENCH_CHECK_H

#include "subject.h"

/* Compares two subjects of one cipher: messages of many lengths and a stream that continues, under several keys and
 * IVs. Returns 1 if every byte agrees; otherwise 0 and says in text what differs. */
int check_agree(const bench_shape *shape, const bench_subject *ours, const bench_subject *other, char *text,
                size_t text_bytes);

#endif
