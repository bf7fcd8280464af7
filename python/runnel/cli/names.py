# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names as people type them: of any case, and with a suggestion where there is none of that name."""

from __future__ import annotations

from collections.abc import Iterable

_SUGGESTIONS_MAX = 3


def find(name: str, known: Iterable[str]) -> str | None:
    """Returns the known name that differs from name at most in case; None: there is none."""
    return next((each for each in known if each.lower() == name.lower()), None)


def suggestion(name: str, known: Iterable[str], otherwise: str) -> str:
    """Returns "did you mean salsa20 or salsa20-8?", or otherwise where nothing resembles the name."""
    from difflib import get_close_matches  # only after a mistake

    by_lower = {each.lower(): each for each in known}
    close = get_close_matches(name.lower(), by_lower, _SUGGESTIONS_MAX)
    if not close:
        return otherwise
    *first, last = (by_lower[each] for each in close)
    return f"did you mean {', '.join(first)} or {last}?" if first else f"did you mean {last}?"
