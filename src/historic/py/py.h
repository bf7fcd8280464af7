/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py, broken: key of 1 to 256 bytes, IV of 1 to 64 bytes. Not seekable.
 *
 * Firmware names its kernel with RUNNEL_PY_KERNEL (table) and its longest key with RUNNEL_PY_KEY_BITS (8 to 2048). It
 * keeps the key and expands it for each IV; hosts keep the key expanded for the length of the last IV as well, which
 * takes another 1,040 bytes. */
#ifndef RUNNEL_PY_H
#define RUNNEL_PY_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_PY_KEY_BITS
#define RUNNEL_PY_KEY_BITS 2048
#endif

typedef struct runnel_py_state {
    RUNNEL_ALIGNED uint32_t y[260]; /* a ring: Y[i] is the one number (first_y + 3 + i) mod 260 */
#if RUNNEL_HOSTED
    uint32_t schedule[260]; /* Y after key set-up for IVs of schedule_iv_bytes; 0: not made yet */
#endif
    uint8_t p[256]; /* a ring: P[i] is the one number (first_p + i) mod 256 */
    uint32_t s;
    uint16_t first_y;
    uint16_t key_bytes;
    uint8_t first_p;
    uint8_t schedule_iv_bytes;
    uint8_t key[RUNNEL_PY_KEY_BITS / 8];
} runnel_py_state;

typedef struct runnel_py {
    runnel_stream stream;
    uint8_t leftover[8];
    runnel_py_state state;
} runnel_py;

RUNNEL_DECLARE_STREAM_VERBS(py)

#ifdef __cplusplus
}
#endif
#endif
