/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An object as large as the context of what is measured, to be looked at with nm; built as bench.c or bench_packet.c is. */
#include BENCH_HEADER

#ifndef BENCH_TYPE
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define BENCH_TYPE PASTE(runnel_, BENCH_FAMILY)
#endif

extern const char runnel_lab_context[];
const char runnel_lab_context[sizeof(BENCH_TYPE)] = {0};
