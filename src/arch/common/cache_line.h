/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Alignment of the library's own tables, temporaries and contexts, so that their parts cross no cache line needlessly. */
#ifndef RUNNEL_ARCH_COMMON_CACHE_LINE_H
#define RUNNEL_ARCH_COMMON_CACHE_LINE_H

#include <runnel/config.h>

/* For tables and temporaries. */
#define RUNNEL_LINE_ALIGNED _Alignas(RUNNEL_RECOMMENDED_ALIGN)
/* For contexts. */
#if RUNNEL_RECOMMENDED_ALIGN > RUNNEL_ALIGN
#define RUNNEL_LOCAL_CONTEXT(context) RUNNEL_LINE_ALIGNED context
#else
#define RUNNEL_LOCAL_CONTEXT(context) context
#endif

#endif
