# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of results/proofs: each kernel that was proved from its machine code, or what was not shown of it."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence

import generated

from figures import ROOT, Page

RESULTS = ROOT / "results" / "proofs"
sys.path.append(str(ROOT / "proofs" / "machine"))
from proving import forms_tested

HEADER = ["kernel", "processor", "proved", "calls", "numbers of blocks", "instructions executed", "stack", "seconds"]


def pages() -> Iterator[Page]:
    results = forms_tested.results_in(RESULTS)
    proved = sum(map(is_proved, results))
    text = (
        f"{proved} kernels, each as it is compiled for one processor: what they write is the specification's for all keys, "
        "nonces and data, no secret reaches a branch or an address, and memory and stack are respected, for calls of so many "
        "blocks. [proofs/machine](../proofs/machine/README.md) says what that rests on.\n\n"
        f"{matrix(results)}\n\n## Each proof\n\nInstructions that no call executed are for other lengths and other keys, "
        "and are named in [results/proofs](../results/proofs).\n\n"
        + generated.table(HEADER, [row(each) for each in results], left=3)
        + "\n\n## Instructions\n\nForms of instructions that these proofs use, compared with a processor or an emulator.\n\n"
        + generated.table(["instruction set", "forms", "operands"], form_rows(), left=1)
        + "\n\n## Faults that were planted\n\nSingle bits turned in instructions that a proof executed. Code with a bit that "
        "makes no difference is proved too.\n\n"
        + generated.table(["kernel", "processor", "bits", "refused", "proved"], fault_rows(), left=2)
        + "\n\n## Compilers\n\nKernels of x86-64 as several compilers make them.\n\n"
        + generated.table(["kernel", "compiler", "proved", "calls", "seconds"], compiler_rows(), left=3)
    )
    yield Page("proofs", "Kernels proved from their machine code", text)


def matrix(results: Sequence[dict]) -> str:
    """Return ciphers by processors: the kernels that are proved, also those for all numbers of blocks, and the others."""
    processors = sorted({each["target"] for each in results})
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in results:
        proved, whole = is_proved(each), any(for_all_lengths(each))
        mark = "✓✓" if proved and whole else "✓" if proved else "–"
        words = "proved, for all lengths" if proved and whole else "proved" if proved else "not proved"
        shown = f'<span class="{"yes" if proved else "no"}" title="{words}">{mark} {each["kernel"]}</span>'
        cells[each["cipher"], each["target"]].append(shown)
    head = "".join(f'<th scope="col">{name}</th>' for name in processors)
    rows = "".join(
        f'<tr><th scope="row">{cipher}</th>'
        + "".join(f"<td>{'<br>'.join(cells.get((cipher, name), []))}</td>" for name in processors)
        + "</tr>"
        for cipher in sorted({each["cipher"] for each in results})
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Proved kernels by cipher and processor">'
        f'<table class="matrix"><thead><tr><th scope="col">cipher</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        '\n\n<p class="small">✓ proved for the numbers of blocks in the table below; ✓✓ functions of it for all '
        "numbers of blocks; – not proved, or of older code.</p>"
    )


def is_proved(result: dict) -> bool:
    return result["proved"] and "stale" not in result and not forms_tested.untested(result, RESULTS)


def row(result: dict) -> list[str]:
    link = f"[{result['cipher']}/{result['kernel']}](../results/proofs/{file_name(result)})"
    blocks = sorted(
        {int(found[1]) for each in result["claims"] if (found := re.search(r"(\d+) blocks", each["about"]))}
    )
    covered = result.get("coverage", {"executed": 0, "instructions": 0})
    return [
        link,
        result["target"],
        "yes" if is_proved(result) else "of older code" if "stale" in result else "no",
        f"{len(result['claims']):,}",
        ", ".join([*map(str, blocks), *for_all_lengths(result)]),
        f"{covered['executed']:,} of {covered['instructions']:,}",
        str(max(result.get("stack_bytes", {}).values(), default=0)),
        str(result["seconds"]),
    ]


def for_all_lengths(result: dict) -> list[str]:
    """Return the functions that are proved for all numbers of blocks, with keys of all sizes that were tried."""
    rows = result.get("lengths", [])
    names = dict.fromkeys(each["function"] for each in rows)
    return [f"all of {name}" for name in names if all(each["all"] for each in rows if each["function"] == name)]


def file_name(result: dict) -> str:
    return f"{result['cipher']}-{result['kernel']}-{result['target']}.json"


def fault_rows() -> Iterator[list[str]]:
    for file in sorted(RESULTS.glob("planted-*.json")):
        kept = json.loads(file.read_text(encoding="utf-8"))
        refused = sum(kept["seen"].values())
        yield [kept["kernel"], kept["target"], str(kept["faults"]), str(refused), str(len(kept["equivalent"]))]


def compiler_rows() -> Iterator[list[str]]:
    kept = json.loads((RESULTS / "compilers.json").read_text(encoding="utf-8"))
    for kernel, rows in kept.items():
        for compiler, each in rows.items():
            proved = "yes" if each["proved"] else "no"
            yield [kernel, compiler, proved, str(each["calls"]), str(each["seconds"])]


def form_rows() -> Iterator[list[str]]:
    for file in sorted(RESULTS.glob("forms-*.json")):
        forms = json.loads(file.read_text(encoding="utf-8"))
        yield [
            file.stem.removeprefix("forms-"),
            f"{len(forms):,}",
            f"{sum(each['operands'] for each in forms.values()):,}",
        ]
