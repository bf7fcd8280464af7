# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Text in columns, and numbers that people can compare."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal

_DIGITS = 4


def columns(rows: Sequence[Sequence[str]], *, right: Collection[int] = (), indent: str = "") -> str:
    """Return the rows, each ended by a newline, their cells two spaces apart; right: the columns aligned at their end.

    Numbers of an aligned column stand with their decimal points below each other.
    """
    cells = [list(row) for row in rows]
    for number in right:
        fractions = [len(row[number]) - _point(row[number]) for row in cells]
        room = max((f for row, f in zip(cells, fractions) if _is_number(row[number])), default=0)
        for row, fraction in zip(cells, fractions):
            if _is_number(row[number]):
                row[number] += " " * (room - fraction)
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "".join(
        indent
        + "  ".join(
            cell.rjust(width) if number in right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        + "\n"
        for row in cells
    )


def number(value: float, digits: int = _DIGITS) -> str:
    """Return so many significant digits, never an exponent: 0.00002873, -0.08248, 1,610. A whole number has all its
    digits."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{Decimal(f'{value:.{digits}g}'):,f}"


def exactly(value: float) -> str:
    """Return all digits that the value has, without an exponent."""
    return f"{Decimal(repr(value)):,f}"


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"-?[0-9][0-9,]*(\.[0-9]+)?", cell) is not None


def _point(cell: str) -> int:
    return cell.index(".") if "." in cell else len(cell)
