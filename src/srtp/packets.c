/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packets: what they are made of, their index, and both directions of them. Every packet goes through a group, also one
 * alone. In profiles with HMAC-SHA-1 the tags of a group are computed together: to protect after the encryption, to unprotect
 * before anything is accepted. Then each packet is accepted in its turn, as if it had come alone. */
#include <string.h>

#include "ciphers.h"
#include "window.h"

#include "arch/common/barrier.h"
#include "arch/common/bytes.h"
#include "core/aead.h"
#include "core/mac.h"
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_HOSTED

enum {
    GROUP = 32, /* of twice as many the frame, and a kernel's below it, would be deeper than RUNNEL_STACK_BYTES */
    RTP_HEADER = 12,
    RTCP_HEADER = 8,
    TRAILER = 4,            /* of SRTCP: the flag of encryption and the index */
    MOST_PAYLOAD = 1 << 20, /* 2^16 blocks of one keystream */
};

#define ENCRYPTED 0x80000000u
#define RTCP_INDICES 0x80000000u

/* A packet at work. */
typedef struct job {
    runnel_srtp_packet *packet;
    uint64_t index;
    size_t header, payload; /* bytes; the payload is what is encrypted */
    int has_index;          /* 1: nothing is wrong except what the index may be */
} job;

/* The length of the header; 0 if there is none. Packets of both kinds begin with version 2. */
static size_t header_bytes(int kind, const uint8_t *p, size_t bytes)
{
    size_t header = kind == RUNNEL_RTCP ? RTCP_HEADER : RTP_HEADER;
    if (bytes < header || p[0] >> 6 != 2)
        return 0;
    if (kind == RUNNEL_RTCP)
        return header;
    header += (size_t)(p[0] & 0x0f) * 4; /* contributing sources */
    if (p[0] & 0x10) {                   /* an extension, whose length counts words after its first */
        if (bytes < header + 4)
            return 0;
        header += 4 + 4 * ((size_t)p[header + 2] << 8 | p[header + 3]);
    }
    return bytes < header ? 0 : header;
}

static size_t tag_bytes(const runnel_srtp *s)
{
    return s->kind == RUNNEL_RTCP ? s->profile->rtcp_tag : s->profile->rtp_tag;
}

/* The index of a packet that comes now, or of one that is to be sent. Errors: REPLAY, LIMIT. */
static int find_index(const runnel_srtp *s, const uint8_t *p, size_t bytes, int decrypt, uint64_t *index)
{
    if (s->kind == RUNNEL_RTP) {
        *index = runnel_srtp_estimate(s, (uint16_t)(p[2] << 8 | p[3]));
        return *index >> 48 != 0 ? RUNNEL_ERR_LIMIT : runnel_srtp_check_replay(s, *index);
    }
    if (!decrypt) {
        *index = s->next;
        return s->next < RTCP_INDICES ? RUNNEL_OK : RUNNEL_ERR_LIMIT;
    }
    const uint8_t *const trailer = p + bytes - TRAILER - (s->profile->aead ? 0 : tag_bytes(s));
    *index = runnel_load32be(trailer) & ~ENCRYPTED;
    return runnel_srtp_check_replay(s, *index);
}

/* Decides every error except TAG, and what is where. */
static int prepare(job *j, runnel_srtp_packet *packet, int decrypt)
{
    const runnel_srtp *s = packet->stream;
    const uint8_t *p = packet->data;
    j->packet = packet;
    j->has_index = 0;
    if (s->profile == NULL || (s->used && s->used != runnel_srtp_use(decrypt)))
        return RUNNEL_ERR_STATE;
    const int rtcp = s->kind == RUNNEL_RTCP;
    const size_t more = runnel_srtp_grows(s->profile, s->kind);
    j->header = header_bytes(s->kind, p, packet->bytes);
    if (j->header == 0 || runnel_load32be(p + (rtcp ? 4 : 8)) != s->ssrc)
        return RUNNEL_ERR_PACKET;
    if (!decrypt) {
        j->payload = packet->bytes - j->header;
        if (packet->room < packet->bytes || packet->room - packet->bytes < more)
            return RUNNEL_ERR_LIMIT;
    } else {
        if (packet->bytes < j->header + more)
            return RUNNEL_ERR_PACKET;
        j->payload = packet->bytes - j->header - more;
        const size_t behind = s->profile->aead ? TRAILER : more;
        if (rtcp && !(p[packet->bytes - behind] & ENCRYPTED >> 24))
            return RUNNEL_ERR_PACKET; /* not encrypted, which this side has not agreed to */
    }
    if (j->payload > MOST_PAYLOAD)
        return RUNNEL_ERR_LIMIT;
    j->has_index = 1;
    return find_index(s, p, packet->bytes, decrypt, &j->index);
}

/* The session's salt XOR SSRC and index (RFC 3711 4.1.1; RFC 7714 8.1 and 9.1, two bytes shorter in front). */
static void make_iv(const runnel_srtp *s, uint64_t index, uint8_t *iv)
{
    uint8_t *const number = iv + (s->profile->aead ? 2 : 4);
    memcpy(iv, s->salt, sizeof s->salt);
    iv[14] = iv[15] = 0;
    runnel_store32be(number, runnel_load32be(number) ^ s->ssrc);
    runnel_store32be(number + 4, runnel_load32be(number + 4) ^ (uint32_t)(index >> 16));
    number[8] ^= (uint8_t)(index >> 8);
    number[9] ^= (uint8_t)index;
}

/* ---- counter mode and HMAC-SHA-1 ---- */

static void xor_payload(const job *j)
{
    runnel_srtp *s = j->packet->stream;
    uint8_t *const payload = j->packet->data + j->header;
    uint8_t iv[16];
    make_iv(s, j->index, iv);
    const int error = runnel_stream_packet((void *)s->part, iv, sizeof iv, RUNNEL_BE16, payload, payload, j->payload);
    (void)error; /* there is none: key, layout and length are right */
}

/* Computes the tag's input: for RTP the packet and the roll-over counter, for RTCP the packet with its trailer. */
static void set_text(const job *j, runnel_hmac_sha_1_text *t)
{
    const runnel_srtp *s = j->packet->stream;
    t->pads = &s->pads;
    t->kernel = s->hash;
    t->data = j->packet->data;
    t->bytes = j->header + j->payload;
    t->suffix_bytes = 0;
    if (s->kind == RUNNEL_RTCP) {
        t->bytes += TRAILER;
    } else {
        runnel_store32be(t->suffix, (uint32_t)(j->index >> 16));
        t->suffix_bytes = 4;
    }
}

static void write_trailer(uint8_t *p, uint64_t index)
{
    runnel_store32be(p, (uint32_t)index | ENCRYPTED);
}

/* Encrypts a packet, and accepts its index; its tag is still to be made. */
static void encrypt(const job *j)
{
    runnel_srtp *s = j->packet->stream;
    xor_payload(j);
    if (s->kind == RUNNEL_RTCP)
        write_trailer(j->packet->data + j->header + j->payload, j->index);
    runnel_srtp_accept(s, j->index, 0);
}

static void append_tag(const job *j, const runnel_hmac_sha_1_text *t)
{
    const runnel_srtp *s = j->packet->stream;
    runnel_copy_tag(j->packet->data + t->bytes, t->digest, tag_bytes(s));
    j->packet->bytes = t->bytes + tag_bytes(s);
}

/* Verifies and decrypts a packet whose digest has been made before its turn. Those before it may have moved its index or
 * may have been the same packet. */
static int decrypt(job *j, runnel_hmac_sha_1_text *t)
{
    const uint64_t before = j->index;
    runnel_srtp *s = j->packet->stream;
    const int error = find_index(s, j->packet->data, j->packet->bytes, 1, &j->index);
    if (error)
        return error;
    if (j->index != before) {
        set_text(j, t);
        runnel_hmac_sha_1_texts(t, 1);
    }
    int result = runnel_compare_tag(t->digest, j->packet->data + t->bytes, tag_bytes(s));
    RUNNEL_MADE_PUBLIC(result);
    if (result)
        return result;
    xor_payload(j);
    runnel_srtp_accept(s, j->index, 1);
    j->packet->bytes = j->header + j->payload;
    return RUNNEL_OK;
}

/* ---- AEADs ---- */

static int seal_or_open(const job *j, int decrypting)
{
    runnel_srtp_packet *const packet = j->packet;
    runnel_srtp *s = packet->stream;
    uint8_t iv[16], first[RTCP_HEADER + TRAILER];
    uint8_t *const payload = packet->data + j->header, *const tag = payload + j->payload;
    const size_t n = tag_bytes(s);
    const uint8_t *aad = packet->data;
    size_t aad_bytes = j->header;
    make_iv(s, j->index, iv);
    if (s->kind == RUNNEL_RTCP) { /* the tag stands between what it is of */
        memcpy(first, packet->data, RTCP_HEADER);
        write_trailer(first + RTCP_HEADER, j->index);
        aad = first;
        aad_bytes = sizeof first;
    }
    void *const c = s->part;
    const int result = decrypting ? runnel_aead_open(c, iv, 12, aad, aad_bytes, payload, payload, j->payload, tag, n)
                                  : runnel_aead_seal(c, iv, 12, aad, aad_bytes, payload, payload, j->payload, tag, n);
    if (result)
        return result;
    if (s->kind == RUNNEL_RTCP && !decrypting)
        write_trailer(tag + n, j->index);
    runnel_srtp_accept(s, j->index, decrypting);
    packet->bytes = j->header + j->payload + (decrypting ? 0 : runnel_srtp_grows(s->profile, s->kind));
    return RUNNEL_OK;
}

/* ---- groups ---- */

/* Up to GROUP packets. Returns the first error. */
static int group(runnel_srtp_packet *packets, size_t count, int decrypting)
{
    job jobs[GROUP];
    runnel_hmac_sha_1_text texts[GROUP];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        job *j = &jobs[n];
        const int error = prepare(j, &packets[i], decrypting);
        packets[i].result = error;
        /* Its index, and whether that was accepted before, may change once those before it have been accepted. */
        const int in_its_turn = decrypting && n > 0 && j->has_index;
        if (error && !in_its_turn)
            continue;
        if (packets[i].stream->profile->aead) {
            if (!error) /* all before it in its stream have had their turn */
                packets[i].result = seal_or_open(j, decrypting);
            continue;
        }
        if (!decrypting)
            encrypt(j);
        set_text(j, &texts[n++]);
    }
    runnel_hmac_sha_1_texts(texts, n);
    for (size_t i = 0; i < n; i++)
        if (decrypting)
            jobs[i].packet->result = decrypt(&jobs[i], &texts[i]);
        else
            append_tag(&jobs[i], &texts[i]);
    if (decrypting)
        runnel_wipe(texts, n * sizeof texts[0]); /* the right tag of a forged packet is a secret */
    for (size_t i = 0; i < count; i++)
        if (packets[i].result)
            return packets[i].result;
    return RUNNEL_OK;
}

static int all(runnel_srtp_packet *packets, size_t count, int decrypting)
{
    if (packets == NULL && count > 0)
        return RUNNEL_ERR_NULL;
    for (size_t i = 0; i < count; i++)
        if (packets[i].stream == NULL || packets[i].data == NULL)
            return RUNNEL_ERR_NULL;
    int first = RUNNEL_OK;
    for (size_t n; count > 0; count -= n, packets += n) {
        n = count < GROUP ? count : GROUP;
        const int error = group(packets, n, decrypting);
        if (first == RUNNEL_OK)
            first = error;
    }
    return first;
}

int runnel_srtp_protect_batch(runnel_srtp_packet *packets, size_t count)
{
    return all(packets, count, 0);
}

int runnel_srtp_unprotect_batch(runnel_srtp_packet *packets, size_t count)
{
    return all(packets, count, 1);
}

int runnel_srtp_protect(runnel_srtp *s, uint8_t *packet, size_t *bytes, size_t room)
{
    if (bytes == NULL)
        return RUNNEL_ERR_NULL;
    runnel_srtp_packet one = {.stream = s, .data = packet, .bytes = *bytes, .room = room};
    const int result = all(&one, 1, 0);
    *bytes = one.bytes;
    return result;
}

int runnel_srtp_unprotect(runnel_srtp *s, uint8_t *packet, size_t *bytes)
{
    if (bytes == NULL)
        return RUNNEL_ERR_NULL;
    runnel_srtp_packet one = {.stream = s, .data = packet, .bytes = *bytes};
    const int result = all(&one, 1, 1);
    *bytes = one.bytes;
    return result;
}

#endif
