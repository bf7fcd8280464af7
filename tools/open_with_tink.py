# SPDX-License-Identifier: Apache-2.0 OR MIT
"""open_with_tink.py KEYSET AAD SEALED PLAIN: opens SEALED with Google's Tink and compares it with PLAIN."""

import sys

import tink
from tink import cleartext_keyset_handle, streaming_aead

PIECE = 1 << 20


def main(keyset: str, aad: str, sealed: str, plain: str) -> int:
    streaming_aead.register()
    with open(keyset, encoding="utf-8") as file:
        handle = cleartext_keyset_handle.read(tink.JsonKeysetReader(file.read()))
    primitive = handle.primitive(streaming_aead.StreamingAead)
    total = 0
    with open(plain, "rb") as expected, primitive.new_decrypting_stream(open(sealed, "rb"), aad.encode()) as opened:
        while piece := opened.read(PIECE):
            if expected.read(len(piece)) != piece:
                print(f"{sealed}: differs from {plain} after byte {total}", file=sys.stderr)
                return 1
            total += len(piece)
        if expected.read(1):
            print(f"{sealed}: ends early, after byte {total}", file=sys.stderr)
            return 1
    print(f"Tink opened it: the same {total:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
