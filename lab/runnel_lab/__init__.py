# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lab: builds every kernel for every target, runs it, compares its bytes with the host's, and only then records
what it costs. It works on the source tree, not on the installed package."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import runnel


class LabError(runnel.Error):
    """What went wrong, in one line: a tree that is not there, a build that failed, bytes that differ."""


class UnknownNameError(LabError):
    """No target, cipher, kernel or paper has this name."""

    exit_status = 2  # the command line is wrong


class Skipped(LabError):
    """A tool is missing, or the processor cannot run the kernel, so that there is no figure."""


class DoesNotFit(LabError):
    """The program is larger than the target's memory."""


@contextmanager
def understanding(file: Path) -> Iterator[None]:
    """Turns what a malformed description leads to in the body into a LabError of one line that names the file: in TOML and
    JSON there may be anything where something else is expected."""
    try:
        yield
    except LabError:
        raise
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        said = "".join(c if c.isprintable() else "?" for c in " ".join(str(error).split()))
        raise LabError(f"{file}: {said or type(error).__name__}") from None


@lru_cache
def source_tool(tree: Path, name: str) -> ModuleType:
    """Returns tools/<name>.py of the source tree."""
    spec = importlib.util.spec_from_file_location(name, tree / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(tree / "tools"))  # tools import each other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def source_tree() -> Path:
    """Returns the root of the source tree: RUNNEL_SOURCE, or the nearest folder upwards that holds lab/bench.c."""
    named = os.environ.get("RUNNEL_SOURCE")
    here = Path.cwd().resolve()
    for folder in [Path(named).resolve()] if named else [here, *here.parents]:
        if (folder / "lab" / "bench.c").is_file() and (folder / "src" / "core" / "driver.c").is_file():
            return folder
    if named:
        raise LabError(f"RUNNEL_SOURCE names {named}, which is not Runnel's source tree")
    raise LabError("the lab needs Runnel's source tree: run it inside a checkout, or name one in RUNNEL_SOURCE")
