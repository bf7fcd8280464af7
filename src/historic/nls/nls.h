/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* NLSv2 without its MAC: key of 1 to 16 bytes, IV of 0 to 16. eSTREAM's version has keys of 10 and 16 bytes and IVs of
 * 4, 8, 12 and 16. 2^48 words under one key and IV, after which a counter repeats. Not seekable. A distinguisher from
 * 2^74 words is published; no key recovery. */
#ifndef RUNNEL_NLS_H
#define RUNNEL_NLS_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNNEL_NLS_REGISTER = 17, RUNNEL_NLS_ROOM = 16 };

typedef struct runnel_nls_state {
    /* The register is the 17 words from `at` on. It moves towards the end of the array, and from there back to its
     * start. */
    RUNNEL_ALIGNED uint32_t words[RUNNEL_NLS_REGISTER + RUNNEL_NLS_ROOM];
    uint32_t konst;
    uint32_t master[RUNNEL_NLS_REGISTER]; /* the register after key set-up */
    uint8_t at;
    uint8_t reserved[3];
} runnel_nls_state;

typedef struct runnel_nls {
    runnel_stream stream;
    uint8_t leftover[4];
    runnel_nls_state state;
} runnel_nls;

RUNNEL_DECLARE_STREAM_VERBS(nls)

#ifdef __cplusplus
}
#endif
#endif
