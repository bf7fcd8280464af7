# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The state of the source tree in git: which commit is measured, and whether a recorded one is known."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from runnel_lab import LabError

_APART = (
    *(":!lab/results", ":!lab/papers", ":!lab/README.md", ":!lab/tests"),
    *(":!lab/runnel_lab/tables", ":!lab/runnel_lab/export", ":!lab/runnel_lab/choose"),
)
"""Of lab/ what is not measured and does not measure."""


@lru_cache
def commit(tree: Path) -> str | None:
    """Return the commit that is checked out, -dirty if what is measured differs from it; None: it is no checkout."""
    head = _git(tree, "rev-parse", "--short=12", "HEAD")
    return head and head + ("-dirty" if changes(tree) else "")


def changes(tree: Path) -> list[str]:
    """Return the files that are measured, or that measure, and differ from what is committed."""
    status = _git(tree, "status", "--porcelain", "--", "include", "src", "lab", *_APART)
    return [line[3:] for line in (status or "").splitlines()]


def require_clean(tree: Path) -> None:
    """Raise LabError if rows would name a commit that does not have what was measured."""
    if changed := changes(tree):
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise LabError(
            f"{changed[0]}{more} differs from the commit: a row names the commit that it measured; commit first"
        )


def is_whole(tree: Path) -> bool:
    """Tell whether it is a checkout with its whole history."""
    return _git(tree, "rev-parse", "--is-shallow-repository") == "false"


def unknown(tree: Path, commits: set[str | None]) -> dict[str | None, str]:
    """Return those that no history leads to, with why. In a shallow clone what is not there may be further back."""
    if not is_whole(tree):
        return {each: "dirty" for each in commits if each is None or each.endswith("-dirty")}
    found: dict[str | None, str] = {}
    for each in commits:
        if each is None or each.endswith("-dirty"):
            found[each] = "dirty" if each else "no commit"
        elif _git(tree, "merge-base", "--is-ancestor", each, "HEAD") is None:
            found[each] = "not in the history"
    return found


def _git(tree: Path, *words: str) -> str | None:
    """Return what git says; None if it fails."""
    try:
        done = subprocess.run(["git", "-C", str(tree), *words], text=True, capture_output=True)
    except OSError:
        return None
    return done.stdout.rstrip("\n") if done.returncode == 0 else None
