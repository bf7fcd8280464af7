# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The proof of one kernel: built, run, and written down."""

from __future__ import annotations

import json
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runnel_lab import LabError

from . import code, coverage, lengths
from .building import ROOT, Subject, build
from .contract import Findings
from .extent import WIDE, Extent, extent_of
from .image import Image
from .processors.base import Processor
from .provers import options, processor_for, prover_for
from .refusal import Refusal
from .words import Words


def run(subject: Subject, image: Image, extent: Extent) -> tuple[Findings, Processor]:
    """Prove a kernel in an image, each part on a fresh domain: what one needs, the next does not carry along."""
    kind = prover_for(subject)
    first = kind(subject, processor_for(Words(**options(subject)), image), Findings())
    for part in first.parts(extent.key_bytes or subject.facts.key_bytes):
        processor = processor_for(Words(**options(subject)), image, first.processor)
        kind(subject, processor, first.findings).prove(part, extent)
    return first.findings, first.processor


def own_extent(subject: Subject, image: Image) -> Extent:
    """Return how much is proved of a kernel: where many lengths are, those that its main loops tell apart."""
    extent = extent_of(subject)
    stride = lengths.stride_of(subject, image) if extent == WIDE else None
    return extent.within(stride) if stride else extent


def prove(
    subject: Subject, extent: Extent | None = None, library: Path = ROOT / "build" / "librunnel.a"
) -> dict[str, Any]:
    """Prove a kernel, and return what is written down of it."""
    start = time.process_time()
    with tempfile.TemporaryDirectory() as scratch:
        program = build(subject, Path(scratch), library)
        image, made, compiler = Image(program.elf), code.hash_of(program), code.compiler_of(program)
    findings, processor = run(subject, image, extent or own_extent(subject, image))
    machine = processor.machine
    return {
        "cipher": subject.folder,
        "kernel": subject.kernel,
        "target": subject.target,
        "code": made,
        "compiler": compiler,
        "proved": not findings.refusals and bool(findings.claims),
        "refusals": findings.refusals,
        "claims": [asdict(claim) for claim in findings.claims],
        "stack_bytes": findings.stack,
        "instructions": machine.executed.total(),
        "coverage": coverage.of(processor),
        "forms": {form: sorted(code.hex() for code in codes)[:8] for form, codes in sorted(machine.forms.items())},
        "seconds": round(time.process_time() - start, 1),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def lengths_of(subject: Subject, library: Path = ROOT / "build" / "librunnel.a") -> list[dict[str, Any]]:
    """Return which functions of a kernel are proved for all numbers of blocks."""
    with tempfile.TemporaryDirectory() as scratch:
        return lengths.of(subject, Image(build(subject, Path(scratch), library).elf))


def prove_or_say_why(subject: Subject, extent: Extent | None = None) -> dict[str, Any]:
    """Prove a kernel; what stops the whole proof is a refusal."""
    try:
        return prove(subject, extent)
    except (Refusal, LabError, ValueError) as refusal:
        why = f"{type(refusal).__name__}: {refusal}"
        return {"cipher": subject.folder, "kernel": subject.kernel, "target": subject.target, "proved": False,
                "refusals": [why], "claims": []}  # fmt: skip


def subject_of(result: dict[str, Any]) -> Subject:
    """Return what a result is of."""
    return Subject(result["cipher"], result["kernel"], result["target"], tuple(result.get("by", ())))


def write(result: dict[str, Any], folder: Path) -> Path:
    """Write a result to its file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{result['cipher']}-{result['kernel']}-{result['target']}.json"
    file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return file


def summary(results: Sequence[dict[str, Any]]) -> str:
    """Return a table of results."""
    lines = [f"{'kernel':32}{'target':12}{'proved':8}{'calls':>6}{'cover':>7}{'stack':>7}{'forms':>7}{'s':>7}{'MB':>7}"]
    for each in results:
        cover = each.get("coverage", {})
        share = f"{100 * cover['executed'] / cover['instructions']:.0f} %" if cover.get("instructions") else "-"
        stack = max(each.get("stack_bytes", {}).values(), default=0)
        proved = "yes" if each["proved"] else "stale" if "stale" in each else "NO"
        lines.append(
            f"{each['cipher'] + '/' + each['kernel']:32}{each['target']:12}{proved:8}"
            f"{len(each['claims']):6}{share:>7}{stack:7}{len(each.get('forms', {})):7}{each.get('seconds', 0):7}"
            f"{each.get('megabytes', 0):7}"
        )
        lines += [f"    {reason}" for reason in each["refusals"][:3]]
        if len(each["refusals"]) > 3:
            lines.append(f"    … and {len(each['refusals']) - 3} more")
    return "\n".join(lines)
