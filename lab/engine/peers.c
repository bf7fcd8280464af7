/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const peer *const peers[] = {
    &peer_openssl,          &peer_libgcrypt,        &peer_libsodium,        &peer_botan,
    &peer_botan_ffi,        &peer_cryptopp,         &peer_nettle,           &peer_newest_openssl,
    &peer_newest_libgcrypt, &peer_newest_libsodium, &peer_newest_rustcrypto};
enum { PEERS = sizeof peers / sizeof peers[0] };

static struct {
    char name[48]; /* with the version */
    int here;      /* 0 not tried, 1 here, -1 absent */
} found[PEERS];

/* Where the shims are: RUNNEL_SPEED_SHIMS, or the directory of this program; never the current directory, whose libraries
 * anybody may have put there. */
static const char *shim_directory(void)
{
    static char path[4096];
    const char *named = getenv("RUNNEL_SPEED_SHIMS");
    if (named != NULL && *named != '\0')
        return named;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL)
        return ""; /* without /proc: nothing lies in the root directory */
    *slash = '\0';
    return path;
}

/* Where the newest releases are: RUNNEL_SPEED_NEWEST, or newest/ beside the shims. */
static const char *newest_directory(void)
{
    static char path[4200];
    const char *named = getenv("RUNNEL_SPEED_NEWEST");
    if (named != NULL && *named != '\0')
        return named;
    snprintf(path, sizeof path, "%s/newest", shim_directory());
    return path;
}

static int have(size_t i)
{
    if (found[i].here == 0) {
        char version[24] = "";
        const int second = peers[i] == &peer_botan_ffi && have(i - 1); /* Botan is here already */
        const char *directory = peers[i]->newest ? newest_directory() : shim_directory();
        found[i].here = !second && peers[i]->load(directory, version) ? 1 : -1;
        snprintf(found[i].name, sizeof found[i].name, "%.20s%s%.23s", peers[i]->name, *version ? " " : "", version);
    }
    return found[i].here > 0;
}

/* Tells whether the system has the newest release itself: it is measured once. */
static int measured_already(size_t i)
{
    for (size_t other = 0; other < i; other++)
        if (have(other) && strcmp(found[other].name, found[i].name) == 0)
            return 1;
    return 0;
}

size_t peers_open(const bench_shape *shape, bench_subject *subjects, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < PEERS && count < room; i++) {
        bench_subject *subject = &subjects[count];
        subject->implementation[0] = '\0';
        if (!have(i) || measured_already(i) || !peers[i]->open(shape, subject))
            continue;
        if (subject->implementation[0] == '\0')
            memcpy(subject->implementation, found[i].name, sizeof found[i].name);
        subject->kernel = "";
        bench_subject another = *subject;
        for (size_t number = 0; number < SUBJECT_CONTEXTS; number++)
            if (number == 0 || peers[i]->open(shape, &another))
                subject_add_context(subject, number, &another);
        count++;
    }
    return count;
}

/* Botan is one library behind two interfaces, of which the second serves where the first does not. */
static int stands_in(size_t i)
{
    return (peers[i] == &peer_botan && have(i + 1)) || peers[i] == &peer_botan_ffi;
}

int peers_at(size_t i, peer_state *state)
{
    if (i >= PEERS)
        return 0;
    const int here = have(i), counted = here ? !measured_already(i) : !stands_in(i);
    *state = (peer_state){counted ? (here ? found[i].name : peers[i]->name) : NULL, here, peers[i]->newest};
    return 1;
}
