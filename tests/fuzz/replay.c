/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* runnel-fuzz TARGET: runs inputs that it reads off the standard input, each behind its length in 4 bytes, the highest
 * first. runnel-fuzz list: the targets. Status 0; 1 if something is wrong, with a line that says what; 2 for bad usage. */
#include "fuzz.h"

#define FUZZ_TARGET(name) &fuzz_##name,
static const fuzz_target *const targets[] = {
#include "fuzz_targets.inc"
};

static const fuzz_target *find(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i]->name, name) == 0)
            return targets[i];
    return NULL;
}

static void run_all(const fuzz_target *target)
{
    uint8_t head[4];
    unsigned long count = 0;
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        const size_t bytes = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        uint8_t *const input = malloc(bytes + 1);
        static char name[100];
        snprintf(name, sizeof name, "%s, input %lu", target->name, count++);
        doing = name;
        CHECK(input != NULL && fread(input, 1, bytes, stdin) == bytes, "the input ends early");
        choices c = {input, bytes};
        target->run(&c);
        free(input);
    }
    printf("%lu inputs, %llu checks\n", count, (unsigned long long)checks);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
            puts(targets[i]->name);
        return 0;
    }
    const fuzz_target *const target = find(argv[1]);
    if (target == NULL)
        return 2;
    run_all(target);
    return 0;
}
