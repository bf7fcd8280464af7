# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files for generated faults, by area, and the tests that have to see them: areas.toml; faults that no test can see:
equivalent.toml."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

from c_programs import ROOT

from mutation.operators import Mutant, mutants
from mutation.trial import Checks

LIST = Path(__file__).with_name("areas.toml")
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class File:
    """A file that is broken."""

    area: str
    path: str
    tests: Checks

    def mutants(self) -> list[Mutant]:
        return mutants(self.path, (ROOT / self.path).read_bytes())


@functools.cache
def files() -> tuple[File, ...]:
    """Return every file of every area, once."""
    found: dict[str, File] = {}
    for entry in tomllib.loads(LIST.read_text(encoding="utf-8"))["area"]:
        tests = Checks(tuple(entry["runs"]), tuple(entry.get("programs", ())), tuple(entry.get("compile", ())))
        for pattern in entry["files"]:
            for path in sorted(ROOT.glob(pattern)):
                name = str(path.relative_to(ROOT))
                found.setdefault(name, File(entry["name"], name, tests))
    return tuple(found.values())


@functools.cache
def equivalents() -> dict[tuple[str, str, str, str], str]:
    """Return why faults change nothing, by file, function, description and text of the line."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["fault"]
    return {(each["file"], each["function"], each["what"], each["line"]): each["why"] for each in listed}


@functools.cache
def _lines(path: str) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8").splitlines()


def key_of(mutant: Mutant) -> tuple[str, str, str, str]:
    """Return the names of a fault in the list of equivalents."""
    return mutant.path, mutant.function, mutant.what, _lines(mutant.path)[mutant.line - 1].strip()


def names() -> list[str]:
    """Return the areas, in their order."""
    return list(dict.fromkeys(file.area for file in files()))
