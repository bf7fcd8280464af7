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

from proving import building, forms_tested, proof  # noqa: E402


def chosen(names: list[str], targets: list[str]) -> list[building.Subject]:
    """Return the kernels that are named: aes, aes/vaes512; all without a name, except reproductions of papers."""
    folders = sorted({name.partition("/")[0] for name in names}) or list(building.CIPHERS)
    found = building.subjects(folders, targets)
    kernels = {name.partition("/")[::2] for name in names}
    return [
        each
        for each in found
        if (each.folder, each.kernel) in kernels
        or (((each.folder, "") in kernels or not names) and building.is_ours(each))
    ]


def test_forms(folder: Path, operands: int) -> int:
    """Compare the instructions that proofs use with processors; return 1 if one has other results."""
    made = forms_tested.test_x86(
        forms_tested.results_in(folder), folder, ROOT / "build" / "proofs" / "native_x86_64.so", operands
    )
    wrong = {form: each["wrong"] for form, each in made.items() if each["wrong"]}
    total = sum(each["operands"] for each in made.values())
    print(f"{len(made)} forms of x86-64 compared with this processor, {total} operands, {len(wrong)} wrong")
    for form, why in wrong.items():
        print(f"    {form}: {why}")
    return int(bool(wrong))


def print_table(folder: Path) -> int:
    """Print what is kept; return 1 if anything is not proved."""
    results = forms_tested.results_in(folder)
    print(proof.summary(results))
    missing = {id(each): forms_tested.untested(each, folder) or [] for each in results}
    for each in results:
        if missing[id(each)]:
            names = ", ".join(missing[id(each)][:4])
            print(f"{each['cipher']}/{each['kernel']}: {len(missing[id(each)])} forms were not compared: {names}")
    proved = sum(each["proved"] and not missing[id(each)] for each in results)
    print(f"{proved} of {len(results)} kernels proved")
    return int(proved < len(results))


def main() -> int:
    """Prove, print the table, and return 1 if anything is refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kernel", nargs="*", help="aes, aes/vaes512 …")
    parser.add_argument("--target", action="append", choices=building.TARGETS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="few lengths, and nothing is written")
    parser.add_argument("--table", action="store_true", help="print what was proved before")
    parser.add_argument("--forms", type=int, metavar="N", help="compare instructions with processors, N operands each")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "proofs")
    arguments = parser.parse_args()
    if arguments.table:
        return print_table(arguments.results)
    if arguments.forms:
        return test_forms(arguments.results, arguments.forms)
    subjects = chosen(arguments.kernel, arguments.target or list(building.TARGETS))
    if not subjects:
        parser.error("no such kernel")
    extent = proof.QUICK if arguments.quick else None
    proved = 0
    with ProcessPoolExecutor(arguments.jobs, max_tasks_per_child=1) as pool:
        for task in [pool.submit(proof.prove_or_say_why, subject, extent) for subject in subjects]:
            result = task.result()
            proved += result["proved"]
            if not arguments.quick:
                proof.write(result, arguments.results)
            print("\n".join(proof.summary([result]).splitlines()[1:]), flush=True)
    print(f"{proved} of {len(subjects)} kernels proved")
    return int(proved < len(subjects))


if __name__ == "__main__":
    sys.exit(main())
