/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by all ciphers: errors, counter layouts, and the verbs on any context that has a key.
 *
 * Rules stated once, for every function of the library:
 *  - the caller owns every context; the library never allocates and keeps no global state but the CPU
 *    feature word; a context may be copied (the copy makes the same keystream) and moved, also to another
 *    alignment: it may lie in any memory from malloc, and is a little faster at RUNNEL_RECOMMENDED_ALIGN;
 *  - lengths are in bytes, positions in bytes from the IV; a length of 0 succeeds, also with NULL pointers,
 *    where the call itself is in order;
 *  - out == in is allowed, any other overlap is RUNNEL_ERR_OVERLAP; no alignment is asked of buffers;
 *  - results are 0 or a negative RUNNEL_ERR_*, decided before the first output byte: on error the output
 *    and the context are as they were;
 *  - a context that was never keyed must be zero-filled to be recognised as such (RUNNEL_ERR_STATE);
 *  - a raw keystream is not authenticated: anyone who can change the ciphertext can change the plaintext. */
#ifndef RUNNEL_STREAM_H
#define RUNNEL_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <runnel/config.h>
#include <runnel/detail/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RUNNEL_OK = 0,
    RUNNEL_ERR_NULL = -1,        /* null pointer with a length that is not 0 */
    RUNNEL_ERR_KEY_LENGTH = -2,  /* invalid key length */
    RUNNEL_ERR_IV_LENGTH = -3,   /* invalid IV or nonce length */
    RUNNEL_ERR_LAYOUT = -4,      /* counter layout not supported by the cipher */
    RUNNEL_ERR_STATE = -5,       /* key or IV not set */
    RUNNEL_ERR_LIMIT = -6,       /* message too long: the keystream would end or repeat */
    RUNNEL_ERR_SEEK = -7,        /* cipher does not support seeking */
    RUNNEL_ERR_OVERLAP = -8,     /* output partially overlaps the input, or overlaps another argument */
    RUNNEL_ERR_CIPHER = -9,      /* unknown cipher name or index */
    RUNNEL_ERR_KERNEL = -10,     /* unknown kernel, or not supported by this CPU */
    RUNNEL_ERR_DIRECTION = -11,  /* cipher has no xor: encryption and decryption differ */
    RUNNEL_ERR_TAG_LENGTH = -12, /* invalid tag length */
    RUNNEL_ERR_TAG = -13,        /* authentication failed */
    RUNNEL_ERR_ONE_SHOT = -14,   /* AEAD takes a message in one call, not in pieces */
    RUNNEL_ERR_PACKET = -15,     /* malformed packet, or packet of another stream */
    RUNNEL_ERR_REPLAY = -16      /* packet replayed, or older than the replay window */
};

/* Returns what an error code means, in one clause without a full stop; never NULL. */
RUNNEL_API const char *runnel_error_text(int error);

/* Where the block counter sits in a counter block, how wide it is and in which byte order it counts. The
 * counter wraps inside its field; the other bytes never change. The number is the width in bits. */
enum {
    RUNNEL_LAYOUT_DEFAULT = 0, /* be128 for 16-byte blocks (SP 800-38A, OpenSSL), be64 for 8-byte blocks */
    RUNNEL_BE128,              /* the whole block */
    RUNNEL_BE64,               /* the last 8 bytes */
    RUNNEL_BE32,               /* the last 4 bytes (RFC 3686, GCM) */
    RUNNEL_BE16,               /* the last 2 bytes (SRTP) */
    RUNNEL_LE128,              /* the whole block (WinZip) */
    RUNNEL_LE64,               /* the first 8 bytes */
    RUNNEL_LE32,               /* the first 4 bytes (GCM-SIV) */
    RUNNEL_BE32_LEFT,          /* bytes 4 to 7 (SEED on ARMv8, 2024) */
    RUNNEL_LAYOUTS
};

/* Returns "be128" and so on; "default" for RUNNEL_LAYOUT_DEFAULT; NULL for anything else. */
RUNNEL_API const char *runnel_layout_name(int layout);
/* Returns the layout of that name, or RUNNEL_ERR_LAYOUT. */
RUNNEL_API int runnel_layout_find(const char *name);

/* Sets the IV, starts a new message at position 0 and drops left-over keystream. layout is a RUNNEL_BE… /
 * RUNNEL_LE… for ciphers in counter mode (0: the cipher's default) and 0 for all others.
 * Errors: STATE (no key), IV_LENGTH, LAYOUT, NULL. Constant-time in the IV except for its length. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_iv(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout);

/* Writes in XOR keystream to out, `bytes` bytes each; in == NULL: the keystream itself. Encrypts and decrypts.
 * Errors: STATE, NULL, OVERLAP, LIMIT, DIRECTION. Timing class: that of the kernel. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_xor(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* One packet: a new IV and the message that belongs to it, as runnel_stream_iv and then runnel_stream_xor, but checked
 * once. Every error of both is decided before anything changes; LIMIT counts from the new IV. Afterwards the position is
 * the end of the message, from which the stream may continue or seek. Timing class: that of the kernel. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout,
                                                      uint8_t *out, const uint8_t *in, size_t bytes);

#if RUNNEL_HOSTED
/* xor for `count` independent streams in one call: streams[i] writes bytes[i] bytes, in[i] XOR keystream, to out[i];
 * in[i] == NULL: the keystream itself; in == NULL: for all streams. Streams
 * of one cipher and kernel are worked on side by side where that is faster, whatever their lengths; others go one
 * after another. Each may be used by itself before and after. If any stream has an error, the first of them is the result,
 * no stream changes and nothing is written. OVERLAP also says that a stream was given twice. An output must not
 * overlap another stream's buffers, which is not checked. Timing class: that of the kernels. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_xor_batch(runnel_stream *const *streams, uint8_t *const *out,
                                                         const uint8_t *const *in, const size_t *bytes, size_t count);

/* Sets an IV of iv_bytes bytes for each of several streams; otherwise as runnel_stream_iv and _xor_batch. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_iv_batch(runnel_stream *const *streams, const uint8_t *const *ivs,
                                                        size_t iv_bytes, int layout, size_t count);
#endif

#if RUNNEL_HOSTED
/* As runnel_stream_xor, for a stream in many short pieces: keystream is made ahead into k, 256 bytes and then more each
 * time, so that a piece does not pay for a call of the kernel. Nothing is made ahead at position 0, where a piece may be the
 * whole message. Use one k for all pieces of a message; runnel_stream_tell is k->left bytes ahead of the bytes used. Wipe k
 * before the stream gets a new IV, a new key or a seek. Errors: those of runnel_stream_xor. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_xor_ahead(runnel_stream *s, runnel_keystream *k, uint8_t *out,
                                                         const uint8_t *in, size_t bytes);
/* Clears the buffer. Does nothing if k is NULL. */
RUNNEL_API void runnel_keystream_wipe(runnel_keystream *k);

/* Writes the counter block of block number `block` of a message in counter mode, as long as the cipher's block.
 * Errors: NULL, STATE (no IV), LAYOUT (the cipher has no counter), LIMIT (beyond the end; the end itself is allowed). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_counter(const runnel_stream *s, uint64_t block, uint8_t *counter);
#endif

/* Encrypts or decrypts with any cipher: as runnel_stream_xor where that exists. Where encryption and decryption differ
 * (the descriptor has directions) these are the only verbs, in == NULL is an error, and one message takes one direction.
 * Errors: STATE, NULL, OVERLAP, LIMIT. Timing class: that of the kernel. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_encrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_decrypt(runnel_stream *s, uint8_t *out, const uint8_t *in, size_t bytes);

/* As runnel_stream_packet, encrypting or decrypting with any cipher. Errors: those of runnel_stream_iv and of
 * runnel_stream_encrypt. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_encrypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes,
                                                              int layout, uint8_t *out, const uint8_t *in,
                                                              size_t bytes);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_decrypt_packet(runnel_stream *s, const uint8_t *iv, size_t iv_bytes,
                                                              int layout, uint8_t *out, const uint8_t *in,
                                                              size_t bytes);

/* Moves to a position, in bytes from the IV, in O(1). Errors: STATE, SEEK, LIMIT (beyond the end; the end itself is
 * allowed). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_stream_seek(runnel_stream *s, uint64_t position);

/* Returns the position in bytes from the IV, UINT64_MAX for all beyond that, 0 without an IV. */
RUNNEL_API uint64_t runnel_stream_tell(const runnel_stream *s);

/* Returns how many bytes may still be asked for, UINT64_MAX for all numbers beyond that, 0 without an IV. */
RUNNEL_API uint64_t runnel_stream_left(const runnel_stream *s);

/* Returns the name of the kernel that was chosen at key set-up, or NULL without a key. */
RUNNEL_API const char *runnel_stream_kernel(const runnel_stream *s);

/* Clears the whole context and, on hosts, the stack below the caller, RUNNEL_STACK_BYTES deep, which is deeper than any
 * function of the library goes: compilers put parts of key, state, keystream and message there. After it, and after every
 * _once, nothing of these is left in the context, nor on the stack if this is called from no deeper than the functions
 * that used the context were, and from the same thread.
 * A context is as long as what it has a key for: wipe it before the same memory gets the key of another cipher, AEAD or
 * profile, whose context may be shorter.
 * Not promised: registers; what the operating system saved of registers or memory, for a signal handler, in a core dump
 * or as swap; copies that the caller made. On bare metal the stack stays as it is, unless the build says
 * -DRUNNEL_STACK_BYTES=…: that much of it must then be free when this is called. */
RUNNEL_API void runnel_stream_wipe(runnel_stream *s);

#ifdef __cplusplus
}
#endif
#endif
