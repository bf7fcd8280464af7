/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SRTP: a sender and a receiver of one stream, with packets that are lost, repeated, reordered, damaged or made of the
 * input's bytes alone. What was protected comes back once; a damaged packet never does; an error leaves packet (but for
 * the payload of an AEAD's) and context as they were; a batch is the same as its packets one by one. */
#include "fuzz.h"

#include <runnel/srtp.h>

enum { LONGEST = 1500, KEPT = 24, STEPS = 48, BATCH = 70 };

typedef struct packet {
    uint8_t plain[LONGEST], sealed[LONGEST];
    size_t bytes, sealed_bytes;
    int taken;
} packet;

typedef struct machine {
    choices *c;
    const runnel_srtp_profile *profile;
    int kind;
    uint32_t ssrc;
    uint16_t number;
    runnel_srtp sender, receiver, before;
    packet kept[KEPT];
    size_t count;
} machine;

static uint8_t buffer[LONGEST + 64], copy[sizeof buffer];

static int is_own_error(int result)
{
    return result == RUNNEL_ERR_PACKET || result == RUNNEL_ERR_REPLAY || result == RUNNEL_ERR_LIMIT;
}

static void check_unchanged(const machine *m, const runnel_srtp *s, const char *what, int result)
{
    /* An AEAD has then worked on the payload: its part of the context has another message's remains. */
    const int worked = result == RUNNEL_ERR_TAG && m->profile->aead;
    const size_t same = worked ? offsetof(runnel_srtp, part) : sizeof *s;
    CHECK(memcmp(s, &m->before, same) == 0, "%s: context after %d of %s", m->profile->name, result, what);
    if (!worked)
        CHECK_BYTES(buffer, copy, sizeof buffer, "%s: packet after %d of %s", m->profile->name, result, what);
    for (size_t i = 0; worked && i < sizeof buffer; i++)
        CHECK(buffer[i] == copy[i] || buffer[i] == 0, "%s: byte %zu of a forged packet is %02x", m->profile->name, i,
              buffer[i]);
}

static size_t make_packet(machine *m, uint8_t *p)
{
    const unsigned how = (unsigned)choose(m->c, 1), more = (unsigned)choose(m->c, 1);
    size_t at = m->kind == RUNNEL_RTP ? 12 : 8;
    choose_random(m->c, p, LONGEST);
    p[0] = (uint8_t)(0x80 | (how < 16 ? how : 0) | (how & 0x20 ? 0x10 : 0));
    if (m->kind == RUNNEL_RTP) {
        static const uint16_t steps[] = {1, 1, 1, 1, 2, 50, 200, 0x7fff, 0x8000, 0xff00};
        m->number = (uint16_t)(m->number + steps[more % 10]);
        p[2] = (uint8_t)(m->number >> 8);
        p[3] = (uint8_t)m->number;
        at += 4 * (size_t)(p[0] & 15);
        if (p[0] & 0x10) {
            p[at + 2] = how == 0x3f;
            p[at + 3] = (uint8_t)(more % 12);
            at += 4 + 4 * ((size_t)p[at + 2] << 8 | p[at + 3]);
        }
    }
    for (int i = 0; i < 4; i++)
        p[(m->kind == RUNNEL_RTP ? 8 : 4) + i] = (uint8_t)(m->ssrc >> (24 - 8 * i));
    if (how == 255)
        p[how % 12] ^= (uint8_t)more;
    return at + choose_length(m->c, LONGEST - 64 - at);
}

static void step_protect(machine *m)
{
    const size_t bytes = make_packet(m, buffer), grows = runnel_srtp_grows(m->profile, m->kind);
    const unsigned how = (unsigned)choose(m->c, 1);
    const size_t room = how < 240 ? LONGEST : bytes + how % 32;
    size_t length = bytes;
    memcpy(copy, buffer, sizeof copy);
    memcpy(&m->before, &m->sender, sizeof m->before);
    const int result = runnel_srtp_protect(&m->sender, buffer, &length, room);
    if (result != RUNNEL_OK) {
        CHECK(is_own_error(result), "%s: protecting %zu bytes gives %d", m->profile->name, bytes, result);
        CHECK(length == bytes, "length after an error");
        check_unchanged(m, &m->sender, "protecting", result);
        return;
    }
    CHECK(room >= bytes + grows && length == bytes + grows, "%s: %zu bytes become %zu", m->profile->name, bytes,
          length);
    CHECK_BYTES(buffer + length, copy + length, sizeof buffer - length, "written behind the packet");
    packet *const p = &m->kept[m->count++ % KEPT];
    memcpy(p->plain, copy, bytes);
    memcpy(p->sealed, buffer, length);
    p->bytes = bytes;
    p->sealed_bytes = length;
    p->taken = 0;
}

static int unprotect(machine *m, size_t *bytes)
{
    memcpy(copy, buffer, sizeof copy);
    memcpy(&m->before, &m->receiver, sizeof m->before);
    const size_t before = *bytes;
    const int result = runnel_srtp_unprotect(&m->receiver, buffer, bytes);
    if (result != RUNNEL_OK) {
        CHECK(is_own_error(result) || result == RUNNEL_ERR_TAG, "%s: unprotecting gives %d", m->profile->name, result);
        CHECK(*bytes == before, "length after an error");
        check_unchanged(m, &m->receiver, "unprotecting", result);
    }
    return result;
}

static void step_unprotect(machine *m)
{
    const unsigned how = (unsigned)choose(m->c, 1);
    const size_t which = choose_below(m->c, KEPT), bit = choose(m->c, 2);
    packet *const p = &m->kept[which];
    size_t bytes = p->sealed_bytes;
    if (which >= m->count)
        return;
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, p->sealed, bytes);
    int damaged = how < 80;
    if (how < 40) {
        buffer[bit / 8 % bytes] ^= (uint8_t)(1 << bit % 8);
    } else if (damaged) {
        bytes = bit % bytes;
    }
    const int result = unprotect(m, &bytes);
    if (damaged) {
        CHECK(result != RUNNEL_OK, "%s: a damaged packet is taken", m->profile->name);
        return;
    }
    CHECK(result == RUNNEL_OK || result == RUNNEL_ERR_REPLAY || result == RUNNEL_ERR_TAG || result == RUNNEL_ERR_LIMIT,
          "%s: a packet gives %d", m->profile->name, result);
    if (result != RUNNEL_OK)
        return;
    CHECK(!p->taken, "%s: a packet is taken twice", m->profile->name);
    CHECK(bytes == p->bytes, "%zu bytes come back as %zu", p->bytes, bytes);
    CHECK_BYTES(buffer, p->plain, bytes, "%s: what comes back", m->profile->name);
    p->taken = 1;
}

/* Whatever bytes come: a packet that nobody protected is never taken. */
static void step_noise(machine *m)
{
    memset(buffer, 0, sizeof buffer);
    size_t bytes = choose_text(m->c, buffer, LONGEST);
    if (choose_bit(m->c) && bytes >= 12) { /* as if from this stream */
        buffer[0] = (uint8_t)(0x80 | (buffer[0] & 0x1f));
        for (int i = 0; i < 4; i++)
            buffer[(m->kind == RUNNEL_RTP ? 8 : 4) + i] = (uint8_t)(m->ssrc >> (24 - 8 * i));
    }
    CHECK(unprotect(m, &bytes) != RUNNEL_OK, "%s: a packet of noise is taken", m->profile->name);
}

/* Kept packets in any order and number, some of them damaged, at once and one by one: the same. */
static void step_batch(machine *m)
{
    static uint8_t data[2][BATCH][LONGEST];
    runnel_srtp_packet packets[2][BATCH];
    packet *whole[BATCH]; /* what came undamaged */
    runnel_srtp one;
    const size_t count = choose_below(m->c, BATCH);
    const int protect = choose_bit(m->c);
    runnel_srtp *const s = protect ? &m->sender : &m->receiver;
    if (m->count == 0)
        return;
    memcpy(&one, s, sizeof one);
    for (size_t i = 0; i < count; i++) {
        const size_t which = choose_below(m->c, m->count < KEPT ? m->count : KEPT);
        packet *const p = &m->kept[which];
        size_t bytes = protect ? p->bytes : p->sealed_bytes;
        memcpy(data[0][i], protect ? p->plain : p->sealed, bytes);
        const unsigned how = (unsigned)choose(m->c, 1);
        whole[i] = protect || how < 60 ? NULL : p;
        if (protect && m->kind == RUNNEL_RTP) /* another sequence number */
            data[0][i][3] = (uint8_t)(data[0][i][3] + how);
        else if (how < 60)
            data[0][i][how % bytes] ^= (uint8_t)(1 << how % 8);
        memcpy(data[1][i], data[0][i], LONGEST);
        for (int way = 0; way < 2; way++)
            packets[way][i] = (runnel_srtp_packet){way ? &one : s, data[way][i], bytes, LONGEST, 99};
    }
    const int result = (protect ? runnel_srtp_protect_batch : runnel_srtp_unprotect_batch)(packets[0], count);
    int first = RUNNEL_OK;
    for (size_t i = 0; i < count; i++) {
        runnel_srtp_packet *const p = &packets[1][i];
        p->result = protect ? runnel_srtp_protect(&one, p->data, &p->bytes, p->room)
                            : runnel_srtp_unprotect(&one, p->data, &p->bytes);
        if (first == RUNNEL_OK)
            first = p->result;
        if (whole[i] != NULL && p->result == RUNNEL_OK)
            whole[i]->taken = 1;
        CHECK(packets[0][i].result == p->result && packets[0][i].bytes == p->bytes, "%s: packet %zu gives %d, not %d",
              m->profile->name, i, packets[0][i].result, p->result);
        CHECK_BYTES(data[0][i], data[1][i], LONGEST, "%s: packet %zu of a batch", m->profile->name, i);
    }
    CHECK(result == first, "%s: a batch gives %d, not %d", m->profile->name, result, first);
    CHECK(one.index == s->index && one.next == s->next && one.seen[0] == s->seen[0] && one.seen[1] == s->seen[1],
          "%s: the window after a batch", m->profile->name);
    if (protect) /* the receiver does not get these; it continues with the next */
        m->number = (uint16_t)(m->number + 256);
}

static void step_keys(machine *m)
{
    uint8_t master[64];
    const size_t right = (size_t)m->profile->key_bytes + m->profile->salt_bytes, bytes = choose_below(m->c, 64);
    const int kind = (int)choose_below(m->c, 4) - 1;
    runnel_srtp s = {0}, zeros = {0};
    choose_random(m->c, master, sizeof master);
    const int result = runnel_srtp_key(&s, m->profile, kind, m->ssrc, master, bytes);
    const int good = bytes == right && (kind == RUNNEL_RTP || kind == RUNNEL_RTCP);
    CHECK((result == RUNNEL_OK) == good, "%s: %zu bytes of key, kind %d give %d", m->profile->name, bytes, kind,
          result);
    if (!good) {
        CHECK(memcmp(&s, &zeros, sizeof s) == 0, "context after an error of key");
        return;
    }
    const uint64_t start = choose(m->c, 1 + choose_bit(m->c) * 7);
    const int late = runnel_srtp_start(&s, start);
    CHECK((late == RUNNEL_OK) == (kind == RUNNEL_RTP ? start >> 32 == 0 : start >> 31 == 0), "start gives %d", late);
    runnel_srtp_wipe(&s);
    CHECK(memcmp(&s, &zeros, runnel_srtp_bytes(m->profile)) == 0, "%s: a wiped context", m->profile->name);
}

static void run(choices *c)
{
    uint8_t master[64];
    machine *m = calloc(1, sizeof *m);
    m->c = c;
    m->profile = runnel_srtp_profile_at(choose_below(c, runnel_srtp_profile_count()));
    m->kind = choose_bit(c) ? RUNNEL_RTCP : RUNNEL_RTP;
    m->ssrc = (uint32_t)choose(c, 4);
    m->number = (uint16_t)choose(c, 2);
    choose_random(c, master, sizeof master);
    const size_t bytes = (size_t)m->profile->key_bytes + m->profile->salt_bytes;
    CHECK_OK(runnel_srtp_key(&m->sender, m->profile, m->kind, m->ssrc, master, bytes));
    CHECK_OK(runnel_srtp_key(&m->receiver, m->profile, m->kind, m->ssrc, master, bytes));
    if (choose_bit(c)) { /* near an end */
        const uint64_t end = m->kind == RUNNEL_RTP ? UINT32_MAX : UINT32_MAX >> 1;
        CHECK_OK(runnel_srtp_start(&m->sender, end - choose(c, 1) % 3));
        CHECK_OK(runnel_srtp_start(&m->receiver, m->kind == RUNNEL_RTP ? end - 1 : 0));
    }
    for (unsigned i = 0; c->left > 0 && i < STEPS; i++) {
        const unsigned what = (unsigned)choose(c, 1) % 16;
        if (what < 6)
            step_protect(m);
        else if (what < 11)
            step_unprotect(m);
        else if (what < 13)
            step_noise(m);
        else if (what < 15)
            step_batch(m);
        else
            step_keys(m);
    }
    free(m);
}

const fuzz_target fuzz_srtp = {"srtp", run};
