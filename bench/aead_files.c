/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* From file to file in chunks of 16 KiB, each sealed with a tag of 16 bytes, as Cobblestone has them, by different AEADs and by
 * none: how much of a file's time the AEAD is. docs/aegis.md has figures.
 *
 *   gcc -O2 -Ibuild/generated -Iinclude bench/aead_files.c build/librunnel.a -lpthread -o aead_files
 *   aead_files FOLDER MEBIBYTES THREADS ROUNDS
 *
 * Prints the least seconds of ROUNDS runs, in which the kinds take turns, by the clock and of processor time. FOLDER gets two files, which stay. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <runnel/runnel.h>

enum {
    CHUNK = 16384,
    TAG = 16,
    CHUNKS = 64,
    PIECE = CHUNK * CHUNKS,
    SEALED = (CHUNK + TAG) * CHUNKS,
    MOST_THREADS = 64
};

static const char *const kinds[] = {"copy", "aes-256-gcm", "aegis-256", "aegis-256x2", "aegis-128l", "aegis-128x2"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct work {
    const char *kind;
    int from, to;
    size_t first, pieces, step;
    int error;
} work;

static int seal_piece(runnel_aead_context *c, const runnel_aead *aead, size_t number, uint8_t *out, const uint8_t *in)
{
    uint8_t nonce[32] = {0};
    int error = RUNNEL_OK;
    for (size_t i = 0; i < CHUNKS; i++, in += CHUNK, out += CHUNK + TAG) {
        const size_t chunk = number * CHUNKS + i;
        memcpy(nonce, &chunk, sizeof chunk);
        if (aead != NULL)
            error |= runnel_aead_seal(c, nonce, aead->nonce_default, NULL, 0, out, in, CHUNK, out + CHUNK, TAG);
        else
            memcpy(out, in, CHUNK);
    }
    return error;
}

static void *run(void *argument)
{
    work *w = argument;
    const uint8_t key[32] = {1};
    const runnel_aead *aead = runnel_aead_find(w->kind);
    uint8_t *in = malloc(PIECE), *out = malloc(SEALED);
    runnel_aead_context *c = aligned_alloc(64, 1 << 15);
    w->error = in == NULL || out == NULL || c == NULL;
    if (aead != NULL && !w->error)
        w->error |= runnel_aead_key(aead, c, key, aead->key_bytes, NULL);
    memset(out, 0, SEALED);
    for (size_t p = w->first; p < w->pieces && !w->error; p += w->step) {
        w->error |= pread(w->from, in, PIECE, (off_t)(p * PIECE)) != PIECE;
        w->error |= seal_piece(c, aead, p, out, in);
        w->error |= pwrite(w->to, out, SEALED, (off_t)(p * SEALED)) != SEALED;
    }
    free(in);
    free(out);
    free(c);
    return NULL;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct cost {
    double clock, processor;
} cost;

static cost file_to_file(const char *kind, int from, int to, size_t pieces, size_t threads)
{
    pthread_t thread[MOST_THREADS];
    work works[MOST_THREADS];
    const cost start = {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
    for (size_t i = 0; i < threads; i++) {
        works[i] = (work){kind, from, to, i, pieces, threads, 0};
        pthread_create(&thread[i], NULL, run, &works[i]);
    }
    for (size_t i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        if (works[i].error) {
            fprintf(stderr, "%s: it does not work\n", kind);
            exit(1);
        }
    }
    return (cost){seconds(CLOCK_MONOTONIC) - start.clock, seconds(CLOCK_PROCESS_CPUTIME_ID) - start.processor};
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    const size_t pieces = strtoul(argv[2], NULL, 10), threads = strtoul(argv[3], NULL, 10);
    const int rounds = atoi(argv[4]);
    cost least[KINDS];
    uint8_t *piece = calloc(1, PIECE);
    if (chdir(argv[1]) != 0 || threads == 0 || threads > MOST_THREADS || piece == NULL)
        return 2;
    const int from = open("aead_files.in", O_RDWR | O_CREAT | O_TRUNC, 0600);
    const int to = open("aead_files.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (size_t p = 0; p < pieces; p++)
        if (pwrite(from, piece, PIECE, (off_t)(p * PIECE)) != PIECE ||
            pwrite(to, piece, PIECE, (off_t)(p * PIECE)) != PIECE)
            return 1;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < KINDS; k++) {
            const cost t = file_to_file(kinds[k], from, to, pieces, threads);
            if (r == 0 || t.clock < least[k].clock)
                least[k].clock = t.clock;
            if (r == 0 || t.processor < least[k].processor)
                least[k].processor = t.processor;
        }
    for (int k = 0; k < KINDS; k++)
        printf("%-12s %.3f s, %.3f s of processors, %.2f GB/s\n", kinds[k], least[k].clock, least[k].processor,
               1e-9 * (double)pieces * PIECE / least[k].clock);
    free(piece);
    return 0;
}
