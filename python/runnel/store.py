# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The package runnel_store, which the extra `runnel[store]` brings, and its modules as attributes."""

from typing import Any

from ._products import brought_by
from .imports import imported

with brought_by("store", "runnel_store"):
    import runnel_store

__doc__ = runnel_store.__doc__


def __getattr__(name: str) -> Any:
    try:
        return imported(f"runnel_store.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"runnel_store.{name}":
            raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
