# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages on top of this one, as modules of it: runnel.store, runnel.fsspec, runnel.gpu."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def brought_by(extra: str, package: str) -> Iterator[None]:
    """Name the extra that brings the package where an import in the body does not find it. Raises ModuleNotFoundError."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        missing = f"the package {package.replace('_', '-')} is not installed: pip install 'runnel[{extra}]'"
        raise ModuleNotFoundError(missing, name=package) from None
