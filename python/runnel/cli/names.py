# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names as people type them: of any case, and with a suggestion where there is none of that name."""

from __future__ import annotations

from collections.abc import Iterable

from runnel._names import closest


def find(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that differs from name at most in case; None: there is none."""
    return next((each for each in known if each.lower() == name.lower()), None)


def suggestion(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return "did you mean salsa20?", or otherwise where nothing resembles the name."""
    meant = closest(name, known)
    return otherwise if meant is None else f"did you mean {meant}?"
