# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bugs planted one at a time in core, AEADs, MACs, kernels, SRTP, provider and the Python package: tests must see each.

What a mutant met is kept with the text of its file; a run that was stopped continues with those that it has not tried. When
all have been tried, the next run begins anew."""

import hashlib
import json

import mutation
from c_programs import ROOT

from campaign.work import Work

GOALS = ("G26",)


def key(mutant: mutation.Mutant) -> str:
    text = (ROOT / mutant.file.path).read_text(encoding="utf-8")
    return hashlib.sha256(repr((text, mutant.old, mutant.new, mutant.by)).encode()).hexdigest()


def run(work: Work) -> None:
    kept = work.folder / "met.json"
    met: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    runnable = [each for each in mutation.mutants() if each.file.sources() is not None]
    work.add("mutants that this processor cannot run", len(mutation.mutants()) - len(runnable), "mutants")

    def told(mutant: mutation.Mutant, seen: str, seconds: float) -> None:
        if seen == mutation.NOT_TRIED:
            return
        print(f"{seconds:5.1f}  {mutant.file.path}  {mutant.name}: {seen or 'survives'}", flush=True)
        met[key(mutant)] = seen
        kept.write_text(json.dumps(met, indent=0))

    mutation.all_tried([each for each in runnable if key(each) not in met], told, work.left)
    tried = 0
    for mutant in runnable:
        seen = met.get(key(mutant))
        if seen is None:
            continue
        wrong = seen.startswith("broken") or bool(seen) == bool(mutant.survives)
        work.add(f"{mutation.GROUPS[mutant.file.list]}: mutants tried", 1, "mutants", wrong)
        work.add("seen by a test", bool(seen) and not wrong, "mutants")
        work.add("not seen, and docs/reliability/mutants.md says why", not seen and not wrong, "mutants")
        if wrong:
            what = seen.splitlines()[0] if seen else "no test sees it"
            work.finding(f"{mutant.file.path}: {mutant.name}: {what}")
        tried += 1
    if tried == len(runnable):
        kept.unlink()
