/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The firmware's frames: two nodes, with frames that are damaged, repeated or made of the input's bytes alone, resets, and
 * storage that loses its power at any write. A frame is taken once, a forged one never; nothing of a refused payload is
 * released; and no frame counter of a node is used twice, whatever happens. */
#include "fuzz.h"

#include "../../examples/firmware/frame.c"
#include "../../examples/firmware/storage.c"

#include <setjmp.h>

enum { KEPT = 16, STEPS = 64, SEEN = 256 };

typedef struct board {
    uint8_t storage[STORAGE_BYTES];
    frame_settings settings;
    frame_node node;
    int runs;
    uint32_t next; /* a frame counter of this node that must not have been used */
} board;

typedef struct frame {
    uint8_t bytes[FRAME_LONGEST], payload[FRAME_LONGEST_PAYLOAD];
    int length, payload_length, taken, from;
} frame;

static board boards[2], *powered;
static long writes_left; /* until the power fails; negative: it does not */
static uint8_t left_in_cell;
static jmp_buf failure;

uint8_t storage_read(uint16_t at)
{
    CHECK(at < STORAGE_BYTES, "storage read at %u", at);
    return powered->storage[at];
}

void storage_write(uint16_t at, uint8_t value)
{
    CHECK(at < STORAGE_BYTES, "storage written at %u", at);
    if (writes_left == 0) {
        powered->storage[at] = left_in_cell;
        powered->runs = 0;
        longjmp(failure, 1);
    }
    writes_left -= writes_left > 0;
    powered->storage[at] = value;
}

static void settle(board *b, const uint8_t *key, unsigned level, uint8_t key_index, int which)
{
    memset(b, 0, sizeof *b);
    memset(b->storage, 0xff, sizeof b->storage);
    memcpy(b->settings.key, key, FRAME_KEY);
    b->settings.pan = 0x4321;
    b->settings.level = (frame_level)level;
    b->settings.key_index = key_index;
    b->settings.peer_count = 1;
    for (int i = 0; i < 2; i++) {
        frame_address *const a = i == which ? &b->settings.self : &b->settings.peers[0];
        a->short_address = (uint16_t)(0x1000 + i);
        memset(a->extended_address, 0x40 + i, sizeof a->extended_address);
    }
}

static void start_board(board *b)
{
    powered = b;
    if (setjmp(failure) != 0)
        return;
    memset(&b->node, 0xa5, sizeof b->node); /* nothing is in RAM after a reset */
    const frame_error error = frame_start(&b->node, &b->settings);
    CHECK(error == FRAME_OK || error == FRAME_ERR_SETTINGS || error == FRAME_ERR_STORAGE, "start gives %d", error);
    b->runs = error == FRAME_OK;
}

static uint32_t counter_of(const uint8_t *p)
{
    return (uint32_t)p[COUNTER] | (uint32_t)p[COUNTER + 1] << 8 | (uint32_t)p[COUNTER + 2] << 16 |
           (uint32_t)p[COUNTER + 3] << 24;
}

static void seal(choices *c, board *b, frame *f)
{
    static uint8_t untouched[FRAME_LONGEST];
    const size_t bytes = choose_below(c, 128);
    uint8_t payload[128];
    choose_random(c, payload, sizeof payload);
    memset(f->bytes, 0x5a, sizeof f->bytes);
    memset(untouched, 0x5a, sizeof untouched);
    f->length = 0;
    powered = b;
    if (setjmp(failure) != 0)
        return;
    const int length = frame_seal(&b->node, f->bytes, (uint16_t)(b == boards ? 0x1001 : 0x1000), payload, bytes);
    if (length < 0) {
        CHECK(length == FRAME_ERR_LENGTH || length == FRAME_ERR_COUNTER || length == FRAME_ERR_STORAGE, "seal %d",
              length);
        CHECK(length != FRAME_ERR_LENGTH || bytes > frame_room(&b->node), "%zu bytes do not fit", bytes);
        CHECK_BYTES(f->bytes, untouched, sizeof untouched, "a frame that was not made");
        return;
    }
    CHECK(length <= FRAME_LONGEST && bytes <= frame_room(&b->node), "a frame of %d bytes", length);
    CHECK(counter_of(f->bytes) >= b->next, "counter %u comes again", (unsigned)counter_of(f->bytes));
    b->next = counter_of(f->bytes) + 1;
    f->length = length;
    f->payload_length = (int)bytes;
    f->taken = 0;
    f->from = b == boards ? 0 : 1;
    memcpy(f->payload, payload, bytes);
}

static int open_frame(board *b, const uint8_t *bytes, size_t count, uint8_t *payload)
{
    uint8_t peer = 0xff;
    int refused = 0;
    memset(payload, 0x5a, FRAME_LONGEST_PAYLOAD);
    powered = b;
    if (setjmp(failure) != 0)
        return FRAME_ERR_STORAGE;
    const int length = frame_open(&b->node, bytes, count, payload, &peer);
    refused = length < 0;
    CHECK(length >= FRAME_ERR_STORAGE && length <= FRAME_LONGEST_PAYLOAD, "open gives %d", length);
    for (size_t i = 0; refused && i < FRAME_LONGEST_PAYLOAD; i++)
        CHECK(payload[i] == 0x5a || payload[i] == 0, "byte %zu of a refused payload is released", i);
    CHECK(refused || peer == 0, "peer %u", peer);
    return length;
}

static void deliver(choices *c, frame *f)
{
    uint8_t bytes[FRAME_LONGEST], payload[FRAME_LONGEST_PAYLOAD];
    board *const b = &boards[!f->from];
    const unsigned how = (unsigned)choose(c, 1);
    if (f->length <= 0 || !b->runs)
        return;
    memcpy(bytes, f->bytes, sizeof bytes);
    size_t count = (size_t)f->length;
    if (how & 1) {
        bytes[choose_below(c, count)] ^= (uint8_t)(1 << how / 2 % 8);
        if (how & 0x80) { /* the checksum is no secret */
            const uint16_t sum = frame_checksum(bytes, count - 2);
            bytes[count - 2] = (uint8_t)sum;
            bytes[count - 1] = (uint8_t)(sum >> 8);
        }
    }
    const int changed = memcmp(bytes, f->bytes, count) != 0;
    const int length = open_frame(b, bytes, count, payload);
    if (changed) /* without a checksum made anew only noise is ruled out, but the MIC covers everything else */
        CHECK(length < 0, "a damaged frame is taken");
    if (length < 0)
        return;
    CHECK(!f->taken, "a frame is taken twice");
    CHECK(length == f->payload_length, "a payload of %d bytes, not %d", length, f->payload_length);
    CHECK_BYTES(payload, f->payload, (size_t)length, "payload");
    f->taken = 1;
}

static void noise(choices *c)
{
    uint8_t bytes[FRAME_LONGEST + 3], payload[FRAME_LONGEST_PAYLOAD];
    board *const b = &boards[choose_bit(c)];
    const int checksum = choose_bit(c);
    size_t count = choose_text(c, bytes, sizeof bytes);
    if (!b->runs)
        return;
    if (checksum && count >= 2) {
        const uint16_t sum = frame_checksum(bytes, count - 2);
        bytes[count - 2] = (uint8_t)sum;
        bytes[count - 1] = (uint8_t)(sum >> 8);
    }
    CHECK(open_frame(b, bytes, count, payload) < 0, "noise is taken");
}

static void run(choices *c)
{
    static frame kept[KEPT];
    uint8_t key[FRAME_KEY];
    size_t count = 0;
    choose_random(c, key, sizeof key);
    const unsigned level = (unsigned)choose(c, 1), key_index = (unsigned)choose(c, 1);
    memset(kept, 0, sizeof kept);
    writes_left = -1;
    for (int i = 0; i < 2; i++) {
        settle(&boards[i], key, level < 250 ? 5 + level % 3 : level, (uint8_t)(key_index % 3), i);
        start_board(&boards[i]);
    }
    for (unsigned i = 0; c->left > 0 && i < STEPS; i++) {
        const unsigned what = (unsigned)choose(c, 1) % 16;
        board *const b = &boards[what & 1];
        if (what < 6 && b->runs)
            seal(c, b, &kept[count++ % KEPT]);
        else if (what < 11)
            deliver(c, &kept[choose_below(c, KEPT)]);
        else if (what < 13)
            noise(c);
        else if (what < 15)
            start_board(b);
        else {
            writes_left = (long)choose(c, 1) % 20 - 1;
            left_in_cell = (uint8_t)choose(c, 1);
        }
    }
}

const fuzz_target fuzz_frames = {"frames", run};
