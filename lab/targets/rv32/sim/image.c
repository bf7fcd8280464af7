/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *add_segment(rv32_image *image, uint32_t start, uint32_t bytes, int writable)
{
    if (image->count == RV32_SEGMENTS)
        return "too many segments";
    rv32_segment *s = &image->segments[image->count++];
    *s = (rv32_segment){.start = start, .bytes = bytes, .writable = writable, .memory = calloc(bytes, 1)};
    return s->memory == NULL ? "no memory for a segment" : NULL;
}

static const char *load_segment(rv32_image *image, FILE *f, const Elf32_Phdr *header)
{
    const uint32_t start = header->p_paddr;
    const uint32_t bytes = start == header->p_vaddr ? header->p_memsz : header->p_filesz;
    if (header->p_filesz > header->p_memsz || bytes > UINT32_MAX - start)
        return "a segment of impossible size";
    if (bytes == 0)
        return NULL;
    const char *error = rv32_image_at(image, start, bytes, 1) != NULL
                            ? NULL
                            : add_segment(image, start, bytes, (header->p_flags & PF_W) != 0);
    if (error != NULL)
        return error;
    uint8_t *memory = rv32_image_at(image, start, bytes, 0);
    if (fseek(f, header->p_offset, SEEK_SET) != 0 || fread(memory, 1, header->p_filesz, f) != header->p_filesz)
        return "a segment is not all there";
    return NULL;
}

static const char *load(rv32_image *image, FILE *f)
{
    Elf32_Ehdr elf;
    if (fread(&elf, sizeof elf, 1, f) != 1 || memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 ||
        elf.e_ident[EI_CLASS] != ELFCLASS32 || elf.e_machine != EM_RISCV || elf.e_phentsize != sizeof(Elf32_Phdr))
        return "no program for 32-bit RISC-V";
    image->entry = elf.e_entry;
    image->embedded = (elf.e_flags & EF_RISCV_RVE) != 0;
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        Elf32_Phdr header;
        if (fseek(f, (long)(elf.e_phoff + i * sizeof header), SEEK_SET) != 0 ||
            fread(&header, sizeof header, 1, f) != 1)
            return "the program's headers are not all there";
        const char *error = header.p_type == PT_LOAD && header.p_memsz > 0 ? load_segment(image, f, &header) : NULL;
        if (error != NULL)
            return error;
    }
    return NULL;
}

const char *rv32_image_load(rv32_image *image, const char *file)
{
    memset(image, 0, sizeof *image);
    const char *error = add_segment(image, RV32_RAM, RV32_RAM_BYTES, 1);
    if (error == NULL)
        error = add_segment(image, RV32_UART, RV32_UART_BYTES, 1);
    if (error != NULL)
        return error;
    FILE *f = fopen(file, "rb");
    if (f == NULL)
        return "cannot be opened";
    error = load(image, f);
    fclose(f);
    return error;
}

uint8_t *rv32_image_at(const rv32_image *image, uint32_t address, uint32_t bytes, int write)
{
    for (unsigned i = 0; i < image->count; i++) {
        const rv32_segment *s = &image->segments[i];
        const uint32_t at = address - s->start;
        if (at < s->bytes && bytes <= s->bytes - at)
            return s->writable || !write ? s->memory + at : NULL;
    }
    return NULL;
}
