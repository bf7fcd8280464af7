# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves kernels from their machine code: README.md. What is named is proved; without names, all."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "build" / "proofs"), str(ROOT / "lab")]
os.environ.setdefault("RUNNEL_LAB_OBJECTS", str(ROOT / "build" / "lab-objects"))

from proving import building, proof  # noqa: E402


def chosen(names: list[str], targets: list[str]) -> list[building.Subject]:
    """Return the kernels that are named: aes, aes/vaes512; all without a name, except reproductions of papers."""
    folders = sorted({name.partition("/")[0] for name in names}) or list(building.CIPHERS)
    found = building.subjects(folders, targets)
    kernels = {name.partition("/")[::2] for name in names}
    return [
        each
        for each in found
        if (each.folder, each.kernel) in kernels
        or ((each.folder, "") in kernels or not names)
        and building.is_ours(each)
    ]


def main() -> int:
    """Prove, print the table, and return 1 if anything is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", nargs="*", help="aes, aes/vaes512 …")
    parser.add_argument("--target", action="append", choices=building.TARGETS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="few lengths")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "proofs")
    arguments = parser.parse_args()
    subjects = chosen(arguments.kernel, arguments.target or list(building.TARGETS))
    if not subjects:
        parser.error("no such kernel")
    extent = proof.QUICK if arguments.quick else None
    results = []
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        waiting = [pool.submit(proof.prove_or_say_why, subject, extent) for subject in subjects]
        for task in waiting:
            result = task.result()
            results.append(result)
            if not arguments.quick:
                proof.write(result, arguments.results)
            print(proof.summary([result]).splitlines()[1:][0], flush=True)
            for reason in result["refusals"][:2]:
                print(f"    {reason}", flush=True)
    print(f"{sum(each['proved'] for each in results)} of {len(results)} kernels proved")
    return int(not all(each["proved"] for each in results))


if __name__ == "__main__":
    sys.exit(main())
