/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ascon-AEAD128 in words of 64 bits. */
#include "ascon.h"

#include "arch/common/bytes.h"
#include "core/aead.h"

#define ROTATE(x, n) ((x) >> (n) | (x) << (64 - (n)))

static inline void one_round(uint64_t *s, uint64_t constant)
{
    uint64_t s0 = s[0], s1 = s[1], s2 = s[2] ^ constant, s3 = s[3], s4 = s[4];
    s0 ^= s4;
    s4 ^= s3;
    s2 ^= s1;
    uint64_t t0 = s0 ^ (~s1 & s2), t1 = s1 ^ (~s2 & s3), t2 = s2 ^ (~s3 & s4);
    uint64_t t3 = s3 ^ (~s4 & s0), t4 = s4 ^ (~s0 & s1);
    t1 ^= t0;
    t0 ^= t4;
    t3 ^= t2;
    t2 = ~t2;
    s[0] = t0 ^ ROTATE(t0, 19) ^ ROTATE(t0, 28);
    s[1] = t1 ^ ROTATE(t1, 61) ^ ROTATE(t1, 39);
    s[2] = t2 ^ ROTATE(t2, 1) ^ ROTATE(t2, 6);
    s[3] = t3 ^ ROTATE(t3, 10) ^ ROTATE(t3, 17);
    s[4] = t4 ^ ROTATE(t4, 7) ^ ROTATE(t4, 41);
}

/* The last rounds, from the one with this constant on: 0xf0 for twelve, 0xb4 for eight. */
enum { TWELVE = 0xf0, EIGHT = 0xb4, LAST = 0x4b };

static void permute(uint64_t *s, unsigned constant)
{
    uint64_t t[5] = {s[0], s[1], s[2], s[3], s[4]};
    for (; constant >= LAST; constant -= 0x0f)
        one_round(t, constant);
    for (unsigned i = 0; i < 5; i++)
        s[i] = t[i];
}

/* Byte i of the rate. */
static inline void xor_byte(uint64_t *s, unsigned i, uint8_t byte)
{
    s[i / 8] ^= (uint64_t)byte << i % 8 * 8;
}

static inline uint8_t byte_of(const uint64_t *s, unsigned i)
{
    return (uint8_t)(s[i / 8] >> i % 8 * 8);
}

static inline runnel_ascon_aead128 *of(runnel_aead_context *context)
{
    return (void *)context;
}

static int set_key(const runnel_aead *aead, runnel_aead_context *context, const uint8_t *key, const char *kernel)
{
    runnel_ascon_aead128 *c = of(context);
    (void)aead;
    if (kernel != NULL && (!RUNNEL_TEXTS || strcmp(kernel, "portable") != 0))
        return RUNNEL_ERR_KERNEL;
    c->key[0] = runnel_load64le(key);
    c->key[1] = runnel_load64le(key + 8);
    return RUNNEL_OK;
}

static const RUNNEL_IN_FLASH runnel_kernel_info portable = {
    .name = RUNNEL_TEXT("portable"),
    .citation = RUNNEL_TEXT("SP 800-232, 64-bit words"),
    .timing = RUNNEL_CONSTANT_TIME,
    .available = 1,
    .chosen = 1,
    .lanes = 1,
};

static const char *kernel_name(const runnel_aead_context *context)
{
    (void)context;
    return portable.name;
}

static void start(runnel_aead_context *context, const uint8_t *nonce, size_t nonce_bytes)
{
    runnel_ascon_aead128 *c = of(context);
    (void)nonce_bytes;
    c->s[0] = 0x00001000808c0001;
    c->s[1] = c->key[0];
    c->s[2] = c->key[1];
    c->s[3] = runnel_load64le(nonce);
    c->s[4] = runnel_load64le(nonce + 8);
    permute(c->s, TWELVE);
    c->s[3] ^= c->key[0];
    c->s[4] ^= c->key[1];
}

static void aad(runnel_aead_context *context, const uint8_t *data, size_t bytes)
{
    runnel_ascon_aead128 *c = of(context);
    unsigned at = (unsigned)(context->aad_bytes % 16);
    while (bytes > 0) {
        if (at == 0 && bytes >= 16) {
            c->s[0] ^= runnel_load64le(data);
            c->s[1] ^= runnel_load64le(data + 8);
            data += 16;
            bytes -= 16;
            permute(c->s, EIGHT);
            continue;
        }
        xor_byte(c->s, at, *data++);
        bytes--;
        at = (at + 1) % 16;
        if (at == 0)
            permute(c->s, EIGHT);
    }
}

static void text(runnel_aead_context *context)
{
    runnel_ascon_aead128 *c = of(context);
    if (context->aad_bytes > 0) {
        xor_byte(c->s, (unsigned)(context->aad_bytes % 16), 1);
        permute(c->s, EIGHT);
    }
    c->s[4] ^= (uint64_t)1 << 63;
}

static void crypt(runnel_aead_context *context, uint8_t *out, const uint8_t *in, size_t bytes, int decrypt)
{
    runnel_ascon_aead128 *c = of(context);
    unsigned at = (unsigned)(context->text_bytes % 16);
    while (bytes > 0) {
        if (at == 0 && bytes >= 16) {
            const uint64_t in0 = runnel_load64le(in), in1 = runnel_load64le(in + 8);
            const uint64_t out0 = c->s[0] ^ in0, out1 = c->s[1] ^ in1;
            runnel_store64le(out, out0);
            runnel_store64le(out + 8, out1);
            c->s[0] = decrypt ? in0 : out0;
            c->s[1] = decrypt ? in1 : out1;
            in += 16;
            out += 16;
            bytes -= 16;
            permute(c->s, EIGHT);
            continue;
        }
        const uint8_t byte = *in++, other = (uint8_t)(byte ^ byte_of(c->s, at));
        *out++ = other;
        xor_byte(c->s, at, decrypt ? other : byte);
        bytes--;
        at = (at + 1) % 16;
        if (at == 0)
            permute(c->s, EIGHT);
    }
}

static void tag(runnel_aead_context *context, uint8_t *longest)
{
    runnel_ascon_aead128 *c = of(context);
    xor_byte(c->s, (unsigned)(context->text_bytes % 16), 1);
    c->s[2] ^= c->key[0];
    c->s[3] ^= c->key[1];
    permute(c->s, TWELVE);
    runnel_store64le(longest, c->s[3] ^ c->key[0]);
    runnel_store64le(longest + 8, c->s[4] ^ c->key[1]);
}

static const runnel_aead_mode mode = {
    .key = set_key,
    .kernel = kernel_name,
    .own = &portable,
    .start = start,
    .aad = aad,
    .text = text,
    .crypt = crypt,
    .tag = tag,
};

static const runnel_aead ascon_aead128 = {
    .name = RUNNEL_TEXT("ascon-aead128"),
    .family = RUNNEL_TEXT("ascon_aead128"),
    .title = RUNNEL_TEXT("Ascon-AEAD128"),
    .source = RUNNEL_TEXT("NIST SP 800-232"),
    .remark =
        RUNNEL_TEXT("up to 2^54 bytes a key, all messages together; one tag length a key, below 8 bytes only after "
                    "a risk analysis"),
    .nonce_reuse = RUNNEL_TEXT("shows the XOR of both messages' first blocks that differ, and weakens the tags"),
    .status = RUNNEL_RECOMMENDED,
    .multipart = 1,
    .tag_usual = 16,
    .nonce_random = 1,
    .nonce_usual = 16,
    .nonce_least = 16,
    .nonce_most = 16,
    .tag_set = (uint32_t)0x1fff << 4,
    .key_bytes = 16,
    .text_most = (uint64_t)1 << 54,
    .aad_most = (uint64_t)1 << 54,
    .messages = (uint64_t)1 << 48,
    .context_bytes = sizeof(runnel_ascon_aead128),
    .mode = &mode,
};

runnel_aead_list runnel_ascon_aeads = {&ascon_aead128, NULL};

RUNNEL_DEFINE_AEAD_VERBS(ascon_aead128, runnel_ascon_aeads)
