# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Kernels to be proved: all of these ciphers on all targets, except reproductions of papers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from runnel_lab.source import inventory

from . import forms_tested
from .building import CIPHERS, ROOT, TARGETS, Subject, subjects


@lru_cache
def _papers(folder: str) -> frozenset[str]:
    return frozenset(kernel.name for kernel in inventory(ROOT).of(f"ciphers/{folder}") if kernel.paper)


def is_ours(subject: Subject) -> bool:
    """Tell whether a kernel is one that users run, and not the reproduction of a paper."""
    return subject.kernel not in _papers(subject.folder)


def with_all(results: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Return the results of all kernels in scope: proved is what was proved of the code that
    the build makes, with forms that were all compared."""
    known = {(each["cipher"], each["kernel"], each["target"]): each for each in results}
    scopes = []
    for subject in filter(is_ours, subjects(list(CIPHERS), list(TARGETS))):
        each = known.pop((subject.folder, subject.kernel, subject.target), None)
        scopes.append(each or _without(subject))
        if each and each["proved"] and "stale" in each:
            scopes[-1] = each = each | {"proved": False, "refusals": [f"stale: {each['stale']}"]}
        if each and (missing := forms_tested.untested(each, folder)):
            why = f"{len(missing)} forms were not compared with a processor: {', '.join(missing[:4])}"
            scopes[-1] = each | {"proved": False, "refusals": [*each["refusals"], why]}
    unknown = [f"{cipher}/{kernel} on {target}" for cipher, kernel, target in known]
    if unknown:
        raise ValueError(f"results of kernels that there are not: {', '.join(unknown)}")
    return scopes


def _without(subject: Subject) -> dict[str, Any]:
    return {"cipher": subject.folder, "kernel": subject.kernel, "target": subject.target, "proved": False,
            "refusals": ["no proof was run"], "claims": []}  # fmt: skip


def counted(results: Sequence[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Return for each target how many of its kernels are proved, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for each in results:
        proved, total = found.get(each["target"], (0, 0))
        found[each["target"]] = proved + each["proved"], total + 1
    return found
