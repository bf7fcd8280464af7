/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-properties PROPERTY|all [--cipher NAME] [--kernel NAME] [--seed N] [--scale N]
 * runnel-properties list               the targets: cipher, kernel, features it needs, timing, available, reference,
 *                                      whether encryption and decryption differ
 * runnel-properties facts              each descriptor: name, lengths of key and IV as first:last:step, whether the IV is as
 *                                      long as the key, block bytes, blocks, seekable, layouts (the default first),
 *                                      whether encryption and decryption differ, status
 * runnel-properties environment NAMES  the features in use are those named, with commas between
 * runnel-properties unknown [LIST]      the first word of the list, else of RUNNEL_CPU, that is no feature's name
 * With all, each property's name is printed before its targets. The random numbers of a property are the same alone.
 * Status 0 if the property holds for all targets asked for; 1 with a line that says what failed; 2 for bad usage; 77 if
 * this CPU has no such target. */
#include "properties.h"

message random_message(const target *t)
{
    message m;
    const pair lengths = random_pair(t->cipher);
    m.key_bytes = lengths.key_bytes;
    m.iv_bytes = lengths.iv_bytes;
    m.layout = random_layout(t->cipher);
    random_bytes(m.key, sizeof m.key);
    random_bytes(m.iv, sizeof m.iv);
    return m;
}

message next_message(const target *t, size_t key_bytes)
{
    message m = random_message(t);
    if (t->cipher->iv_as_key)
        m.iv_bytes = key_bytes;
    return m;
}

void start_message(runnel_stream *s, const target *t, const message *m)
{
    start(s, t, m->key, m->key_bytes, m->iv, m->iv_bytes, m->layout);
}

void model_message(naive *model, const message *m)
{
    model_key(model, m->key, m->key_bytes);
    model_iv(model, m->iv, m->iv_bytes, m->layout);
}

static const struct {
    const char *name;
    int kinds;
    void (*test)(const target *t);
} properties[] = {
    {"lengths", KEYSTREAM, test_lengths},
    {"alignments", KEYSTREAM, test_alignments},
    {"guard", KEYSTREAM, test_guard},
    {"overlap", KEYSTREAM, test_overlap},
    {"splits", KEYSTREAM, test_splits},
    {"machine", KEYSTREAM, test_machine},
    {"random", KEYSTREAM, test_random},
    {"seek", KEYSTREAM, test_seek},
    {"boundaries", KEYSTREAM, test_boundaries},
    {"limits", KEYSTREAM, test_limits},
    {"parameters", ANY, test_parameters},
    {"errors", KEYSTREAM, test_errors},
    {"wipe", KEYSTREAM, test_wipe},
    {"sensitivity", KEYSTREAM, test_sensitivity},
    {"abi", ANY, test_abi},
    {"directions", ANY, test_directions},
    {"blocks", KEYSTREAM, test_blocks},
    {"nonces", KEYSTREAM, test_nonces},
    {"batch", KEYSTREAM, test_batch},
    {"keys", ANY, test_keys},
    {"places", ANY, test_places},
    {"tails", KEYSTREAM, test_tails},
    {"packets", ANY, test_packets},
    {"ahead", KEYSTREAM, test_ahead},
};

#define PROPERTIES (sizeof properties / sizeof properties[0])

static void list(void)
{
    for (size_t i = 0; runnel_cipher_at(i) != NULL; i++) {
        const runnel_cipher *cipher = runnel_cipher_at(i);
        for (const runnel_kernel_head *const *k = cipher->kernels; *k != NULL; k++) {
            if (!runnel_cipher_has(cipher, runnel_kernel_of(*k)))
                continue;
            printf("%s %s ", cipher->name, (*k)->name);
            const char *separator = "";
            for (uint32_t bit = 1; bit != 0; bit <<= 1)
                if ((*k)->cpu & bit) {
                    printf("%s%s", separator, runnel_cpu_name(bit));
                    separator = ",";
                }
            printf("%s %s %d %d %d\n", *separator == '\0' ? "-" : "",
                   (*k)->timing == RUNNEL_CONSTANT_TIME ? "constant-time" : "secret-indexed",
                   runnel_kernel_available(*k), runnel_kernel_of(*k) == reference_kernel(cipher),
                   kind_of(cipher) == DIRECTIONAL);
        }
    }
}

static void facts(void)
{
    static const char *const statuses[] = {"recommended", "legacy", "broken"};
    const runnel_cipher *c;
    for (size_t i = 0; (c = runnel_cipher_at(i)) != NULL; i++) {
        printf("%s %u:%u:%u %u:%u:%u %u %u %llu %u ", c->name, c->key_bytes.first, c->key_bytes.last, c->key_bytes.step,
               c->iv_bytes.first, c->iv_bytes.last, c->iv_bytes.step, c->iv_as_key, c->block_bytes,
               (unsigned long long)c->blocks, c->seekable);
        printf("%s", c->layout == 0 ? "-" : runnel_layout_name(c->layout));
        for (int layout = 1; layout < RUNNEL_LAYOUTS; layout++)
            if (layout != c->layout && (c->layouts >> layout & 1))
                printf(",%s", runnel_layout_name(layout));
        printf(" %u %s\n", c->directions != NULL, statuses[c->status]);
    }
}

int main(int argc, char **argv)
{
    const char *cipher = NULL, *kernel = NULL;
    uint64_t seed = 1;
    if (argc < 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0); /* so that a crash leaves what came before it */
    const char *wanted = argv[1];
    if (strcmp(wanted, "list") == 0) {
        list();
        return 0;
    }
    if (strcmp(wanted, "facts") == 0) {
        facts();
        return 0;
    }
    if (strcmp(wanted, "unknown") == 0) {
        if (argc > 3)
            return 2;
        test_unknown(argc == 3 ? argv[2] : NULL);
        return 0;
    }
    if (strcmp(wanted, "environment") == 0) {
        if (argc != 3)
            return 2;
        test_environment(argv[2]);
        return 0;
    }
    for (int i = 2; i < argc; i += 2) {
        if (i + 1 == argc)
            return 2;
        if (strcmp(argv[i], "--cipher") == 0)
            cipher = argv[i + 1];
        else if (strcmp(argv[i], "--kernel") == 0)
            kernel = argv[i + 1];
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--scale") == 0)
            scale = (unsigned)strtoul(argv[i + 1], NULL, 0);
        else
            return 2;
    }
    if (scale == 0)
        return 2;
    seed_random(seed);
    if (strcmp(wanted, "dispatch") == 0) {
        test_dispatch(cipher);
        return 0;
    }
    if (strcmp(wanted, "corrupters") == 0) {
        test_abi_corrupters();
        return 0;
    }
    size_t tested = 0, known = 0;
    for (size_t i = 0; i < PROPERTIES; i++)
        if (strcmp(wanted, "all") == 0 || strcmp(wanted, properties[i].name) == 0) {
            known++;
            if (strcmp(wanted, "all") == 0)
                printf("%s\n", properties[i].name);
            seed_random(seed); /* the same alone as with the others */
            tested += for_targets(properties[i].kinds, cipher, kernel, properties[i].test);
        }
    if (known == 0)
        return 2;
    return tested > 0 ? 0 : 77;
}
