/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the simulated machine, that of SiFive's FE310 as far as programs here need it: 64 KiB of data memory, the
 * first serial port, and what an ELF file loads elsewhere. */
#ifndef RV32_IMAGE_H
#define RV32_IMAGE_H

#include <stdint.h>

enum { RV32_SEGMENTS = 8 };
enum { RV32_RAM_BYTES = 64 * 1024, RV32_UART_BYTES = 28 };
#define RV32_RAM UINT32_C(0x80000000)
#define RV32_UART UINT32_C(0x10013000)    /* its first word: a byte to be sent */
#define RV32_UART_IN UINT32_C(0x10013004) /* its second: a byte that was received */

typedef struct rv32_segment {
    uint32_t start, bytes;
    int writable;
    uint8_t *memory;
} rv32_segment;

typedef struct rv32_image {
    rv32_segment segments[RV32_SEGMENTS];
    unsigned count;
    uint32_t entry;
    int embedded;          /* for RV32E, which has 16 registers */
    const uint8_t *port;   /* where a load takes a byte that was received */
    void (*receive)(void); /* puts it there before each such load */
} rv32_image;

/* Loads a static RV32 program, each segment at its physical address, so that data that wait in flash for the start-up code
 * do so. Returns NULL, or what is wrong with the file. */
const char *rv32_image_load(rv32_image *image, const char *file);

/* Returns the memory at an address, or NULL if not all the bytes are there and may be accessed so. */
uint8_t *rv32_image_at(const rv32_image *image, uint32_t address, uint32_t bytes, int write);

#endif
