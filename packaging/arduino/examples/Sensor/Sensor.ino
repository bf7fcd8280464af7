/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seals a reading with AES-128-CCM, as 802.15.4 and BLE do, prints the packet and opens it again. */
#include <runnel.h>

#ifdef __AVR__
#include <avr/eeprom.h>
#else
#error "No EEPROM of AVR's: let readSlot and writeSlot use what survives a reset on this board, as Preferences or FRAM."
#endif

/* A key of the device's own, from where you keep such things. */
static const uint8_t key[16] = {'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', '.', '.', '.'};
/* The device's address, then a counter that continues after a reset: no nonce may be there twice under one key. */
static uint8_t nonce[13] = {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x6f};
static const uint8_t header[] = {'n', 'o', 'd', 'e', ' ', '7'}; /* in the clear, and authenticated */

static runnel_aes_ccm ccm;

/* In EEPROM is not the counter, but how far it may go: that is written before the first number up to it is used, and only
 * once for so many, because a cell bears 100,000 writes. After a reset the numbers that were left are skipped. Of the two
 * slots at its beginning the older is written, so that a loss of power in the middle leaves the other. Where nothing was
 * written all bytes are 0xff. Who erases the EEPROM (a programmer does, the bootloader does not) needs a new key. */
static const uint32_t RESERVED = 256;
struct Slot {
    uint32_t limit, check; /* check: ~limit, or the slot is not valid */
};
static uint32_t counter, limit;
static uint8_t newest;

static void fail(const char *where)
{
    Serial.println(where);
    for (;;)
        ;
}

static void *placeOf(uint8_t number)
{
    return (void *)(number * sizeof(Slot));
}

static Slot readSlot(uint8_t number)
{
    Slot slot;
    eeprom_read_block(&slot, placeOf(number), sizeof slot);
    return slot;
}

static bool isValid(const Slot &slot)
{
    return slot.check == ~slot.limit;
}

static void writeSlot(uint8_t number, uint32_t value)
{
    const Slot slot = {value, ~value};
    eeprom_update_block(&slot, placeOf(number), sizeof slot);
    const Slot stored = readSlot(number);
    if (!isValid(stored) || stored.limit != value)
        fail("EEPROM");
    newest = number;
    limit = value;
}

static void reserveNumbers()
{
    if (limit > UINT32_MAX - RESERVED)
        fail("all numbers are used: a new key is needed");
    writeSlot(1 - newest, limit + RESERVED);
}

static void loadCounter()
{
    const Slot first = readSlot(0), second = readSlot(1);
    const bool isBlank = (second.limit & second.check) == UINT32_MAX;
    /* As new, because the first number needs the second slot. A later write may leave that blank too, where it is erased
     * first, but then there is a limit in the first. */
    if (isBlank && (!isValid(first) || first.limit == 0)) {
        writeSlot(0, 0);
    } else if (!isValid(first) && !isValid(second)) {
        fail("EEPROM is damaged, or another program's");
    } else {
        newest = isValid(second) && (!isValid(first) || second.limit > first.limit);
        limit = newest ? second.limit : first.limit;
        if (!isValid(first) || !isValid(second))
            reserveNumbers(); /* the damaged one may have been the newest: its numbers are skipped */
    }
    counter = limit;
}

static void printHex(const uint8_t *p, size_t n)
{
    for (; n > 0; n--, p++) {
        if (*p < 16)
            Serial.print('0');
        Serial.print(*p, HEX);
    }
    Serial.println();
}

void setup()
{
    Serial.begin(9600);
    if (runnel_aes_ccm_key(&ccm, key, sizeof key) != RUNNEL_OK)
        fail("key");
    loadCounter();
}

void loop()
{
    const uint8_t reading[] = "21.5 C, 48 %";
    uint8_t packet[sizeof reading - 1], tag[8], opened[sizeof reading] = {0};

    if (counter == limit)
        reserveNumbers();
    counter++;
    for (int i = 0; i < 4; i++)
        nonce[9 + i] = (uint8_t)(counter >> (24 - 8 * i));
    if (runnel_aes_ccm_seal(&ccm, nonce, sizeof nonce, header, sizeof header, packet, reading, sizeof packet, tag,
                            sizeof tag) != RUNNEL_OK)
        fail("seal");
    printHex(packet, sizeof packet);
    printHex(tag, sizeof tag);

    if (runnel_aes_ccm_open(&ccm, nonce, sizeof nonce, header, sizeof header, opened, packet, sizeof packet, tag,
                            sizeof tag) != RUNNEL_OK)
        fail("open");
    Serial.println((const char *)opened);
    delay(1000);
}
