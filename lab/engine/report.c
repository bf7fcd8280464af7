/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "report.h"

#include <runnel/cpu.h>
#include <stdio.h>

#include "peers.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void print_features(void)
{
    const char *between = "";
    for (unsigned bit = 0; bit < 32; bit++)
        if (runnel_cpu() >> bit & 1 && runnel_cpu_name(1u << bit) != NULL) {
            printf("%s\"%s\"", between, runnel_cpu_name(1u << bit));
            between = ", ";
        }
}

/* The names of the libraries that are here, or are not. */
static void print_libraries(const char *field, int here, int newest)
{
    const char *between = "";
    peer_state state;
    printf(", \"%s\": [", field);
    for (size_t i = 0; peers_at(i, &state); i++)
        if (state.name != NULL && state.here == here && state.newest == newest) {
            printf("%s\"%s\"", between, state.name);
            between = ", ";
        }
    printf("]");
}

/* Bytes per second are those at the median clock. */
static void print_row(const cell *c, double clock_ghz)
{
    printf("{\"cipher\": \"%s\", \"implementation\": \"%s\", \"kernel\": \"%s\", ", c->shape->cipher,
           c->subject->implementation, c->subject->kernel);
    printf("\"operation\": \"%s\", \"bytes\": %zu, ", operation_names[c->operation], c->bytes);
    if (c->bytes > 0)
        printf("\"cycles_per_byte\": %.4f, \"cycles\": %.1f, \"gb_per_s\": %.3f}", c->cycles / (double)c->bytes,
               c->cycles, (double)c->bytes / c->cycles * clock_ghz);
    else
        printf("\"cycles_per_byte\": null, \"cycles\": %.1f, \"gb_per_s\": null}", c->cycles);
}

int report_json(const cell *cells, size_t count, const measured *m, int core, int peers)
{
    printf("{\"machine\": {\"clock_ghz\": %.3f, \"clock_ghz_highest\": %.3f, \"core\": %d, \"features\": [",
           m->clock_ghz, m->clock_ghz_highest, core);
    print_features();
    printf("], \"compiler\": \"" COMPILER "\", \"flags\": \"" RUNNEL_SPEED_FLAGS "\", \"rounds\": %u", m->rounds);
    if (peers) {
        print_libraries("libraries", 1, 0);
        print_libraries("libraries_absent", 0, 0);
        print_libraries("newest", 1, 1);
        print_libraries("newest_absent", 0, 1);
    }
    printf("},\n\"rows\": [");
    for (size_t i = 0; i < count; i++) {
        printf("%s\n", i > 0 ? "," : "");
        print_row(&cells[i], m->clock_ghz);
    }
    printf("\n]}\n");
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}
