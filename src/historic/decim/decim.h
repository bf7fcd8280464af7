/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* DECIM v2: key of 10 bytes, IV of 8 bytes, or of 4, which is the same as 8 of which the last four are 0. Not
 * seekable. */
#ifndef RUNNEL_DECIM_H
#define RUNNEL_DECIM_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands between the register and the keystream: decimation (ABSG), and the buffer that makes it regular. */
typedef struct runnel_decim_output {
    uint32_t buffer; /* the oldest bit lowest */
    uint32_t end;    /* the one bit that the next one goes to; 0: the buffer is full */
    uint8_t idle;    /* 1: the next bit is a target */
    uint8_t target;
    uint8_t seen; /* 1: the other bit was read since the target */
} runnel_decim_output;

typedef struct runnel_decim_state {
    RUNNEL_ALIGNED runnel_decim_output output;
    uint8_t cells[24]; /* the register, cell 0 in the lowest bit of the first byte */
    uint8_t key[10];
} runnel_decim_state;

typedef struct runnel_decim {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_decim_state state;
} runnel_decim;

RUNNEL_DECLARE_STREAM_VERBS(decim)

#ifdef __cplusplus
}
#endif
#endif
