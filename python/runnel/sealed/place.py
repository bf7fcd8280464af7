# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The location of a keyset, for other processes, each of which reads it for itself: nothing secret is sent to them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace

from runnel.errors import KeysetError
from runnel.sealed.keyset import Keyset


@dataclass(frozen=True)
class KeyPlace:
    """The location of a keyset: a file that is not locked, or a variable of the process's environment with the text
    of one."""

    path: str | None = None
    variable: str | None = None

    def load(self) -> Keyset:
        """Return the keyset. Raises KeysetError, OSError."""
        if self.variable is not None:
            return _of_environment(self.variable)
        if self.path is None:
            raise KeysetError("a KeyPlace names a file or a variable of the environment, and this one neither")
        return Keyset.load(self.path)

    def absolute(self) -> KeyPlace:
        """Return the same place for processes that work in other folders."""
        return self if self.path is None else replace(self, path=os.path.abspath(self.path))


def _of_environment(variable: str) -> Keyset:
    # A text that is not like a name may be the keyset itself, given as "$KEYSET", and is not shown.
    like_a_name = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable)
    text = os.environ.get(variable)
    if text is None:
        name = variable if like_a_name else "of the name that was given; a name is wanted, not the keyset"
        raise KeysetError(f"the environment has no variable {name}")
    try:
        return Keyset.from_json(text)
    except KeysetError as error:
        name = f"${variable}" if like_a_name else "the variable that was given"
        raise KeysetError(f"{name}: {error}") from None
