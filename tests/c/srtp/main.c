/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-srtp trace WAY PROFILE SEED PACKETS | session PROFILE rtp|rtcp SSRC START KEY SALT AUTHENTICATION PACKET |
 *             derive PROFILE rtp|rtcp MASTER KEY SALT AUTHENTICATION | secrets | errors | list
 *   trace    writes what random packets become: of many lengths, with contributing sources and extensions, sequence numbers
 *            that roll over, come again, skip and go back; SRTCP between them; and, through a channel that loses, repeats,
 *            reorders and damages, what the other side makes of them. WAY: stock, types (libsrtp with our types), native,
 *            batch. Of each: a byte for the side, the result, where it is libsrtp its status, the length, the bytes
 *   session  a packet under given session keys, protected, in hexadecimal; and it comes back
 *   derive   a context from a master key protects as one from the given session keys, and none is left on the stack
 *   secrets  all profiles in both directions, in a batch too, with keys and payload marked secret (see ../secrets.h); the
 *            tool that watches says what branches or addresses depend on them. 78 if none watches
 *   errors   what calls without sense, too little room, the ends of the indices, forged packets and others do
 *   list     the profiles: name, bytes of master key and salt, of tags, and of a context
 * Status 0; 1 if something is wrong, 2 for a wrong command line. */
#include "srtp.h"

#include <ucontext.h>

#include "srtp/ciphers.h"
#include "macs/hmac_sha_1/kernels.h"
#ifdef RUNNEL_TEST_SECRETS
#include "secrets.h"
#endif

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) * n >> 31);
}

static void random_bytes(uint8_t *p, size_t n)
{
    while (n-- > 0)
        *p++ = (uint8_t)random_below(256);
}

static void store32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* ---- trace ---- */

enum { ROUND = 48, DELAYED = 400 };

static void make_rtp(packet *p, int stream, uint16_t number)
{
    static const uint16_t lengths[] = {0, 1, 4, 15, 16, 17, 20, 31, 32, 33, 40, 64, 160, 320, 1200};
    const unsigned sources = random_below(4) == 0 ? random_below(16) : 0, extension = random_below(4) == 0;
    uint8_t *d = p->data;
    size_t at = 12;
    p->rtcp = 0;
    p->stream = stream;
    d[0] = (uint8_t)(0x80 | extension << 4 | sources);
    d[1] = (uint8_t)random_below(256);
    d[2] = (uint8_t)(number >> 8);
    d[3] = (uint8_t)number;
    store32(d + 4, random_below(1u << 30));
    store32(d + 8, ssrc_of(stream));
    random_bytes(d + at, 4 * sources);
    at += 4 * sources;
    if (extension) { /* RFC 8285, elements of one byte's header: number and length */
        const unsigned words = random_below(3) == 0 ? random_below(60) : 2 * random_below(2);
        d[at] = 0xbe;
        d[at + 1] = 0xde;
        d[at + 2] = 0;
        d[at + 3] = (uint8_t)words;
        at += 4;
        for (unsigned i = 0; i < words; i++, at += 4) {
            d[at] = (uint8_t)((1 + random_below(4)) << 4 | 2);
            random_bytes(d + at + 1, 3);
        }
    }
    const size_t payload =
        random_below(2) ? lengths[random_below(sizeof lengths / sizeof lengths[0])] : random_below(1300);
    random_bytes(d + at, payload);
    p->bytes = at + payload;
}

static void make_rtcp(packet *p, int stream)
{
    p->rtcp = 1;
    p->stream = stream;
    p->bytes = 8 + 4 * random_below(40);
    p->data[0] = 0x81;
    p->data[1] = 0xc8;
    p->data[2] = 0;
    p->data[3] = (uint8_t)(p->bytes / 4 - 1);
    store32(p->data + 4, ssrc_of(stream));
    random_bytes(p->data + 8, p->bytes - 8);
}

static void write_trace(int receiver, const packet *p, int libsrtp)
{
    putchar(receiver << 4 | p->rtcp);
    putchar(p->result);
    if (libsrtp)
        putchar(p->status);
    if (p->result == GOOD) {
        putchar((int)(p->bytes >> 8));
        putchar((int)(p->bytes & 0xff));
        fwrite(p->data, 1, p->bytes, stdout);
    }
}

/* A sequence number for the next packet of a stream. */
static uint16_t next_number(uint16_t *last)
{
    switch (random_below(20)) {
    case 0: /* again, or one from before */
        return (uint16_t)(*last - random_below(4));
    case 1:
        return (uint16_t)(*last - random_below(300));
    case 2: /* some are lost */
        return *last = (uint16_t)(*last + 1 + random_below(100));
    case 3:
        return *last = (uint16_t)(*last + 1 + (random_below(40) == 0 ? random_below(20000) : 0));
    default:
        return ++*last;
    }
}

static void trace(const char *way, const char *profile, uint64_t seed, size_t count)
{
    uint8_t master[MASTER];
    const int libsrtp = strcmp(way, "stock") == 0 || strcmp(way, "types") == 0;
    random_state = seed;
    random_bytes(master, sizeof master);
    side *sender = new_side(way, profile, master, 1), *receiver = new_side(way, profile, master, 0);
    uint16_t last[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        last[i] = (uint16_t)(i == 0 ? 65500 : random_below(65536));
    packet *made = calloc(ROUND, sizeof *made), *delayed = calloc(DELAYED, sizeof *delayed);
    packet *arrived = calloc(3 * ROUND, sizeof *arrived);
    size_t waiting = 0;
    while (count > 0) {
        packet *list[3 * ROUND];
        const size_t n = count < ROUND ? count : ROUND;
        count -= n;
        for (size_t i = 0; i < n; i++) {
            const int stream = (int)random_below(STREAMS);
            list[i] = &made[i];
            if (random_below(8) == 0)
                make_rtcp(&made[i], stream);
            else
                make_rtp(&made[i], stream, next_number(&last[stream]));
        }
        run_side(sender, list, n);
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            write_trace(0, &made[i], libsrtp);
            if (made[i].result != GOOD || random_below(30) == 0)
                continue;
            if (random_below(10) == 0 && waiting < DELAYED) {
                delayed[waiting++] = made[i];
                continue;
            }
            arrived[m++] = made[i];
            if (random_below(20) == 0)
                arrived[m++] = made[i];
            if (random_below(20) == 0) {
                packet *damaged = &arrived[m - 1];
                damaged->data[random_below((uint32_t)damaged->bytes)] ^= (uint8_t)(1 << random_below(8));
            }
            if (waiting > 0 && random_below(10) == 0) {
                const size_t which = random_below((uint32_t)waiting);
                arrived[m++] = delayed[which];
                delayed[which] = delayed[--waiting];
            }
        }
        for (size_t i = 0; i < m; i++)
            list[i] = &arrived[i];
        run_side(receiver, list, m);
        for (size_t i = 0; i < m; i++)
            write_trace(1, &arrived[i], libsrtp);
    }
    free(made);
    free(delayed);
    free(arrived);
    free_side(sender);
    free_side(receiver);
}

/* ---- a stack of its own, to look at ---- */

static uint8_t stack[1 << 18];
static ucontext_t outside, inside;

static void on_stack(void (*use)(void))
{
    memset(stack, 0, sizeof stack);
    CHECK(getcontext(&inside) == 0);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof stack;
    inside.uc_link = &outside;
    makecontext(&inside, use, 0);
    CHECK(swapcontext(&outside, &inside) == 0);
}

static int on_stack_is(const uint8_t *secret, size_t bytes)
{
    return memmem(stack, sizeof stack, secret, bytes) != NULL;
}

/* ---- given keys ---- */

static size_t from_hex(const char *text, uint8_t *out, size_t most)
{
    size_t n = 0;
    for (; text[0] != '\0' && strcmp(text, "-") != 0; text += 2, n++) {
        unsigned byte;
        if (n == most || sscanf(text, "%2x", &byte) != 1)
            exit(2);
        out[n] = (uint8_t)byte;
    }
    return n;
}

static int kind_of(const char *word)
{
    return strcmp(word, "rtcp") == 0 ? RUNNEL_RTCP : RUNNEL_RTP;
}

/* A context with these session keys. */
static void set_session(runnel_srtp *s, const char *profile, int kind, uint32_t ssrc, char **keys)
{
    static const uint8_t any[MASTER] = {7};
    uint8_t key[32], salt[14], authentication[64];
    const runnel_srtp_profile *p = runnel_srtp_profile_find(profile);
    CHECK(p != NULL);
    CHECK(runnel_srtp_key(s, p, kind, ssrc, any, (size_t)p->key_bytes + p->salt_bytes) == RUNNEL_OK);
    const size_t key_bytes = from_hex(keys[0], key, sizeof key);
    CHECK(from_hex(keys[1], salt, sizeof salt) == p->salt_bytes);
    const size_t bytes = from_hex(keys[2], authentication, sizeof authentication);
    memcpy(s->salt, salt, p->salt_bytes);
    CHECK((p->aead ? p->functions->key : p->functions->ctr_key)(s->part, key, key_bytes) == RUNNEL_OK);
    if (!p->aead)
        runnel_hmac_sha_1_make_pads(&s->pads, s->hash, authentication, bytes);
}

static void session(char **a)
{
    runnel_srtp sender, receiver;
    uint8_t sent[MOST_PACKET], plain[MOST_PACKET];
    const size_t bytes = from_hex(a[7], plain, sizeof plain);
    size_t n = bytes;
    set_session(&sender, a[0], kind_of(a[1]), (uint32_t)strtoul(a[2], NULL, 16), a + 4);
    CHECK(runnel_srtp_start(&sender, strtoull(a[3], NULL, 16)) == RUNNEL_OK);
    receiver = sender;
    memcpy(sent, plain, bytes);
    CHECK(runnel_srtp_protect(&sender, sent, &n, sizeof sent) == RUNNEL_OK);
    for (size_t i = 0; i < n; i++)
        printf("%02x", sent[i]);
    printf("\n");
    CHECK(runnel_srtp_unprotect(&receiver, sent, &n) == RUNNEL_OK);
    CHECK(n == bytes && memcmp(sent, plain, n) == 0);
}

static struct {
    runnel_srtp derived;
    const runnel_srtp_profile *profile;
    int kind, result;
    uint8_t master[MASTER];
    size_t bytes;
} derivation;

static void derive_keys(void)
{
    derivation.result = runnel_srtp_key(&derivation.derived, derivation.profile, derivation.kind, ssrc_of(0),
                                        derivation.master, derivation.bytes);
}

static void derive(char **a)
{
    runnel_srtp derived, given;
    uint8_t secret[64], one[MOST_PACKET], other[MOST_PACKET];
    const int kind = kind_of(a[1]);
    derivation.profile = runnel_srtp_profile_find(a[0]);
    derivation.kind = kind;
    derivation.bytes = from_hex(a[2], derivation.master, MASTER);
    on_stack(derive_keys);
    CHECK(derivation.result == RUNNEL_OK);
    CHECK(!on_stack_is(derivation.master, derivation.profile->key_bytes));
    CHECK(!on_stack_is(secret, from_hex(a[3], secret, sizeof secret)));
    CHECK(derivation.profile->aead || !on_stack_is(secret, from_hex(a[5], secret, sizeof secret)));
    derived = derivation.derived;
    set_session(&given, a[0], kind, ssrc_of(0), a + 3);
    packet p;
    if (kind == RUNNEL_RTCP)
        make_rtcp(&p, 0);
    else
        make_rtp(&p, 0, 1000);
    memcpy(one, p.data, p.bytes);
    memcpy(other, p.data, p.bytes);
    size_t n = p.bytes, m = p.bytes;
    CHECK(runnel_srtp_protect(&derived, one, &n, sizeof one) == RUNNEL_OK);
    CHECK(runnel_srtp_protect(&given, other, &m, sizeof other) == RUNNEL_OK);
    CHECK(n == m && memcmp(one, other, n) == 0);
    runnel_srtp_wipe(&derived);
    for (size_t i = 0; i < runnel_srtp_bytes(given.profile); i++)
        CHECK(((uint8_t *)&derived)[i] == 0);
}

/* ---- errors ---- */

/* A call that must fail and change nothing. */
#define FAILS(call, s, p, error)                                                                                       \
    do {                                                                                                               \
        const runnel_srtp context_before = *(s);                                                                       \
        const packet packet_before = *(p);                                                                             \
        CHECK((call) == (error));                                                                                      \
        CHECK(memcmp(&context_before, s, sizeof context_before) == 0);                                                 \
        CHECK(memcmp(&packet_before, p, sizeof packet_before) == 0);                                                   \
    } while (0)

static void check_errors(const runnel_srtp_profile *profile, int kind)
{
    static uint8_t master[MASTER] = {1, 2, 3};
    const size_t length = (size_t)profile->key_bytes + profile->salt_bytes, grows = runnel_srtp_grows(profile, kind);
    runnel_srtp sender, receiver, none;
    packet p, sent, q;
    memset(&p, 0, sizeof p);
    memset(&none, 0, sizeof none);
    CHECK(runnel_srtp_key(NULL, profile, kind, 1, master, length) == RUNNEL_ERR_NULL);
    CHECK(runnel_srtp_key(&none, NULL, kind, 1, master, length) == RUNNEL_ERR_NULL);
    CHECK(runnel_srtp_key(&none, profile, kind, 1, NULL, length) == RUNNEL_ERR_NULL);
    CHECK(runnel_srtp_key(&none, profile, 2, 1, master, length) == RUNNEL_ERR_CIPHER);
    CHECK(runnel_srtp_key(&none, profile, kind, 1, master, length - 1) == RUNNEL_ERR_KEY_LENGTH);
    CHECK(runnel_srtp_start(&none, 0) == RUNNEL_ERR_STATE);
    CHECK(runnel_srtp_start(NULL, 0) == RUNNEL_ERR_NULL);
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, length) == RUNNEL_OK);
    CHECK(runnel_srtp_start(&sender, (uint64_t)1 << (kind == RUNNEL_RTP ? 32 : 31)) == RUNNEL_ERR_LIMIT);
    receiver = sender;
    if (kind == RUNNEL_RTCP)
        make_rtcp(&p, 0);
    else
        make_rtp(&p, 0, 40000);
    size_t n = p.bytes;
    FAILS(runnel_srtp_protect(&none, p.data, &n, MOST_PACKET), &none, &p, RUNNEL_ERR_STATE);
    FAILS(runnel_srtp_protect(NULL, p.data, &n, MOST_PACKET), &sender, &p, RUNNEL_ERR_NULL);
    FAILS(runnel_srtp_protect(&sender, NULL, &n, MOST_PACKET), &sender, &p, RUNNEL_ERR_NULL);
    FAILS(runnel_srtp_protect(&sender, p.data, NULL, MOST_PACKET), &sender, &p, RUNNEL_ERR_NULL);
    FAILS(runnel_srtp_protect(&sender, p.data, &n, n + grows - 1), &sender, &p, RUNNEL_ERR_LIMIT);
    FAILS(runnel_srtp_protect(&sender, p.data, &n, n - 1), &sender, &p, RUNNEL_ERR_LIMIT);
    q = p;
    q.data[0] ^= 0x40;
    FAILS(runnel_srtp_protect(&sender, q.data, &n, MOST_PACKET), &sender, &q, RUNNEL_ERR_PACKET);
    q = p;
    q.data[kind == RUNNEL_RTCP ? 7 : 11] ^= 1;
    FAILS(runnel_srtp_protect(&sender, q.data, &n, MOST_PACKET), &sender, &q, RUNNEL_ERR_PACKET);
    if (kind == RUNNEL_RTP) { /* what its first bytes say is there ends beyond the packet */
        q = p;
        q.data[0] = 0x8f;
        n = 12 + 15 * 4 - 1;
        FAILS(runnel_srtp_protect(&sender, q.data, &n, MOST_PACKET), &sender, &q, RUNNEL_ERR_PACKET);
        q.data[0] = 0x91;
        memset(q.data + 18, 0, 2);
        q.data[19] = 3;
        n = 12 + 4 + 4 + 3 * 4 - 1;
        FAILS(runnel_srtp_protect(&sender, q.data, &n, MOST_PACKET), &sender, &q, RUNNEL_ERR_PACKET);
        n = 12 + 4 + 3;
        FAILS(runnel_srtp_protect(&sender, q.data, &n, MOST_PACKET), &sender, &q, RUNNEL_ERR_PACKET);
    }
    for (size_t bytes = 0; bytes < (kind == RUNNEL_RTCP ? 8 : 12); bytes++) {
        size_t k = bytes;
        FAILS(runnel_srtp_protect(&sender, p.data, &k, MOST_PACKET), &sender, &p, RUNNEL_ERR_PACKET);
        FAILS(runnel_srtp_unprotect(&receiver, p.data, &k), &receiver, &p, RUNNEL_ERR_PACKET);
    }
    sent = p;
    CHECK(runnel_srtp_protect(&sender, sent.data, &sent.bytes, p.bytes + grows) == RUNNEL_OK);
    CHECK(sent.bytes == p.bytes + grows);
    if (kind == RUNNEL_RTP) { /* its keystream would come again */
        n = p.bytes;
        FAILS(runnel_srtp_protect(&sender, p.data, &n, MOST_PACKET), &sender, &p, RUNNEL_ERR_REPLAY);
    }
    CHECK(runnel_srtp_start(&sender, 0) == RUNNEL_ERR_STATE);
    for (size_t bit = 0; bit < 8 * sent.bytes; bit++) { /* no flipped bit passes */
        const runnel_srtp before = receiver;
        q = sent;
        q.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        packet forged = q;
        const int error = runnel_srtp_unprotect(&receiver, q.data, &q.bytes);
        CHECK(error == RUNNEL_ERR_TAG || error == RUNNEL_ERR_PACKET || error == RUNNEL_ERR_LIMIT);
        CHECK(q.bytes == sent.bytes);
        if (!profile->aead || error != RUNNEL_ERR_TAG) {
            CHECK(memcmp(&q, &forged, sizeof q) == 0);
            CHECK(memcmp(&receiver, &before, sizeof before) == 0);
        } else if (kind == RUNNEL_RTCP) {
            for (size_t i = 8; i < p.bytes; i++)
                CHECK(q.data[i] == 0);
        }
        CHECK(receiver.fresh == 1 && receiver.index == 0 && receiver.seen[0] == 0);
    }
    for (size_t bytes = 0; bytes < sent.bytes; bytes++) {
        size_t k = bytes;
        q = sent;
        const int error = runnel_srtp_unprotect(&receiver, q.data, &k);
        CHECK(bytes < (kind == RUNNEL_RTCP ? 8 : 12) + grows ? error == RUNNEL_ERR_PACKET : error != RUNNEL_OK);
    }
    q = sent;
    CHECK(runnel_srtp_unprotect(&receiver, q.data, &q.bytes) == RUNNEL_OK);
    CHECK(q.bytes == p.bytes && memcmp(q.data, p.data, p.bytes) == 0);
    n = sent.bytes;
    FAILS(runnel_srtp_unprotect(&receiver, sent.data, &n), &receiver, &sent, RUNNEL_ERR_REPLAY);

    /* The last index, and none after it. */
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, length) == RUNNEL_OK);
    CHECK(runnel_srtp_start(&sender, kind == RUNNEL_RTP ? UINT32_MAX : 0x7fffffff) == RUNNEL_OK);
    if (kind == RUNNEL_RTP)
        p.data[2] = p.data[3] = 0xff;
    sent = p;
    CHECK(runnel_srtp_protect(&sender, sent.data, &sent.bytes, MOST_PACKET) == RUNNEL_OK);
    if (kind == RUNNEL_RTP)
        p.data[2] = p.data[3] = 0;
    n = p.bytes;
    FAILS(runnel_srtp_protect(&sender, p.data, &n, MOST_PACKET), &sender, &p, RUNNEL_ERR_LIMIT);

    /* In a batch the errors of one packet are its own; a packet that comes twice in it is accepted once. */
    CHECK(runnel_srtp_protect_batch(NULL, 1) == RUNNEL_ERR_NULL);
    CHECK(runnel_srtp_protect_batch(NULL, 0) == RUNNEL_OK);
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, length) == RUNNEL_OK);
    receiver = sender;
    sent = p;
    CHECK(runnel_srtp_protect(&sender, sent.data, &sent.bytes, MOST_PACKET) == RUNNEL_OK);
    packet first = sent, again = sent, forged = sent;
    forged.data[forged.bytes - 5 - (profile->aead && kind == RUNNEL_RTCP ? 4 : 0)] ^= 1;
    runnel_srtp_packet list[] = {{&receiver, forged.data, forged.bytes, 0, 5},
                                 {&receiver, first.data, first.bytes, 0, 5},
                                 {&receiver, again.data, again.bytes, 0, 5},
                                 {NULL, first.data, first.bytes, 0, 5}};
    if (kind == RUNNEL_RTP && profile->rtp_tag == 4)
        forged.data[forged.bytes - 1] ^= 1;
    CHECK(runnel_srtp_unprotect_batch(list, 4) == RUNNEL_ERR_NULL);
    CHECK(list[1].result == 5);
    CHECK(runnel_srtp_unprotect_batch(list, 3) == RUNNEL_ERR_TAG);
    CHECK(list[0].result == RUNNEL_ERR_TAG && list[1].result == RUNNEL_OK && list[2].result == RUNNEL_ERR_REPLAY);
    CHECK(list[1].bytes == p.bytes && memcmp(first.data, p.data, p.bytes) == 0);
    runnel_srtp_wipe(NULL);
}

/* Which sequence numbers are taken, beside an array of all indices: a step of every length up to 140 forward and back, to
 * both edges of the window and across roll-overs. */
static void check_window(void)
{
    enum { INDICES = 1 << 18 };
    static uint8_t came[INDICES];
    const uint8_t master[MASTER] = {9};
    uint32_t highest = 65000;
    runnel_srtp s;
    packet p;
    make_rtp(&p, 0, (uint16_t)highest);
    CHECK(runnel_srtp_key(&s, runnel_srtp_profile_at(0), RUNNEL_RTP, ssrc_of(0), master, 30) == RUNNEL_OK);
    for (uint32_t i = 0, at = highest; at < INDICES - 200; i++) {
        uint8_t data[MOST_PACKET];
        size_t n = p.bytes;
        memcpy(data, p.data, n);
        data[2] = (uint8_t)(at >> 8);
        data[3] = (uint8_t)at;
        const int taken = i == 0 || at > highest || (highest - at < 128 && !came[at]);
        CHECK(runnel_srtp_protect(&s, data, &n, sizeof data) == (taken ? RUNNEL_OK : RUNNEL_ERR_REPLAY));
        came[at] |= (uint8_t)taken;
        highest = at > highest ? at : highest;
        at = i % 3 == 0 ? highest + 1 + i / 3 % 140 : highest - random_below(140);
    }
    CHECK(highest >> 16 == 3 && s.index == highest);
}

/* In a batch a packet's index is what it is after those before it: here a sequence number that came before comes again
 * after the roll-over that only the packet between makes probable. */
static void check_turns(void)
{
    static const uint16_t numbers[] = {100, 40000, 100};
    const uint8_t master[MASTER] = {9};
    runnel_srtp sender, receiver;
    packet sent[3];
    CHECK(runnel_srtp_key(&sender, runnel_srtp_profile_at(0), RUNNEL_RTP, ssrc_of(0), master, 30) == RUNNEL_OK);
    receiver = sender;
    for (int i = 0; i < 3; i++) {
        make_rtp(&sent[i], 0, numbers[i]);
        CHECK(runnel_srtp_protect(&sender, sent[i].data, &sent[i].bytes, MOST_PACKET) == RUNNEL_OK);
    }
    CHECK(sender.index == 65536 + 100);
    CHECK(runnel_srtp_unprotect(&receiver, sent[0].data, &sent[0].bytes) == RUNNEL_OK);
    runnel_srtp_packet list[] = {{&receiver, sent[1].data, sent[1].bytes, 0, 5},
                                 {&receiver, sent[2].data, sent[2].bytes, 0, 5}};
    CHECK(runnel_srtp_unprotect_batch(list, 2) == RUNNEL_OK);
    CHECK(receiver.index == sender.index);
}

/* Of two sequence numbers that are exactly half a circle apart RFC 3711 (3.3.1) takes both to have one roll-over counter. */
static void check_half_circle(void)
{
    enum { HALF = 0x8000, ROC = 5 };
    const uint8_t master[MASTER] = {9};
    for (uint32_t last = 0; last < 0x10000; last += 4999)
        for (int offset = -1; offset <= 1; offset++) {
            const uint32_t number = (last + HALF + (uint32_t)offset) & 0xffff;
            uint32_t roc = ROC;
            if (last < HALF && number > last + HALF)
                roc--;
            if (last >= HALF && number + HALF < last)
                roc++;
            runnel_srtp s;
            packet p;
            CHECK(runnel_srtp_key(&s, runnel_srtp_profile_at(0), RUNNEL_RTP, ssrc_of(0), master, 30) == RUNNEL_OK);
            CHECK(runnel_srtp_start(&s, ROC) == RUNNEL_OK);
            make_rtp(&p, 0, (uint16_t)last);
            CHECK(runnel_srtp_protect(&s, p.data, &p.bytes, MOST_PACKET) == RUNNEL_OK);
            make_rtp(&p, 0, (uint16_t)number);
            const int ahead = roc > ROC || (roc == ROC && number > last);
            CHECK(runnel_srtp_protect(&s, p.data, &p.bytes, MOST_PACKET) == (ahead ? RUNNEL_OK : RUNNEL_ERR_REPLAY));
            CHECK(s.index == (ahead ? (uint64_t)roc << 16 | number : (uint64_t)ROC << 16 | last));
        }
}

/* Of errors in a long batch the first is returned. */
static void check_first_error(void)
{
    enum { COUNT = 200, FIRST = 20, SECOND = 150 };
    static packet sent[COUNT];
    static runnel_srtp_packet list[COUNT];
    const uint8_t master[MASTER] = {9};
    runnel_srtp s;
    CHECK(runnel_srtp_key(&s, runnel_srtp_profile_at(0), RUNNEL_RTP, ssrc_of(0), master, 30) == RUNNEL_OK);
    for (uint16_t i = 0; i < COUNT; i++) {
        make_rtp(&sent[i], 0, i == SECOND ? FIRST - 1 : i);
        list[i] = (runnel_srtp_packet){&s, sent[i].data, sent[i].bytes, MOST_PACKET, 5};
    }
    sent[FIRST].data[0] = 0;
    CHECK(runnel_srtp_protect_batch(list, COUNT) == RUNNEL_ERR_PACKET);
    for (int i = 0; i < COUNT; i++)
        CHECK(list[i].result == (i == FIRST ? RUNNEL_ERR_PACKET : i == SECOND ? RUNNEL_ERR_REPLAY : RUNNEL_OK));
}

static struct {
    runnel_srtp_packet *packets;
    size_t count;
    int result;
} given;

static void unprotect_given(void)
{
    given.result = runnel_srtp_unprotect_batch(given.packets, given.count);
}

/* Who learns the right tag of a packet that was refused can send it again with that. */
static void check_forgeries_on_stack(const runnel_srtp_profile *profile, int kind)
{
    enum { COUNT = 3 };
    static packet sent[COUNT];
    static runnel_srtp_packet list[COUNT];
    const uint8_t master[MASTER] = {11};
    const size_t length = (size_t)profile->key_bytes + profile->salt_bytes;
    uint8_t tags[COUNT][16];
    runnel_srtp sender, receiver;
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, length) == RUNNEL_OK);
    receiver = sender;
    const size_t tag_bytes = kind == RUNNEL_RTP ? profile->rtp_tag : profile->rtcp_tag;
    for (uint16_t i = 0; i < COUNT; i++) {
        packet *const p = &sent[i];
        if (kind == RUNNEL_RTCP)
            make_rtcp(p, 0);
        else
            make_rtp(p, 0, i);
        uint8_t *const tag = p->data + p->bytes + (kind == RUNNEL_RTCP && !profile->aead ? 4 : 0);
        CHECK(runnel_srtp_protect(&sender, p->data, &p->bytes, MOST_PACKET) == RUNNEL_OK);
        memcpy(tags[i], tag, tag_bytes);
        random_bytes(tag, tag_bytes);
        list[i] = (runnel_srtp_packet){&receiver, p->data, p->bytes, 0, 5};
    }
    given.packets = list;
    given.count = COUNT;
    on_stack(unprotect_given);
    CHECK(given.result == RUNNEL_ERR_TAG);
    for (int i = 0; i < COUNT; i++) {
        CHECK(list[i].result == RUNNEL_ERR_TAG);
        CHECK(!on_stack_is(tags[i], tag_bytes));
    }
}

/* The longest payload is 2^16 blocks. */
static void check_longest(void)
{
    static uint8_t data[12 + (1 << 20) + 17];
    const uint8_t master[MASTER] = {9};
    runnel_srtp s;
    size_t n = 12 + (1 << 20);
    data[0] = 0x80;
    CHECK(runnel_srtp_key(&s, runnel_srtp_profile_at(0), RUNNEL_RTP, 0, master, 30) == RUNNEL_OK);
    CHECK(runnel_srtp_protect(&s, data, &n, sizeof data) == RUNNEL_OK);
    data[3] = 1;
    n = 12 + (1 << 20) + 1;
    CHECK(runnel_srtp_protect(&s, data, &n, sizeof data) == RUNNEL_ERR_LIMIT);
}

#ifdef RUNNEL_TEST_SECRETS
/* ---- secrets ---- */

static void watch(const runnel_srtp_profile *profile, int kind)
{
    enum { PACKETS = 8 };
    static packet sent[PACKETS], plain[PACKETS];
    uint8_t master[MASTER];
    runnel_srtp sender, receiver;
    runnel_srtp_packet list[PACKETS];
    const size_t bytes = (size_t)profile->key_bytes + profile->salt_bytes;
    random_bytes(master, sizeof master);
    make_secret(master, bytes);
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, bytes) == RUNNEL_OK);
    make_public(sender.salt, sizeof sender.salt); /* counter blocks are public in the library */
    receiver = sender;
    for (int i = 0; i < PACKETS; i++) {
        packet *const p = &sent[i];
        if (kind == RUNNEL_RTCP)
            make_rtcp(p, 0);
        else
            make_rtp(p, 0, (uint16_t)i);
        plain[i] = *p;
        size_t header = kind == RUNNEL_RTCP ? 8 : 12 + 4 * (size_t)(p->data[0] & 15);
        if (kind == RUNNEL_RTP && (p->data[0] & 16))
            header += 4 + 4 * (size_t)p->data[header + 3];
        make_secret(p->data + header, p->bytes - header);
        list[i] = (runnel_srtp_packet){.stream = &sender, .data = p->data, .bytes = p->bytes, .room = MOST_PACKET};
    }
    CHECK(runnel_srtp_protect_batch(list, PACKETS) == RUNNEL_OK);
    for (int i = 0; i < PACKETS; i++)
        list[i].stream = &receiver;
    if (kind == RUNNEL_RTCP) /* the index, which was public, behind what was secret */
        for (int i = 0; i < PACKETS; i++)
            make_public(list[i].data + plain[i].bytes, list[i].bytes - plain[i].bytes);
    CHECK(runnel_srtp_unprotect_batch(list, PACKETS) == RUNNEL_OK);
    for (int i = 0; i < PACKETS; i++) {
        make_public(sent[i].data, list[i].bytes);
        CHECK(list[i].bytes == plain[i].bytes && memcmp(sent[i].data, plain[i].data, plain[i].bytes) == 0);
    }
}

static int secrets(void)
{
    if (!watched())
        return 78;
    for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
        const unsigned before = reports();
        watch(runnel_srtp_profile_at(i), RUNNEL_RTP);
        watch(runnel_srtp_profile_at(i), RUNNEL_RTCP);
        printf("%s: %u branches or addresses depend on secrets\n", runnel_srtp_profile_at(i)->name, reports() - before);
    }
    return 0;
}
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "trace") == 0 && argc == 6) {
        trace(argv[2], argv[3], strtoull(argv[4], NULL, 0), strtoul(argv[5], NULL, 0));
    } else if (strcmp(what, "session") == 0 && argc == 10) {
        session(argv + 2);
    } else if (strcmp(what, "derive") == 0 && argc == 8) {
        derive(argv + 2);
    } else if (strcmp(what, "errors") == 0 && argc == 2) {
        for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
            check_errors(runnel_srtp_profile_at(i), RUNNEL_RTP);
            check_errors(runnel_srtp_profile_at(i), RUNNEL_RTCP);
            check_forgeries_on_stack(runnel_srtp_profile_at(i), RUNNEL_RTP);
            check_forgeries_on_stack(runnel_srtp_profile_at(i), RUNNEL_RTCP);
        }
        check_window();
        check_turns();
        check_half_circle();
        check_first_error();
        check_longest();
        CHECK(runnel_srtp_profile_at(runnel_srtp_profile_count()) == NULL);
        CHECK(runnel_srtp_profile_find("AES") == NULL && runnel_srtp_profile_find(NULL) == NULL);
        CHECK(runnel_srtp_bytes(NULL) == 0 && runnel_srtp_grows(NULL, RUNNEL_RTP) == 0);
#ifdef RUNNEL_TEST_SECRETS
    } else if (strcmp(what, "secrets") == 0 && argc == 2) {
        return secrets();
#endif
    } else if (strcmp(what, "list") == 0 && argc == 2) {
        for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
            const runnel_srtp_profile *p = runnel_srtp_profile_at(i);
            printf("%s %u %u %u %u %zu\n", p->name, p->key_bytes, p->salt_bytes, p->rtp_tag, p->rtcp_tag,
                   runnel_srtp_bytes(p));
        }
    } else {
        return 2;
    }
    return 0;
}
