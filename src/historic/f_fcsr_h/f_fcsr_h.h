/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* F-FCSR-H, broken: its state is found from some megabytes of keystream.
 *  - runnel_f_fcsr_h, version 2: key and IV of 10 bytes.
 *  - runnel_f_fcsr_h_v1, version 1: key and IV of 10 or 16 bytes, of which only the first 10 are read.
 * Not seekable. */
#ifndef RUNNEL_F_FCSR_H_H
#define RUNNEL_F_FCSR_H_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_f_fcsr_h_state {
    RUNNEL_ALIGNED uint32_t m[6]; /* the register, its lowest bits first; the last word is 0 */
    uint32_t c[5];                /* the carries */
    uint8_t key[10];
    uint8_t version; /* 1 or 2 */
    uint8_t reserved;
} runnel_f_fcsr_h_state;

typedef struct runnel_f_fcsr_h {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_f_fcsr_h_state state;
} runnel_f_fcsr_h;

typedef runnel_f_fcsr_h runnel_f_fcsr_h_v1;

RUNNEL_DECLARE_STREAM_VERBS(f_fcsr_h)
RUNNEL_DECLARE_STREAM_VERBS(f_fcsr_h_v1)

#ifdef __cplusplus
}
#endif
#endif
