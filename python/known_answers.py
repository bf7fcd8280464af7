#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the known answers that `runnel selftest` has with it: of each cipher and MAC the first vector for each length of
the key and each counter layout, from the folders' vectors.txt, in the same format.

python/known_answers.py OUT vectors.txt …"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 3000  # characters of a vector


def vectors(text: str) -> Iterator[list[tuple[str, str]]]:
    """Return each vector's lines, the name of its cipher or MAC first."""
    under = ("", "")
    for paragraph in text.split("\n\n"):
        lines: list[tuple[str, str]] = []
        for line in paragraph.splitlines():
            name, colon, value = line.partition(":")
            if line.startswith("#") or not colon or name == "source":
                continue
            if name in ("cipher", "mac"):
                under = (name, value.strip())
            else:
                lines.append((name, value.strip()))
        if lines:
            yield [under, *lines]


def chosen(texts: list[str]) -> list[str]:
    """Raw blocks are no cipher's own: they are in its counter mode."""
    found: dict[tuple[str, ...], str] = {}
    for text in texts:
        for lines in vectors(text):
            values = dict(lines)
            kind = (*lines[0], str(len(values["key"])), values.get("layout", ""))
            written = "".join(f"{name}: {value}\n" for name, value in lines)
            if values.get("layout") != "ecb" and len(written) <= LONGEST:
                found.setdefault(kind, written)
    return list(found.values())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("\n".join(chosen([Path(name).read_text() for name in sys.argv[2:]])))
