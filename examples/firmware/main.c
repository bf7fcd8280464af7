/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A node that answers: it takes secured frames from the serial line, which stands for the radio, and sends each payload
 * back in a frame of its own, with a reading behind it. The same for all boards.
 *
 * On the line a frame is what the radio's physical layer makes of it: a delimiter, its length, its bytes. A frame that is
 * refused is answered with REFUSED and the reason's number: on a line this tells the other side that the node listens
 * again; over a radio a node keeps silent. */
#include "board.h"
#include "frame.h"

enum { DELIMITER = 0xa7, REFUSED = 0x15, READING = 2 };

/* A real device gets a key of its own, and another one whenever its storage is erased. */
static const frame_settings settings = {
    .key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
    .pan = 0x4321,
    .level = FRAME_MIC_64,
    .self = {0x0007, {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x6f}},
    .peer_count = 2,
    .peers = {{0x0001, {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x01}},
              {0x0002, {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x02}}},
};

static frame_node node;
static uint8_t frame[FRAME_LONGEST], payload[FRAME_LONGEST_PAYLOAD];

/* The node's measurement: how many frames it has refused since its reset. */
static uint16_t refused;

/* Waits for a frame and returns its length. What is longer than a frame can be is taken from the line and dropped. */
static uint8_t receive_frame(void)
{
    while (receive() != DELIMITER)
        ;
    const uint8_t bytes = receive();
    for (uint8_t i = 0; i < bytes; i++) {
        const uint8_t byte = receive();
        if (i < FRAME_LONGEST)
            frame[i] = byte;
    }
    return bytes;
}

static void send_frame(uint8_t bytes)
{
    const uint8_t start[] = {DELIMITER, bytes};
    send(start, sizeof start);
    send(frame, bytes);
}

static void refuse(int error)
{
    const uint8_t answer[] = {REFUSED, (uint8_t)-error};
    refused++;
    send(answer, sizeof answer);
}

/* Returns the length of the answer, which is in frame, or an error. */
static int answer(uint8_t bytes)
{
    uint8_t peer = 0;
    int length = frame_open(&node, frame, bytes, payload, &peer);
    if (length < 0)
        return length;
    if ((size_t)length + READING > frame_room(&node))
        length = (int)frame_room(&node) - READING;
    payload[length] = (uint8_t)refused;
    payload[length + 1] = (uint8_t)(refused >> 8);
    return frame_seal(&node, frame, settings.peers[peer].short_address, payload, (size_t)length + READING);
}

int main(void)
{
    board_start();
    const frame_error error = frame_start(&node, &settings);
    for (;;) {
        const uint8_t bytes = receive_frame();
        const int length = error ? (int)error : answer(bytes);
        if (length < 0)
            refuse(length);
        else
            send_frame((uint8_t)length);
    }
}
