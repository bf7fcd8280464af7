# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pages of lab/results: our kernels beside what others have (lab/peers.json), and where a paper is ahead."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import generated
from runnel.columns import exactly, number
from runnel_lab import targets
from runnel_lab.tables import behind, comparison, papers, published

from figures import ROOT, Page, lab_rows

ABOUT = """\
One kernel goes into firmware with the same public functions; the figures are of those, counter and XOR included. Setting a
key or an IV is in them where the row says so. What each kind of figure is worth is in [timing models](timing-models.md). The
others are the highest figures known, measured once with the same compilers and simulators or published
([lab/peers.json](../lab/peers.json)); where they are of ECB they lack the counter. Where another is faster comes first."""


def pages() -> Iterator[Page]:
    yield Page(
        "peers",
        "Small processors and ARM, beside other implementations",
        f"{ABOUT}\n\n{beside_peers()}\n\n{known_elsewhere()}",
    )
    about = (
        "Of the papers whose tables the lab reproduces, the cells in which the paper's figure is better than that of our "
        "best kernel, with the reason from the paper's file in [lab/papers](../lab/papers); `runnel lab behind` prints them."
    )
    yield Page("behind", "Where a paper is ahead of our best kernel", f"{about}\n\n{behind_papers()}")


def peers() -> dict:
    return json.loads((ROOT / "lab" / "peers.json").read_text(encoding="utf-8"))


PEER_HEADER = ["processor", "cipher", "what", "best elsewhere", "Runnel's kernel", "there", "here", "times"]


def beside_peers(ciphers: Collection[str] | None = None) -> str:
    """Return our kernels beside others' on the same rulers; where another is faster first, with the reason. ciphers: only
    these. Return nothing where there is no row."""
    found = []
    for peer in peers()["rows"]:
        cipher = peer.get("cipher", "aes-128-ctr")
        if ciphers is not None and cipher not in ciphers:
            continue
        row = our_row(peer, cipher)
        ours = our_figure(peer, row)
        ratio = peer["figure"] / ours
        what = f"{peer['unit']}, {row['kind']}: {peer['what']}"
        if ratio < 1:
            what += f"; slower: {peer.get('reason', 'not explained yet')}"
        head = [f"`{peer['target']}`", cipher, what, peer["peer"], f"`{peer['kernel']}`"]
        found.append((ratio >= 1, [*head, figure(peer["figure"]), figure(ours), f"{ratio:.2f}"]))
    found.sort(key=lambda pair: pair[0])
    return generated.table(PEER_HEADER, [row for _, row in found], left=5) if found else ""


def known_elsewhere() -> str:
    """Say where the figures of the table are from, what others have in another unit, where nothing is known, and what was not
    read."""
    text = peers()
    return "\n\n".join(
        [
            "Where these figures are from:",
            _listed(text["sources"].values()),
            "Others' figures in another unit or of another processor:",
            generated.table(OTHER_HEADER, [_other(each) for each in text["other_units"]], left=5),
            "No other figure was found of these ciphers, except for those of the papers that the lab reproduces:",
            _listed(f"`{target}`: {', '.join(ciphers)}" for target, ciphers in without_peers(text).items()),
            "Not compared with, because their tables could not be read:",
            _listed(text["not_compared"]),
        ]
    )


OTHER_HEADER = ["processor", "cipher", "theirs", "ours", "source"]


def _listed(each: Iterable[str]) -> str:
    return "\n".join(f"- {text}." for text in each)


def _other(peer: dict) -> list[str]:
    row = our_row(peer, peer["cipher"])
    ours = f"{figure(our_figure(peer, row))} {peer['unit']} a byte by `{peer['kernel']}`, {peer['note']}"
    return [f"`{peer['target']}`", peer["cipher"], peer["theirs"], ours, peer["source"]]


def our_row(peer: dict, cipher: str) -> dict:
    rows = lab_rows.rows(lab_rows.RESULTS / f"{peer['target']}.json", [cipher])
    row = next((row for row in rows if row["kernel"] == peer["kernel"]), None)
    if row is None:
        raise ValueError(
            f"lab/results/{peer['target']}.json has no {peer['kernel']} of {cipher}, which lab/peers.json names"
        )
    return row


def our_figure(peer: dict, row: dict) -> float:
    measured, unit = row["figures"][peer["label"]], peer["unit"]
    added = row["figures"][peer["and"]][unit] if "and" in peer else 0
    return (measured[unit] + added) * peer.get("bytes", 1) / measured.get("bytes", 1)


def without_peers(text: dict) -> dict[str, list[str]]:
    """Return by target the ciphers with a state of their own or in counter mode that no row has, of any length of key."""

    def family(cipher: str) -> str:
        return re.sub(r"-(128|192|256)-", "-", cipher)

    known = {(row["target"], family(row.get("cipher", "aes-128-ctr"))) for row in (*text["rows"], *text["other_units"])}
    found: dict[str, list[str]] = {}
    for file in lab_rows.targets():
        if file.parent == lab_rows.RESULTS and file.stem != "avr-1284p":
            names = dict.fromkeys(
                family(row["cipher"]) for row in lab_rows.rows(file) if "iv" in row.get("figures", {})
            )
            found[file.stem] = [
                name for name in names if (file.stem, name) not in known and not name.endswith(("-cfb", "-ecb"))
            ]
    return found


def behind_papers() -> str:
    """Return where a paper's figure is better than our best kernel's, what is not explained first."""
    found, among = behind.behind(ROOT)
    ours = [line for line in found if line["which"] == "ours"]
    lost = sum(line["why"] == behind.NOT_EXPLAINED for line in found)
    text = (
        f"A paper is ahead of our best kernel in {len(ours)} figures, and of our kernel of its own technique in "
        f"{len(found) - len(ours)}, of {among} on its class of processor"
    )
    if not found:
        return text + "."
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for line in sorted(ours, key=lambda line: line["why"] != behind.NOT_EXPLAINED):
        place = line["paper_name"], line["table"], line["column"] or "", line["why"]
        figures = f"{exactly(line['paper'])} to {number(line['ours'])} {line['unit']}"
        rows.setdefault(place, []).append(f"{line['row']}: {figures}" if line["row"] else figures)
    cells = [
        [f"`{paper}`", f"`{name}`", f"`{column}`" if column else "", "; ".join(each), why]
        for (paper, name, column, why), each in rows.items()
    ]
    header = ["paper", "table", "column", "theirs to ours", "why"]
    technique = "`runnel lab behind` lists those of the techniques too."
    return f"{text}; {lost} are not explained. {technique}\n\n{generated.table(header, cells, left=5)}"


@functools.cache
def lines(name: str) -> Sequence[comparison.Line]:
    """Return the figures of a paper with ours beside them."""
    return comparison.rows(ROOT, name)


def best_figures() -> Iterator[tuple[str, papers.PaperDescription, comparison.Line]]:
    """Yield each paper with the figure that speaks for ours."""
    for name in published.names(ROOT):
        about = papers.describe(ROOT, name)
        place = about.best
        yield (
            name,
            about,
            next(
                each
                for each in lines(name)
                if (each["table"], each["row"], each["column"]) == (place.table, place.row, place.column)
            ),
        )


def beside(line: comparison.Line) -> str:
    """Return a figure of a paper, ours, and where they hold."""
    target = targets.load(ROOT, line["target"])
    where = "llvm-mca, " + target.name if line["kind"] == "mca" else target.machine or target.name
    return f"{exactly(line['paper'])}, ours {number(line['ours'])} {line['unit']} ({where})"


def five_papers() -> str:
    """Return a line for each paper, for the site: what holds, its figure beside ours, and how to measure it anew."""
    rows = []
    for name, about, line in best_figures():
        minutes = f"{max(1, round(sum(about.minutes.values())))}"
        rows.append(
            [f"[{about.title}]({name}.md)", about.holds, beside(line), f"`runnel lab reproduce {name}`", minutes]
        )
    header = ["paper", "what holds", "its figure and our best", "measured anew by", "minutes"]
    return generated.table(header, rows, left=4)


def figure(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 200 else f"{value:,.0f}"
