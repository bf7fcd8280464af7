# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures of one kernel's rows, as methods, and makers of the values that papers' tables are filled with: a value is a plain
function of a Case. What was not measured raises Missing, which leaves the cell empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec

from runnel_lab.results import Row

Lengths = tuple[int, int]
"""Bits of key and of IV."""


class Missing(Exception):
    """Something was not measured."""


@dataclass
class Reading:
    """A value, and what it was read of: kernels by target and cipher, and whether a clock's runs agreed on the cycles."""

    value: float | None = None
    kernels: set[tuple[str, str, str]] = field(default_factory=set)
    noisy: bool = False


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


class ResultSet:
    """All results, by target, cipher, kernel and, where a cipher has several, lengths."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._by_cipher: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            self._by_cipher.setdefault((row["target"], row["cipher"]), []).append(row)

    def of(self, target: str, cipher: str, lengths: Lengths | None = None) -> list[Row]:
        """Return all rows of a cipher on a target, of these lengths of key and IV or of all."""
        rows = self._by_cipher.get((target, cipher), [])
        return [row for row in rows if lengths is None or lengths == (row["key_bits"], row["iv_bits"])]

    def find(self, target: str, cipher: str, kernel: str, lengths: Lengths | None = None) -> Row | None:
        return next((row for row in self.of(target, cipher, lengths) if row["kernel"] == kernel), None)


@dataclass(frozen=True)
class Case:
    """One kernel of one cipher on one target."""

    result_set: ResultSet
    target: str
    cipher: str
    kernel: str
    lengths: Lengths | None = None

    @property
    def row(self) -> Row | None:
        return self.result_set.find(self.target, self.cipher, self.kernel, self.lengths)

    def by(self, kernel: str) -> Case:
        """Return the same of another kernel."""
        return replace(self, kernel=kernel)

    def best(self, by: Value, *, more: bool = False, constant_time: bool = False) -> Case | None:
        """Return our kernel that is best by this value, the least or the most; None: none has one."""
        found = []
        for row in self.result_set.of(self.target, self.cipher, self.lengths):
            if row.get("peer") or (constant_time and not row.get("constant_time", True)):
                continue
            case = self.by(row["kernel"])
            if (value := measured(by, case)) is not None:
                found.append((-value if more else value, row["kernel"], case))
        return min(found, key=lambda each: each[:2])[2] if found else None

    def get(self, *path: str) -> float:
        """Return a field of the row. Raise Missing: it has none."""
        found: Any = self.row
        within: Any = {}
        if found is not None and (reading := _reading.get()) is not None:
            reading.kernels.add((self.target, self.cipher, self.kernel))
        for name in path:
            within = found or {}
            found = within.get(name)
        if found is None:
            raise Missing
        if (reading := _reading.get()) is not None:
            reading.noisy |= path[-1] == "cycles" and bool(within.get("noisy"))
        return float(found)

    def figure(self, label: str, what: str = "cycles") -> float:
        """Return what a whole call took."""
        return self.get("figures", label, what)

    def first(self, label: str, what: str = "cycles") -> float:
        """Return what a call took in the first pass, right after key set-up: a simulator without caches counts it as exactly
        as a later one."""
        return self.get("cold", label, what)

    def each(self, label: str, what: str = "cycles", bytes: int = 16) -> float:
        """Return what a call took for each block of so many bytes."""
        return self.figure(label, what) * bytes / self.get("figures", label, "bytes")

    def packet(self) -> float:
        """Return the cycles of key, IV and 128 bytes."""
        return self.figure("key") + self.figure("iv") + self.figure("packet")

    def ranked(self, core: str, label: str = "long", bytes: int = 16) -> float:
        """Return llvm-mca's cycles on a core for each block of so many bytes."""
        path = ("mca",) if ((self.row or {}).get("mca") or {}).get("label") == label else ("mca", label)
        return self.get(*path, "cycles", core) * bytes / self.get(*path, "bytes")

    def time(self, cycles: float, unit: float) -> float:
        """Return cycles as time, by the clock that measured or that of the machine the target stands for; unit in seconds."""
        row = self.row or {}
        hz = row.get("hz") or row.get("clock_hz")
        if not hz:
            raise Missing
        return cycles / float(hz) / unit

    def count(self, name: str) -> float:
        """Return what was counted on code or trace."""
        return self.get("counts", name)

    def memory(self, name: str) -> float:
        """Return rom or rom_program, or context, static, stack or program of the RAM."""
        return self.get(name) if name.startswith("rom") else self.get("ram", name)

    def across(self, target: str, value: Value) -> float:
        """Return the same cipher's on another target: by the kernel of this name or, if there is none, by the best one."""
        there = replace(self, target=target)
        same = measured(value, there)
        return _known(there.best(value), value) if same is None else same

    def beside(self, cipher: str, value: Value) -> float:
        """Return another cipher's on the same target, by the kernel that is best at it."""
        return _known(replace(self, cipher=cipher, lengths=None).best(value), value)


Value = Callable[[Case], float]


def measured(value: Value, case: Case) -> float | None:
    """Return the value, None where something of it was not measured."""
    try:
        return value(case)
    except (Missing, ZeroDivisionError):
        return None


def read(value: Value, case: Case) -> Reading:
    """Return the value, in the digits that mean something, with what it is made of."""
    before = _reading.set(reading := Reading())
    try:
        if (found := measured(value, case)) is not None:
            short = float(f"{found:.6g}")
            reading.value = int(short) if short.is_integer() else short
        return reading
    finally:
        _reading.reset(before)


def _known(case: Case | None, value: Value) -> float:
    if case is None:
        raise Missing
    return value(case)


P = ParamSpec("P")


def _maker(method: Callable[Concatenate[Case, P], float]) -> Callable[P, Value]:
    """Return what takes a method's words and makes the value that it has for a case."""
    return lambda *words, **named: lambda case: method(case, *words, **named)


figure, each, ranked = _maker(Case.figure), _maker(Case.each), _maker(Case.ranked)
count, memory = _maker(Case.count), _maker(Case.memory)


def built(build: str, label: str) -> Value:
    """Cycles of a call by the code that this compiler makes with these flags."""
    return lambda case: case.get("builds", build, label)


def time(cycles: Value, unit: float) -> Value:
    return lambda case: case.time(cycles(case), unit)


def throughput(label: str, unit: float = 1e6) -> Value:
    """Return bytes per second, in units of so many bytes."""
    return lambda case: 1 / case.time(case.each(label, bytes=1), 1 / unit)


def reduction(of: Value, against: str) -> Value:
    """Return by how many percent it is less than the other kernel's."""
    return lambda case: 100 * (1 - of(case) / of(case.by(against)))


def speed_gain(cost: Value, against: str) -> Value:
    """Return by how many percent it is faster than the other kernel, where value is a cost."""
    return lambda case: 100 * (cost(case.by(against)) / cost(case) - 1)


def difference(of: Value, against: str) -> Value:
    """Return by how much it is more than the other kernel's."""
    return lambda case: of(case) - of(case.by(against))


def break_even(cost: Value, per_unit: Value, against: str) -> Value:
    """Return the bytes or blocks after which the extra cost has been saved."""

    def value(case: Case) -> float:
        extra, saved = difference(cost, against)(case), -difference(per_unit, against)(case)
        if saved <= 0:
            raise Missing
        return extra / saved

    return value
