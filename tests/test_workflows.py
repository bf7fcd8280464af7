# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Continuous integration runs only what was reviewed: actions by commit, images by digest, and no more rights than
are needed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
COMMIT = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
DIGEST = re.compile(r"\S+@sha256:[0-9a-f]{64}")


def tracked(pattern: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.splitlines() if re.search(pattern, name)]


WORKFLOWS = tracked(r"(^|/)\.(github|gitea|forgejo)/.*\.ya?ml$|(^|/)action\.ya?ml$")


def steps(node: Any) -> Iterator[dict[str, Any]]:
    """Everything in a workflow that has names, jobs and steps among them."""
    if isinstance(node, dict):
        yield node
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from steps(each)


def complaints(text: str) -> list[str]:
    workflow = yaml.safe_load(text)
    found = []
    for step in steps(workflow):
        used = step.get("uses")
        if isinstance(used, str):
            pinned = DIGEST if used.startswith("docker://") else COMMIT
            if not used.startswith("./") and not pinned.fullmatch(used):
                found.append(f"{used} is not one commit")
            elif not used.startswith("./") and not re.search(rf"{re.escape(used)} +# \S", text):
                found.append(f"no comment says which version {used} is")
            if (
                used.startswith("actions/checkout@")
                and (step.get("with") or {}).get("persist-credentials") is not False
            ):
                found.append("a checkout leaves its token to what runs after it")
        container = step.get("container")
        images = [container.get("image") if isinstance(container, dict) else container]
        images += [each.get("image") for each in (step.get("services") or {}).values()] if "services" in step else []
        found += [f"{image} is not one image" for image in images if image and not DIGEST.fullmatch(image)]
        if "write" in str(step.get("permissions", "")):
            found.append("something may write")
    if "jobs" in workflow and "permissions" not in workflow:
        found.append("it has all permissions that the repository's settings allow")
    return found


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_workflow_runs_what_was_looked_at(file):
    assert complaints(file.read_text()) == []


def test_there_is_a_workflow():
    assert WORKFLOWS


def test_images_that_are_built_begin_with_one_that_was_looked_at():
    for file in tracked(r"(^|/)(Dockerfile|Containerfile)[^/]*$"):
        stages = {"scratch"}
        for image, stage in re.findall(r"^FROM +(?:--\S+ +)*(\S+)(?: +AS +(\S+))?", file.read_text(), re.M | re.I):
            assert image in stages or DIGEST.fullmatch(image), f"{file}: {image} is not one image"
            stages.add(stage)


GOOD = f"""
permissions:
  contents: read
jobs:
  one:
    container: debian@sha256:{"a" * 64}
    services:
      store:
        image: store@sha256:{"b" * 64}
    steps:
      - uses: actions/checkout@{"c" * 40} # v1.2.3
        with:
          persist-credentials: false
      - uses: ./here
      - uses: docker://tool@sha256:{"d" * 64} # 7
"""


@pytest.mark.parametrize(
    "before, after",
    [
        ("", ""),
        (f"checkout@{'c' * 40}", "checkout@v4"),
        (f"checkout@{'c' * 40}", "checkout@main"),
        (f"checkout@{'c' * 40}", f"checkout@{'c' * 12}"),
        (" # v1.2.3", ""),
        ("          persist-credentials: false\n", "          fetch-depth: 1\n"),
        ("persist-credentials: false", "persist-credentials: true"),
        (f"debian@sha256:{'a' * 64}", "debian:12"),
        (f"debian@sha256:{'a' * 64}", "{image: debian:12}"),
        (f"store@sha256:{'b' * 64}", "store:latest"),
        (f"tool@sha256:{'d' * 64}", "tool:7"),
        ("permissions:\n  contents: read\n", ""),
        ("contents: read", "contents: write"),
        ("permissions:\n  contents: read", "permissions: write-all"),
    ],
)
def test_what_was_not_looked_at_is_found(before, after):
    assert before in GOOD
    assert len(complaints(GOOD.replace(before, after, 1))) == (before != after)
