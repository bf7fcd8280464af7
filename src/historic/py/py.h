/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Py, broken: key of 1 to 256 bytes, IV of 1 to 64 bytes. Not seekable.
 *
 * Firmware names its kernel with RUNNEL_PY_KERNEL (table) and its longest key with RUNNEL_PY_KEY_BITS (8 to 2048).
 * Firmware keeps the key and expands it for each IV; hosts also keep the key expanded for the last IV's length,
 * another 1,040 bytes.
 *
 * The rules for all functions (lengths, overlap, errors) are in <runnel/stream.h>, the verbs in <runnel/verbs.h>. */
#ifndef RUNNEL_PY_H
#define RUNNEL_PY_H

#include <runnel/verbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef RUNNEL_PY_KEY_BITS
#define RUNNEL_PY_KEY_BITS 2048
#endif

/* 1: the arrays have room to roll in, which one paper's kernel on AVR needs; the others' are rings. */
#if defined(RUNNEL_PY_KERNEL)
#define KERNEL(on, name)
#define PAPER(on, name)
#include "kernels.inc" /* in the source tree, from which firmware is built */
#define RUNNEL_PY_ROLLING_OF_(kernel) RUNNEL_PY_ROLLING_##kernel
#define RUNNEL_PY_ROLLING_OF(kernel) RUNNEL_PY_ROLLING_OF_(kernel)
#define RUNNEL_PY_ROLLING RUNNEL_PY_ROLLING_OF(RUNNEL_PY_KERNEL)
#elif defined(__AVR__)
#define RUNNEL_PY_ROLLING 1
#else
#define RUNNEL_PY_ROLLING 0
#endif
#define RUNNEL_PY_ROOM (RUNNEL_PY_ROLLING ? 260 : 0)

typedef struct runnel_py_state {
    RUNNEL_ALIGNED uint8_t p[256 + RUNNEL_PY_ROOM]; /* a ring: P[i] is element (first_p + i) mod 256 */
    uint32_t y[260 + RUNNEL_PY_ROOM];               /* a ring: Y[i] is element (first_y + 3 + i) mod 260 */
#if RUNNEL_HOSTED
    uint32_t schedule[260]; /* Y after key set-up for IVs of schedule_iv_bytes; 0: not made yet */
#endif
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
    RUNNEL_TO_LINE(sizeof(runnel_stream) + 8)
    runnel_py_state state;
} runnel_py;

/* Key set-up: the CPU picks the kernel; an IV must follow. Constant-time in the key.
 * Errors: NULL, KEY_LENGTH. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_key(runnel_py *c, const uint8_t *key, size_t key_bytes);
/* The same with a kernel chosen by name (NULL: as above). Timing class: the kernel's. Errors also: KERNEL. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_key_kernel(runnel_py *c, const uint8_t *key, size_t key_bytes,
                                                      const char *kernel);
/* Sets the IV and starts a message at position 0. Errors: NULL, IV_LENGTH, STATE (no key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_iv(runnel_py *c, const uint8_t *iv, size_t iv_bytes);
/* Writes in XOR keystream to out, `bytes` bytes each (in == NULL: the keystream itself); encrypts and decrypts. Timing
 * class: the kernel's. Errors: STATE (no IV), NULL, OVERLAP, LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_xor(runnel_py *c, uint8_t *out, const uint8_t *in, size_t bytes);
/* Sets the IV and encrypts or decrypts its message, checked once. Errors: those of both. See runnel_stream_packet. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_packet(runnel_py *c, const uint8_t *iv, size_t iv_bytes, uint8_t *out,
                                                  const uint8_t *in, size_t bytes);
/* Moves to a position in bytes from the IV, in O(1). Errors: STATE, SEEK (the cipher cannot), LIMIT. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_seek(runnel_py *c, uint64_t position);
/* Sets key and IV, XORs one message and wipes as runnel_stream_wipe does. Errors: those of the three. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_once(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *key,
                                                size_t key_bytes, const uint8_t *iv, size_t iv_bytes);
#if RUNNEL_HOSTED
/* XORs `count` streams in one call; see runnel_stream_xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_xor_batch(runnel_py *const *c, uint8_t *const *out, const uint8_t *const *in,
                                                     const size_t *bytes, size_t count);
/* Sets the IVs of `count` streams in one call; see runnel_stream_iv_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_py_iv_batch(runnel_py *const *c, const uint8_t *const *ivs, size_t iv_bytes,
                                                    size_t count);
#endif
/* Returns the position in bytes from the IV, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_py_tell(const runnel_py *c);
/* Returns how many bytes of keystream remain, at most UINT64_MAX; 0 without an IV. */
RUNNEL_API uint64_t runnel_py_left(const runnel_py *c);
/* Returns the name of the kernel that was chosen at key set-up, NULL without a key. */
RUNNEL_API const char *runnel_py_kernel(const runnel_py *c);
/* Clears the context and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_py_wipe(runnel_py *c);

#ifdef __cplusplus
}
#endif
#endif
