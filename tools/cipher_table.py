#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The table of all ciphers in docs/ciphers.md: what they say of themselves.

.venv/bin/python tools/cipher_table.py [--write | --check]
"""

from __future__ import annotations

from collections.abc import Iterable

import generated
import runnel
from generated import ROOT, Place
from runnel.cli.listing import lengths_text

HEADER = ["name", "key (bytes)", "IV (bytes)", "seeks", "status", "what it is"]


def table(ciphers: Iterable[runnel.Cipher]) -> str:
    rows = []
    for cipher in ciphers:
        key, iv = (lengths_text(lengths) for lengths in (cipher.key_bytes, cipher.iv_bytes))
        seeks = "yes" if cipher.seekable else "no"
        what = f"{cipher.title} ({cipher.source})" + (f"; {cipher.remark}" if cipher.remark else "")
        rows.append([f"`{cipher.name}`", key, iv, seeks, cipher.status, what])
    return generated.table(HEADER, rows, left=len(HEADER))


PLACES = [Place(ROOT / "docs" / "ciphers.md", "ciphers", lambda: table(runnel.ciphers().values()))]


if __name__ == "__main__":
    generated.main(PLACES, "The table of all ciphers, for docs/ciphers.md.")
