# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Associated data that binds a sealed object to its name. docs/file-formats.md describes the encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runnel.buffers import flat

if TYPE_CHECKING:
    from typing_extensions import Buffer

_LABEL = b"runnel name v1\0"
_LENGTH_BYTES = 8


def bound(aad: Buffer, name: str) -> bytes:
    """Return the associated data of an object that is sealed with aad and bound to name. No other pair has the same.

    name: relative to the prefix, with / between its parts; bytes that are not UTF-8 as surrogate escapes, as the names
    of local files have them. Raises ValueError: an empty name, or one that has no bytes.
    """
    if not name:
        raise ValueError("cannot bind to an empty name")
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{name!r}: cannot bind to a name that is not Unicode") from None
    return _LABEL + len(data).to_bytes(_LENGTH_BYTES, "big") + data + bytes(flat(aad))
