# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Answers the lines of tests/c/peers/child.c with what the models make."""

import sys

from models import ENCRYPT


def main() -> None:
    print("models", flush=True)
    for line in sys.stdin:
        what, cipher, key, iv, block, data = [*line.split(), "", "", "", "", ""][:6]
        encrypt = ENCRYPT.get(cipher)
        if what != "xor" or encrypt is None or block != "0":
            print("no", flush=True)
        else:
            made = encrypt(*(bytes.fromhex(field[1:]) for field in (key, iv, data)))
            print(f"x{made.hex()}", flush=True)


main()
