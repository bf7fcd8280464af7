/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Session keys out of a master key (RFC 3711 4.3): the profile's cipher in counter mode, from a block of salt and label. */
#include <string.h>

#include "ciphers.h"
#include "arch/common/wipe.h"
#include "macs/hmac_sha_1/kernels.h"

#if RUNNEL_HOSTED

enum { ENCRYPTION, AUTHENTICATION, SALT, LABELS, AUTHENTICATION_KEY = 20 };

/* Derives a session key; c is keyed with the master key. Salts of AEADs have 12 bytes, and zeros behind them. */
static int derive(runnel_stream *c, const uint8_t *salt, size_t salt_bytes, uint8_t label, uint8_t *key, size_t bytes)
{
    uint8_t block[16] = {0};
    memcpy(block, salt, salt_bytes);
    block[7] ^= label;
    const int error = runnel_stream_packet(c, block, sizeof block, RUNNEL_BE16, key, NULL, bytes);
    runnel_wipe(block, sizeof block);
    return error;
}

int runnel_srtp_key(runnel_srtp *s, const runnel_srtp_profile *profile, int kind, uint32_t ssrc, const uint8_t *master,
                    size_t master_bytes)
{
    if (s == NULL || profile == NULL || master == NULL)
        return RUNNEL_ERR_NULL;
    if (kind != RUNNEL_RTP && kind != RUNNEL_RTCP)
        return RUNNEL_ERR_CIPHER;
    const size_t key_bytes = profile->key_bytes, salt_bytes = profile->salt_bytes;
    if (master_bytes != key_bytes + salt_bytes)
        return RUNNEL_ERR_KEY_LENGTH;
    const runnel_srtp_functions *functions = profile->functions;
    const uint8_t *salt = master + key_bytes, first = kind == RUNNEL_RTCP ? LABELS : 0;
    uint8_t key[32], authentication[AUTHENTICATION_KEY];
    RUNNEL_ALIGNED uint8_t memory[RUNNEL_SRTP_AES_CTR_BYTES];
    _Static_assert(sizeof(runnel_aria_ctr) <= sizeof memory && sizeof(runnel_seed_ctr) <= sizeof memory, "room");
    runnel_stream *const c = (void *)memory;
    memset(s, 0, runnel_srtp_bytes(profile));
    int error = functions->ctr_key(c, master, key_bytes);
    if (!error)
        error = derive(c, salt, salt_bytes, (uint8_t)(first + ENCRYPTION), key, key_bytes);
    if (!error)
        error = derive(c, salt, salt_bytes, (uint8_t)(first + SALT), s->salt, salt_bytes);
    if (!error)
        error = (functions->key != NULL ? functions->key : functions->ctr_key)(s->part, key, key_bytes);
    if (!error && !profile->aead) {
        s->hash = runnel_hmac_sha_1_choose();
        error = derive(c, salt, salt_bytes, (uint8_t)(first + AUTHENTICATION), authentication, sizeof authentication);
        runnel_hmac_sha_1_make_pads(&s->pads, s->hash, authentication, sizeof authentication);
        runnel_wipe(authentication, sizeof authentication);
    }
    runnel_wipe(key, sizeof key);
    runnel_wipe(memory, sizeof memory);
    if (error) /* no profile has a key that its cipher does not take */
        return error;
    s->ssrc = ssrc;
    s->kind = (uint8_t)kind;
    s->used = 0;
    s->profile = profile;
    return RUNNEL_OK;
}

int runnel_srtp_start(runnel_srtp *s, uint64_t start)
{
    if (s == NULL)
        return RUNNEL_ERR_NULL;
    if (s->profile == NULL || s->used)
        return RUNNEL_ERR_STATE;
    if (start >> (s->kind == RUNNEL_RTP ? 32 : 31) != 0)
        return RUNNEL_ERR_LIMIT;
    s->index = s->kind == RUNNEL_RTP ? start << 16 : 0;
    s->next = s->kind == RUNNEL_RTCP ? start : 0;
    return RUNNEL_OK;
}

void runnel_srtp_wipe(runnel_srtp *s)
{
    if (s == NULL || s->profile == NULL)
        return;
    runnel_wipe(s, runnel_srtp_bytes(s->profile));
    runnel_wipe_stack(RUNNEL_STACK_BYTES);
}

#endif
