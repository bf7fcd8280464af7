# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A base for objects that hold a key in clear text, which must not get into a pickle."""

from __future__ import annotations

from runnel._typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn, Self


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

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class Immutable:
    """A base of classes whose objects do not change, and are equal if their fields are.

    It does what a frozen dataclass does, without the module dataclasses, whose import takes longer than encrypting a file."""

    _shown: ClassVar[tuple[str, ...]] = ()
    """The fields that repr shows. All of them count for equality."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cannot delete field {name!r}")

    def _set(self, **fields: Any) -> None:
        """Set the fields, in __init__."""
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._shown)})"
