/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packets under given session keys, and those that are derived. */
#include "srtp.h"

#include "srtp/ciphers.h"
#include "macs/hmac_sha_1/kernels.h"

static int kind_of(const char *word)
{
    return strcmp(word, "rtcp") == 0 ? RUNNEL_RTCP : RUNNEL_RTP;
}

/* A context with these session keys. */
static void set_session(runnel_srtp *s, const char *profile, int kind, uint32_t ssrc, char **keys)
{
    static const uint8_t any[MASTER] = {7};
    uint8_t key[32], salt[14], authentication[64];
    const runnel_srtp_profile *p = runnel_srtp_profile_find(profile);
    CHECK(p != NULL);
    CHECK(runnel_srtp_key(s, p, kind, ssrc, any, (size_t)p->key_bytes + p->salt_bytes) == RUNNEL_OK);
    const size_t key_bytes = from_hex(keys[0], key, sizeof key);
    CHECK(from_hex(keys[1], salt, sizeof salt) == p->salt_bytes);
    const size_t bytes = from_hex(keys[2], authentication, sizeof authentication);
    memcpy(s->salt, salt, p->salt_bytes);
    CHECK((p->aead ? p->functions->key : p->functions->ctr_key)(s->part, key, key_bytes) == RUNNEL_OK);
    if (!p->aead)
        runnel_hmac_sha_1_make_pads(&s->pads, s->hash, authentication, bytes);
}

void session(char **a)
{
    runnel_srtp sender, receiver;
    uint8_t sent[MOST_PACKET], plain[MOST_PACKET];
    const size_t bytes = from_hex(a[7], plain, sizeof plain);
    size_t n = bytes;
    set_session(&sender, a[0], kind_of(a[1]), (uint32_t)strtoul(a[2], NULL, 16), a + 4);
    CHECK(runnel_srtp_start(&sender, strtoull(a[3], NULL, 16)) == RUNNEL_OK);
    receiver = sender;
    memcpy(sent, plain, bytes);
    CHECK(runnel_srtp_protect(&sender, sent, &n, sizeof sent) == RUNNEL_OK);
    for (size_t i = 0; i < n; i++)
        printf("%02x", sent[i]);
    printf("\n");
    CHECK(runnel_srtp_unprotect(&receiver, sent, &n) == RUNNEL_OK);
    CHECK(n == bytes && memcmp(sent, plain, n) == 0);
}

static struct {
    runnel_srtp derived;
    const runnel_srtp_profile *profile;
    int kind, result;
    uint8_t master[MASTER];
    size_t bytes;
} derivation;

static void derive_keys(void)
{
    derivation.result = runnel_srtp_key(&derivation.derived, derivation.profile, derivation.kind, ssrc_of(0),
                                        derivation.master, derivation.bytes);
}

void derive(char **a)
{
    runnel_srtp derived, given;
    uint8_t secret[64], one[MOST_PACKET], other[MOST_PACKET];
    const int kind = kind_of(a[1]);
    derivation.profile = runnel_srtp_profile_find(a[0]);
    derivation.kind = kind;
    derivation.bytes = from_hex(a[2], derivation.master, MASTER);
    on_stack(derive_keys);
    CHECK(derivation.result == RUNNEL_OK);
    CHECK(!on_stack_is(derivation.master, derivation.profile->key_bytes));
    CHECK(!on_stack_is(secret, from_hex(a[3], secret, sizeof secret)));
    CHECK(derivation.profile->aead || !on_stack_is(secret, from_hex(a[5], secret, sizeof secret)));
    derived = derivation.derived;
    set_session(&given, a[0], kind, ssrc_of(0), a + 3);
    packet p;
    if (kind == RUNNEL_RTCP)
        make_rtcp(&p, 0);
    else
        make_rtp(&p, 0, 1000);
    memcpy(one, p.data, p.bytes);
    memcpy(other, p.data, p.bytes);
    size_t n = p.bytes, m = p.bytes;
    CHECK(runnel_srtp_protect(&derived, one, &n, sizeof one) == RUNNEL_OK);
    CHECK(runnel_srtp_protect(&given, other, &m, sizeof other) == RUNNEL_OK);
    CHECK(n == m && memcmp(one, other, n) == 0);
    runnel_srtp_wipe(&derived);
    for (size_t i = 0; i < runnel_srtp_bytes(given.profile); i++)
        CHECK(((uint8_t *)&derived)[i] == 0);
}
