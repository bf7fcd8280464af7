/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Executes single instructions on a PC without an operating system: an emulator of a processor that this one is not. Orders and
 * states come over the first disk. Sector 0 is the order; when its number changes, the states that begin at sector 2 are
 * replaced by those after the instruction, and then the order is copied to sector 1. */
#include <stddef.h>
#include <stdint.h>

enum { STATE = 2304, MEMORY = 512, SLOT = 32, SECTOR = 512, SECTORS = 6 }; /* SECTORS: of a state with its memory */
enum { ORDERED = 0, DONE = 1, STATES = 2 };
enum {
    ATA_DATA = 0x1f0,
    ATA_COUNT = 0x1f2,
    ATA_ADDRESS = 0x1f3,
    ATA_DRIVE = 0x1f6,
    ATA_COMMAND = 0x1f7,
    ATA_CONTROL = 0x3f6
};
enum { ATA_READ = 0x20, ATA_WRITE = 0x30, ATA_BUSY = 0x80, ATA_READY = 0x08, FIRST_DRIVE = 0xe0, NO_INTERRUPTS = 2 };
enum { FIRST_PIC = 0x21, SECOND_PIC = 0xa1, ALL_MASKED = 0xff };

void forms_run(void);
extern uint8_t forms_slot[], forms_state[];
uint8_t forms_wide = 1;

typedef struct order {
    uint32_t number, count, code_bytes;
    uint8_t code[SLOT];
    uint8_t unused[SECTOR - SLOT - 12];
} order;

static void put(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static uint8_t get(uint16_t port)
{
    uint8_t value;
    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void begin(uint8_t command, uint32_t sector, uint8_t sectors)
{
    put(ATA_DRIVE, FIRST_DRIVE);
    put(ATA_COUNT, sectors);
    for (int i = 0; i < 3; i++)
        put((uint16_t)(ATA_ADDRESS + i), (uint8_t)(sector >> 8 * i));
    put(ATA_COMMAND, command);
}

static void wait(void)
{
    while ((get(ATA_COMMAND) & (ATA_BUSY | ATA_READY)) != ATA_READY) {
    }
}

static void read(void *to, uint32_t sector, uint8_t sectors)
{
    begin(ATA_READ, sector, sectors);
    for (; sectors > 0; sectors--) {
        size_t words = SECTOR / 2;
        wait();
        __asm__ volatile("rep insw" : "+D"(to), "+c"(words) : "d"(ATA_DATA) : "memory");
    }
}

static void write(const void *from, uint32_t sector, uint8_t sectors)
{
    begin(ATA_WRITE, sector, sectors);
    for (; sectors > 0; sectors--) {
        size_t words = SECTOR / 2;
        wait();
        __asm__ volatile("rep outsw" : "+S"(from), "+c"(words) : "d"(ATA_DATA) : "memory");
    }
    while (get(ATA_COMMAND) & ATA_BUSY) {
    }
}

static void copy(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

void serve(void)
{
    static order asked;
    static uint8_t buffer[SECTOR * SECTORS];
    put(ATA_CONTROL, NO_INTERRUPTS);
    put(FIRST_PIC, ALL_MASKED);
    put(SECOND_PIC, ALL_MASKED);
    for (uint32_t done = 0;; done = asked.number) {
        do {
            read(&asked, ORDERED, 1);
        } while (asked.number == done);
        for (uint32_t i = 0; i < SLOT; i++)
            forms_slot[i] = i < asked.code_bytes ? asked.code[i] : 0x90;
        for (uint32_t i = 0; i < asked.count; i++) {
            const uint32_t sector = STATES + SECTORS * i;
            read(buffer, sector, SECTORS);
            copy(forms_state, buffer, STATE + MEMORY);
            forms_run();
            copy(buffer, forms_state, STATE + MEMORY);
            write(buffer, sector, SECTORS);
        }
        write(&asked, DONE, 1);
    }
}
