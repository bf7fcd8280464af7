# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The source tree that the lab works on: where it is, and whether its code may be run.

The lab imports and compiles what lies in the tree. A tree that is found by walking up from the current folder may have
been put there by somebody else, in /tmp for instance. It is used only if the user or root owns it and its folders of code,
and not everybody may write there. Groups are trusted: with a umask of 002 a user's own group may write everywhere.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import stat
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from runnel_lab import LabError

_MARKS = (Path("lab") / "bench.c", Path("src") / "core" / "driver.c")
"""The files by which a source tree is recognised."""
_CODE = (Path(), *map(Path, ("lab", "src", "include", "tools")))
"""The folders of a tree that code is taken from, the tree itself first."""


def source_tree() -> Path:
    """Return the root of the source tree: RUNNEL_SOURCE, or the nearest folder upwards with _MARKS.

    Raises LabError: there is none, or another user owns the one that was found, or everybody may write to it. A tree that
    RUNNEL_SOURCE names is used whoever owns it."""
    if named := os.environ.get("RUNNEL_SOURCE"):
        tree = Path(named).resolve()
        if not _is_tree(tree):
            raise LabError(f"RUNNEL_SOURCE names {named}, which is not Runnel's source tree")
        return tree
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        if _is_tree(folder):
            _check_owner(folder)
            return folder
    raise LabError("the lab needs Runnel's source tree: run it inside a checkout, or name one in RUNNEL_SOURCE")


def _is_tree(folder: Path) -> bool:
    return all(os.path.isfile(folder / mark) for mark in _MARKS)


def _check_owner(tree: Path) -> None:
    """Raise LabError where another user owns the tree or a part of it, or anybody may write there.

    The tree's own folder is not enough: in /tmp, which is root's, everybody may create tools/."""
    for part in (*_CODE, *_MARKS):
        try:
            found = (tree / part).stat()
        except FileNotFoundError:  # what is missing is reported where it is needed
            continue
        if found.st_uid not in (0, os.geteuid()):
            trusted = " or ".join(dict.fromkeys((_user(os.geteuid()), _user(0))))
            why = f"belongs to {_user(found.st_uid)}, not to {trusted}"
        elif found.st_mode & stat.S_IWOTH:
            why = "is writable for everybody"
        else:
            continue
        raise LabError(
            f"{tree / part} {why}, and the lab runs the code of its source tree: set RUNNEL_SOURCE={tree} if you trust it"
        )


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


@lru_cache
def inventory(tree: Path) -> Any:
    """Return the inventory that the build of the tree has written, see tools/inventory.py: read once a process."""
    try:
        return source_tool(tree, "inventory").load(tree)
    except ValueError as error:
        raise LabError(str(error)) from None


@lru_cache
def source_tool(tree: Path, name: str) -> ModuleType:
    """Return tools/<name>.py of the source tree."""
    spec = importlib.util.spec_from_file_location(name, tree / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(tree / "tools"))  # tools import each other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module
