# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files: Cobblestone, and two streaming formats of Google Tink. What users call is exported by the package.

Every format has a header with a salt, then segments of equal length, each ciphertext followed by its tag; the last may be
shorter. Every file has its own keys, derived from the keyset's by HKDF over the salt and the associated data. A format is
one module, which everything else calls through the base classes in parameters and segments.

    files        what the package exports: encrypt_file, decrypt_file, open_encrypted, streams
    reader       a file that is read at any position            writer      a file that is written piece by piece
    operations   a whole source, or a range of it, to a sink    finder      which key a file was sealed with
    engine       a job on all cores                             jobs        what encryption and decryption do in it
    blocks       memory for segments                            ends        sources and sinks
    parameters   what a format offers: lengths, positions       segments    segments in memory; a file's keys
    formats      all formats, templates for new keys            cobblestone, ctr_hmac, gcm_hkdf    a format each
    tink         what Tink's formats share                      gcm         segments that are messages of AES-GCM
    keyset       keysets in Tink's JSON                         wire        a key in protocol buffers
    passphrase   keysets locked with a passphrase           place       where other processes find a keyset
    secret       what holds a key, and refuses to be pickled
    binding      associated data with a file's name in it
"""
