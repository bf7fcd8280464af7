# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bytes of whatever has the buffer protocol."""

from __future__ import annotations

from runnel._typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


def flat(buffer: Buffer) -> memoryview:
    """Return the bytes of any C-contiguous buffer, one after another. Raises TypeError: no buffer, or one with gaps."""
    view = memoryview(buffer)
    # memoryview has no cast for a shape with a zero in it, which has no bytes.
    return view.cast("B") if view.nbytes else memoryview(b"")
