/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Traces of random packets: as they are protected, and as the other side opens them. */
#include "srtp.h"

enum { ROUND = 48, DELAYED = 400 };

static void write_trace(int receiver, const packet *p, int libsrtp)
{
    putchar(receiver << 4 | p->rtcp);
    putchar(p->result);
    if (libsrtp)
        putchar(p->status);
    if (p->result == GOOD) {
        putchar((int)(p->bytes >> 8));
        putchar((int)(p->bytes & 0xff));
        fwrite(p->data, 1, p->bytes, stdout);
    }
}

/* A sequence number for the next packet of a stream. */
static uint16_t next_number(uint16_t *last)
{
    switch (random_below(20)) {
    case 0: /* again, or one from before */
        return (uint16_t)(*last - random_below(4));
    case 1:
        return (uint16_t)(*last - random_below(300));
    case 2: /* some are lost */
        return *last = (uint16_t)(*last + 1 + random_below(100));
    case 3:
        return *last = (uint16_t)(*last + 1 + (random_below(40) == 0 ? random_below(20000) : 0));
    default:
        return ++*last;
    }
}

void trace(const char *way, const char *profile, uint64_t seed, size_t count)
{
    uint8_t master[MASTER];
    const int libsrtp = strcmp(way, "stock") == 0 || strcmp(way, "types") == 0;
    seed_random(seed);
    random_bytes(master, sizeof master);
    side *sender = new_side(way, profile, master, 1), *receiver = new_side(way, profile, master, 0);
    uint16_t last[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        last[i] = (uint16_t)(i == 0 ? 65500 : random_below(65536));
    packet *made = calloc(ROUND, sizeof *made), *delayed = calloc(DELAYED, sizeof *delayed);
    packet *arrived = calloc(3 * ROUND, sizeof *arrived);
    size_t waiting = 0;
    while (count > 0) {
        packet *list[3 * ROUND];
        const size_t n = count < ROUND ? count : ROUND;
        count -= n;
        for (size_t i = 0; i < n; i++) {
            const int stream = (int)random_below(STREAMS);
            list[i] = &made[i];
            if (random_below(8) == 0)
                make_rtcp(&made[i], stream);
            else
                make_rtp(&made[i], stream, next_number(&last[stream]));
        }
        run_side(sender, list, n);
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            write_trace(0, &made[i], libsrtp);
            if (made[i].result != GOOD || random_below(30) == 0)
                continue;
            if (random_below(10) == 0 && waiting < DELAYED) {
                delayed[waiting++] = made[i];
                continue;
            }
            arrived[m++] = made[i];
            if (random_below(20) == 0)
                arrived[m++] = made[i];
            if (random_below(20) == 0) {
                packet *damaged = &arrived[m - 1];
                damaged->data[random_below((uint32_t)damaged->bytes)] ^= (uint8_t)(1 << random_below(8));
            }
            if (waiting > 0 && random_below(10) == 0) {
                const size_t which = random_below((uint32_t)waiting);
                arrived[m++] = delayed[which];
                delayed[which] = delayed[--waiting];
            }
        }
        for (size_t i = 0; i < m; i++)
            list[i] = &arrived[i];
        run_side(receiver, list, m);
        for (size_t i = 0; i < m; i++)
            write_trace(1, &arrived[i], libsrtp);
    }
    free(made);
    free(delayed);
    free(arrived);
    free_side(sender);
    free_side(receiver);
}
