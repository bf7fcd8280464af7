/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "srtp.h"

struct side {
    int sends, native, batch;
    srtp_t session;
    runnel_srtp rtp[STREAMS], rtcp[STREAMS];
};

/* libsrtp's policies. A + before the end: with what only libsrtp has. */
static const struct {
    const char *name;
    void (*rtp)(srtp_crypto_policy_t *), (*rtcp)(srtp_crypto_policy_t *);
    size_t master;
    int extensions;
} policies[] = {
    {"AES_CM_128_HMAC_SHA1_80", srtp_crypto_policy_set_rtp_default, srtp_crypto_policy_set_rtcp_default, 30, 0},
    {"AES_CM_128_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32, srtp_crypto_policy_set_rtcp_default, 30,
     0},
    {"AES_192_CM_HMAC_SHA1_80", srtp_crypto_policy_set_aes_cm_192_hmac_sha1_80,
     srtp_crypto_policy_set_aes_cm_192_hmac_sha1_80, 38, 0},
    {"AES_192_CM_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_192_hmac_sha1_32,
     srtp_crypto_policy_set_aes_cm_192_hmac_sha1_80, 38, 0},
    {"AES_256_CM_HMAC_SHA1_80", srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80,
     srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80, 46, 0},
    {"AES_256_CM_HMAC_SHA1_32", srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32,
     srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80, 46, 0},
    {"AEAD_AES_128_GCM", srtp_crypto_policy_set_aes_gcm_128_16_auth, srtp_crypto_policy_set_aes_gcm_128_16_auth, 28, 0},
    {"AEAD_AES_256_GCM", srtp_crypto_policy_set_aes_gcm_256_16_auth, srtp_crypto_policy_set_aes_gcm_256_16_auth, 44, 0},
    {"+GCM_8", srtp_crypto_policy_set_aes_gcm_128_8_auth, srtp_crypto_policy_set_aes_gcm_128_8_auth, 28, 0},
    {"+GCM_AUTHENTICATED_ONLY", srtp_crypto_policy_set_aes_gcm_128_8_only_auth,
     srtp_crypto_policy_set_aes_gcm_128_8_only_auth, 28, 0},
    {"+CM_UNAUTHENTICATED", srtp_crypto_policy_set_aes_cm_128_null_auth, srtp_crypto_policy_set_rtcp_default, 30, 0},
    {"+AUTHENTICATED_ONLY", srtp_crypto_policy_set_null_cipher_hmac_sha1_80,
     srtp_crypto_policy_set_null_cipher_hmac_sha1_80, 30, 0},
    {"+ENCRYPTED_EXTENSIONS", srtp_crypto_policy_set_rtp_default, srtp_crypto_policy_set_rtcp_default, 30, 1},
};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static size_t policy_of(const char *profile)
{
    for (size_t i = 0; i < POLICIES; i++)
        if (strcmp(policies[i].name, profile) == 0)
            return i;
    fprintf(stderr, "libsrtp has no %s\n", profile);
    exit(2);
}

uint32_t ssrc_of(int stream)
{
    return 0x1234abc0u + (uint32_t)stream;
}

size_t master_bytes(const char *profile)
{
    const runnel_srtp_profile *p = runnel_srtp_profile_find(profile);
    return p != NULL ? (size_t)p->key_bytes + p->salt_bytes : policies[policy_of(profile)].master;
}

side *new_side(const char *way, const char *profile, const uint8_t *master, int sends)
{
    side *s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    s->sends = sends;
    s->batch = strcmp(way, "batch") == 0;
    s->native = s->batch || strcmp(way, "native") == 0;
    if (s->native) {
        const runnel_srtp_profile *p = runnel_srtp_profile_find(profile);
        CHECK(p != NULL);
        for (int i = 0; i < STREAMS; i++) {
            CHECK(runnel_srtp_key(&s->rtp[i], p, RUNNEL_RTP, ssrc_of(i), master, master_bytes(profile)) == RUNNEL_OK);
            CHECK(runnel_srtp_key(&s->rtcp[i], p, RUNNEL_RTCP, ssrc_of(i), master, master_bytes(profile)) == RUNNEL_OK);
            CHECK(runnel_srtp_start(&s->rtcp[i], 1) == RUNNEL_OK); /* where libsrtp begins to count */
        }
        return s;
    }
    static int initialised;
    if (!initialised++) {
        CHECK(srtp_init() == srtp_err_status_ok);
        if (strcmp(way, "types") == 0)
            CHECK(runnel_srtp_install() == 6);
        else
            CHECK(strcmp(way, "stock") == 0);
    }
    const size_t k = policy_of(profile);
    srtp_policy_t policy;
    uint8_t key[MASTER + 1];
    int ids[] = {1, 3};
    memset(&policy, 0, sizeof policy);
    memcpy(key, master, policies[k].master);
    policies[k].rtp(&policy.rtp);
    policies[k].rtcp(&policy.rtcp);
    policy.key = key;
    policy.window_size = 128;
    policy.ssrc.type = ssrc_specific;
    if (policies[k].extensions) {
        policy.enc_xtn_hdr = ids;
        policy.enc_xtn_hdr_count = 2;
    }
    CHECK(srtp_create(&s->session, NULL) == srtp_err_status_ok);
    for (int i = 0; i < STREAMS; i++) {
        policy.ssrc.value = ssrc_of(i);
        CHECK(srtp_add_stream(s->session, &policy) == srtp_err_status_ok);
    }
    return s;
}

void free_side(side *s)
{
    if (s->session != NULL)
        CHECK(srtp_dealloc(s->session) == srtp_err_status_ok);
    for (int i = 0; s->native && i < STREAMS; i++) {
        runnel_srtp_wipe(&s->rtp[i]);
        runnel_srtp_wipe(&s->rtcp[i]);
    }
    free(s);
}

static void by_libsrtp(side *s, packet *p)
{
    static srtp_err_status_t (*const verbs[2][2])(srtp_t, void *, int *) = {
        {srtp_unprotect, srtp_unprotect_rtcp},
        {srtp_protect, srtp_protect_rtcp},
    };
    int bytes = (int)p->bytes;
    p->status = (int)verbs[s->sends][p->rtcp](s->session, p->data, &bytes);
    p->result = p->status == srtp_err_status_ok            ? GOOD
                : p->status == srtp_err_status_replay_fail ? REPLAYED
                : p->status == srtp_err_status_replay_old  ? REPLAYED
                                                           : REFUSED;
    if (p->result == GOOD)
        p->bytes = (size_t)bytes;
}

static void set_result(packet *p, int result)
{
    p->status = result;
    p->result = result == RUNNEL_OK ? GOOD : result == RUNNEL_ERR_REPLAY ? REPLAYED : REFUSED;
}

void run_side(side *s, packet **packets, size_t count)
{
    runnel_srtp_packet *list = calloc(count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        packet *p = packets[i];
        runnel_srtp *stream = p->rtcp ? &s->rtcp[p->stream] : &s->rtp[p->stream];
        if (!s->native)
            by_libsrtp(s, p);
        else if (s->batch)
            list[i] = (runnel_srtp_packet){.stream = stream, .data = p->data, .bytes = p->bytes, .room = MOST_PACKET};
        else if (s->sends)
            set_result(p, runnel_srtp_protect(stream, p->data, &p->bytes, MOST_PACKET));
        else
            set_result(p, runnel_srtp_unprotect(stream, p->data, &p->bytes));
    }
    if (s->batch) {
        const int first = (s->sends ? runnel_srtp_protect_batch : runnel_srtp_unprotect_batch)(list, count);
        int expected = RUNNEL_OK;
        for (size_t i = 0; i < count; i++) {
            set_result(packets[i], list[i].result);
            packets[i]->bytes = list[i].bytes;
            if (expected == RUNNEL_OK)
                expected = list[i].result;
        }
        CHECK(first == expected);
    }
    free(list);
}
