/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the simulated machine: the segments of an ELF file. */
#ifndef RV32_IMAGE_H
#define RV32_IMAGE_H

#include <stdint.h>

enum { RV32_SEGMENTS = 4 };

typedef struct rv32_segment {
    uint32_t start, bytes;
    int writable;
    uint8_t *memory;
} rv32_segment;

typedef struct rv32_image {
    rv32_segment segments[RV32_SEGMENTS];
    unsigned count;
    uint32_t entry;
} rv32_image;

/* Loads a static RV32 program. Gives NULL, or what is wrong with the file. */
const char *rv32_image_load(rv32_image *image, const char *file);

/* Gives the memory at an address, or NULL if not all the bytes are there and may be accessed so. */
uint8_t *rv32_image_at(const rv32_image *image, uint32_t address, uint32_t bytes, int write);

#endif
