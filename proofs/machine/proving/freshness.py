# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compare results with the code that the build makes now; nothing is proved. A result is fresh while the build still
makes the code that was proved."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runnel_lab import LabError

from . import code
from .building import ROOT, Subject, build_all
from .proof import subject_of
from .refusal import Refusal

LIBRARY = ROOT / "build" / "librunnel.a"
NO_HASH = "its result does not say of which code it is"
OTHER_CODE = "the build makes other code"
OTHER_COMPILER = "another compiler makes other code here"


def stale(results: Sequence[dict[str, Any]], library: Path = LIBRARY) -> dict[Subject, str]:
    """Return those results that are not of the code that the build makes, each with the reason."""
    found: dict[Subject, str] = {}
    kept = {subject_of(each): each for each in results}
    with tempfile.TemporaryDirectory() as scratch:
        for subject, outcome in build_all(list(kept), Path(scratch), library).items():
            result = kept[subject]
            try:
                program = outcome.program
                same = code.hash_of(program) == result.get("code")
                by_same = code.compiler_of(program) == result.get("compiler")
            except (LabError, Refusal) as error:
                found[subject] = f"it cannot be built here: {error}"
                continue
            if "code" not in result:
                found[subject] = NO_HASH
            elif not same:
                found[subject] = OTHER_CODE if by_same else OTHER_COMPILER
    return found


def mark(results: Sequence[dict[str, Any]], library: Path = LIBRARY) -> list[dict[str, Any]]:
    """Write into results why they are stale, and remove the reason from those that are fresh again; return those that
    changed. What another compiler makes, or what cannot be built here, says nothing: these stay as they are."""
    found = stale(results, library)
    changed = []
    for each in results:
        why = found.get(subject_of(each))
        if why in (None, NO_HASH, OTHER_CODE) and each.get("stale") != why:
            note(each, why)
            changed.append(each)
    return changed


def note(result: dict[str, Any], why: str | None) -> None:
    """Write into a result why it is stale; None: it is not."""
    result.pop("stale", None)
    if why is not None:
        result["stale"] = why


def sample(results: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return so many results, other ones whenever kernels are proved anew."""

    def rank(result: dict[str, Any]) -> str:
        return hashlib.sha256(f"{subject_of(result)} {result.get('code')}".encode()).hexdigest()

    return sorted(results, key=rank)[:most]
