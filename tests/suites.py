# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The folders of tests, as pyproject.toml lists them: tests/ of the library and the package, and each product's beside it."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = tuple(
    ROOT / name
    for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]["testpaths"]
)


def files() -> dict[str, Path]:
    """Return every file of tests by its name: no two have the same."""
    found = [path for folder in FOLDERS for path in sorted(folder.glob("test_*.py"))]
    assert len({path.name for path in found}) == len(found)
    return {path.name: path for path in found}
