# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures derived from results: each maker gives a function that says what a case's rows make of it, or None where
something was not measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .results import Row


class Shelf:
    """All results, by target, cipher, kernel and, where a cipher has several, lengths."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self._of_kernel: dict[tuple[str, str, str], list[Row]] = {}
        for row in rows:
            self._of_kernel.setdefault((row["target"], row["cipher"], row["kernel"]), []).append(row)

    def find(self, target: str, cipher: str, kernel: str, lengths: tuple[int, int] | None = None) -> Row | None:
        for row in self._of_kernel.get((target, cipher, kernel), []):
            if lengths is None or lengths == (row["key_bits"], row["iv_bits"]):
                return row
        return None


@dataclass(frozen=True)
class Case:
    """One kernel of one cipher on one target."""

    shelf: Shelf
    target: str
    cipher: str
    kernel: str
    lengths: tuple[int, int] | None = None

    @property
    def row(self) -> Row | None:
        return self.shelf.find(self.target, self.cipher, self.kernel, self.lengths)

    def of(self, kernel: str | None) -> Case:
        """The same of another kernel."""
        return self if kernel is None else replace(self, kernel=kernel)


Value = Callable[[Case], "float | None"]


def figure(label: str, what: str = "cycles") -> Value:
    """What a whole call took."""

    def value(case: Case) -> float | None:
        found = (case.row or {}).get("figures", {}).get(label, {}).get(what)
        return None if found is None else float(found)

    return value


def each(label: str, what: str = "cycles", *, bytes: int = 16) -> Value:
    """What a call took for each block of so many bytes."""

    def value(case: Case) -> float | None:
        found: dict[str, Any] = (case.row or {}).get("figures", {}).get(label, {})
        return found[what] * bytes / found["bytes"] if found.get(what) is not None and found.get("bytes") else None

    return value


def ranked(core: str, *, bytes: int = 16) -> Value:
    """llvm-mca's cycles on a core for each block of so many bytes."""

    def value(case: Case) -> float | None:
        found: dict[str, Any] = (case.row or {}).get("mca") or {}
        return found["cycles"][core] * bytes / found["bytes"] if core in found.get("cycles", {}) else None

    return value


def time(cycles: Value, unit: float) -> Value:
    """Cycles as time, by the clock that measured or that of the machine the target stands for; unit in seconds."""

    def value(case: Case) -> float | None:
        row = case.row or {}
        hz = row.get("hz") or row.get("clock_hz")
        found = cycles(case)
        return None if found is None or not hz else found / hz / unit

    return value


def throughput(label: str, unit: float = 1e6) -> Value:
    """Bytes in a second, in units of so many bytes."""
    return quotient(lambda case: 1.0, time(each(label, bytes=1), 1 / unit))


def scaled(value: Value, by: float) -> Value:
    def of(case: Case) -> float | None:
        found = value(case)
        return None if found is None else found * by

    return of


def across(target: str, value: Value, kernel: str | None) -> Value:
    """The same cipher's on another target, by that kernel there."""
    return lambda case: None if kernel is None else value(replace(case, target=target, kernel=kernel))


def quotient(above: Value, below: Value) -> Value:
    def value(case: Case) -> float | None:
        a, b = above(case), below(case)
        return None if a is None or not b else a / b

    return value


def total(*parts: Value) -> Value:
    def value(case: Case) -> float | None:
        known = [found for part in parts if (found := part(case)) is not None]
        return sum(known) if len(known) == len(parts) else None

    return value


def reduction(of: Value, against: str) -> Value:
    """By how many percent it is less than the other kernel's."""

    def value(case: Case) -> float | None:
        ours, theirs = of(case), of(case.of(against))
        return None if ours is None or not theirs else 100 * (1 - ours / theirs)

    return value


def gain(of: Value, against: str) -> Value:
    """By how many percent it is more than the other kernel's."""

    def value(case: Case) -> float | None:
        ours, theirs = of(case), of(case.of(against))
        return None if ours is None or not theirs else 100 * (ours / theirs - 1)

    return value


def difference(of: Value, against: str) -> Value:
    """By how much it is more than the other kernel's."""

    def value(case: Case) -> float | None:
        ours, theirs = of(case), of(case.of(against))
        return None if ours is None or theirs is None else ours - theirs

    return value


def break_even(cost: Value, per_byte: Value, against: str) -> Value:
    """The bytes after which the extra cost has been saved."""

    def value(case: Case) -> float | None:
        extra, saved = difference(cost, against)(case), difference(per_byte, against)(case)
        return None if extra is None or saved is None or saved >= 0 else extra / -saved

    return value


def count(name: str) -> Value:
    """What was counted on code or trace."""

    def value(case: Case) -> float | None:
        found = (case.row or {}).get("counts", {}).get(name)
        return None if found is None else float(found)

    return value


def memory(name: str) -> Value:
    """rom or rom_program, or static, stack or program of the RAM."""

    def value(case: Case) -> float | None:
        row = case.row or {}
        found = row.get(name) if name.startswith("rom") else row.get("ram", {}).get(name)
        return None if found is None else float(found)

    return value
