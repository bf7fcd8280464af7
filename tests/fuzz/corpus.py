# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The committed inputs of each fuzz target: corpus/TARGET.txt, a line of base64 each.

tests/fuzz/corpus.py unpack TARGET FOLDER | pack TARGET FOLDER: to and from a file an input, as fuzzers have them; pack
takes of the folder, which the fuzzer's -merge=1 should have minimised before, what fits into BYTES_MOST.
"""

from __future__ import annotations

import base64
import hashlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "corpus"
BYTES_MOST = 15_000
"""Of a target's file."""
LONGEST = 700
"""Of a line."""


def inputs(target: str) -> list[bytes]:
    """Those of a target, none if it has no file."""
    path = HERE / f"{target}.txt"
    if not path.exists():
        return []
    return [base64.b64decode(line) for line in path.read_text().splitlines() if not line.startswith("#")]


def keep(one: bytes, folder: Path) -> None:
    """Writes an input to a folder as fuzzers do, by its hash."""
    (folder / hashlib.sha1(one).hexdigest()).write_bytes(one)


def unpack(target: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for one in inputs(target):
        keep(one, folder)


def pack(target: str, folder: Path) -> int:
    """Returns how many inputs fit."""
    lines, room = [], BYTES_MOST
    found = {hashlib.sha1(one).hexdigest(): one for one in (path.read_bytes() for path in folder.iterdir())}
    for _, one in sorted(found.items()):  # short and long ones
        line = base64.b64encode(one).decode()
        if len(line) < min(room, LONGEST):
            room -= len(line) + 1
            lines.append(line)
    HERE.mkdir(exist_ok=True)
    text = "# SPDX-License-Identifier: Apache-2.0 OR MIT\n" + "".join(line + "\n" for line in sorted(lines))
    (HERE / f"{target}.txt").write_text(text)
    return len(lines)


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        print(__doc__, file=sys.stderr)
        return 2
    verb, target, folder = sys.argv[1:]
    if verb == "unpack":
        unpack(target, Path(folder))
    else:
        print(f"{target}: {pack(target, Path(folder))} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
