# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Figures derived from results: each maker gives a function that says what a case's rows make of it, or None where
something was not measured. Papers name them in expressions, which parse() reads: "(figure('key') + figure('iv')) / 128"."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from runnel_lab.results import Row


class Shelf:
    """All results, by target, cipher, kernel and, where a cipher has several, lengths."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows
        self._by_cipher: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            self._by_cipher.setdefault((row["target"], row["cipher"]), []).append(row)

    def of(self, target: str, cipher: str, lengths: tuple[int, int] | None = None) -> list[Row]:
        """All rows of a cipher on a target, of these lengths of key and IV or of all."""
        return [
            row
            for row in self._by_cipher.get((target, cipher), [])
            if lengths is None or lengths == (row["key_bits"], row["iv_bits"])
        ]

    def find(self, target: str, cipher: str, kernel: str, lengths: tuple[int, int] | None = None) -> Row | None:
        return next((row for row in self.of(target, cipher, lengths) if row["kernel"] == kernel), None)


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

    def best(self, by: Value, *, more: bool = False, constant_time: bool = False) -> Case | None:
        """Our kernel that is best by this value, the least or the most; None: there is none that has one."""
        found = []
        for row in self.shelf.of(self.target, self.cipher, self.lengths):
            if row.get("peer") or (constant_time and not row.get("constant_time", True)):
                continue
            case = self.of(row["kernel"])
            if (value := by(case)) is not None:
                found.append((-value if more else value, row["kernel"], case))
        return min(found, key=lambda each: each[:2])[2] if found else None


Value = Callable[[Case], "float | None"]


def figure(label: str, what: str = "cycles", *, passed: str = "figures") -> Value:
    """Return what a whole call took."""

    def value(case: Case) -> float | None:
        found = (case.row or {}).get(passed, {}).get(label, {}).get(what)
        return None if found is None else float(found)

    return value


def first(label: str, what: str = "cycles") -> Value:
    """Return what a whole call took in the first pass, right after key set-up: a simulator without caches counts it as
    exactly as a later one."""
    return figure(label, what, passed="cold")


def each(label: str, what: str = "cycles", *, bytes: int = 16) -> Value:
    """What a call took for each block of so many bytes."""

    def value(case: Case) -> float | None:
        found: dict[str, Any] = (case.row or {}).get("figures", {}).get(label, {})
        return found[what] * bytes / found["bytes"] if found.get(what) is not None and found.get("bytes") else None

    return value


def ranked(core: str, label: str = "long", *, bytes: int = 16) -> Value:
    """llvm-mca's cycles on a core for each block of so many bytes."""

    def value(case: Case) -> float | None:
        found: dict[str, Any] = (case.row or {}).get("mca") or {}
        found = found if label == found.get("label") else found.get(label, {})
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


def built(build: str, label: str) -> Value:
    """Cycles of a call by the code that this compiler makes with these flags."""

    def value(case: Case) -> float | None:
        found = (case.row or {}).get("builds", {}).get(build, {}).get(label)
        return None if found is None else float(found)

    return value


def by(kernel: str, value: Value) -> Value:
    """Another kernel's."""
    return lambda case: value(case.of(kernel))


def across(target: str, value: Value) -> Value:
    """The same cipher's on another target: by the same kernel or, if there is none of that name, by the best one."""

    def of(case: Case) -> float | None:
        there = replace(case, target=target)
        if (same := value(there)) is not None:
            return same
        best = there.best(value)
        return None if best is None else value(best)

    return of


def with_(cipher: str, value: Value) -> Value:
    """Another cipher's on the same target, by the kernel that is best at it."""

    def of(case: Case) -> float | None:
        best = replace(case, cipher=cipher, lengths=None).best(value)
        return None if best is None else value(best)

    return of


def quotient(above: Value, below: Value) -> Value:
    def value(case: Case) -> float | None:
        a, b = above(case), below(case)
        return None if a is None or not b else a / b

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
    """rom or rom_program, or context, static, stack or program of the RAM."""

    def value(case: Case) -> float | None:
        row = case.row or {}
        found = row.get(name) if name.startswith("rom") else row.get("ram", {}).get(name)
        return None if found is None else float(found)

    return value


_MAKERS: dict[str, Callable[..., Value]] = {
    "figure": figure,
    "first": first,
    "each": each,
    "ranked": ranked,
    "time": time,
    "throughput": throughput,
    "built": built,
    "by": by,
    "across": across,
    "with_": with_,
    "reduction": reduction,
    "gain": gain,
    "difference": difference,
    "break_even": break_even,
    "count": count,
    "memory": memory,
}
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def parse(text: str) -> Value:
    """Returns the value that an expression says: calls of the makers above, with strings and numbers, and + - * /. Raises
    ValueError."""
    try:
        return _value(_read(ast.parse(text, mode="eval").body))
    except (SyntaxError, TypeError, KeyError) as error:
        raise ValueError(f"{text}: {error}") from None


def _read(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float)):
        return node.value
    if isinstance(node, ast.BinOp):
        return _joined(_OPERATORS[type(node.op)], _value(_read(node.left)), _value(_read(node.right)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        named = {str(word.arg): _read(word.value) for word in node.keywords}
        return _MAKERS[node.func.id](*map(_read, node.args), **named)
    raise TypeError(f"what is {ast.unparse(node)}?")


def _value(read: Any) -> Value:
    if callable(read):
        return cast(Value, read)
    number = float(read)
    return lambda case: number


def _joined(operation: Callable[[float, float], float], left: Value, right: Value) -> Value:
    def value(case: Case) -> float | None:
        a, b = left(case), right(case)
        if a is None or b is None or (operation is operator.truediv and b == 0):
            return None
        return operation(a, b)

    return value
