/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks calls without sense, too little room, the ends of the indices, forged packets and more. */
#include "srtp.h"

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
        CHECK(receiver.used == 0 && receiver.index == 0 && receiver.seen[0] == 0);
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

    /* A context has one direction, that of its first packet. */
    FAILS(runnel_srtp_unprotect(&sender, sent.data, &n), &sender, &sent, RUNNEL_ERR_STATE);
    n = p.bytes;
    FAILS(runnel_srtp_protect(&receiver, p.data, &n, MOST_PACKET), &receiver, &p, RUNNEL_ERR_STATE);

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

/* Checks which sequence numbers are accepted, beside an array of all indices: a step of every length up to 140 forward
 * and back, to both edges of the window and across roll-overs. */
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

/* An attacker who learns the right tag of a refused packet can send it again with that tag. */
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

void errors(void)
{
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
}
