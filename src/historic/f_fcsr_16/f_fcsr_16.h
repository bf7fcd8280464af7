/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F-FCSR-16, broken: key and IV of 16 bytes. Not seekable. */
#ifndef RUNNEL_F_FCSR_16_H
#define RUNNEL_F_FCSR_16_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_f_fcsr_16_state {
    RUNNEL_ALIGNED uint32_t m[9]; /* the register, its lowest bits first; the last word is 0 */
    uint32_t c[8];                /* the carries */
    uint8_t key[16];
} runnel_f_fcsr_16_state;

typedef struct runnel_f_fcsr_16 {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_f_fcsr_16_state state;
} runnel_f_fcsr_16;

RUNNEL_DECLARE_STREAM_VERBS(f_fcsr_16)

#ifdef __cplusplus
}
#endif
#endif
