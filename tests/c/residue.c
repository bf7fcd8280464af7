/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-residue [CIPHER KERNEL | aead NAME | mac NAME | srtp | planted]: what is left on the stack when a context has been
 * wiped.
 * All calls are made from one function on a stack of the test's own, twice: with another key and another message, and
 * with all else the same. A byte of that stack that differs afterwards depends on the secrets, in whatever form it is:
 * the key, words of the state, keystream, text. Without arguments every cipher and kernel that this CPU can run, and
 * every AEAD, MAC and profile of SRTP; a line for each way of use, "NAME wipe: 0 of 1234 bytes of stack are left".
 * Before the wipe, copies are looked for: eight bytes of the key or of the context. After key set-up there must be none,
 * and while the context is in use no more than a compiler may spill.
 * Status 0; 1 if something is left that must not be; 77 if this CPU cannot run the kernel. `planted` leaves something on
 * purpose. RUNNEL_RESIDUE_DUMP=1 in the environment prints the bytes with their distance from the top of the stack. */
#include <ucontext.h>

#include <runnel/runnel.h>

#include "harness.h"
#include "core/aead.h"
#include "core/mac.h"

enum { STACK = 1 << 18, MESSAGE = 5000, CONTEXT = 1 << 15, STREAMS = 9, UNUSED = 0xa5 };
enum { SPILLED = 128 }; /* what compilers may spill while a context is in use */

/* Everything that a run reads and writes, apart from the stack. */
static struct {
    const target *t;
    const runnel_mac *mac;
    const runnel_aead *aead;
    const char *aead_kernel;
#if RUNNEL_TEST_SRTP
    const runnel_srtp_profile *profile;
    int kind;
#endif
    uint8_t tag[16];
    uint8_t key[LONGEST_KEY], iv[LONGEST_IV], in[MESSAGE], out[STREAMS][MESSAGE];
    size_t key_bytes, iv_bytes, layouts;
    int layout[RUNNEL_LAYOUTS];
    runnel_stream *streams[STREAMS];
    int result;
} now;

static _Alignas(64) uint8_t stack[STACK], first[STACK];
static _Alignas(64) uint8_t contexts[STREAMS][CONTEXT];
static ucontext_t outside, inside;

static void also(int result)
{
    if (now.result == RUNNEL_OK)
        now.result = result;
}

static void xor_or_encrypt(runnel_stream *s, size_t at, size_t bytes)
{
    uint8_t *out = now.out[0] + at;
    if (kind_of(now.t->cipher) == DIRECTIONAL) {
        also(runnel_stream_encrypt(s, out, now.in + at, bytes));
        return;
    }
    also(runnel_stream_xor(s, out, now.in + at, bytes));
    also(runnel_stream_xor(s, out, NULL, bytes / 3));
}

static void use_context(void)
{
    static const size_t lengths[] = {1, 16, 40, 130, 512, 700, 1100, 2200, MESSAGE - 1100};
    runnel_stream *s = now.streams[0];
    also(runnel_cipher_key(now.t->cipher, s, now.key, now.key_bytes, now.t->kernel->name));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        also(runnel_stream_iv(s, now.iv, now.iv_bytes, RUNNEL_LAYOUT_DEFAULT));
        xor_or_encrypt(s, 0, lengths[i]);
        if (now.t->cipher->seekable)
            also(runnel_stream_seek(s, 1234567));
        if (kind_of(now.t->cipher) == DIRECTIONAL) {
            also(runnel_stream_iv(s, now.iv, now.iv_bytes, RUNNEL_LAYOUT_DEFAULT));
            also(runnel_stream_decrypt(s, now.out[1], now.in, lengths[i]));
        } else {
            xor_or_encrypt(s, 7, 50);
        }
    }
    runnel_stream_wipe(s);
}

static void use_batch(void)
{
    uint8_t *outs[STREAMS];
    const uint8_t *ins[STREAMS], *ivs[STREAMS];
    size_t bytes[STREAMS];
    for (size_t i = 0; i < STREAMS; i++) {
        also(runnel_cipher_key(now.t->cipher, now.streams[i], now.key, now.key_bytes, now.t->kernel->name));
        outs[i] = now.out[i];
        ins[i] = i % 3 == 0 ? NULL : now.in;
        ivs[i] = now.iv;
        bytes[i] = 500 - 7 * i;
    }
    also(runnel_stream_iv_batch(now.streams, ivs, now.iv_bytes, RUNNEL_LAYOUT_DEFAULT, STREAMS));
    also(runnel_stream_xor_batch(now.streams, outs, ins, bytes, STREAMS));
    for (size_t i = 0; i < STREAMS; i++)
        runnel_stream_wipe(now.streams[i]);
}

/* Does as runnel_<family>_once, which chooses the kernel itself: a context in its own frame. */
static __attribute__((noinline)) void once(void)
{
    _Alignas(64) uint8_t context[CONTEXT];
    runnel_cipher_list family = {now.t->cipher, NULL};
    const runnel_verb verb = kind_of(now.t->cipher) == DIRECTIONAL ? runnel_stream_encrypt : runnel_stream_xor;
    for (size_t bytes = 16; bytes < MESSAGE; bytes *= 5)
        for (size_t i = 0; i < now.layouts; i++)
            also(runnel_family_once(family, (runnel_stream *)context, now.out[0], now.in, bytes, now.key, now.key_bytes,
                                    now.iv, now.iv_bytes, now.layout[i], verb));
}

static void use_key(void)
{
    also(runnel_cipher_key(now.t->cipher, now.streams[0], now.key, now.key_bytes, now.t->kernel->name));
}

/* Key, IV and keystream, and the context is still in use. */
static void use_unwiped(void)
{
    use_key();
    also(runnel_stream_iv(now.streams[0], now.iv, now.iv_bytes, RUNNEL_LAYOUT_DEFAULT));
    xor_or_encrypt(now.streams[0], 0, 700);
}

/* The block cipher itself, both ways. */
static void use_blocks(void)
{
    runnel_blocks *const b = (runnel_blocks *)now.streams[0];
    runnel_cipher_list family = {now.t->cipher, NULL};
    uint8_t *const encrypt = (uint8_t *)b + now.t->cipher->state_offset, *const decrypt = encrypt + CONTEXT;
    const size_t block_bytes = now.t->cipher->block_bytes;
    also(runnel_blocks_key(family, b, encrypt, decrypt, now.key, now.key_bytes, now.t->kernel->name));
    for (size_t n = 1; n < 60; n = 3 * n + 2) {
        also(runnel_blocks_encrypt(b, encrypt, now.out[0], now.in, n, block_bytes));
        if (now.t->kernel->block.decrypt_blocks != NULL)
            also(runnel_blocks_decrypt(b, decrypt, now.out[1], now.in, n, block_bytes));
    }
    runnel_blocks_wipe(b, 2 * CONTEXT);
}

static void use_mac(void)
{
    uint8_t tag[RUNNEL_MAC_TAG_MAX];
    runnel_mac_context *m = (runnel_mac_context *)now.streams[0];
    const size_t tag_bytes = now.mac->tag_bytes.last;
    also(runnel_mac_key(now.mac, m, now.key, now.key_bytes));
    also(runnel_mac_update(now.mac, m, now.in, 77));
    also(runnel_mac_update(now.mac, m, now.in + 77, 1000));
    also(runnel_mac_tag(now.mac, m, tag, tag_bytes));
    memcpy(now.out[0], tag, tag_bytes);
    runnel_wipe(tag, sizeof tag);
    also(runnel_mac_key(now.mac, m, now.key, now.key_bytes));
    also(runnel_mac_update(now.mac, m, now.in, 1077));
    also(runnel_mac_verify(now.mac, m, now.out[0], tag_bytes));
    runnel_mac_wipe(now.mac, m);
}

static void mac_once(void)
{
    also(runnel_mac_once(now.mac, (runnel_mac_context *)now.streams[0], now.out[0], now.mac->tag_bytes.last, now.in,
                         1077, now.key, now.key_bytes));
}

/* Messages of HMAC-SHA-256 at once, so many that lanes are left over in every kernel. */
static void mac_batch(void)
{
    runnel_hmac_sha_256 *const c = (runnel_hmac_sha_256 *)now.streams[0];
    runnel_hmac_sha_256_message m[20];
    also(runnel_hmac_sha_256_key(c, now.key, now.key_bytes));
    for (size_t count = 1; count <= 20; count += count < 3 ? 1 : 4) {
        for (size_t i = 0; i < count; i++)
            m[i] = (runnel_hmac_sha_256_message){
                .data = now.in + i, .bytes = 40 * i, .tag = now.out[0] + 32 * i, .tag_bytes = 32};
        also(runnel_hmac_sha_256_tag_batch(c, m, count));
        also(runnel_hmac_sha_256_verify_batch(c, m, count));
    }
    runnel_hmac_sha_256_wipe(c);
}

/* In one call, in pieces and as a batch. */
static void use_aead(void)
{
    static const size_t lengths[] = {0, 1, 40, 130, 600, 1500, MESSAGE};
    uint8_t tag[16];
    runnel_aead_context *c = (runnel_aead_context *)now.streams[0];
    const size_t n = now.aead->nonce_default, t = now.aead->tag_default;
    also(runnel_aead_key(now.aead, c, now.key, now.aead->key_bytes, now.aead_kernel));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t bytes = lengths[i];
        also(runnel_aead_seal(c, now.iv, n, now.in, 77, now.out[0], now.in, bytes, tag, t));
        also(runnel_aead_open(c, now.iv, n, now.in, 77, now.out[1], now.out[0], bytes, tag, t));
        tag[0] ^= 1;
        if (runnel_aead_open(c, now.iv, n, now.in, 77, now.out[1], now.out[0], bytes, tag, t) != RUNNEL_ERR_TAG)
            also(RUNNEL_ERR_STATE);
        runnel_aead_packet packets[3] = {{now.iv, now.in, now.in, now.out[2], tag, n, 20, bytes, t, 0},
                                         {now.iv, now.in, now.in, now.out[3], now.tag, n, 77, bytes / 2, t, 0},
                                         {now.iv, now.in, now.in, now.out[1], tag, n, 0, bytes, t, 0}};
        also(runnel_aead_seal_batch(c, packets, 3));
        if (!now.aead->multipart)
            continue;
        also(runnel_aead_start(c, now.iv, n, t));
        also(runnel_aead_lengths(c, 77, bytes));
        also(runnel_aead_aad(c, now.in, 77));
        also(runnel_aead_encrypt(c, now.out[0], now.in, bytes / 3));
        also(runnel_aead_encrypt(c, now.out[0] + bytes / 3, now.in + bytes / 3, bytes - bytes / 3));
        also(runnel_aead_tag(c, tag, t));
    }
    runnel_wipe(tag, sizeof tag);
    runnel_aead_wipe(c);
}

#if RUNNEL_TEST_SRTP /* which the single file leaves out */
/* A packet by itself, and more of them than a group has. Kept apart from the stack, as all else. */
static void use_srtp(void)
{
    enum { PACKETS = 70, ROOM = 600, BYTES = 500 };
    static runnel_srtp_packet packets[PACKETS];
    uint8_t *const data = now.out[0];
    runnel_srtp *const protects = (void *)now.streams[0], *const unprotects = (void *)now.streams[1];
    const size_t master_bytes = now.profile->key_bytes + now.profile->salt_bytes;
    also(runnel_srtp_key(protects, now.profile, now.kind, 0, now.key, master_bytes));
    also(runnel_srtp_key(unprotects, now.profile, now.kind, 0, now.key, master_bytes));
    for (unsigned i = 0; i < PACKETS; i++) {
        uint8_t *const packet = data + ROOM * i;
        memcpy(packet, now.in, BYTES);
        memset(packet, 0, 12);
        packet[0] = 0x80;
        packet[1] = now.kind == RUNNEL_RTCP ? 200 : 0;
        packet[3] = now.kind == RUNNEL_RTCP ? BYTES / 4 - 1 : (uint8_t)i;
        packets[i] = (runnel_srtp_packet){.stream = protects, .data = packet, .bytes = BYTES, .room = ROOM};
    }
    also(runnel_srtp_protect(protects, packets[0].data, &packets[0].bytes, ROOM));
    also(runnel_srtp_protect_batch(packets + 1, PACKETS - 1));
    for (unsigned i = 0; i < PACKETS; i++)
        packets[i].stream = unprotects;
    also(runnel_srtp_unprotect(unprotects, packets[0].data, &packets[0].bytes));
    also(runnel_srtp_unprotect_batch(packets + 1, PACKETS - 1));
    runnel_srtp_wipe(protects);
    runnel_srtp_wipe(unprotects);
}
#endif

static void plant(void)
{
    volatile uint8_t copy[40];
    for (size_t i = 0; i < sizeof copy; i++)
        copy[i] = now.key[i % 16];
}

static void on_fresh_stack(void (*use)(void))
{
    static int begun; /* the registers that inside starts with are the same in all runs */
    memset(stack, UNUSED, sizeof stack);
    CHECK(begun || getcontext(&inside) == 0, "getcontext");
    begun = 1;
    inside.uc_stack.ss_sp = stack;
    inside.uc_stack.ss_size = sizeof stack;
    inside.uc_link = &outside;
    makecontext(&inside, use, 0);
    CHECK(swapcontext(&outside, &inside) == 0, "swapcontext");
    CHECK_OK(now.result);
}

/* Counts the bytes of the secrets that are left on the stack; `used` becomes how far down it went. */
static size_t left_by(void (*use)(void), size_t *used)
{
    size_t left = 0, untouched = 0;
    for (int run = 0; run < 3; run++) { /* before the first two, one in which the dynamic linker finds its symbols */
        random_bytes(now.key, sizeof now.key);
        random_bytes(now.in, sizeof now.in);
        if (run == 2)
            memcpy(first, stack, sizeof stack);
        on_fresh_stack(use);
    }
    while (untouched < STACK && stack[untouched] == UNUSED && first[untouched] == UNUSED)
        untouched++;
    *used = STACK - untouched;
    for (size_t i = untouched; i < STACK; i++)
        if (stack[i] != first[i]) {
            if (getenv("RUNNEL_RESIDUE_DUMP") != NULL)
                printf("%zu: %02x %02x\n", STACK - i, stack[i], first[i]);
            left++;
        }
    return left;
}

/* Of them, how many belong to eight bytes of the key or of the context, that is, to a copy. */
static size_t copied_by(void (*use)(void), size_t *used)
{
    enum { WINDOW = 8 };
    const uint8_t *const context = (const uint8_t *)(now.streams[0] + 1);
    const size_t context_bytes = now.t->cipher->context_bytes - sizeof *now.streams[0];
    size_t copied = 0, counted = 0;
    left_by(use, used);
    for (size_t i = STACK - *used; i + WINDOW <= STACK; i++) {
        unsigned differ = 0;
        for (size_t j = 0; j < WINDOW; j++)
            differ += stack[i + j] != first[i + j];
        if (differ > WINDOW / 2 && (memmem(now.key, now.key_bytes, stack + i, WINDOW) != NULL ||
                                    memmem(context, context_bytes, stack + i, WINDOW) != NULL)) {
            counted = i > counted ? i : counted;
            copied += i + WINDOW - counted;
            counted = i + WINDOW;
        }
    }
    return copied;
}

static size_t total;

static void report(const char *name, const char *part, const char *how, void (*use)(void))
{
    size_t used, left = left_by(use, &used);
    printf("%s%s%s %s: %zu of %zu bytes of stack are left\n", name, part[0] != '\0' ? "/" : "", part, how, left, used);
    total += left;
}

static void report_copies(const char *how, size_t most, void (*use)(void))
{
    size_t used, copied = copied_by(use, &used);
    printf("%s %s: %zu of %zu bytes of stack are copies\n", doing, how, copied, used);
    if (copied > most)
        total += copied;
}

static void test_target(const target *t)
{
    const pair lengths = longest_pair(t->cipher);
    now.t = t;
    now.key_bytes = lengths.key_bytes;
    now.iv_bytes = lengths.iv_bytes;
    now.layouts = layouts_of(t->cipher, now.layout);
    random_bytes(now.iv, sizeof now.iv);
    CHECK(t->cipher->context_bytes <= CONTEXT, "context");
    for (size_t i = 0; i < STREAMS; i++)
        now.streams[i] = (runnel_stream *)contexts[i];
    report_copies("key", 0, use_key);
    report_copies("unwiped", SPILLED, use_unwiped);
    report(t->cipher->name, t->kernel->name, "wipe", use_context);
    if (t->kernel->kind == RUNNEL_KIND_BLOCK)
        report(t->cipher->name, t->kernel->name, "blocks", use_blocks);
    if (kind_of(t->cipher) == KEYSTREAM)
        report(t->cipher->name, t->kernel->name, "batch", use_batch);
    if (t->kernel == runnel_choose_kernel(t->cipher, t->cipher->key_bytes.first, NULL))
        report(t->cipher->name, t->kernel->name, "once", once);
}

static void test_mac(const runnel_mac *kind)
{
    now.mac = kind;
    now.key_bytes = kind->key_bytes.last < LONGEST_KEY ? kind->key_bytes.last : 100;
    now.streams[0] = (runnel_stream *)contexts[0];
    report(kind->name, "", "wipe", use_mac);
    report(kind->name, "", "once", mac_once);
    if (strcmp(kind->name, "hmac-sha-256") == 0)
        report(kind->name, "", "batch", mac_batch);
}

static void test_aead(const runnel_aead *aead)
{
    runnel_kernel_info info;
    now.aead = aead;
    now.key_bytes = aead->key_bytes;
    now.streams[0] = (runnel_stream *)contexts[0];
    CHECK(aead->context_bytes <= CONTEXT, "context");
    for (size_t i = 0; runnel_aead_kernel_at(aead, i, &info) == RUNNEL_OK; i++)
        if (info.available) {
            now.aead_kernel = info.name;
            report(aead->name, info.name, "wipe", use_aead);
        }
}

static void test_srtp(void)
{
#if RUNNEL_TEST_SRTP
    for (size_t i = 0; i < runnel_srtp_profile_count(); i++) {
        now.profile = runnel_srtp_profile_at(i);
        now.streams[0] = (runnel_stream *)contexts[0];
        now.streams[1] = (runnel_stream *)contexts[1];
        for (now.kind = RUNNEL_RTP; now.kind <= RUNNEL_RTCP; now.kind++)
            report(now.profile->name, now.kind == RUNNEL_RTP ? "rtp" : "rtcp", "wipe", use_srtp);
    }
#endif
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int planted = argc == 2 && strcmp(argv[1], "planted") == 0, srtp = argc == 2 && strcmp(argv[1], "srtp") == 0;
    const int mac = argc == 3 && strcmp(argv[1], "mac") == 0, aead = argc == 3 && strcmp(argv[1], "aead") == 0;
    if (argc != 1 && argc != 3 && !planted && !srtp)
        return 2;
    if (argc == 1 || srtp)
        test_srtp();
    if (planted)
        report("planted", "", "wipe", plant);
    else if (!aead && !mac && !srtp &&
             for_targets(ANY, argc == 3 ? argv[1] : NULL, argc == 3 ? argv[2] : NULL, test_target) == 0)
        return 77;
    for (size_t i = 0; i < runnel_aead_count(); i++)
        if (argc == 1 || (aead && strcmp(runnel_aead_at(i)->name, argv[2]) == 0))
            test_aead(runnel_aead_at(i));
    for (size_t i = 0; runnel_mac_at(i) != NULL; i++)
        if (argc == 1 || (mac && strcmp(runnel_mac_at(i)->name, argv[2]) == 0))
            test_mac(runnel_mac_at(i));
    return total != 0;
}
