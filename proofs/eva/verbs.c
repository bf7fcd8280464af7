/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys, IVs, positions, packets, feedback mode and raw blocks: right calls and wrong ones, of every cipher and kernel. */
#include "ciphers.h"

typedef union any_context {
    runnel_stream stream;
    ctr_context ctr;
    cfb_context cfb;
    stream_context ahead;
    plain_context lanes;
} any_context;

static const runnel_cipher *const ciphers[] = {&ctr_16, &ctr_8, &cfb_16, &cfb_8, &ahead_cipher, &lanes_cipher};
enum { CIPHERS = sizeof ciphers / sizeof ciphers[0], LONGEST = 33 };
static const char *const names[] = {NULL, "full", "runs", "plain", "stream", "lanes", "none"};
enum { NAMES = sizeof names / sizeof names[0] };
static uint8_t key[LONGEST], iv[LONGEST];

/* An error leaves these as they were, and output too. */
static uint8_t untouched[LONGEST];

static void keys(const runnel_cipher *cipher)
{
    for (int n = 0; n < NAMES; n++)
        for (size_t bytes = 0; bytes <= LONGEST; bytes += names[n] == NULL ? 1 : 8) {
            any_context c;
            c.stream.stage = RUNNEL_NOTHING_SET;
            const int error = runnel_cipher_key(cipher, &c.stream, key + LONGEST - bytes, bytes, names[n]);
            if (error)
                /*@ assert c.stream.stage == RUNNEL_NOTHING_SET; */;
            runnel_stream_wipe(&c.stream);
            (void)runnel_family_key(ctr_family, &c.stream, key + LONGEST - bytes, bytes, names[n]);
            (void)runnel_family_begin(ctr_family, &c.stream, bytes, names[n]);
        }
}

static void ivs(const runnel_cipher *cipher, const runnel_kernel *kernel)
{
    for (int layout = -1; layout <= RUNNEL_LAYOUTS; layout++)
        for (size_t bytes = 0; bytes <= LONGEST; bytes += layout == RUNNEL_LAYOUT_DEFAULT ? 1 : 8) {
            any_context c;
            any_message(&c.stream, cipher, kernel, 0, 0);
            const uint64_t before = c.stream.block = 5;
            const int error = runnel_stream_iv(&c.stream, iv + LONGEST - bytes, bytes, layout);
            if (error)
                /*@ assert c.stream.block == before && c.stream.stage == RUNNEL_IV_SET; */;
            check_message_state(&c.stream);
        }
}

static void positions(const runnel_cipher *cipher, const runnel_kernel *kernel)
{
    for (size_t leftover = 0; leftover < cipher->block_bytes; leftover += 5) {
        any_context c;
        any_message(&c.stream, cipher, kernel, 0, leftover);
        (void)runnel_stream_tell(&c.stream);
        (void)runnel_stream_left(&c.stream);
        (void)runnel_stream_seek(&c.stream, ANY(0, UINT64_MAX));
        (void)runnel_stream_tell(&c.stream);
        (void)runnel_stream_left(&c.stream);
        (void)runnel_stream_kernel(&c.stream);
        check_message_state(&c.stream);
        runnel_stream_wipe(&c.stream);
    }
}

static int (*const packet_verbs[])(runnel_stream *s, const uint8_t *iv, size_t iv_bytes, int layout, uint8_t *out,
                                   const uint8_t *in, size_t bytes) = {
    runnel_stream_packet, runnel_stream_encrypt_packet, runnel_stream_decrypt_packet};

static void packets(const runnel_cipher *cipher, const runnel_kernel *kernel, int layout, size_t most, size_t step)
{
    for (size_t bytes = 0; bytes <= most; bytes += step)
        for (int way = 0; way < WAYS; way++)
            for (int verb = 0; verb < 3; verb++) {
                any_context c;
                any_message(&c.stream, cipher, kernel, 0, 0);
                (void)packet_verbs[verb](&c.stream, iv, cipher->iv_bytes.first, layout, OUT(bytes), IN(way, bytes),
                                         bytes);
                check_message_state(&c.stream);
                FORGET_OUTPUT();
            }
}

/* Both directions, from every state of the register. */
static void directions(const runnel_cipher *cipher, const runnel_kernel *kernel, size_t most)
{
    const size_t step = cipher->block_bytes == 8 ? 7 : 5; /* the first state, the last and some between */
    for (size_t leftover = 0; leftover < cipher->block_bytes; leftover += step)
        for (size_t bytes = 0; bytes <= most; bytes += 6)
            for (int way = APART; way <= IN_PLACE; way++)
                for (int decrypt = 0; decrypt < 2; decrypt++) {
                    any_context c;
                    any_message(&c.stream, cipher, kernel, 0, leftover);
                    (void)(decrypt ? runnel_stream_decrypt : runnel_stream_encrypt)(&c.stream, OUT(bytes),
                                                                                    IN(way, bytes), bytes);
                    check_message_state(&c.stream);
                    FORGET_OUTPUT();
                }
}

static void once(void)
{
    for (size_t key_bytes = 15; key_bytes <= 25; key_bytes++)
        for (size_t iv_bytes = 7; iv_bytes <= 17; iv_bytes += key_bytes % 8 == 0 ? 1 : 9)
            for (size_t bytes = 0; bytes <= 17; bytes += 17) {
                ctr_context c;
                (void)runnel_family_once(ctr_family, &c.head.stream, OUT(bytes), IN(APART, bytes), bytes, key,
                                         key_bytes, iv, iv_bytes, RUNNEL_LAYOUT_DEFAULT, runnel_stream_xor);
                FORGET_OUTPUT();
            }
}

static void raw_blocks(void)
{
    for (int n = 0; n < NAMES; n++)
        for (size_t key_bytes = 15; key_bytes <= 25; key_bytes++)
            for (size_t nblocks = 0; nblocks <= 3; nblocks++) {
                runnel_blocks b = {NULL};
                uint8_t encrypts[SCHEDULE], decrypts[SCHEDULE], zero[16];
                const size_t block_bytes = key_bytes == 16 ? 16 : 8, bytes = nblocks * block_bytes;
                (void)runnel_blocks_encrypt(&b, encrypts, OUT(bytes), IN(APART, bytes), nblocks, block_bytes);
                if (runnel_blocks_key(ctr_family, &b, encrypts, decrypts, key, key_bytes, names[n]) == RUNNEL_OK) {
                    (void)runnel_blocks_encrypt(&b, encrypts, OUT(bytes), IN(APART, bytes), nblocks, block_bytes);
                    if (b.kernel->block.decrypt_key != NULL)
                        (void)runnel_blocks_decrypt(&b, decrypts, OUT(bytes), IN(IN_PLACE, bytes), nblocks,
                                                    block_bytes);
                    (void)runnel_blocks_encrypt(&b, encrypts, NULL, IN(APART, bytes), nblocks, block_bytes);
                }
                if (key_bytes != 24)
                    (void)runnel_blocks_key_and_zero(ctr_family, &b, encrypts, key, key_bytes, names[n], zero);
                runnel_blocks_wipe(&b, sizeof b);
                FORGET_OUTPUT();
            }
}

/* The errors of every verb: no context, none that is ready, no buffer. */
static void nothing(const runnel_cipher *cipher, const runnel_kernel *kernel)
{
    any_context c;
    c.stream.stage = RUNNEL_NOTHING_SET;
    (void)runnel_stream_iv(NULL, iv, 8, 0);
    (void)runnel_stream_iv(&c.stream, iv, 8, 0);
    (void)runnel_stream_xor(NULL, OUT(1), NULL, 1);
    (void)runnel_stream_xor(&c.stream, OUT(1), NULL, 1);
    (void)runnel_stream_encrypt(NULL, OUT(1), NULL, 1);
    (void)runnel_stream_decrypt(&c.stream, OUT(1), NULL, 1);
    (void)runnel_stream_packet(NULL, iv, 8, 0, OUT(1), NULL, 1);
    (void)runnel_stream_packet(&c.stream, iv, 8, 0, OUT(1), NULL, 1);
    (void)runnel_stream_encrypt_packet(&c.stream, iv, 8, 0, OUT(1), NULL, 1);
    (void)runnel_stream_seek(NULL, 0);
    (void)runnel_stream_seek(&c.stream, 0);
    (void)runnel_stream_kernel(NULL);
    (void)runnel_stream_kernel(&c.stream);
    runnel_stream_wipe(NULL);
    runnel_stream_wipe(&c.stream);
    (void)runnel_cipher_key(NULL, &c.stream, key, 16, NULL);
    (void)runnel_cipher_key(cipher, NULL, key, 16, NULL);
    (void)runnel_cipher_key(cipher, &c.stream, NULL, 16, NULL);
    runnel_blocks_wipe(NULL, 8);
    any_message(&c.stream, cipher, kernel, 0, 0);
    (void)runnel_stream_encrypt(&c.stream, OUT(1), NULL, 1);
    (void)runnel_stream_decrypt_packet(&c.stream, iv, cipher->iv_bytes.first, 0, OUT(1), NULL, 1);
    (void)runnel_stream_xor(&c.stream, NULL, NULL, 1);
    (void)runnel_stream_packet(&c.stream, NULL, 16, 0, OUT(1), NULL, 1);
    (void)runnel_stream_packet(&c.stream, iv, cipher->iv_bytes.first, 0, NULL, NULL, 1);
}

static void describe(const runnel_cipher *cipher)
{
    runnel_kernel_info info;
    for (size_t index = 0; index < 5; index++)
        (void)runnel_cipher_kernel(cipher, index, &info);
    (void)runnel_cipher_kernel(NULL, 0, &info);
    (void)runnel_cipher_kernel(cipher, 0, NULL);
    for (int layout = -1; layout <= RUNNEL_LAYOUTS; layout++)
        if (runnel_layout_name(layout) != NULL)
            (void)runnel_layout_find(runnel_layout_name(layout));
    (void)runnel_layout_find(NULL);
    (void)runnel_layout_find("none");
    for (int error = -20; error <= 1; error++)
        (void)runnel_error_text(error);
}

int main(void)
{
    ANY_BYTES(key);
    ANY_BYTES(iv);
    ANY_BYTES(in_buffer);
    FORGET_OUTPUT();
    for (int features = 0; features <= FEATURE; features++) {
        cpu_features = (uint32_t)features;
        for (int i = 0; i < CIPHERS; i++) {
            keys(ciphers[i]);
            describe(ciphers[i]);
        }
        raw_blocks();
        once();
    }
    for (int i = 0; i < CIPHERS; i++)
        for (const runnel_kernel_head *const *at = ciphers[i]->kernels; *at != NULL; at++) {
            const runnel_kernel *kernel = runnel_kernel_of(*at);
            nothing(ciphers[i], kernel);
            ivs(ciphers[i], kernel);
            positions(ciphers[i], kernel);
            if (ciphers[i]->mode != RUNNEL_MODE_CTR)
                packets(ciphers[i], kernel, RUNNEL_LAYOUT_DEFAULT, 2 * ciphers[i]->block_bytes + 1, 5);
            else
                for (int layout = 0; layout < RUNNEL_LAYOUTS; layout++)
                    packets(ciphers[i], kernel, layout, PACKET + 8, layout == RUNNEL_LAYOUT_DEFAULT ? 12 : 24);
            if (ciphers[i]->mode == RUNNEL_MODE_CFB)
                directions(ciphers[i], kernel, 2 * ciphers[i]->block_bytes + 2);
        }
    Frama_C_show_each_all_done();
    return 0;
}
