# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The result for each object: a line of JSON each, the counts last; and the names of those that failed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import IO

from runnel.errors import AuthenticationError, Error

from runnel_store.catalog import Entry


@dataclass(frozen=True)
class Outcome:
    name: str
    status: str
    """done, skipped (nothing was to do), failed or left_out (no object: a link to a folder, a pipe, a plan)."""
    bytes: int = 0
    """Of the plaintext, where something was done."""
    error: str | None = None
    authentic: bool = True
    etag: str | None = None
    """Of what was made."""
    entry: Entry | None = None
    """The sealed object that there is now, for a catalog."""


@dataclass
class Counts:
    done: int = 0
    skipped: int = 0
    failed: int = 0
    left_out: int = 0
    bytes: int = 0
    unauthentic: int = 0


class Manifest:
    """Counts, and writes lines where they are wanted."""

    def __init__(self, lines: IO[str] | None = None) -> None:
        self.counts = Counts()
        self.failures: list[str] = []
        self.awaited: set[str] = set()
        """Names that were asked for and not come to yet."""
        self._first: str | None = None
        self._lines = lines
        self.finished = False
        """True if all objects were reached."""

    def add(self, outcome: Outcome) -> None:
        self.awaited.discard(outcome.name)
        counts = self.counts
        setattr(counts, outcome.status, getattr(counts, outcome.status) + 1)
        counts.bytes += outcome.bytes
        counts.unauthentic += not outcome.authentic
        if outcome.status == "failed":
            self.failures.append(outcome.name)
            self._first = self._first or outcome.error
        if self._lines is not None:
            line = {
                key: value
                for key, value in asdict(outcome).items()
                if value is not None and key not in ("authentic", "etag", "entry")
            }
            self._lines.write(json.dumps(line) + "\n")

    def finish(self, generation: int | None = None) -> None:
        """Write the counts. generation: of the prefix's catalog, if it was read or written."""
        self.finished = True
        if self._lines is not None:
            last = {"counts": asdict(self.counts)} | ({} if generation is None else {"generation": generation})
            self._lines.write(json.dumps(last) + "\n")
            self._lines.flush()

    def raise_failures(self) -> None:
        """Raise one error for all of them: AuthenticationError where any did not authenticate."""
        if self.failures:
            total = self.counts.done + self.counts.skipped + self.counts.failed
            kind = AuthenticationError if self.counts.unauthentic else Error
            raise kind(f"{len(self.failures)} of {total} objects failed; the first: {self._first}")


def write_names(names: list[str]) -> bytes:
    """Write one JSON string a line, as a name may hold anything."""
    return "".join(json.dumps(name) + "\n" for name in names).encode()


def read_names(data: bytes, where: str) -> set[str]:
    """Read the names. Raises ValueError."""
    names: set[str] = set()
    for number, line in enumerate(data.splitlines(), 1):
        try:
            name = json.loads(line)
        except (ValueError, RecursionError):
            name = None
        if not isinstance(name, str):
            raise ValueError(f"{where}: line {number} is not a name as --failures writes it, a JSON string")
        names.add(name)
    return names
