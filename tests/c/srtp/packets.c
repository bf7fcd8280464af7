/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packets, and a stack of its own to look at. */
#include "srtp.h"

#include <ucontext.h>

static void store32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

void make_rtp(packet *p, int stream, uint16_t number)
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

void make_rtcp(packet *p, int stream)
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

static uint8_t stack[1 << 18];
static ucontext_t outside, inside;

void on_stack(void (*use)(void))
{
    memset(stack, 0, sizeof stack);
    CHECK(getcontext(&inside) == 0);
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof stack;
    inside.uc_link = &outside;
    makecontext(&inside, use, 0);
    CHECK(swapcontext(&outside, &inside) == 0);
}

int on_stack_is(const uint8_t *secret, size_t bytes)
{
    return memmem(stack, sizeof stack, secret, bytes) != NULL;
}
