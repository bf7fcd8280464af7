# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fuzz targets in Python: TARGETS has a function for each, which takes an input and raises AssertionError, or what a
caller would see as a traceback, where something is wrong.

tests/fuzz/python_targets.py TARGET [FOLDER …] [option of libFuzzer …] runs one under atheris, which counts the branches that
an input reaches in our packages."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

TARGETS = ("keysets", "sealed", "age", "journals", "tables", "segments", "commands")


def target(name: str) -> Callable[[bytes], None]:
    """Return the function of module fuzz_NAME."""
    run: Callable[[bytes], None] = importlib.import_module(f"fuzz.fuzz_{name}").one
    return run


def main() -> None:
    import atheris

    name = sys.argv.pop(1)
    with atheris.instrument_imports(
        include=["runnel", "runnel_store", "runnel_lab", "fuzz"], enable_loader_override=False
    ):
        run = target(name)
    atheris.Setup(sys.argv, run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
