/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-bench-srtp [ROUNDS]: nanoseconds a packet of SRTP, by libsrtp as it is (stock), by libsrtp with our types (types),
 * by the library itself (native) and in its batches (batch): both directions, all profiles, several lengths of the payload.
 * One process, the ways in turn, round after round; the best round of each counts. Each of STREAMS streams has a session or a
 * context of its own and gets a packet in its turn, as in a server. A line for each: profile, way, direction, payload, ns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <runnel/srtp.h>
#include <srtp2/srtp.h>

#include "runnel_libsrtp.h"

enum { STREAMS = 32, TURNS = 4, HEADER = 12, ROOM = 1500, WAYS = 4, STOCK = 0, TYPES = 1, NATIVE = 2, BATCH = 3 };

static const char *const ways[WAYS] = {"stock", "types", "native", "batch"};
static const size_t payloads[] = {20, 160, 320, 1200};
enum { PAYLOADS = sizeof payloads / sizeof payloads[0] };

static const struct {
    const char *name;
    void (*set)(srtp_crypto_policy_t *);
} policies[] = {
    {"AES_CM_128_HMAC_SHA1_80", srtp_crypto_policy_set_rtp_default},
    {"AES_CM_128_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32},
    {"AES_192_CM_HMAC_SHA1_80", srtp_crypto_policy_set_aes_cm_192_hmac_sha1_80},
    {"AES_192_CM_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_192_hmac_sha1_32},
    {"AES_256_CM_HMAC_SHA1_80", srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80},
    {"AES_256_CM_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32},
    {"AEAD_AES_128_GCM", srtp_crypto_policy_set_aes_gcm_128_16_auth},
    {"AEAD_AES_256_GCM", srtp_crypto_policy_set_aes_gcm_256_16_auth},
};

static void (*policy_of(const char *name))(srtp_crypto_policy_t *)
{
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (strcmp(policies[i].name, name) == 0)
            return policies[i].set;
    return NULL;
}

/* One way of working, in one direction. */
typedef struct side {
    srtp_t sessions[STREAMS];
    runnel_srtp streams[STREAMS];
} side;

static uint8_t packets[TURNS * STREAMS][ROOM];
static uint16_t number; /* of the packets of all streams */

static void must(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "runnel-bench-srtp: %s\n", what);
        exit(1);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint32_t ssrc_of(size_t stream)
{
    return 0x1000u + (uint32_t)stream;
}

static int open_side(side *s, const runnel_srtp_profile *profile, int way)
{
    void (*const set)(srtp_crypto_policy_t *) = policy_of(profile->name);
    uint8_t master[64];
    if (way <= TYPES && set == NULL)
        return 0;
    for (size_t i = 0; i < STREAMS; i++) {
        memset(master, (int)i + 1, sizeof master);
        if (way > TYPES) {
            must(runnel_srtp_key(&s->streams[i], profile, RUNNEL_RTP, ssrc_of(i), master,
                                 (size_t)profile->key_bytes + profile->salt_bytes) == RUNNEL_OK,
                 "a key was refused");
            continue;
        }
        srtp_policy_t policy;
        memset(&policy, 0, sizeof policy);
        set(&policy.rtp);
        set(&policy.rtcp);
        policy.key = master;
        policy.window_size = 128;
        policy.ssrc.type = ssrc_specific;
        policy.ssrc.value = ssrc_of(i);
        must(srtp_create(&s->sessions[i], &policy) == srtp_err_status_ok, "no session");
    }
    return 1;
}

static void close_side(side *s, int way)
{
    for (size_t i = 0; way <= TYPES && i < STREAMS; i++)
        srtp_dealloc(s->sessions[i]);
}

static void write_headers(void)
{
    for (size_t i = 0; i < TURNS * STREAMS; i++) {
        const unsigned n = number + (unsigned)(i / STREAMS);
        const uint32_t ssrc = ssrc_of(i % STREAMS);
        const uint8_t header[HEADER] = {0x80, 0, (uint8_t)(n >> 8),    (uint8_t)n,   0, 0, 0, 0,
                                        0,    0, (uint8_t)(ssrc >> 8), (uint8_t)ssrc};
        memcpy(packets[i], header, HEADER);
    }
}

/* All packets once; returns ns a packet, and checks that the library did it. */
static double turn(side *s, int way, int sends, size_t bytes)
{
    static runnel_srtp_packet list[STREAMS];
    int wrong = 0;
    const double start = now();
    for (size_t i = 0; i < TURNS * STREAMS; i++) {
        const size_t stream = i % STREAMS;
        size_t n = bytes;
        int m = (int)bytes;
        switch (way) {
        case NATIVE:
            wrong |= sends ? runnel_srtp_protect(&s->streams[stream], packets[i], &n, ROOM)
                           : runnel_srtp_unprotect(&s->streams[stream], packets[i], &n);
            break;
        case BATCH:
            list[stream] =
                (runnel_srtp_packet){.stream = &s->streams[stream], .data = packets[i], .bytes = bytes, .room = ROOM};
            if (stream == STREAMS - 1)
                wrong |= sends ? runnel_srtp_protect_batch(list, STREAMS) : runnel_srtp_unprotect_batch(list, STREAMS);
            break;
        default:
            wrong |= (int)(sends ? srtp_protect(s->sessions[stream], packets[i], &m)
                                 : srtp_unprotect(s->sessions[stream], packets[i], &m));
        }
    }
    const double end = now();
    must(wrong == 0, "a packet was refused");
    return (end - start) / (TURNS * STREAMS);
}

static void measure(const runnel_srtp_profile *profile, size_t payload, int rounds, side *senders, side *receivers,
                    const int *there)
{
    double best[WAYS][2];
    for (int way = 0; way < WAYS; way++)
        best[way][0] = best[way][1] = 1e18;
    for (int round = 0; round < rounds; round++) {
        for (int way = 0; way < WAYS; way++) {
            if (!there[way])
                continue;
            write_headers();
            const double sent = turn(&senders[way], way, 1, HEADER + payload);
            const double received = turn(&receivers[way], way, 0, HEADER + payload + profile->rtp_tag);
            if (sent < best[way][0])
                best[way][0] = sent;
            if (received < best[way][1])
                best[way][1] = received;
        }
        number = (uint16_t)(number + TURNS);
    }
    for (int way = 0; way < WAYS; way++)
        for (int sends = 0; there[way] && sends < 2; sends++)
            printf("%s %s %s %zu %.1f\n", profile->name, ways[way], sends ? "protect" : "unprotect", payload,
                   best[way][!sends]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static side senders[WAYS], receivers[WAYS];
    const size_t profiles = runnel_srtp_profile_count();
    const int rounds = argc > 1 ? atoi(argv[1]) : 200;
    /* Sessions keep the types that they were made with. */
    for (size_t i = 0; i < profiles; i++) {
        const runnel_srtp_profile *profile = runnel_srtp_profile_at(i);
        int there[WAYS];
        must(srtp_init() == srtp_err_status_ok, "libsrtp does not start");
        for (int way = 0; way < WAYS; way++) {
            if (way == TYPES)
                must(runnel_srtp_install() == 6, "libsrtp did not take our types");
            there[way] = open_side(&senders[way], profile, way) && open_side(&receivers[way], profile, way);
        }
        number = 1;
        for (size_t k = 0; k < PAYLOADS; k++)
            measure(profile, payloads[k], rounds, senders, receivers, there);
        for (int way = 0; way < WAYS; way++)
            if (there[way]) {
                close_side(&senders[way], way);
                close_side(&receivers[way], way);
            }
        must(srtp_shutdown() == srtp_err_status_ok, "libsrtp does not end");
    }
    return 0;
}
