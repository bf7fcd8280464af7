/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arch/common/inline.h"
#include "arch/common/wipe.h"

#if RUNNEL_STACK_BYTES > 0

/* Not inlined, so that its frame lies where those of the functions before it lay. */
#if defined(__GNUC__)
RUNNEL_NOINLINE void runnel_wipe_stack(size_t bytes)
{
    runnel_wipe(__builtin_alloca(bytes), bytes);
}
#else
void runnel_wipe_stack(size_t bytes)
{
    unsigned char below[RUNNEL_STACK_BYTES];
    (void)bytes;
    runnel_wipe(below, sizeof below);
}
#endif

#endif
