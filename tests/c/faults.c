/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Planted faults, one for each sanitizer: a run with its name must not succeed under it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;

static void *increment(void *argument)
{
    for (int i = 0; i < 1000; i++)
        shared++;
    return argument;
}

int main(int argc, char **argv)
{
    const char *name = argc == 2 ? argv[1] : "";
    unsigned char *memory = malloc(16);
    volatile int many = 40;
    int result = 2;
    memset(memory, 1, 15);
    if (strcmp(name, "none") == 0) {
        result = 0;
    } else if (strcmp(name, "overflow") == 0) {
        ((volatile unsigned char *)memory)[many - 20] = 1;
        result = 0;
    } else if (strcmp(name, "shift") == 0) {
        printf("%d\n", 1 << many);
        result = 0;
    } else if (strcmp(name, "uninitialised") == 0) {
        if (((volatile unsigned char *)memory)[15] == 7)
            puts("seven");
        result = 0;
    } else if (strcmp(name, "race") == 0) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            if (pthread_create(&threads[i], NULL, increment, NULL) != 0)
                return 2;
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        result = 0;
    }
    free(memory);
    return result;
}
