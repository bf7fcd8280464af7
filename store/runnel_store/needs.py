# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Libraries that only the store needs, imported when they are first used."""

from __future__ import annotations

from typing import Any

from runnel.errors import Error
from runnel.imports import imported


def need(module: str, extra: str) -> Any:
    """Return the module, or raise an Error that names the extra that brings it."""
    try:
        return imported(module)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == module.partition(".")[0]:
            raise Error(f"{module.partition('.')[0]} is not installed: pip install 'runnel[{extra}]'") from None
        raise
