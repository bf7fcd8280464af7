# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A base for objects that hold a key in clear text, which must not get into a pickle."""

from __future__ import annotations

from typing import ClassVar, NoReturn, TypeVar

Own = TypeVar("Own", bound="HoldsKey")


class HoldsKey:
    """A base of immutable classes with a key among their attributes.

    Libraries for tasks on many machines pickle what they are given, and write it to sockets, disks and logs. These objects
    refuse that. A copy in the same process is the object itself."""

    __slots__ = ()
    _alternative: ClassVar[str] = ""
    """Ends the error message: the alternative to pickling."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"a runnel.{type(self).__name__} cannot be pickled: its key would be in clear text{self._alternative}"
        )

    def __copy__(self: Own) -> Own:
        return self

    def __deepcopy__(self: Own, memo: object) -> Own:
        return self
