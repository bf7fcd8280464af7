# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proves kernels from their machine code: README.md. What is named is proved; without names, all. A kernel whose proof is of
the code that the build makes is not proved again."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "build" / "proofs"), str(ROOT / "lab")]
os.environ.setdefault("RUNNEL_LAB_OBJECTS", str(ROOT / "build" / "lab-objects"))

from proving import building, compilers, forms_tested, freshness, proof, scope  # noqa: E402
from proving.extent import QUICK, SHORT  # noqa: E402


def chosen(names: list[str], targets: list[str]) -> list[building.Subject]:
    """Return the kernels that are named: aes, aes/vaes512; all without a name, except reproductions of papers."""
    folders = sorted({name.partition("/")[0] for name in names}) or list(building.CIPHERS)
    found = building.subjects(folders, targets)
    kernels = {name.partition("/")[::2] for name in names}
    return [
        each
        for each in found
        if (each.folder, each.kernel) in kernels
        or (((each.folder, "") in kernels or not names) and scope.is_ours(each))
    ]


def test_forms(folder: Path, operands: int, targets: list[str], only_new: bool) -> int:
    """Compare the instructions that proofs use with processors; return 1 if one has other results."""
    status = 0
    results = forms_tested.results_in(folder)
    for name in dict.fromkeys(forms_tested.SETS[target] for target in targets):
        report = forms_tested.test(name, results, folder, ROOT / "build" / "proofs", operands, only_new)
        wrong = {form: each["wrong"] for form, each in report.items() if each["wrong"]}
        total = sum(each["operands"] for each in report.values())
        print(f"{len(report)} forms of {name} compared, {total} operands, {len(wrong)} wrong", flush=True)
        for form, why in wrong.items():
            print(f"    {form}: {why}")
            status = 1
    return status


def print_table(folder: Path) -> int:
    """Print what is kept of every kernel in scope; return 1 if one is not proved as it is."""
    kept = forms_tested.results_in(folder)
    stale = freshness.stale(kept)
    for each in kept:
        freshness.note(each, stale.get(proof.subject_of(each)))
    results = scope.with_all(kept, folder)
    print(proof.summary(results))
    for target, (proved, total) in scope.counted(results).items():
        print(f"{target:12}{proved:4} of {total:3} proved")
    proved = sum(each["proved"] for each in results)
    print(f"{proved} of {len(results)} kernels proved{f', {len(stale)} results stale' if stale else ''}")
    return int(proved < len(results) or bool(stale))


def mark_stale(folder: Path) -> int:
    """Write into results that the build makes other code than was proved: these do not count as proved."""
    for each in freshness.mark(forms_tested.results_in(folder)):
        print(f"{proof.subject_of(each)}: {each.get('stale', 'fresh again')}")
        proof.write(each, folder)
    return 0


def without_fresh(subjects: list[building.Subject], results: list[dict[str, Any]]) -> list[building.Subject]:
    """Return the kernels that are not proved, or not as the build makes them."""
    kept = [each for each in results if each["proved"] and proof.subject_of(each) in subjects]
    stale = freshness.stale(kept)
    fresh = {proof.subject_of(each) for each in kept} - stale.keys()
    for subject, why in stale.items():
        print(f"{subject}: {why}")
    if fresh:
        print(f"{len(fresh)} kernels are as they were proved", flush=True)
    return [each for each in subjects if each not in fresh]


def add_lengths(subjects: list[building.Subject], results: list[dict[str, Any]], folder: Path) -> int:
    """Add to fresh results which functions are proved for all numbers of blocks, where they do not say so."""
    kept = [
        each for each in results if each["proved"] and not each.get("lengths") and proof.subject_of(each) in subjects
    ]
    stale = freshness.stale(kept)
    for each in kept:
        if (subject := proof.subject_of(each)) in stale:
            continue
        each["lengths"] = proof.lengths_of(subject)
        proof.write(each, folder)
        for row in each["lengths"]:
            print(f"{subject}, {row['function']}: {'all lengths' if row['all'] else row['why']}", flush=True)
    return 0


def main() -> int:
    """Prove, print the table, and return 1 if anything is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", nargs="*", help="aes, aes/vaes512 …")
    parser.add_argument("--target", action="append", choices=building.TARGETS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="few lengths, and nothing is written")
    parser.add_argument("--compilers", action="store_true", help="kernels of this processor by several compilers")
    parser.add_argument("--again", action="store_true", help="also what was proved of the same code")
    parser.add_argument("--lengths", action="store_true", help="of what is proved: which functions for all lengths")
    parser.add_argument("--stale", action="store_true", help="mark results of other code than the build makes")
    parser.add_argument("--table", action="store_true", help="print what was proved before")
    parser.add_argument("--forms", type=int, metavar="N", help="compare instructions with processors, N operands each")
    parser.add_argument("--new", action="store_true", help="with --forms: only those that were not compared yet")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "proofs")
    arguments = parser.parse_args()
    if arguments.stale:
        return mark_stale(arguments.results)
    if arguments.table:
        return print_table(arguments.results)
    if arguments.forms:
        targets = arguments.target or list(building.TARGETS)
        return test_forms(arguments.results, arguments.forms, targets, arguments.new)
    subjects = chosen(arguments.kernel, arguments.target or list(building.TARGETS))
    if not subjects:
        parser.error("no such kernel")
    extent = QUICK if arguments.quick else None
    kept = forms_tested.results_in(arguments.results)
    if arguments.lengths:
        return add_lengths(subjects, kept, arguments.results)
    if arguments.compilers:
        proved_as_they_are = {proof.subject_of(each) for each in kept if each["proved"]}
        chosen_now = subjects if arguments.kernel else [each for each in subjects if each in proved_as_they_are]
        subjects, extent, kept = compilers.of(chosen_now), SHORT, compilers.results_in(arguments.results)
    if not (arguments.quick or arguments.again):
        subjects = without_fresh(subjects, kept)
    proved = 0
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        tasks = [(subject, pool.submit(proof.prove_or_say_why, subject, extent)) for subject in subjects]
        for subject, task in tasks:
            result = task.result()
            proved += result["proved"]
            if arguments.compilers:
                compilers.write(subject, result, arguments.results)
            elif not arguments.quick:
                proof.write(result, arguments.results)
            rows = proof.summary([result]).splitlines()[1:]
            print("\n".join([*rows, f"    by {' '.join(subject.compiler)}"] if subject.compiler else rows), flush=True)
    print(f"{proved} of {len(subjects)} kernels proved")
    return int(proved < len(subjects))


if __name__ == "__main__":
    sys.exit(main())
