/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parsing of an SRTP packet's header, in any bytes: no read behind the packet, no length beyond it. */
#include "any.h"

#include "srtp/packets.c"

enum { LONGEST_HEADER = 12 + 15 * 4 + 4 + 0xffff * 4, MOST = IN_SHORT ? 24 : 100 };

static uint8_t packet[LONGEST_HEADER + 2];

static void one_header(int kind, size_t bytes)
{
    const size_t header = header_bytes(kind, packet + sizeof packet - bytes, bytes);
    /*@ assert header == 0 || (kind == RUNNEL_RTCP ? 8 : 12) <= header <= bytes; */
    (void)header;
}

int main(void)
{
    ANY_BYTES(packet);
    for (int kind = RUNNEL_RTP; kind <= RUNNEL_RTCP; kind++) {
        for (size_t bytes = 0; bytes <= MOST; bytes++)
            one_header(kind, bytes);
        for (size_t bytes = LONGEST_HEADER - 2; bytes <= sizeof packet; bytes++)
            one_header(kind, bytes);
    }
    Frama_C_show_each_all_done();
    return 0;
}
