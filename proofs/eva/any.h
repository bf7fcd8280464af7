/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Building blocks of the programs in this folder: numbers and bytes of which Eva knows nothing but a range, and memory
 * that a stub reads or writes. Lengths are loops, so that Eva knows each one and where its buffer ends. */
#ifndef RUNNEL_PROOFS_EVA_ANY_H
#define RUNNEL_PROOFS_EVA_ANY_H

#include <__fc_builtin.h>
#include <stddef.h>
#include <stdint.h>

/* Any number from least to most. */
#define ANY(least, most) Frama_C_unsigned_long_interval(least, most)
/* Any bytes. */
#define ANY_BYTES(array) Frama_C_make_unknown((char *)(array), sizeof(array))

/* A stub's accesses to `bytes` bytes at p. */
/*@ requires readable: \valid_read((char *)p + (0 .. bytes - 1));
    requires initialized: \initialized((char *)p + (0 .. bytes - 1));
    assigns \nothing; */
void reads(const void *p, size_t bytes);
#define WRITES(p, bytes) Frama_C_make_unknown((char *)(p), bytes)

/* Where output comes from: another buffer, its own place, or nowhere: then it is the keystream. */
enum { APART, IN_PLACE, KEYSTREAM, WAYS };

/* Buffers of `bytes` bytes, of which not one more may be touched. */
enum { BUFFER = 1100 };
extern uint8_t out_buffer[BUFFER], in_buffer[BUFFER];
#define OUT(bytes) (out_buffer + BUFFER - (bytes))
#define IN(way, bytes) ((way) == KEYSTREAM ? NULL : ((way) == IN_PLACE ? out_buffer : in_buffer) + BUFFER - (bytes))

/* At the end of each case, so that all cases end alike and Eva continues with one state. */
#define FORGET_OUTPUT() ANY_BYTES(out_buffer)

/* The result of runnel_cpu(). */
extern uint32_t cpu_features;

#endif
