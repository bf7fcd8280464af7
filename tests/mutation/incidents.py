# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Faults of other libraries, planted in ours: incidents.toml. docs/incidents.md says where they come from."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutation import syntax
from mutation.trial import Checks, Result, tried

LIST = Path(__file__).with_name("incidents.toml")


@dataclass(frozen=True)
class Incident:
    """One fault: in which function of which file what becomes what, as patterns of syntax.py; and the tests that see it."""

    name: str
    file: str
    function: str
    old: str
    new: str
    runs: tuple[str, ...] = ()
    """None: a test of its own plants it."""
    needs: frozenset[str] = frozenset()
    """Features of the processor, as RUNNEL_CPU names them, without which none of the code runs."""
    programs: tuple[str, ...] = ()
    compile: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    @property
    def tests(self) -> Checks:
        return Checks(self.runs, self.programs, self.compile)

    def broken(self, text: bytes) -> bytes:
        """Return the text of its file with the fault. Raises NotFound."""
        return syntax.patched(text, syntax.language_of(Path(self.file)), self.function, self.old, self.new)

    def result(self) -> Result:
        return tried(self.file, self.tests, self.broken)


@functools.cache
def incidents() -> dict[str, Incident]:
    """Return all incidents, by name."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["incident"]
    found = [
        Incident(
            **{name: value for name, value in each.items() if isinstance(value, str)},
            runs=tuple(each.get("runs", ())),
            needs=frozenset(each.get("needs", ())),
            programs=tuple(each.get("programs", ())),
            compile=tuple(each.get("compile", ())),
        )
        for each in listed
    ]
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}
