# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A paper is two files: lab/papers/KEY.json, its figures as they are printed, and lab/papers/KEY.py, plain functions that say
what of ours stands beside them:

TITLE, AUTHORS, KOREAN, PUBLISHED, DOI    the paper
QUESTION, NOTES  what it asked; what of its answer holds, and what does not
HOLDS, BEST     what holds in one sentence; the place of the figure that speaks for ours, both for README.md
PROCESSORS      targets of the paper's own class of processor, its own first: verdicts count only their cells
MINUTES         by target, what `runnel lab reproduce` takes there on two cores
DIFFERS         "cipher/kernel" (a pattern): in what a kernel differs from the paper's technique, if it is not literal
@table(…)       a function that returns the Cells of a table, with its title and notes
NAME = Table(…) a table of others' figures, with the reason why none of ours is there
CURVES          pictures: a function each that returns the Series
BEHIND          Reasons, why the paper's figure is better than ours"""

from __future__ import annotations

import fnmatch
import importlib.util
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path

from runnel_lab import UnknownNameError, subjects, understanding
from runnel_lab.pictures import Series
from runnel_lab.tables import published
from runnel_lab.tables.published import Paper, Place
from runnel_lab.tables.values import Case, Lengths, ResultSet, Value, each, figure, measured, memory


@dataclass(frozen=True)
class Cell:
    """Our entry in a place: a value of the kernel of the paper's technique, and of our best kernel. What is None is the
    table's."""

    row: str | None
    column: str | None
    cipher: str
    technique: str | None
    value: Value
    ours: str | None = None
    """Our best kernel; None: the one that is best by `by`, or by the value."""
    most: bool | None = None
    """The best has the most, not the least."""
    by: Value | None = None
    constant_time: bool = False
    """The best of those alone whose time says nothing about secrets."""
    lengths: Lengths | None = None
    bytes: int | None = None
    """The length of the message, where a table's cell holds a list."""
    unit: str | None = None
    kind: str | None = None
    target: str | None = None
    table: str | None = None
    beside: Place | None = None
    """The place of the paper's figure, where that stands in another table."""

    @property
    def place(self) -> Place:
        return Place(self.table or "", self.row, self.column, self.bytes)


@dataclass(frozen=True)
class Lab:
    """Inputs of a table's function: the results, and the paper's figures."""

    result_set: ResultSet
    paper: Paper

    def rows(self, table: str) -> Iterator[tuple[str, str, Lengths, str]]:
        """Yield the rows of a paper's table of ciphers: row, name, lengths and the word behind them."""
        for row in self.paper.rows(table):
            name, key, iv, *word = row.split("/")
            yield row, name, (int(key), int(iv)), "".join(word)


Maker = Callable[[Lab], Iterable[Cell]]


@dataclass(frozen=True)
class Table:
    name: str = ""
    title: str = ""
    unit: str = ""
    target: str = ""
    kind: str | None = None
    most: bool = False
    notes: Sequence[str] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    """By column or row, where they differ from the table's."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why nothing of ours stands there, by column or row; "*" for all others."""
    make: Maker = lambda lab: ()

    def unit_of(self, place: Place) -> str:
        return self.units.get(place.column or "") or self.units.get(place.row or "") or self.unit

    def reason(self, place: Place) -> str | None:
        row = place.row or ""
        names = (place.column or "", row, row.split("/")[0], "*")
        return next((self.reasons[name] for name in names if name in self.reasons), None)

    def cells(self, lab: Lab) -> Iterator[Cell]:
        for cell in self.make(lab):
            cell = replace(cell, table=cell.table or self.name, target=cell.target or self.target)
            yield replace(
                cell,
                most=self.most if cell.most is None else cell.most,
                kind=cell.kind or self.kind,
                unit=cell.unit or self.unit_of(cell.place),
            )


@dataclass(frozen=True)
class Curve:
    """A picture: what goes up over bytes."""

    name: str
    title: str
    up: str
    make: Callable[[ResultSet], Iterable[Series]]


@dataclass(frozen=True)
class Reason:
    """Why the paper's figure is better in cells whose table, row and column fit these patterns; of: technique or ours."""

    why: str
    table: str = "*"
    row: str = "*"
    column: str = "*"
    of: str = "*"

    def fits(self, table: str, row: str | None, column: str | None, of: str) -> bool:
        pairs = ((table, self.table), (row or "", self.row), (column or "", self.column), (of, self.of))
        return all(fnmatch.fnmatchcase(text, pattern) for text, pattern in pairs)


def table(
    unit: str = "",
    target: str = "",
    *,
    name: str = "",
    kind: str | None = None,
    most: bool = False,
    units: Mapping[str, str] | None = None,
    reasons: Mapping[str, str] | None = None,
) -> Callable[[Maker], Table]:
    """Make a table of a function that returns its cells. Its name is the table's, its docstring the title, with notes."""

    def registered(make: Maker) -> Table:
        title, *notes = (" ".join(part.split()) for part in f"{make.__doc__ or ''}\n".split("\n    - "))
        return Table(name or make.__name__, title, unit, target, kind, most, notes, units or {}, reasons or {}, make)

    return registered


def grid(rows: Mapping[str, str], columns: Mapping[str, tuple[str, Value]], *, same: bool = False) -> Iterator[Cell]:
    """Yield a cell for each row, by name its kernel, and each column, by name its cipher and value. same: no kernel but the
    row's own is ours."""
    for row, kernel in rows.items():
        for column, (cipher, value) in columns.items():
            yield Cell(row, column, cipher, kernel, value, ours=kernel if same else None)


Columns = Mapping[str, tuple[Value, str, str | None]]
"""By name: value, unit, and kind where it is not that of the results."""
CYCLES: Columns = {
    "key set-up, cycles": (figure("key"), "cycles", None),
    "IV set-up, cycles": (figure("iv"), "cycles", None),
    "128 bytes, cycles": (figure("packet"), "cycles", None),
    "a block of a long message, cycles": (each("long"), "cycles", None),
    "a block, continued, cycles": (each("stream"), "cycles", None),
}
SIZES: Columns = {
    "ROM": (memory("rom"), "bytes", "exact"),
    "RAM, context": (memory("context"), "bytes", "exact"),
    "RAM, stack": (memory("stack"), "bytes", "exact"),
}
"""Of tables that have every kernel of ours."""


def all_kernels(
    lab: Lab, target: str, ciphers: Iterable[str], columns: Columns, table: str | None = None, *, short: bool = False,
    peers: bool = False,
) -> Iterator[Cell]:  # fmt: skip
    """Yield a row for every kernel that was measured; peers: of other projects' code alone; short: named by the kernel alone;
    table: {cipher} stands for the cipher's name."""
    for cipher in ciphers:
        for row in lab.result_set.of(target, cipher):
            if peers and not row.get("peer"):
                continue
            lengths = (row["key_bits"], row["iv_bits"])
            bits = f"{row['key_bits']}/{row['iv_bits']}" if row["iv_bits"] else row["key_bits"]
            name = row["kernel"] if short else f"{cipher}/{bits} {row['kernel']}"
            for column, (value, unit, kind) in columns.items():
                yield Cell(
                    name, column, cipher, None, value, row["kernel"], lengths=lengths, unit=unit or None, kind=kind,
                    target=target, table=table and table.format(cipher=cipher),
                )  # fmt: skip


def ranking(
    lab: Lab, target: str, ciphers: Iterable[str], by: Value, columns: Columns, table: str | None = None
) -> Iterator[Cell]:
    """Yield a row for the best kernel of each cipher with its longest key and IV, the best first."""
    found: list[tuple[float, str, Lengths, str]] = []
    for cipher in ciphers:
        if rows := lab.result_set.of(target, cipher):
            lengths = max((row["key_bits"], row["iv_bits"]) for row in rows)
            best = Case(lab.result_set, target, cipher, "", lengths).best(by)
            name = f"{cipher}/{lengths[0]}" + (f"/{lengths[1]}" if lengths[1] else "")
            rank = None if best is None else measured(by, best)
            found.append((float("inf") if rank is None else rank, cipher, lengths, name))
    for _, cipher, lengths, name in sorted(found, key=lambda ranked: ranked[0]):
        for column, (value, unit, kind) in columns.items():
            yield Cell(
                name, column, cipher, None, value, by=by, lengths=lengths, unit=unit or None, kind=kind, target=target,
                table=table,
            )  # fmt: skip


def streams() -> list[str]:
    """Return the ciphers with a state of their own."""
    own = (subjects.Mode.STREAM, subjects.Mode.DIRECTIONAL)
    return [c.name for c in subjects.ciphers().values() if c.mode in own and not c.block_bytes]


def with_blocks() -> list[str]:
    """Return block ciphers in feedback and in counter mode."""
    of = subjects.ciphers().values()
    feedback = [c.name for c in of if c.mode == subjects.Mode.DIRECTIONAL and c.block_bytes]
    return [*feedback, *(c.name for c in of if c.mode == subjects.Mode.COUNTER)]


@dataclass(frozen=True)
class PaperDescription:
    """The contents of a paper's Python file, by the names there."""

    title: str
    published: str
    holds: str
    best: Place
    processors: Sequence[str]
    tables: Sequence[Table]
    question: str = ""
    authors: str = ""
    korean: str = ""
    doi: str | None = None
    notes: Sequence[str] = ()
    minutes: Mapping[str, float] = field(default_factory=dict)
    differs: Mapping[str, str] = field(default_factory=dict)
    behind: Sequence[Reason] = ()
    curves: Sequence[Curve] = ()

    def table(self, name: str) -> Table:
        known = {table.name: table for table in self.tables}
        return known.get(name) or known.get(name.split(":")[0]) or Table(name)

    def after(self, cipher: str, kernel: str | None) -> str | None:
        """Return in what a kernel differs from the paper's technique; None: it is literal."""
        named = f"{cipher}/{kernel}"
        return next((why for pattern, why in self.differs.items() if fnmatch.fnmatchcase(named, pattern)), None)


@lru_cache
def describe(tree: Path, paper: str) -> PaperDescription:
    file = tree / "lab" / "papers" / f"{paper}.py"
    with understanding(file):
        spec = importlib.util.spec_from_file_location(paper, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise ValueError(f"{type(error).__name__}: {error}") from None
        names = vars(module)
        return PaperDescription(
            tables=[replace(it, name=it.name or name) for name, it in names.items() if isinstance(it, Table)],
            **{it.name: names[it.name.upper()] for it in fields(PaperDescription) if it.name.upper() in names},
        )


def find(tree: Path, wanted: str) -> str:
    """Return the name of the one paper that has every word of wanted in its name, title, authors, place or DOI, in English or
    Korean and of any case. Raise UnknownNameError: there is none, or there are several."""
    names = published.names(tree)
    if wanted.lower() in names:
        return wanted.lower()
    words = _searchable(wanted).split()
    found = [name for name in names if words and all(word in _about(tree, name) for word in words)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownNameError(f"{wanted!r} may be any of {', '.join(found)}")
    raise UnknownNameError(f"no paper {wanted}; there are {', '.join(names)}")


def _about(tree: Path, name: str) -> str:
    of = describe(tree, name)
    text = " ".join((name, of.title, of.authors, of.korean, of.published, of.doi or ""))
    # Names of people are written with and without blanks.
    return _searchable(f"{text} {of.korean.replace(' ', '')}")


def _searchable(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def lengths(tree: Path, paper: Paper) -> dict[str, list[Lengths]]:
    """Return the lengths of key and IV, in bits, with which the paper measures its ciphers, by our names."""
    lab, found = Lab(ResultSet([]), paper), dict[str, list[Lengths]]()
    for table in describe(tree, paper.name).tables:
        for cell in table.cells(lab):
            if cell.lengths is not None and cell.lengths not in found.setdefault(cell.cipher, []):
                found[cell.cipher].append(cell.lengths)
    return found
