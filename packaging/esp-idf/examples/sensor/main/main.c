/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seals a reading with AES-128-CCM, as 802.15.4 and BLE do, prints the packet and opens it again. */
#include <stdio.h>
#include <string.h>

#include <runnel.h>

/* A key of the device's own, from where you keep such things. */
static const uint8_t key[16] = {'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'b', 'y', 't', 'e', 's', '.', '.', '.'};
/* The device's address, then a counter, which is always 1 here: this seals one fixed reading. No nonce may be there twice
 * under one key, after a reset either: keep in NVS how far the counter may go, written ahead of use. */
static const uint8_t nonce[13] = {0x00, 0x12, 0x4b, 0x00, 0x06, 0x0d, 0xb5, 0x6f, 0, 0, 0, 0, 1};
static const uint8_t header[] = {'n', 'o', 'd', 'e', ' ', '7'}; /* in the clear, and authenticated */

/* Called once, after start-up. */
void app_main(void);
void app_main(void)
{
    const uint8_t reading[] = "21.5 C, 48 %";
    enum { BYTES = sizeof reading - 1 };
    uint8_t packet[BYTES + 8], opened[BYTES];
    runnel_aes_ccm c;

    int error = runnel_aes_ccm_key(&c, key, sizeof key);
    if (!error)
        error = runnel_aes_ccm_seal(&c, nonce, sizeof nonce, header, sizeof header, packet, reading, BYTES,
                                    packet + BYTES, 8);
    for (size_t i = 0; !error && i < sizeof packet; i++)
        printf("%02x", packet[i]);
    if (!error)
        error = runnel_aes_ccm_open(&c, nonce, sizeof nonce, header, sizeof header, opened, packet, BYTES,
                                    packet + BYTES, 8);
    runnel_aes_ccm_wipe(&c);
    if (error || memcmp(opened, reading, BYTES) != 0)
        printf("failed\n");
    else
        printf("\n%.*s\n", (int)BYTES, (const char *)opened);
}
