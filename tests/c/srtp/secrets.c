/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All profiles in both directions, with keys and payload marked secret. */
#include "srtp.h"

#include "secrets.h"

static void watch(const runnel_srtp_profile *profile, int kind)
{
    enum { PACKETS = 8 };
    static packet sent[PACKETS], plain[PACKETS];
    uint8_t master[MASTER];
    runnel_srtp sender, receiver;
    runnel_srtp_packet list[PACKETS];
    const size_t bytes = (size_t)profile->key_bytes + profile->salt_bytes;
    random_bytes(master, sizeof master);
    make_secret(master, bytes);
    CHECK(runnel_srtp_key(&sender, profile, kind, ssrc_of(0), master, bytes) == RUNNEL_OK);
    make_public(sender.salt, sizeof sender.salt); /* counter blocks are public in the library */
    receiver = sender;
    for (int i = 0; i < PACKETS; i++) {
        packet *const p = &sent[i];
        if (kind == RUNNEL_RTCP)
            make_rtcp(p, 0);
        else
            make_rtp(p, 0, (uint16_t)i);
        plain[i] = *p;
        size_t header = kind == RUNNEL_RTCP ? 8 : 12 + 4 * (size_t)(p->data[0] & 15);
        if (kind == RUNNEL_RTP && (p->data[0] & 16))
            header += 4 + 4 * (size_t)p->data[header + 3];
        make_secret(p->data + header, p->bytes - header);
        list[i] = (runnel_srtp_packet){.stream = &sender, .data = p->data, .bytes = p->bytes, .room = MOST_PACKET};
    }
    CHECK(runnel_srtp_protect_batch(list, PACKETS) == RUNNEL_OK);
    for (int i = 0; i < PACKETS; i++)
        list[i].stream = &receiver;
    if (kind == RUNNEL_RTCP) /* the index, which was public, behind what was secret */
        for (int i = 0; i < PACKETS; i++)
            make_public(list[i].data + plain[i].bytes, list[i].bytes - plain[i].bytes);
    CHECK(runnel_srtp_unprotect_batch(list, PACKETS) == RUNNEL_OK);
    for (int i = 0; i < PACKETS; i++) {
        make_public(sent[i].data, list[i].bytes);
        CHECK(list[i].bytes == plain[i].bytes && memcmp(sent[i].data, plain[i].data, plain[i].bytes) == 0);
    }
}

int secrets(void)
{
    if (!watched())
        return 78;
    for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
        const unsigned before = reports();
        watch(runnel_srtp_profile_at(i), RUNNEL_RTP);
        watch(runnel_srtp_profile_at(i), RUNNEL_RTCP);
        printf("%s: %u branches or addresses depend on secrets\n", runnel_srtp_profile_at(i)->name, reports() - before);
    }
    return 0;
}
