/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <runnel/stream.h>

const char *runnel_error_text(int error)
{
    switch (error) {
    case RUNNEL_OK:
        return "no error";
    case RUNNEL_ERR_NULL:
        return "a pointer is NULL although its length is not 0";
    case RUNNEL_ERR_KEY_LENGTH:
        return "the cipher has no key of this length";
    case RUNNEL_ERR_IV_LENGTH:
        return "the cipher takes no IV, or the AEAD no nonce, of this length";
    case RUNNEL_ERR_LAYOUT:
        return "the cipher does not count in this counter layout";
    case RUNNEL_ERR_STATE:
        return "no key, or no IV, has been set";
    case RUNNEL_ERR_LIMIT:
        return "the keystream ends, or would repeat, before the last byte asked for; the message is too long";
    case RUNNEL_ERR_SEEK:
        return "the cipher cannot seek";
    case RUNNEL_ERR_OVERLAP:
        return "the output overlaps the input without being equal to it, or overlaps another argument";
    case RUNNEL_ERR_CIPHER:
        return "no cipher of this name or index";
    case RUNNEL_ERR_KERNEL:
        return "no kernel of this name or index, or this CPU cannot run it";
    case RUNNEL_ERR_DIRECTION:
        return "the cipher encrypts and decrypts differently: encrypt or decrypt, not xor";
    case RUNNEL_ERR_TAG_LENGTH:
        return "the MAC, or the AEAD, has no tag of this length";
    case RUNNEL_ERR_TAG:
        return "the tag is not that of the message";
    case RUNNEL_ERR_ONE_SHOT:
        return "the AEAD takes a message in one call, not in pieces";
    case RUNNEL_ERR_PACKET:
        return "not a packet, or one of another stream";
    case RUNNEL_ERR_REPLAY:
        return "the packet came before, or is too old to know";
    default:
        return "unknown error";
    }
}
