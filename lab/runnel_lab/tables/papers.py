# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which of our results stands beside which figure of a paper: lab/papers/<paper>.toml, beside the figures themselves.

title, authors, published, doi, notes   of the paper; notes: what of it holds, and what does not
korean                                  its authors and title in Korean
[tables.NAME] title, unit, notes        of a table of the paper or of ours, and what is wrong in it
[tables.NAME.units] NAME = "%"          by column or row, where they differ from the table's unit
[tables.NAME.reasons] NAME = "…"        why nothing of ours stands there: by column or row; "*" for all others
[[rules]]                               cells of a table. A key may stand in the rule, in one of its rows or in one of its
                                        columns, and may name others in braces: cipher = "aes-{column}-ctr"
    table, target, cipher   where the cells stand, and what of ours is beside them
    value                   an expression of values.py
    technique               our kernel of the paper's technique
    ours                    our best kernel; without it the one that is …
    best, by                … "least" (if it is left out) or "most" by an expression, which is the value if it is left out
    constant_time           true: the best of those alone whose time tells nothing of secrets
    lengths                 bits of key and IV, where a cipher has several
    unit, kind              where they are not the table's, or those of our results
    bytes                   lengths of messages, {bytes}: a cell for each
    rows                    by name; "paper": those of the paper's table, whose names NAME/KEY/IV/WORD are {name}, {key},
                            {iv} and {word}, with what `names` says of each; "kernels": a row for every kernel of
                            `ciphers` that was measured, peers = true: for other projects' code alone; "ciphers": a row
                            for the best of each, the best first, by `by`
    columns                 by name, or a list of names"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from runnel_lab import LabError, UnknownNameError, subjects, understanding
from runnel_lab.tables import published
from runnel_lab.tables.published import Paper, Place
from runnel_lab.tables.values import Case, Shelf, Value, parse

Keys = dict[str, Any]


@dataclass(frozen=True)
class Table:
    title: str = ""
    unit: str = ""
    notes: list[str] = field(default_factory=list)
    units: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def unit_of(self, place: Place) -> str:
        return self.units.get(place.column or "") or self.units.get(place.row or "") or self.unit

    def reason(self, place: Place) -> str | None:
        names = (place.column, place.row, place.row and place.row.split("/")[0], "*")
        return next((self.reasons[name] for name in names if name in self.reasons), None)


@dataclass(frozen=True)
class PaperDescription:
    title: str
    authors: str
    korean: str
    published: str
    doi: str | None
    notes: list[str]
    tables: dict[str, Table]
    rules: list[Keys]

    def table(self, name: str) -> Table:
        return self.tables.get(name) or self.tables.get(name.split(":")[0]) or Table()


@dataclass(frozen=True)
class Cell:
    """A place with what stands in it: the case of the paper's technique and that of our best kernel."""

    place: Place
    unit: str
    value: Value
    technique: Case | None
    ours: Case | None
    kind: str | None


@lru_cache
def describe(tree: Path, paper: str) -> PaperDescription:
    file = tree / "lab" / "papers" / f"{paper}.toml"
    with understanding(file):
        text = tomllib.loads(file.read_text(encoding="utf-8"))
        return PaperDescription(
            text["title"],
            text.get("authors", ""),
            text.get("korean", ""),
            text["published"],
            text.get("doi"),
            text.get("notes", []),
            {name: Table(**about) for name, about in text.get("tables", {}).items()},
            text["rules"],
        )


def title(tree: Path, paper: str) -> str:
    return describe(tree, paper).title


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


def cells(tree: Path, paper: Paper, shelf: Shelf) -> list[Cell]:
    """Returns the cells of all rules. Raises LabError if one cannot be read."""
    about = describe(tree, paper.name)
    found = []
    for rule in about.rules:
        try:
            found += [_cell(keys, about, shelf) for keys in _expanded(rule, paper, shelf)]
        except (KeyError, ValueError, IndexError) as error:
            raise LabError(f"{paper.name}: a rule of {rule.get('table')} cannot be read: {error}") from None
    return found


_OF_ROWS = ("rows", "columns", "names", "ciphers", "row_name", "peers")


def _expanded(rule: Keys, paper: Paper, shelf: Shelf) -> Iterator[Keys]:
    """Returns the keys of each cell, filled in."""
    common = {name: value for name, value in rule.items() if name not in _OF_ROWS}
    columns = rule.get("columns", {None: {}})
    columns = {name: {} for name in columns} if isinstance(columns, list) else columns
    for target in common["target"] if isinstance(common["target"], list) else [common["target"]]:
        for row, of_row in _rows(rule, target, paper, shelf):
            for column, of_column in columns.items():
                for length in common.get("bytes", [None]):
                    keys = {**common, **of_row, **of_column, "row": row, "column": column, "bytes": length}
                    yield _filled(keys | {"target": target})


def _rows(rule: Keys, target: str, paper: Paper, shelf: Shelf) -> Iterator[tuple[str | None, Keys]]:
    rows = rule.get("rows")
    if rows is None:
        yield None, {}
    elif isinstance(rows, dict):
        yield from rows.items()
    elif rows == "paper":
        for row in paper.rows(rule["table"]):
            name, key, iv, *word = row.split("/")
            about = {
                "name": name,
                "key": int(key),
                "iv": int(iv),
                "word": "".join(word),
                "lengths": [int(key), int(iv)],
            }
            yield row, about | rule["names"][name]
    else:
        found = [each for cipher in _ciphers(rule["ciphers"]) for each in _measured(cipher, target, rows, rule, shelf)]
        yield from sorted(found, key=lambda row: row[1]["rank"]) if rows == "ciphers" else found


def _measured(cipher: str, target: str, rows: str, rule: Keys, shelf: Shelf) -> Iterator[tuple[str, Keys]]:
    found = shelf.of(target, cipher)
    if rows == "kernels":
        for row in found:
            if rule.get("peers") and not row.get("peer"):
                continue
            lengths = (row["key_bits"], row["iv_bits"])
            key = f"{row['key_bits']}" if row["iv_bits"] == 0 else f"{row['key_bits']}/{row['iv_bits']}"
            about = {"cipher": cipher, "lengths": lengths, "key_iv": key, "only": row["kernel"]}
            yield rule.get("row_name", "{cipher}/{key_iv} {kernel}").format(**about, kernel=row["kernel"]), about
    elif found:
        key, iv = max((r["key_bits"], r["iv_bits"]) for r in found)
        by = parse(rule["by"])
        best = Case(shelf, target, cipher, "", (key, iv)).best(by)
        rank = by(best) if best is not None else float("inf")
        yield f"{cipher}/{key}" + (f"/{iv}" if iv else ""), {"cipher": cipher, "lengths": (key, iv), "rank": rank}


def _ciphers(wanted: str | list[str]) -> list[str]:
    """streams: with states of their own; counters: block ciphers in counter mode; macs."""
    if isinstance(wanted, list):
        return [name for each in wanted for name in (_ciphers(each) if each in _GROUPS else [each])]
    return _GROUPS[wanted]()


_GROUPS = {
    "streams": lambda: [
        c.name
        for c in subjects.ciphers().values()
        if c.mode in (subjects.Mode.STREAM, subjects.Mode.DIRECTIONAL) and not c.block_bytes
    ],
    "feedback": lambda: [
        c.name for c in subjects.ciphers().values() if c.mode == subjects.Mode.DIRECTIONAL and c.block_bytes
    ],
    "counters": lambda: [c.name for c in subjects.ciphers().values() if c.mode == subjects.Mode.COUNTER],
    "macs": lambda: list(subjects.macs()),
}


def _filled(keys: Keys) -> Keys:
    """Texts with the other keys in the place of their names."""
    for _ in range(2):  # what is filled in may have names in it
        keys = {name: value.format_map(keys) if isinstance(value, str) else value for name, value in keys.items()}
    return keys


def _cell(keys: Keys, about: PaperDescription, shelf: Shelf) -> Cell:
    place = Place(keys["table"], keys["row"], keys["column"], keys["bytes"])
    lengths = keys.get("lengths")
    value = parse(keys["value"])
    blank = Case(shelf, keys["target"], keys["cipher"], "", tuple(lengths) if lengths else None)
    technique = blank.of(keys["technique"]) if "technique" in keys else None
    if "only" in keys:
        ours: Case | None = blank.of(keys["only"])
    elif "ours" in keys:
        ours = blank.of(keys["ours"])
    else:
        by = parse(keys["by"]) if "by" in keys else value
        more = keys.get("best", "least") == "most"
        ours = blank.best(by, more=more, constant_time=keys.get("constant_time", False))
    unit = keys.get("unit") or about.table(place.table).unit_of(place)
    return Cell(place, unit, value, technique, ours, keys.get("kind"))


def lengths(tree: Path, paper: Paper) -> dict[str, list[tuple[int, int]]]:
    """Returns the lengths of key and IV, in bits, with which the paper measures its ciphers, by our names."""
    found: dict[str, list[tuple[int, int]]] = {}
    for rule in describe(tree, paper.name).rules:
        if rule.get("rows") == "paper":
            for keys in _expanded(rule | {"columns": {None: {}}}, paper, Shelf([])):
                key, iv = keys["lengths"]
                known = found.setdefault(keys["cipher"], [])
                if (key, iv) not in known:
                    known.append((key, iv))
    return found
