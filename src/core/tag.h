/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The comparison of tags, for MACs, AEADs and SRTP. */
#ifndef RUNNEL_CORE_TAG_H
#define RUNNEL_CORE_TAG_H

#include <runnel/stream.h>

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "arch/common/inline.h"

/* Returns RUNNEL_OK or RUNNEL_ERR_TAG without a branch: only the caller may make the result public. */
RUNNEL_INLINE int runnel_compare_tag(const uint8_t *right, const uint8_t *tag, size_t tag_bytes)
{
#if RUNNEL_HOSTED
    /* As most have: 25 cycles less than byte by byte (Zen 3), and no load wider than the stores before it. */
    if (tag_bytes == 16) {
        uint64_t words =
            (runnel_load64le(right) ^ runnel_load64le(tag)) | (runnel_load64le(right + 8) ^ runnel_load64le(tag + 8));
        RUNNEL_VALUE_BARRIER(words);
        return -(int)((words | (0 - words)) >> 63) & RUNNEL_ERR_TAG;
    }
#endif
    uint8_t differ = 0;
    for (size_t i = 0; i < tag_bytes; i++)
        differ |= (uint8_t)(right[i] ^ tag[i]);
    differ = runnel_value_barrier8(differ);
    return -(int)((differ + 255u) >> 8) & RUNNEL_ERR_TAG;
}

#endif
