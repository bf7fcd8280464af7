/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For structs that assembly accesses: a member that moves is a compile-time error. The offset is the one that the
 * assembly uses, from a header that both include. */
#ifndef RUNNEL_ARCH_COMMON_OFFSETS_H
#define RUNNEL_ARCH_COMMON_OFFSETS_H

#include <stddef.h>

#define RUNNEL_CHECK_OFFSET(type, member, number)                                                                      \
    _Static_assert(offsetof(type, member) == (number), "assembly finds " #member " of " #type " at " #number)

#endif
