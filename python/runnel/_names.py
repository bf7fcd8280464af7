# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Error messages for unknown names."""

import re
from collections.abc import Iterable

from .imports import imported


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant, or None."""
    plain = {_plain(each): each for each in known}
    meant = _plain(name)
    if meant in plain:
        return plain[meant]
    # Not loaded when all names are right: that takes longer than encrypting many a message.
    near = imported("difflib").get_close_matches(meant, plain, 1, 0.7)
    if near:
        return plain[near[0]]
    begun = [each for each in plain.values() if meant and _plain(each).startswith(meant)]
    return begun[0] if len(begun) == 1 else None


def unknown(what: str, name: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """Return "no WHAT 'name'", with the name that was probably meant; if there is none, with `otherwise` or all names."""
    known = tuple(known)
    meant = closest(name, known)
    if meant is not None:
        return f"no {what} '{name}'; did you mean {meant}?"
    return f"no {what} '{name}'{otherwise or ', only ' + ', '.join(known)}"


def _plain(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())
