/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <runnel/stream.h>

const char *runnel_error_text(int error)
{
    switch (error) {
    case RUNNEL_OK:
        return "no error";
    case RUNNEL_ERR_NULL:
        return "null pointer with a length that is not 0";
    case RUNNEL_ERR_KEY_LENGTH:
        return "invalid key length";
    case RUNNEL_ERR_IV_LENGTH:
        return "invalid IV or nonce length";
    case RUNNEL_ERR_LAYOUT:
        return "counter layout not supported by the cipher";
    case RUNNEL_ERR_STATE:
        return "key or IV not set";
    case RUNNEL_ERR_LIMIT:
        return "message too long: the keystream would end or repeat";
    case RUNNEL_ERR_SEEK:
        return "cipher does not support seeking";
    case RUNNEL_ERR_OVERLAP:
        return "output partially overlaps the input, or overlaps another argument";
    case RUNNEL_ERR_CIPHER:
        return "unknown cipher name or index";
    case RUNNEL_ERR_KERNEL:
        return "unknown kernel, or not supported by this CPU";
    case RUNNEL_ERR_DIRECTION:
        return "cipher has no xor: encryption and decryption differ";
    case RUNNEL_ERR_TAG_LENGTH:
        return "invalid tag length";
    case RUNNEL_ERR_TAG:
        return "authentication failed";
    case RUNNEL_ERR_ONE_SHOT:
        return "AEAD takes a message in one call, not in pieces";
    case RUNNEL_ERR_PACKET:
        return "malformed packet, or packet of another stream";
    case RUNNEL_ERR_REPLAY:
        return "packet replayed, or older than the replay window";
    default:
        return "unknown error";
    }
}
