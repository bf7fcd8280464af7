/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "frame.h"

#include "board.h"

#include <string.h>

/* Where the fields are. */
enum { CONTROL = 0, SEQUENCE = 2, PAN = 3, DESTINATION = 5, SOURCE = 7, SECURITY = 9, COUNTER = 10, KEY_INDEX = 14 };

/* Frame control: data, secured, one PAN, short addresses, as of 2006. Pending data and wishes for an acknowledgement are
 * authenticated with the rest and nothing else to us. */
#define DATA_FRAME 0x9849u
#define PENDING_AND_ACKNOWLEDGE 0x0030u

/* Security control. */
enum { LEVEL = 7, KEY_MODE_1 = 1 << 3, RESERVED = 0xe0, KEY_MODE = 3 << 3 };

/* Values for which one write to the storage is enough. Of a peer's, up to so many frames are refused after a reset. */
enum { SENT_RESERVE = 256, RECEIVED_RESERVE = 16 };

enum { NONCE = 13 };

_Static_assert((int)FRAME_STORAGE <= (int)STORAGE_BYTES, "the counters need more storage than the board has");

static uint16_t load16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
}

static uint32_t load32(const uint8_t *p)
{
    return load16(p) | (uint32_t)load16(p + 2) << 16;
}

static void store16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static void store32(uint8_t *p, uint32_t v)
{
    store16(p, (uint16_t)v);
    store16(p + 2, (uint16_t)(v >> 16));
}

uint16_t frame_checksum(const uint8_t *p, size_t bytes)
{
    uint16_t sum = 0;
    while (bytes-- > 0) {
        sum ^= *p++;
        for (uint8_t bit = 0; bit < 8; bit++)
            sum = (uint16_t)(sum & 1 ? sum >> 1 ^ 0x8408 : sum >> 1);
    }
    return sum;
}

/* 4, 8 and 16 at levels 5, 6 and 7. */
static uint8_t mic_bytes(uint8_t level)
{
    return (uint8_t)(1 << (level - 3));
}

static uint8_t header_bytes(const frame_settings *s)
{
    return FRAME_SHORTEST_HEADER + (s->key_index > 0);
}

size_t frame_room(const frame_node *n)
{
    return (size_t)FRAME_LONGEST - header_bytes(n->settings) - mic_bytes((uint8_t)n->settings->level) - FRAME_CHECKSUM;
}

static void make_nonce(uint8_t nonce[NONCE], const frame_address *source, uint32_t counter, uint8_t level)
{
    memcpy(nonce, source->extended_address, 8);
    for (uint8_t i = 0; i < 4; i++)
        nonce[8 + i] = (uint8_t)(counter >> (24 - 8 * i));
    nonce[12] = level;
}

static frame_error of_counter(counter_error error)
{
    return error == COUNTER_OK ? FRAME_OK : error == COUNTER_EXHAUSTED ? FRAME_ERR_COUNTER : FRAME_ERR_STORAGE;
}

frame_error frame_start(frame_node *n, const frame_settings *s)
{
    if (s->level < FRAME_MIC_32 || s->level > FRAME_MIC_128 || s->peer_count > FRAME_PEERS ||
        runnel_aes_ccm_key(&n->aead, s->key, sizeof s->key))
        return FRAME_ERR_SETTINGS;
    n->settings = s;
    n->sequence = 0;
    counter_error error = counter_load(&n->sent, 0, SENT_RESERVE);
    for (uint8_t i = 0; i < s->peer_count && !error; i++)
        error = counter_load(&n->received[i], (uint16_t)((1 + i) * COUNTER_BYTES), RECEIVED_RESERVE);
    return of_counter(error);
}

int frame_seal(frame_node *n, uint8_t *frame, uint16_t destination, const uint8_t *payload, size_t bytes)
{
    const frame_settings *s = n->settings;
    if (bytes > frame_room(n))
        return FRAME_ERR_LENGTH;
    const uint32_t value = n->sent.next;
    const frame_error error = of_counter(counter_use(&n->sent, value));
    if (error)
        return error;

    const uint8_t level = (uint8_t)s->level, header = header_bytes(s), mic = mic_bytes(level);
    uint8_t nonce[NONCE];
    make_nonce(nonce, &s->self, value, level);
    store16(frame + CONTROL, DATA_FRAME);
    frame[SEQUENCE] = n->sequence++;
    store16(frame + PAN, s->pan);
    store16(frame + DESTINATION, destination);
    store16(frame + SOURCE, s->self.short_address);
    frame[SECURITY] = (uint8_t)(level | (s->key_index > 0 ? KEY_MODE_1 : 0));
    store32(frame + COUNTER, value);
    if (s->key_index > 0)
        frame[KEY_INDEX] = s->key_index;

    uint8_t *text = frame + header;
    if (runnel_aes_ccm_seal(&n->aead, nonce, NONCE, frame, header, text, payload, bytes, text + bytes, mic))
        return FRAME_ERR_SETTINGS; /* not after frame_start */
    const size_t length = header + bytes + mic;
    store16(frame + length, frame_checksum(frame, length));
    return (int)(length + FRAME_CHECKSUM);
}

/* Everything that needs no key. *peer is the source, the result the length of the payload or an error. */
static int check_header(const frame_node *n, const uint8_t *frame, size_t bytes, uint8_t *peer)
{
    const frame_settings *s = n->settings;
    const uint8_t header = header_bytes(s);
    if (bytes > FRAME_LONGEST || bytes < FRAME_CHECKSUM + 1)
        return FRAME_ERR_LENGTH;
    if (load16(frame + bytes - FRAME_CHECKSUM) != frame_checksum(frame, bytes - FRAME_CHECKSUM))
        return FRAME_ERR_CHECKSUM;
    if (bytes < (size_t)FRAME_SHORTEST_HEADER + FRAME_CHECKSUM)
        return FRAME_ERR_LENGTH;
    if ((load16(frame + CONTROL) | PENDING_AND_ACKNOWLEDGE) != (DATA_FRAME | PENDING_AND_ACKNOWLEDGE) ||
        (frame[SECURITY] & RESERVED))
        return FRAME_ERR_FORMAT;
    if (load16(frame + PAN) != s->pan || load16(frame + DESTINATION) != s->self.short_address)
        return FRAME_ERR_ADDRESS;
    const uint8_t level = frame[SECURITY] & LEVEL;
    if (level < s->level)
        return FRAME_ERR_LEVEL;
    if ((frame[SECURITY] & KEY_MODE) != (s->key_index > 0 ? KEY_MODE_1 : 0) ||
        (s->key_index > 0 && frame[KEY_INDEX] != s->key_index))
        return FRAME_ERR_KEY;
    if (bytes < (size_t)header + mic_bytes(level) + FRAME_CHECKSUM)
        return FRAME_ERR_LENGTH;
    const uint16_t source = load16(frame + SOURCE);
    for (*peer = 0; *peer < s->peer_count && s->peers[*peer].short_address != source;)
        ++*peer;
    if (*peer == s->peer_count)
        return FRAME_ERR_SOURCE;
    if (load32(frame + COUNTER) < n->received[*peer].next)
        return FRAME_ERR_REPLAY;
    return (int)(bytes - header - mic_bytes(level) - FRAME_CHECKSUM);
}

int frame_open(frame_node *n, const uint8_t *frame, size_t bytes, uint8_t *payload, uint8_t *peer)
{
    uint8_t from;
    const int length = check_header(n, frame, bytes, &from);
    if (length < 0)
        return length;
    const uint8_t level = frame[SECURITY] & LEVEL, header = header_bytes(n->settings);
    const uint32_t value = load32(frame + COUNTER);
    uint8_t nonce[NONCE];
    make_nonce(nonce, &n->settings->peers[from], value, level);
    const uint8_t *text = frame + header;
    if (runnel_aes_ccm_open(&n->aead, nonce, NONCE, frame, header, payload, text, (size_t)length, text + length,
                            mic_bytes(level)))
        return FRAME_ERR_MIC;
    /* Only an authentic frame moves the counter, and its payload is released after that alone. */
    const frame_error error = of_counter(counter_use(&n->received[from], value));
    if (error) {
        memset(payload, 0, (size_t)length);
        return error;
    }
    *peer = from;
    return length;
}
