/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The libraries: those of the system, and the newest releases where they have been built. */
#ifndef RUNNEL_BENCH_PEERS_H
#define RUNNEL_BENCH_PEERS_H

#include "subject.h"

/* Opens a cipher of every library that has it. Returns how many; all their contexts are set. */
size_t peers_open(const bench_shape *shape, bench_subject *subjects, size_t room);

typedef struct peer_state {
    const char *name; /* "OpenSSL 3.0.19", "RustCrypto"; NULL: another entry stands for it */
    int here;         /* 0: not here, or what is here does not load */
    int newest;
} peer_state;

/* Says what became of library number i, or gives 0 past the last. Looks for those that nobody has asked for yet. */
int peers_at(size_t i, peer_state *state);

#endif
