# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Requirements on data that is encrypted in place."""

from __future__ import annotations

import math
from typing import Any, NamedTuple


class View(NamedTuple):
    """Describe an object's memory."""

    address: int
    on_device: bool
    device: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    """In elements; None if there are no gaps."""
    item_bytes: int
    kind: str
    """As numpy's: 'u', 'i', 'f', 'c', 'V' and so on."""
    readonly: bool


HOST = 1
"""DLPack's number of the host's own memory."""

NOT_HERE = "the data are in the host's memory, not a GPU's: runnel.xor() is for those"


def look(data: Any) -> None:
    """Raise TypeError for what says nothing of a device's memory, ValueError for what is in the host's."""
    if hasattr(data, "__dlpack_device__"):
        if data.__dlpack_device__()[0] == HOST:
            raise ValueError(NOT_HERE)
    elif not hasattr(data, "__cuda_array_interface__"):
        raise TypeError(
            f"{type(data).__name__} has neither __dlpack__ nor __cuda_array_interface__: not an array in a GPU's memory"
        )


def check(view: View, device: int) -> tuple[int, int]:
    """Return address and length in bytes. Raises ValueError or TypeError, in one line."""
    if not view.on_device:
        raise ValueError(NOT_HERE)
    if view.device != device:
        raise ValueError(f"the data are on device {view.device}, the stream on device {device}")
    if view.readonly:
        raise ValueError("the data are read-only, and are to be encrypted in place")
    if view.kind not in "uifcV":
        raise TypeError(f"elements of kind {view.kind!r} cannot hold ciphertext: give a view of them as uint8")
    count = math.prod(view.shape)
    if view.strides is not None and count > 0:
        expected = 1
        for extent, stride in zip(reversed(view.shape), reversed(view.strides), strict=True):
            if extent != 1 and stride != expected:
                raise ValueError("the data are not contiguous in memory (C order)")
            expected *= extent
    return view.address, count * view.item_bytes
