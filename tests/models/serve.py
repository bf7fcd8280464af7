# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Answers the lines of tests/c/peers/child.c with what the models make."""

import sys

from models import ENCRYPT, SEAL


def data(field: str) -> bytes:
    return bytes.fromhex(field[1:])


def answer(what: str, name: str, *fields: str) -> str:
    if what == "xor" and name in ENCRYPT and fields[2] == "0":
        return f"x{ENCRYPT[name](data(fields[0]), data(fields[1]), data(fields[3])).hex()}"
    if what == "seal" and name in SEAL:
        ciphertext, tag = SEAL[name](*map(data, fields[:4]))
        if len(tag) == int(fields[4]):
            return f"x{ciphertext.hex()} x{tag.hex()}"
    return "no"


print("models", flush=True)
for line in sys.stdin:
    print(answer(*line.split()), flush=True)
