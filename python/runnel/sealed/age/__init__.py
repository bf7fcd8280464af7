# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files for several recipients, in the format of age (age-encryption.org/v1).

Top down; a module knows those below it:

    people       Recipients, who will be able to open a file, and Identities, which open files
    stanzas      the file's key, wrapped for one recipient: X25519, scrypt
    header       the text before the encrypted data
    armor        a file as text, in lines
    bech32       how recipients and identities are written

The encrypted data itself is runnel.sealed.formats.age.
"""
