# SPDX-License-Identifier: Apache-2.0 OR MIT
"""One line of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from .published import Place
from .values import Value


@dataclass(frozen=True)
class Rule:
    """The value that a kernel's results give for a place; kind, where it is not the row's own."""

    place: Place
    unit: str
    target: str
    cipher: str
    kernel: str
    value: Value
    kind: str | None = None
    lengths: tuple[int, int] | None = None
