/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seals a reading with AES-128-CCM, as 802.15.4 and BLE do, prints the packet and opens it again. */
#include <runnel.h>

/* A key of the device's own, from where you keep such things. */
static const uint8_t key[16] = {'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', '.', '.', '.'};
/* The device's address, then a counter: no nonce twice under one key, not after a reset either. */
static uint8_t nonce[13] = {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x6f};
static const uint8_t header[] = {'n', 'o', 'd', 'e', ' ', '7'}; /* in the clear, and authenticated */

static runnel_aes_ccm ccm;
static uint32_t counter;

static void fail(const char *where)
{
    Serial.println(where);
    for (;;)
        ;
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
}

void loop()
{
    const uint8_t reading[] = "21.5 C, 48 %";
    uint8_t packet[sizeof reading - 1], tag[8], opened[sizeof reading] = {0};

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
