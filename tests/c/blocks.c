/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-blocks CIPHER SECONDS SEED: every kernel of a cipher beside the reference kernel, on random messages, until the
 * seconds are over. A message is made once by the reference kernel and once by each other; it begins anywhere in the
 * keystream, often shortly before a carry. Kernels that look up tables by secrets, which run only where they are named, have
 * one message in eight. Prints, for each kernel, how many blocks were compared. Status 1 if one differs, 2 for bad usage, 77
 * if there is one kernel only. */
#include "harness.h"
#include "long_run.h"

enum { MOST = 1 << 16, MOST_KERNELS = 32, SELDOM = 8 };

typedef struct beside {
    target t;
    runnel_stream *s;
    uint64_t blocks;
} beside;

/* Where the message starts: 0, anywhere, or just before a carry. */
static uint64_t some_position(const runnel_cipher *cipher, int layout)
{
    uint64_t end = UINT64_MAX / 2;
    const uint64_t block_bytes = cipher->block_bytes;
    if (layout != 0) {
        const unsigned bits = (unsigned)strtoul(runnel_layout_name(layout) + 2, NULL, 10);
        if (bits < 56)
            end = block_bytes << bits;
    } else if (cipher->blocks != 0 && cipher->blocks < end / block_bytes) {
        end = cipher->blocks * block_bytes;
    }
    if (end <= MOST)
        return 0;
    uint64_t position = random64() >> (1 + random_below(62));
    if (random_below(3) == 0) /* fewer blocks than a long message has before a power of two */
        position = ((block_bytes << (8 * (1 + random_below(6)))) - random_below(2000) * block_bytes) + random_below(2);
    return position % (end - MOST);
}

static size_t some_length(size_t block_bytes)
{
    if (random_below(4) == 0)
        return random_length(block_bytes, MOST);
    return MOST - random_below(40 * block_bytes);
}

static void set_up(beside *one, const uint8_t *key, const uint8_t *iv, pair lengths, int layout, uint64_t position)
{
    start(one->s, &one->t, key, lengths.key_bytes, iv, lengths.iv_bytes, layout);
    if (position != 0)
        CHECK_OK(runnel_stream_seek(one->s, position));
}

static void message(beside *kernels, size_t count, beside *reference, uint64_t number)
{
    static uint8_t in[MOST], wanted[MOST], out[MOST];
    const runnel_cipher *cipher = reference->t.cipher;
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV];
    const pair lengths = random_pair(cipher);
    const int layout = random_layout(cipher);
    size_t bytes = some_length(cipher->block_bytes);
    random_bytes(key, sizeof key);
    random_bytes(iv, sizeof iv);
    random_bytes(in + random_below(MOST - 64), 64); /* the rest stays from earlier messages */
    if (cipher->layout != 0 && random_below(4) == 0)
        memset(iv + random_below(cipher->block_bytes), 0xff, random_below(12));
    const uint64_t position = cipher->seekable ? some_position(cipher, layout) : 0;
    set_up(reference, key, iv, lengths, layout, position);
    if (runnel_stream_left(reference->s) < bytes)
        bytes = (size_t)runnel_stream_left(reference->s);
    CHECK_OK(runnel_stream_encrypt(reference->s, wanted, in, bytes));
    for (size_t k = 0; k < count; k++) {
        beside *one = &kernels[k];
        if (one->t.kernel->timing != RUNNEL_CONSTANT_TIME && number % SELDOM != 0)
            continue;
        const size_t cut = random_below(2) ? random_below(bytes + 1) : 0;
        const int in_place = (int)random_below(2);
        const uint8_t *from = in_place ? out : in;
        if (in_place)
            memcpy(out, in, bytes);
        doing = one->t.kernel->name;
        set_up(one, key, iv, lengths, layout, position);
        CHECK_OK(runnel_stream_encrypt(one->s, out, from, cut));
        CHECK_OK(runnel_stream_encrypt(one->s, out + cut, from + cut, bytes - cut));
        CHECK_BYTES(out, wanted, bytes, "message %llu, %zu bytes from position %llu, cut at %zu",
                    (unsigned long long)number, bytes, (unsigned long long)position, cut);
        one->blocks += bytes / cipher->block_bytes;
        if (kind_of(cipher) == DIRECTIONAL) {
            set_up(one, key, iv, lengths, layout, 0);
            CHECK_OK(runnel_stream_decrypt(one->s, out, out, bytes));
            CHECK_BYTES(out, in, bytes, "message %llu, %zu bytes, decrypted", (unsigned long long)number, bytes);
            one->blocks += bytes / cipher->block_bytes;
        }
    }
}

int main(int argc, char **argv)
{
    const runnel_cipher *cipher = argc == 4 ? runnel_cipher_find(argv[1]) : NULL;
    if (cipher == NULL)
        return 2;
    const double until = now() + strtod(argv[2], NULL);
    beside kernels[MOST_KERNELS], reference = {{cipher, reference_kernel(cipher)}, new_context(cipher), 0};
    size_t count = 0;
    for (const runnel_kernel_head *const *at = cipher->kernels; *at != NULL; at++) {
        const runnel_kernel *k = runnel_kernel_of(*at);
        if (runnel_cipher_has(cipher, k) && runnel_kernel_available(*at) && k != reference.t.kernel) {
            CHECK(count < MOST_KERNELS, "too many kernels");
            kernels[count++] = (beside){{cipher, k}, new_context(cipher), 0};
        }
    }
    if (count == 0)
        return 77;
    seed_random(strtoull(argv[3], NULL, 0));
    for (uint64_t number = 0; number == 0 || now() < until; number++)
        message(kernels, count, &reference, number);
    for (size_t k = 0; k < count; k++) {
        printf("%s/%s: %llu blocks\n", cipher->name, kernels[k].t.kernel->name, (unsigned long long)kernels[k].blocks);
        free_context(kernels[k].s);
    }
    free_context(reference.s);
    return 0;
}
