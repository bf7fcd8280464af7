# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Small faults generated in core, modes, MACs, SRTP, provider and the Python package, one at a time: which the tests see.

A sample that the seed decides, as large as the time allows. Faults that are no program, those that are compiled to the same
code and those that tests/mutation/equivalent.toml lists do not count. mutants.txt beside the results has the score of every
function and each fault that was not seen."""

from mutation import areas, score
from mutation.trial import Verdict

from campaign.work import ROOT, Work

GOALS = ("G26",)
ASKED, ENOUGH = 0.95, 100
"""The share of an area's faults that has to be seen, once so many were tried."""
REPORT = ROOT / "results" / "reliability" / "mutants.txt"
HEAD = """\
# SPDX-License-Identifier: Apache-2.0 OR MIT
# make campaign PART=mutants SEED={seed}: faults that were seen, of those that could be, by function, and those that were not.
"""


def run(work: Work) -> None:
    files = [file for file in areas.files() if work.wanted(file.area)]
    limits, result = score.Limits(), score.Score()
    for file in files:
        limits.measure(file)
    for wrong in limits.wrong:
        work.finding(wrong)
    if limits.wrong:
        return
    for outcome in score.outcomes(score.sample(files, work.seed), limits, work.left):
        print(f"{outcome.mutant}: {outcome.result.verdict.value} {outcome.result.by.partition(chr(10))[0]}", flush=True)
        result.add(outcome)
    for area, verdicts in result.by_area.items():
        count = score.counted(verdicts)
        work.add(f"{area}: faults tried", count, "faults")
        work.add(f"{area}: not seen", verdicts[Verdict.SURVIVED], "faults")
        others = verdicts[Verdict.SAME] + verdicts[Verdict.NO_PROGRAM]
        work.add(f"{area}: {Verdict.SAME.value}, or {Verdict.NO_PROGRAM.value}", others, "faults")
        work.add(f"{area}: {Verdict.EQUIVALENT.value}", verdicts[Verdict.EQUIVALENT], "faults")
        if count >= ENOUGH and verdicts[Verdict.SEEN] < ASKED * count:
            work.finding(f"{area}: {verdicts[Verdict.SEEN]} of {count} faults are seen; {ASKED:.0%} are asked")
    REPORT.write_text(HEAD.format(seed=work.seed) + "\n".join(result.lines()) + "\n", encoding="utf-8")
