/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Secured data frames of IEEE 802.15.4-2006 (7.2, 7.6, annex B), between short addresses in one PAN:
 *
 *     frame control 2 | sequence number 1 | PAN 2 | destination 2 | source 2 |
 *     security control 1 | frame counter 4 | key index 0 or 1 | encrypted payload | MIC 4, 8 or 16 | checksum 2
 *
 * Numbers are little-endian. All before the payload is authenticated, the payload encrypted as well, by AES-128 in CCM with
 * the nonce: extended address of the source 8, frame counter 4, security level 1. A nonce comes once, since a source's
 * counter only grows, over resets too (storage.h). A receiver takes a counter of a source once, in ascending order.
 *
 * No memory is allocated. Timing depends on lengths, headers and whether a frame is refused, if the kernel of AES is
 * constant-time. */
#ifndef FRAME_H
#define FRAME_H

#include "storage.h"

#include "aes.h"

enum {
    FRAME_LONGEST = 127, /* bytes, all lengths here are */
    FRAME_SHORTEST_HEADER = 14,
    FRAME_CHECKSUM = 2,
    FRAME_LONGEST_PAYLOAD = FRAME_LONGEST - FRAME_SHORTEST_HEADER - 4 - FRAME_CHECKSUM, /* 107 */
    FRAME_KEY = 16
};

/* The most sources that a node listens to. */
#ifndef FRAME_PEERS
#define FRAME_PEERS 4
#endif

/* Bytes of storage for that many. */
enum { FRAME_STORAGE = (1 + FRAME_PEERS) * COUNTER_BYTES };

/* Security levels that encrypt and authenticate. */
typedef enum frame_level { FRAME_MIC_32 = 5, FRAME_MIC_64 = 6, FRAME_MIC_128 = 7 } frame_level;

typedef enum frame_error {
    FRAME_OK,
    FRAME_ERR_LENGTH = -1,   /* too short for its own header, or too long */
    FRAME_ERR_CHECKSUM = -2, /* noise on the way */
    FRAME_ERR_FORMAT = -3,   /* not a secured data frame of this layout */
    FRAME_ERR_ADDRESS = -4,  /* for another PAN or node */
    FRAME_ERR_SOURCE = -5,   /* from none of the peers */
    FRAME_ERR_LEVEL = -6,    /* less protected than the node asks for, or not encrypted */
    FRAME_ERR_KEY = -7,      /* under another key index */
    FRAME_ERR_REPLAY = -8,   /* its counter, or a later one, was there before */
    FRAME_ERR_MIC = -9,      /* forged, or damaged */
    FRAME_ERR_COUNTER = -10, /* all counters are used up: a new key is needed */
    FRAME_ERR_STORAGE = -11, /* counters cannot be kept */
    FRAME_ERR_SETTINGS = -12
} frame_error;

typedef struct frame_address {
    uint16_t short_address;
    uint8_t extended_address[8]; /* as it is written, highest byte first, and as it stands in the nonce */
} frame_address;

/* key, pan, level and key_index are the same in all nodes that talk with each other. */
typedef struct frame_settings {
    uint8_t key[FRAME_KEY];
    uint16_t pan;
    frame_level level; /* of what the node sends, and the least that it takes */
    uint8_t key_index; /* 0: frames do not name their key (key identifier mode 0); otherwise mode 1 */
    frame_address self;
    uint8_t peer_count; /* at most FRAME_PEERS; a peer's place in the list is the place of its counter in the storage */
    frame_address peers[FRAME_PEERS];
} frame_settings;

typedef struct frame_node {
    runnel_aes_ccm aead;
    const frame_settings *settings;
    counter sent, received[FRAME_PEERS];
    uint8_t sequence;
} frame_node;

/* Expands the key and reads the counters; the settings must stay. Before any other function. The storage belongs to the
 * key: a new key may have blank storage, and blank storage must have a new key. Errors: SETTINGS, STORAGE. */
frame_error frame_start(frame_node *n, const frame_settings *settings);

/* Builds a frame in frame, which has room for FRAME_LONGEST bytes and does not overlap with payload. Returns its length, or
 * an error, after which frame is as it was: LENGTH (payload of more than frame_room() bytes), COUNTER, STORAGE. */
int frame_seal(frame_node *n, uint8_t *frame, uint16_t destination, const uint8_t *payload, size_t bytes);

/* Takes a frame that has arrived. Returns the length of its payload, which is in payload (room for FRAME_LONGEST_PAYLOAD
 * bytes), and its source in *peer, the place in the settings' list; or an error, and then nothing of the payload is
 * released: payload is as it was, or after MIC, COUNTER and STORAGE zeros. Errors: LENGTH to STORAGE. */
int frame_open(frame_node *n, const uint8_t *frame, size_t bytes, uint8_t *payload, uint8_t *peer);

/* Returns the length of the longest payload that frame_seal takes. */
size_t frame_room(const frame_node *n);

/* The checksum of bytes before it: CRC-16 of ITU-T, lowest bit first, from 0. */
uint16_t frame_checksum(const uint8_t *p, size_t bytes);

#endif
