/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef RUNNEL_BENCH_REPORT_H
#define RUNNEL_BENCH_REPORT_H

#include "measure.h"

/* Prints {"machine": {…}, "rows": […]} to stdout, with the libraries that are here and are not if peers is 1. Returns 0, or
 * -1 if that fails. */
int report_json(const cell *cells, size_t count, const measured *m, int core, int peers);

#endif
