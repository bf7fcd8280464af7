/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* SRTP and SRTCP (RFC 3711): packets of real-time media, encrypted and authenticated in place, one by one or many of many
 * streams in one call. With AES (RFC 3711, 6188, 7714), SEED (RFC 5669) and ARIA (RFC 8269). On hosts.
 *
 * A context, runnel_srtp, is for one SSRC, for either RTP or RTCP, and for one direction, that of its first packet: the
 * other is then an error (STATE). The caller owns it; it has the session keys, the roll-over counter and the replay window,
 * and may be copied, but two copies must not both protect: they would use one keystream twice. Nothing is allocated. Key
 * set-up derives the session keys (RFC 3711 4.3, key derivation rate 0).
 *
 * A packet is worked on in place and grows by what runnel_srtp_grows says. Errors are decided before anything changes;
 * TAG too leaves packet and context as they were in profiles with HMAC-SHA-1, which check the tag before they decrypt; in
 * AEAD profiles the payload of a packet that is not authentic becomes zeros, and the context is as it was. Constant-time in
 * keys and payload except for lengths, as the ciphers inside.
 *
 * Not supported: MKI, packets authenticated only or encrypted only, encrypted header extensions (RFC 6904), f8.
 *
 * The general rules are in <runnel/stream.h>. */
#ifndef RUNNEL_SRTP_H
#define RUNNEL_SRTP_H

#include <runnel/aes.h>
#include <runnel/aria.h>
#include <runnel/hmac_sha_1.h>
#include <runnel/seed.h>

#if RUNNEL_HOSTED

#ifdef __cplusplus
extern "C" {
#endif

/* A protection profile describes itself. */
typedef struct runnel_srtp_profile {
    const char *name;    /* as in SDP (RFC 4568): "AES_CM_128_HMAC_SHA1_80" */
    const char *source;  /* the specification */
    uint16_t dtls;       /* its number in DTLS-SRTP (RFC 5764); 0: it has none */
    uint8_t key_bytes;   /* of the master key, and of the session key */
    uint8_t salt_bytes;  /* of both salts */
    uint8_t rtp_tag;     /* bytes of an SRTP packet's tag */
    uint8_t rtcp_tag;    /* bytes of an SRTCP packet's tag */
    uint8_t aead;        /* 1: an AEAD; 0: counter mode and HMAC-SHA-1 */
    uint16_t part_bytes; /* of the cipher's context */
    const struct runnel_srtp_functions *functions;
} runnel_srtp_profile;

enum { RUNNEL_RTP, RUNNEL_RTCP };

/* The largest of the ciphers' contexts: that of AES-GCM, without the prefix tables of counter mode, which do not pay where
 * each packet has an IV of its own. */
#define RUNNEL_SRTP_AES_CTR_BYTES (RUNNEL_AES_CTR_HEAD_BYTES + sizeof(runnel_aes_schedule))
#define RUNNEL_SRTP_AES_GCM_BYTES (offsetof(runnel_aes_gcm, cipher) + RUNNEL_SRTP_AES_CTR_BYTES)

typedef struct runnel_srtp {
    const runnel_srtp_profile *profile; /* NULL: no key */
    uint64_t index;                     /* RTP: the highest so far, ROC and sequence number; RTCP: likewise */
    uint64_t next;                      /* RTCP: index of the next packet that is protected */
    uint64_t seen[2];                   /* bit n: index - n has come */
    uint32_t ssrc;
    uint8_t kind; /* RUNNEL_RTP or RUNNEL_RTCP */
    uint8_t used; /* 0: no packet yet, 1: protects, 2: unprotects */
    uint8_t salt[14];
    runnel_hmac_sha_1_pads pads;
    const struct runnel_hmac_sha_1_kernel *hash;
    /* Last, so that a context may end where its profile's cipher does: runnel_srtp_bytes. */
    RUNNEL_ALIGNED uint8_t part[RUNNEL_SRTP_AES_GCM_BYTES];
} runnel_srtp;

/* One packet of several. */
typedef struct runnel_srtp_packet {
    runnel_srtp *stream;
    uint8_t *data; /* the packet, in place */
    size_t bytes;  /* its length, before and after */
    size_t room;   /* bytes that may be written at data; to protect only */
    int result;    /* of this packet */
} runnel_srtp_packet;

/* Returns how many profiles there are. */
RUNNEL_API size_t runnel_srtp_profile_count(void);
/* Returns profile number index, or NULL past the last. */
RUNNEL_API const runnel_srtp_profile *runnel_srtp_profile_at(size_t index);
/* Returns the profile of that name, or NULL. */
RUNNEL_API const runnel_srtp_profile *runnel_srtp_profile_find(const char *name);
/* Returns the length in bytes of the shortest context for a profile: so much of a runnel_srtp is used. */
RUNNEL_API size_t runnel_srtp_bytes(const runnel_srtp_profile *profile);
/* Returns by how many bytes a packet grows; kind: RUNNEL_RTP or RUNNEL_RTCP. */
RUNNEL_API size_t runnel_srtp_grows(const runnel_srtp_profile *profile, int kind);

/* Sets the keys of a stream. master: the master key and behind it the master salt, key_bytes + salt_bytes of the profile
 * combined, as SDP and DTLS-SRTP give them. The context needs runnel_srtp_bytes(profile) bytes, aligned as malloc does.
 * Errors: NULL, KEY_LENGTH, CIPHER (kind is neither). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_key(runnel_srtp *s, const runnel_srtp_profile *profile, int kind,
                                                 uint32_t ssrc, const uint8_t *master, size_t master_bytes);
/* For a stream that is under way when it is joined, before its first packet. RTP: the roll-over counter of the first packet.
 * RTCP: the index of the first packet that is protected; 0 otherwise, as RFC 3711 says. Errors: NULL, STATE (no key, or
 * packets have come), LIMIT (RTP: 2^32, RTCP: 2^31 or more). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_start(runnel_srtp *s, uint64_t start);
/* Clears the context of the profile whose key it has and, on hosts, the stack below the caller: see runnel_stream_wipe. */
RUNNEL_API void runnel_srtp_wipe(runnel_srtp *s);

/* Encrypts and authenticates a packet of *bytes bytes, for which there are `room` bytes, and writes its new length to
 * *bytes. A sequence number is refused the second time (REPLAY), since it would have the same keystream. Errors: NULL,
 * STATE (no key, or the context unprotects), PACKET (not an RTP or RTCP packet, or of another SSRC), REPLAY (the sequence
 * number came before, or is 128 or more behind), LIMIT (`room` is too small, the payload has more than 2^20 bytes, or all
 * 2^48 or 2^31 indices are used up: set a new master key). */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_protect(runnel_srtp *s, uint8_t *packet, size_t *bytes, size_t room);
/* Verifies and decrypts a packet of *bytes bytes and writes its new length to *bytes. Errors: as above, STATE also if
 * the context protects, and TAG. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_unprotect(runnel_srtp *s, uint8_t *packet, size_t *bytes);

/* The same for `count` packets of any streams, in their order; what can be done side by side is. A packet with an error is
 * as it was (TAG: see above) and does not hold up the others: its result says which, and the first of them is returned.
 * Only NULL, for packets or a stream or data in any of them, is returned before anything is done. Buffers must not overlap,
 * which is not checked. */
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_protect_batch(runnel_srtp_packet *packets, size_t count);
RUNNEL_API RUNNEL_MUST_CHECK int runnel_srtp_unprotect_batch(runnel_srtp_packet *packets, size_t count);

#ifdef __cplusplus
}
#endif
#endif
#endif
