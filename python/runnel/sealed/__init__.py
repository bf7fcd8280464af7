# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files in the streaming format "AES-CTR-HMAC" of Google Tink. What users call is exported by the package.

The format: a header (its own length, a salt, a nonce prefix of 7 bytes), then segments of equal length, each
ciphertext followed by its tag; the last may be shorter. Every file has its own keys, derived from the keyset's by
HKDF over the salt and the associated data.

    files        what the package exports: encrypt_file, decrypt_file, open_encrypted, streams
    reader       a file that is read at any position            writer      a file that is written piece by piece
    operations   a whole source, or a range of it, to a sink    finder      which key a file was sealed with
    engine       a job on all cores                             jobs        what encryption and decryption do in it
    blocks       memory for segments                            ends        sources and sinks
    segments     one file's keys; segments sealed and opened    parameters  lengths, positions, templates
    keyset       keysets in Tink's JSON                         wire        a key in protocol buffers
"""
