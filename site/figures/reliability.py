# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The page of results/reliability: goals, runs of the campaign, blocks of each cipher, and findings."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import generated
import runnel

from figures import ROOT, Page
from figures.ciphers import belongs

RESULTS = ROOT / "results" / "reliability"
AGAIN = {
    "mutants": ".+: (not seen|compiled to .*)",
    "disk": "runs with a (fault|signal)",  # of the first runs, which did not say of what
}
"""By part the figures of what others count too: together they would count it twice."""
KEPT = {"inputs kept"}
"""Units of what is there when a run ends, much of it from earlier runs: the largest counts, not the sum."""


@dataclass(frozen=True)
class Figure:
    """One thing that a part tried, in all its runs."""

    what: str
    unit: str
    count: int
    found: int
    """In how many something was wrong that nobody has mended yet."""
    mended: int = 0


@dataclass
class Part:
    """A part of the campaign with its recorded runs."""

    name: str
    does: str
    goals: list[str]
    command: str
    runs: list[dict]
    repeats: bool
    """Every run tries the same: of a figure the largest counts, not the sum."""
    mended: frozenset[tuple[str, str]] = frozenset()
    """Figures, by the run's commit and what they are of, whose findings have been mended since."""

    @cached_property
    def figures(self) -> list[Figure]:
        tried: dict[tuple[str, str], list[Figure]] = {}
        for run in self.runs:
            for kept in run["figures"]:
                what, found = kept["what"], kept["found"]
                is_mended = (run["commit"], what) in self.mended
                figure = Figure(what, kept["unit"], kept["count"], *((0, found) if is_mended else (found, 0)))
                tried.setdefault((what, figure.unit), []).append(figure)
        return [self._combined(each) for each in tried.values()]

    def _combined(self, figures: list[Figure]) -> Figure:
        """Combine runs: where every run tries the same, the last run that came to it says whether what was wrong is
        mended."""
        counts = [figure.count for figure in figures]
        what, unit = figures[0].what, figures[0].unit
        if unit in KEPT:
            return Figure(what, unit, max(counts), sum(each.found for each in figures))
        if self.repeats:
            tried = [figure for figure in figures if figure.count] or figures
            return Figure(what, unit, max(counts), tried[-1].found)
        return Figure(
            what, unit, sum(counts), sum(each.found for each in figures), sum(each.mended for each in figures)
        )

    @property
    def seconds(self) -> int:
        return sum(run["seconds"] for run in self.runs)

    def units(self, targets: Sequence[dict] = ()) -> str:
        """Return what was tried, in words: sums by unit, and of how many things; with targets only what they ask for."""
        sums: dict[str, list[Figure]] = {}
        asking = [target for target in targets if "count" in target]
        for figure in self.figures:
            if asking and not any(fits(target, figure) for target in asking):
                continue
            if re.fullmatch(AGAIN.get(self.name, ""), figure.what):
                continue
            sums.setdefault(figure.unit, []).append(figure)
        words = []
        for unit, figures in sums.items():
            text = f"{sum(each.count for each in figures):,} {unit}"
            if len(figures) > 1:
                text += f" of {len(figures)}, at least {min(each.count for each in figures):,} each"
            found, mended = (sum(getattr(each, name) for each in figures) for name in ("found", "mended"))
            text += f", **{found:,} wrong**" if found else ""
            words.append(text + (f", {mended:,} wrong and mended" if mended else ""))
        return "; ".join(words)


def pages() -> Iterator[Page]:
    parts = [
        "What was tried to find faults, and what is missing; [reliability](reliability.md) has it on a page. Marks: "
        "**proved**, by a tool, under the assumptions that [proofs](../proofs/README.md) names; **all inputs**, of the "
        "finite set that the goal names; **tested**, as often as the table says; **by construction**, reviewed reasoning.",
        "## Goals",
        goal_table(),
        "## Runs of `make campaign`",
        run_table(),
        "## Ciphers",
        family_table(),
        "## Findings",
        "What runs of the campaign, and attacks by hand on what its parts try, found in Runnel, and what became of it.",
        finding_table(),
    ]
    yield Page("reliability", "Reliability: goals, runs and findings", "\n\n".join(parts))


def goals() -> dict:
    return tomllib.loads((RESULTS / "goals.toml").read_text(encoding="utf-8"))


def mended_figures() -> dict[str, frozenset[tuple[str, str]]]:
    """Return by part what findings of goals.toml say of figures: the run's commit and what the figure is of."""
    mended: dict[str, frozenset[tuple[str, str]]] = {}
    for finding in goals().get("findings", []):
        if "figure" in finding:
            part = finding["part"]
            mended[part] = mended.get(part, frozenset()) | {(finding["commit"], finding["figure"])}
    return mended


def parts(folder: Path = RESULTS) -> dict[str, Part]:
    repeats = goals()["repeats"]
    mended = mended_figures()
    found = {}
    for path in sorted(folder.glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        words = {key: kept[key] for key in ("does", "goals", "command", "runs")}
        found[path.stem] = Part(
            name=path.stem, repeats=path.stem in repeats, mended=mended.get(path.stem, frozenset()), **words
        )
    return found


def fits(target: dict, figure: Figure) -> bool:
    """Tell whether the target is about this figure."""
    return figure.unit == target.get("unit", figure.unit) and bool(re.fullmatch(target.get("what", ".*"), figure.what))


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 36000 else f"{seconds / 3600:,.0f} hours"


def lacks(target: dict, part: Part | None) -> str | None:
    """Say what is missing for a target, or return None."""
    if part is None:
        return f"no run of `{target['part']}` is recorded"
    if "seconds" in target:
        short = part.seconds < target["seconds"]
        return f"`{part.name}` ran for {duration(part.seconds)} of {duration(target['seconds'])}" if short else None
    fitting = [figure for figure in part.figures if fits(target, figure)]
    wanted = target["count"]
    if not fitting:
        return f"`{part.name}` has no such figure yet"
    if target.get("each"):
        low = [figure for figure in fitting if figure.count < wanted]
        least = min(fitting, key=lambda figure: figure.count)
        words = f"{len(low)} of {len(fitting)} of `{part.name}` are below {wanted:,} {least.unit}"
        return f"{words} ({least.what}: {least.count:,}){_more(part, fitting, wanted)}" if low else None
    whole = sum(figure.count for figure in fitting)
    return f"{whole:,} of {wanted:,} {fitting[0].unit} in `{part.name}`" if whole < wanted else None


def _more(part: Part, figures: Sequence[Figure], wanted: int) -> str:
    """Say how long the part would run for what is missing, at the pace of its runs; not where they try the same again."""
    whole = sum(figure.count for figure in figures)
    short = sum(max(0, wanted - figure.count) for figure in figures)
    if part.repeats or not whole:
        return ""
    return f", {duration(part.seconds * short / whole)} more at the pace so far"


def state(goal: dict, recorded: dict[str, Part], serving: Iterable[Part]) -> tuple[str, list[str]]:
    """Return reached, partly or not, and what is missing."""
    missing = [text for target in goal.get("targets", []) if (text := lacks(target, recorded.get(target["part"])))]
    if "missing" in goal:
        missing.append(goal["missing"])
    wrong = [part.name for part in serving if any(figure.found for figure in part.figures)]
    if wrong:
        missing.append(f"what {', '.join(wrong)} found, below")
    if not missing:
        return "reached", []
    has = goal["tests"] or "command" in goal or any(True for _ in serving)
    return ("partly" if has else "not"), missing


def _place(test: str) -> Path:
    """Return where a file of tests is, in tests/ or beside a product."""
    (found,) = [path for pattern in ("tests", "*/tests") for path in ROOT.glob(f"{pattern}/{test}")]
    return found.relative_to(ROOT)


def reached(goal: dict, serving: Iterable[Part]) -> str:
    words = []
    if goal["tests"]:
        links = ", ".join(f"[{name}](../{_place(name)})" for name in goal["tests"])
        words.append(f"`make test`: {links}")
    if "command" in goal:
        words.append(f"`{goal['command']}`")
    for part in serving:
        targets = [target for target in goal.get("targets", []) if target["part"] == part.name]
        tried = part.units(targets) or f"{duration(part.seconds)}, nothing of it yet"
        words.append(f"`{part.command}`: {tried}")
    return "; ".join(words)


def goal_table() -> str:
    recorded = parts()
    rows = []
    for name, goal in goals()["goals"].items():
        serving = [part for part in recorded.values() if name in part.goals]
        of_goal, missing = state(goal, recorded, serving)
        cell = f"**{of_goal}**" + (": " + "; ".join(missing) if missing else "")
        rows.append([name, f"{goal['asks']}; in full: {goal['full']}", goal["mark"], reached(goal, serving), cell])
    counts = [sum(f"**{word}**" in row[4] for row in rows) for word in ("reached", "partly", "not")]
    summary = f"Of {len(rows)} goals {counts[0]} are reached, {counts[1]} partly, {counts[2]} not."
    header = ["goal", "asks", "mark", "tried", "state"]
    return summary + "\n\n" + generated.table(header, rows, left=len(header))


def run_table() -> str:
    rows = []
    for part in parts().values():
        dates = sorted(run["date"] for run in part.runs)
        when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        machines = "; ".join(dict.fromkeys(run["machine"] for run in part.runs))
        runs = f"{len(part.runs)}, {duration(part.seconds)}, {when}"
        link = f"[{part.name}](../results/reliability/{part.name}.json)"
        rows.append([link, part.does, part.units(), runs, machines])
    header = ["part", "does", "tried", "runs", "machine"]
    return generated.table(header, rows, left=len(header)) if rows else "No run is recorded."


def family_table() -> str:
    """Return the blocks of each family beside the reference kernel and beside libraries, the fewest first."""
    recorded = parts()
    figures = [each for each in recorded["blocks"].figures if each.unit == "blocks"] if "blocks" in recorded else []
    kernels, libraries = (_by_family(each for each in figures if mark in each.what) for mark in ("/", " beside "))
    folders = {belongs(name).name for name in runnel.ciphers()}
    wished = goals()["family_blocks"]

    def row(name: str) -> tuple[int, list[str]]:
        cells = [name]
        counts = []
        for of in (kernels, libraries):
            counts.append(sum(each.count for each in of.get(name, [])))
            cells += [str(len(of.get(name, []))), f"{counts[-1]:,}" if name in of else "–"]
        return min([count for count, of in zip(counts, (kernels, libraries)) if name in of], default=0), cells

    rows = [cells for _, cells in sorted(map(row, folders))]
    words = " ".join(
        f"{sum(sum(each.count for each in of[name]) >= wished for name in of)} of {len(of)} families have {wished:,} blocks "
        f"or more beside {beside}."
        for of, beside in ((kernels, "the reference kernel"), (libraries, "independent libraries"))
    )
    header = ["family", "kernels", "blocks beside the reference", "pairs with a library", "blocks beside libraries"]
    return generated.wrapped(words) + "\n\n" + generated.table(header, rows)


def _by_family(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    families: dict[str, list[Figure]] = {}
    for figure in figures:
        families.setdefault(belongs(re.split("[ /]", figure.what)[0]).name, []).append(figure)
    return families


def finding_table() -> str:
    rows = [[f"`{each['part']}`", each["found"], each["fixed"]] for each in goals().get("findings", [])]
    header = ["part", "found", "fixed"]
    return generated.table(header, rows, left=len(header)) if rows else "None yet."
