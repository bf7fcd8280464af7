/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An object as large as the context of what is measured, to be looked at with nm; built as bench.c is. */
#include BENCH_HEADER

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

extern const char runnel_lab_context[];
const char runnel_lab_context[sizeof(PASTE(runnel_, BENCH_FAMILY))] = {0};
