/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A page has no environment. */
#ifndef RUNNEL_MODULE_STDLIB_H
#define RUNNEL_MODULE_STDLIB_H

#include <stddef.h>

static inline char *getenv(const char *name)
{
    (void)name;
    return NULL;
}

#endif
