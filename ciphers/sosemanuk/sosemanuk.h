/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SOSEMANUK (eSTREAM portfolio): key of 1 to 32 bytes, at least 16 for 128-bit security, which longer keys do not raise;
 * IV of 0 to 16 bytes, filled up with zeros: two IVs that differ only in zeros at the end are the same. No limit that
 * can be reached. Not seekable. Never use an IV twice with one key; 16 random bytes are enough to be sure of that. */
#ifndef RUNNEL_SOSEMANUK_H
#define RUNNEL_SOSEMANUK_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct runnel_sosemanuk_state {
    RUNNEL_ALIGNED uint32_t s[10]; /* the shift register, the oldest word first */
    uint32_t r1, r2;
    uint32_t subkeys[100]; /* of the key alone: where every IV begins */
} runnel_sosemanuk_state;

typedef struct runnel_sosemanuk {
    runnel_stream stream;
    uint8_t leftover[16];
    runnel_sosemanuk_state state;
} runnel_sosemanuk;

RUNNEL_DECLARE_STREAM_VERBS(sosemanuk)

#ifdef __cplusplus
}
#endif
#endif
