# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Encrypted files: Cobblestone, two streaming formats of Google Tink, and age's. What users call is exported by the package.

Top down; a module knows those below it:

    files        encrypt_file, decrypt_file, open_encrypted, streams: from a source, or a range of it, to a sink
    open_files   a file that is read at any position, or written piece by piece
    passphrase   keysets locked with a passphrase
    age          recipients and identities of age's format
    opening      from a keyset or passphrase to the keys and lengths of a file: the one way in
    keyset       keysets in Tink's JSON; where other processes find them
    keyset_forms every form in which a keyset is read
    engine       blocks of segments on all cores; its threads are those of runnel.threads
    io           sources and sinks
    formats      what a format is; cobblestone, tink, age: the formats; key_material: HKDF, and what holds keys; wire: protocol
                 buffers
"""
