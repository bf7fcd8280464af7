/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *load_segment(rv32_image *image, FILE *f, const Elf32_Phdr *header)
{
    if (image->count == RV32_SEGMENTS)
        return "too many segments";
    if (header->p_filesz > header->p_memsz || header->p_memsz > UINT32_MAX - header->p_vaddr)
        return "a segment of impossible size";
    rv32_segment *s = &image->segments[image->count++];
    s->start = header->p_vaddr;
    s->bytes = header->p_memsz;
    s->writable = (header->p_flags & PF_W) != 0;
    s->memory = calloc(s->bytes, 1);
    if (s->memory == NULL)
        return "no memory for a segment";
    if (fseek(f, header->p_offset, SEEK_SET) != 0 || fread(s->memory, 1, header->p_filesz, f) != header->p_filesz)
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
    for (unsigned i = 0; i < elf.e_phnum; i++) {
        Elf32_Phdr header;
        if (fseek(f, (long)(elf.e_phoff + i * sizeof header), SEEK_SET) != 0 || fread(&header, sizeof header, 1, f) != 1)
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
    FILE *f = fopen(file, "rb");
    if (f == NULL)
        return "cannot be opened";
    const char *error = load(image, f);
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
