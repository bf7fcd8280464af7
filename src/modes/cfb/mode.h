/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cipher feedback with whole-block segments (CFB128; SP 800-38A 6.3). */
#ifndef RUNNEL_MODES_CFB_H
#define RUNNEL_MODES_CFB_H

#include "core/define.h"

/* For any block cipher whose context starts with runnel_cfb_head. */
extern const runnel_directions runnel_cfb;

/* Members of a block cipher's descriptor that the mode decides. The cipher adds name, title, source and kernels. The
 * context is runnel_<cipher>_cfb, with a schedule. */
#define RUNNEL_CFB_MODE(cipher, bits, bytes)                                                                           \
    .family = RUNNEL_TEXT(#cipher "_cfb"), .mode = RUNNEL_MODE_CFB, .status = RUNNEL_LEGACY,                           \
    .remark = RUNNEL_TEXT("needs an unpredictable IV; encryption runs one block at a time"),                           \
    .key_bytes = {bits / 8, bits / 8, 1}, .iv_bytes = {bytes, bytes, 1}, .block_bytes = bytes,                         \
    .context_bytes = sizeof(runnel_##cipher##_cfb), .state_offset = offsetof(runnel_##cipher##_cfb, schedule),         \
    .directions = &runnel_cfb

#endif
