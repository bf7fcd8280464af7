#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints the README's table of ciphers, or writes it between the markers there: what the ciphers say of themselves.

.venv/bin/python tools/cipher_table.py [--write]
"""

import sys
from pathlib import Path

import runnel
from runnel.cli.listing import lengths_text

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- ciphers: begin -->\n", "<!-- ciphers: end -->"


def table() -> str:
    rows = [
        "| name | key (bytes) | IV (bytes) | seeks | status | what it is |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for cipher in runnel.ciphers().values():
        key, iv = (lengths_text(lengths) for lengths in (cipher.key_bytes, cipher.iv_bytes))
        seeks = "yes" if cipher.seekable else "no"
        what = f"{cipher.title} ({cipher.source})" + (f"; {cipher.remark}" if cipher.remark else "")
        rows.append(f"| `{cipher.name}` | {key} | {iv} | {seeks} | {cipher.status} | {what} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    if sys.argv[1:] != ["--write"]:
        print(table(), end="")
        return
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(before + BEGIN + table() + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
