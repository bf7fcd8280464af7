# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Text that tools write into documents: between markers, or a whole file. How a table is laid out, --write and --check."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Place(NamedTuple):
    file: Path
    marker: str | None
    """Of `<!-- marker: begin -->` and `<!-- marker: end -->`; None: the file is this text and nothing else."""
    text: Callable[[], str]

    @property
    def name(self) -> str:
        return str(self.file.relative_to(ROOT)) + (f", {self.marker}" if self.marker else "")

    def now(self) -> str:
        """Returns what the document says there now. Raises ValueError if it does not have the markers."""
        return self._parts()[1]

    def wanted(self) -> str:
        return self.text().rstrip("\n") + "\n"

    def write(self) -> None:
        before, _, after = self._parts()
        self.file.write_text(before + self.wanted() + after, encoding="utf-8")

    def _parts(self) -> tuple[str, str, str]:
        if self.marker is None:
            return "", self.file.read_text(encoding="utf-8") if self.file.exists() else "", ""
        begin, end = f"<!-- {self.marker}: begin -->\n", f"<!-- {self.marker}: end -->"
        before, found, rest = self.file.read_text(encoding="utf-8").partition(begin)
        inside, ended, after = rest.partition(end)
        if not (found and ended):
            raise ValueError(f"{self.file} has no markers for {self.marker}")
        return before + begin, inside, end + after


def table(header: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Returns a Markdown table whose first `left` columns are text; the others are numbers and end at the right."""
    rule = ["---"] * left + ["---:"] * (len(header) - left)
    lines = [header, rule, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)


def stale(places: Iterable[Place]) -> list[str]:
    return [place.name for place in places if place.now() != place.wanted()]


def main(places: Sequence[Place], description: str) -> None:
    parser = argparse.ArgumentParser(description=description)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="write it into the documents")
    what.add_argument("--check", action="store_true", help="status 1 and their names if documents say something else")
    options = parser.parse_args()
    if options.write:
        for place in places:
            place.write()
    elif options.check:
        if found := stale(places):
            parser.exit(1, "stale; run `make tables`: " + ", ".join(found) + "\n")
    else:
        for place in places:
            print(place.wanted())
