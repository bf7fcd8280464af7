/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shared by the parts of runnel-srtp: packets, and the sides that they pass, by libsrtp with its own types or with
 * ours, and by the library itself, alone or in batches. */
#ifndef RUNNEL_TEST_SRTP_H
#define RUNNEL_TEST_SRTP_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <runnel/srtp.h>
#include <srtp2/srtp.h>

#include "runnel_libsrtp.h"

#include "chance.h"

enum { STREAMS = 3, MOST_PACKET = 2048, MASTER = 46 };

/* Statuses common to both ways; OTHER is every other refusal. */
enum { GOOD, REPLAYED, REFUSED };

typedef struct packet {
    uint8_t data[MOST_PACKET];
    size_t bytes;
    int rtcp, stream;
    int status; /* libsrtp's own */
    int result; /* GOOD … */
} packet;

/* One side: protects or unprotects the packets of one group, in their order. */
typedef struct side side;
side *new_side(const char *way, const char *profile, const uint8_t *master, int sends);
void run_side(side *s, packet **packets, size_t count);
void free_side(side *s);

uint32_t ssrc_of(int stream);
size_t master_bytes(const char *profile);

/* A packet of the stream, of random length: with contributing sources and extensions. */
void make_rtp(packet *p, int stream, uint16_t number);
void make_rtcp(packet *p, int stream);

/* Calls `use` on a stack of its own; whether a secret is left there then. */
void on_stack(void (*use)(void));
int on_stack_is(const uint8_t *secret, size_t bytes);

/* Variants of `main`: see there. */
void trace(const char *way, const char *profile, uint64_t seed, size_t count);
void session(char **a);
void derive(char **a);
int secrets(void);
void errors(void);

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
