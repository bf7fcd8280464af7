#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs parts of the campaign, one after the other, and adds each run to results/reliability/PART.json.

tests/campaign/run.py [--hours N] [--seed N] [--only NAMES] [--list] [PART …]

A part is a module in parts/ with a docstring whose first line says what it does, GOALS (the goals of docs/reliability.md
that it serves) and run(work). Without names all parts run and share the hours. What a part had done when it was stopped is
recorded, and it continues where its folder in build/campaign says that it was.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
import os
import pkgutil
import platform
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent)]

from campaign import parts
from campaign.work import Work

RESULTS = ROOT / "results" / "reliability"


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(parts.__path__))


def part(name: str) -> ModuleType:
    return importlib.import_module(f"campaign.parts.{name}")


def commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", ":!results/reliability")  # where runs themselves are written
        return git("rev-parse", "--short=12", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine() -> str:
    """Return the processor's name, as /proc/cpuinfo has it, and how many there are."""
    model = platform.machine()
    words: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        words.setdefault(key.strip(), value.strip())
    if "model name" in words:
        model = f"{words['model name']}, family {words.get('cpu family')} model {words.get('model')}"
    return f"{model}, {os.cpu_count()} processors"


def record(name: str, work: Work, at: str, results: Path = RESULTS) -> None:
    """Adds a run of the code of commit `at` to the part's file."""
    path = results / f"{name}.json"
    module = part(name)
    kept = json.loads(path.read_text())["runs"] if path.exists() else []
    run = {"date": datetime.date.today().isoformat(), "commit": at, "machine": machine(), **work.record()}
    whole = {
        "does": (module.__doc__ or "").strip().splitlines()[0],
        "goals": list(module.GOALS),
        "command": f"make campaign PART={name}",
        "runs": [*kept, run],
    }
    results.mkdir(parents=True, exist_ok=True)
    path.write_text(text_of(whole))


def text_of(whole: dict[str, object]) -> str:
    """Return the text as JSON, each figure on a line of its own."""
    figure = r'\{\s+("what": .*,)\s+("count": \d+,)\s+("unit": .*,)\s+("found": \d+)\s+\}'
    return re.sub(figure, r"{\1 \2 \3 \4}", json.dumps(whole, indent=1)) + "\n"


def run(name: str, seconds: float, seed: int, build: Path, only: Sequence[str] = ()) -> Work:
    folder = build / "campaign" / name
    folder.mkdir(parents=True, exist_ok=True)
    work = Work(seconds=seconds, seed=seed, folder=folder, build=build, only=only)
    try:
        part(name).run(work)
    except KeyboardInterrupt:
        work.stopped = True
    return work


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="all parts, when none is named")
    parser.add_argument("--hours", type=float, default=1.0, help="what all of them take together (default 1)")
    parser.add_argument("--seed", type=int, help="default: one that differs from run to run")
    parser.add_argument(
        "--only", default="", help="of the parts blocks, fuzz and platforms what these expressions fit, with commas"
    )
    parser.add_argument("--list", action="store_true", help="say what parts there are")
    given = parser.parse_args()
    known = names()
    if given.list:
        for name in known:
            print(f"{name:16}{(part(name).__doc__ or '').strip().splitlines()[0]}")
        return 0
    if unknown := [name for name in given.parts if name not in known]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(known)}")
    chosen = given.parts or known
    only = given.only.split(",") if given.only else []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    build = Path(os.environ.get("RUNNEL_BUILD_DIR") or ROOT / "build").resolve()
    failed = False
    for name in chosen:
        seed = given.seed if given.seed is not None else int.from_bytes(os.urandom(4), "big")
        print(f"{name}: seed {seed}, {given.hours * 60 / len(chosen):.0f} minutes", flush=True)
        begun_at = commit()  # hours later another may be checked out
        work = run(name, given.hours * 3600 / len(chosen), seed, build, only)
        record(name, work, begun_at)
        for figure in work.figures:
            print(f"  {figure.what}: {figure.count:,} {figure.unit}, {figure.found} wrong")
        for finding in work.findings:
            print(f"  FOUND: {finding}", file=sys.stderr)
        failed |= bool(work.findings)
        if work.stopped:
            return 128 + signal.SIGINT
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
