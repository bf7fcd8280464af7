# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The papers' pages: tables with ours beside them, and pictures, all of lab/results and lab/papers."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from figures import lab_tables
from runnel_lab import pictures, results
from runnel_lab.tables import comparison, papers, published

ROOT = Path(__file__).resolve().parent.parent
SHOWN = 40
"""A longer table is folded."""
HEAD = ("row", "column", "bytes", "unit", "paper", "its technique here", "ours", "kernel")


def pages() -> Iterator[tuple[str, str]]:
    """Yields the name and the Markdown of each page, the list of them first."""
    names = published.names(ROOT)
    toc = "\n".join(names)
    yield (
        "index",
        "# The papers\n\nPublished figures, the same technique in our code, and our best kernel beside them, in one unit on "
        f"one machine. [The lab](../lab/README.md) says how each figure came about.\n\n{lab_tables.five_papers()}\n\n"
        f"```{{toctree}}\n:hidden:\n{toc}\n```\n",
    )
    for name in names:
        yield name, page(name)


def page(name: str) -> str:
    about = papers.describe(ROOT, name)
    lines = lab_tables.lines(name)
    source = ". ".join(filter(None, [about.authors, about.published, f"doi:{about.doi}" if about.doi else ""]))
    minutes = max(1, round(sum(about.minutes.values())))
    parts = [f"# {about.title}", f"{source}.", f"**The question.** {about.question}"]
    parts += [f"**The answer.** {about.holds}. {comparison.headline(lines)}"]
    parts += [f"Measured again, in about {minutes} minutes on two cores, from the source tree:"]
    parts += [f"    runnel lab reproduce {name}"]
    for title, notes in verdicts(about.notes):
        parts += [f"## {title}", "\n".join(f"- {note}" for note in notes)]
    parts += ["## Pictures", *drawn(name, lines), *figures_again(about)]
    parts += ["## Tables", f"The paper's figures with ours beside them, as `runnel lab show {name}` prints them."]
    for table_name in comparison.tables(lines):
        of_table = [line for line in lines if line["table"] == table_name]
        if any(line["paper"] is not None for line in of_table):
            parts += [f"### {table_name.replace('_', ' ')}", about.table(table_name).title, table(of_table)]
            parts += ["\n".join(f"- {note}" for note in about.table(table_name).notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


VERDICTS = {
    "What holds": ("Holds:", "Holds, counted"),
    "What does not hold, or is open": ("Does not hold", "Holds in part", "Not settled", "Left "),
    "What ours does better": ("Ours does better:",),
    "Besides": ("",),
}


def verdicts(notes: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the notes on a paper under the heading of the first of VERDICTS that they begin with."""
    left = list(notes)
    for title, beginnings in VERDICTS.items():
        found = [note for note in left if note.startswith(beginnings)]
        left = [note for note in left if note not in found]
        if found:
            yield title, [_without_heading(note, beginnings) for note in found]


def _without_heading(note: str, beginnings: tuple[str, ...]) -> str:
    head, _, text = note.partition(": ")
    return text[0].upper() + text[1:] if f"{head}:" in beginnings else note


@functools.cache
def sources() -> list[comparison.Source]:
    return comparison.sources(ROOT)


def figures_again(about: papers.PaperDescription) -> Iterator[str]:
    """Yield the paper's figures, and curves like them, drawn of our results, newest machine first."""
    for source in sources()[:1]:
        for curve in about.curves:
            series = [each for each in curve.make(source.result_set) if len(each.points) > 1]
            if series:
                yield f"### {curve.title[0].upper()}{curve.title[1:]}: {curve.up}"
                last = "; ".join(f"{each.name} {each.points[-1][1]:,.4g}" for each in series)
                words = f"{curve.title}, {curve.up}; at the last: {last}"
                yield pictures.figure(pictures.lines(words, series, "bytes", curve.up))


def cards() -> str:
    """Return a card for each paper: what it asked, and its figure beside ours."""
    found = []
    for name, about, line in lab_tables.best_figures():
        head = f"::::{{grid-item-card}} {about.title}\n:link: papers/{name}\n:link-type: doc\n\n{about.question}\n\n"
        found.append(f"{head}:::{{card-footer}}\nThe paper: {lab_tables.beside(line)}\n:::\n::::")
    return ":::::{grid} 1 2 2 2\n:gutter: 3\n\n" + "\n".join(found) + "\n:::::"


def table(lines: Sequence[comparison.Line]) -> str:
    """Return an HTML table; cells that nothing can fill say why in a title and in words below."""
    head = "".join(f'<th scope="col"{_number(n)}>{name}</th>' for n, name in enumerate(HEAD))
    body = []
    for line in lines:
        cells = [line["row"] or "", (line["column"] or "").replace("_", " "), line.get("bytes", ""), line["unit"]]
        cells += [_figure(line[which]) for which in ("paper", "technique", "ours")] + [line["kernel"] or ""]
        body.append(
            "<tr>" + "".join(f"<td{_number(n)}>{escape(str(cell))}</td>" for n, cell in enumerate(cells)) + "</tr>"
        )
    caption = lines[0]["table"].replace("_", " ")
    text = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">'
    text += f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    reasons = dict.fromkeys(line["reason"] for line in lines if line.get("reason"))
    if reasons:
        text += '<p class="small">Empty: ' + escape("; ".join(reasons)) + ".</p>"
    return f"<details><summary>{len(lines)} rows</summary>{text}</details>" if len(lines) > SHOWN else text


def _number(column: int) -> str:
    return ' class="number"' if 2 <= column <= 6 and column != 3 else ""


def _figure(value: float | None) -> str:
    return "–" if value is None else pictures_figure(value)


def pictures_figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) or abs(value) >= 1000 else f"{value:.4g}"


def drawn(name: str, lines: Sequence[comparison.Line]) -> Iterator[str]:
    """Yields headings, pictures and what they show in words."""
    plan = tomllib.loads((ROOT / "site" / "pictures.toml").read_text())[name]
    measured = list(_measured(plan))
    unit = measured[0][3] if measured else ""
    curves = sorted((pictures.Series(label, points) for label, points, _, _ in measured if len(points) > 1), key=_last)
    if curves:
        yield "### Cost by length"
        words = f"{unit} by bytes of a message under a new IV on {plan['target']}; for the longest: " + ", ".join(
            f"{each.name} {pictures_figure(each.points[-1][1])}" for each in curves[:3]
        )
        yield pictures.figure(pictures.lines(words, curves[:8], "bytes of the message", unit))
        yield (
            f"The first three at {curves[0].points[-1][0]:,.0f} bytes: "
            + ", ".join(f"`{each.name}` {pictures_figure(each.points[-1][1])} {unit}" for each in curves[:3])
            + ("; the picture has the first eight." if len(curves) > 8 else ".")
        )
    points = [(label, ram, points[-1][1] / points[-1][0]) for label, points, ram, _ in measured if ram and points]
    if len(points) > 1:
        edge = [label for label, _, _ in pictures.pareto(points)]
        yield "### RAM against cost"
        words = f"RAM against {unit} a byte; not beaten in both: {', '.join(edge)}"
        yield pictures.figure(pictures.scatter(words, points, "bytes of RAM", f"{unit} a byte"))
        yield "Not beaten in both: " + ", ".join(f"`{label}`" for label in edge) + "."
    if rows := list(_bars(plan["bars"], lines)):
        yield "### What the techniques save"
        words = "; ".join(f"{row.name} {', '.join(f'{text} {what}' for what, _, text in row.values)}" for row in rows)
        words = f"{plan['bars']['table'].replace('_', ' ')}: {words}"
        yield pictures.figure(pictures.bars(words, rows, plan["bars"]["unit"]))


def _last(series: pictures.Series) -> float:
    return series.points[-1][1] / series.points[-1][0]


def _measured(plan: dict[str, Any]) -> Iterator[tuple[str, list[pictures.Point], int, str]]:
    """Yields name, cost by bytes, RAM and unit of the kernels, or of the best of each cipher."""
    rows = [
        row
        for row in results.read_all(results.recorded(ROOT))
        if row["target"] == plan["target"]
        and row["cipher"] in plan["ciphers"]
        and not row.get("peer")
        and row.get("figures")
    ]
    rows.sort(key=lambda row: (row["key_bits"], row["iv_bits"]), reverse=True)
    best: dict[str, tuple[float, str, list[pictures.Point], int, str]] = {}
    for row in rows:
        unit = "cycles" if "cycles" in row["figures"].get("packet", row["figures"]["key"]) else "instructions"
        points = _points(row["figures"], unit)
        label = row["cipher"] if plan["each"] == "cipher" else row["kernel"]
        cost = points[-1][1] / points[-1][0] if points else float("inf")
        if label not in best or (plan["each"] == "cipher" and cost < best[label][0]):
            best[label] = (
                cost,
                label,
                points,
                row.get("ram", {}).get("static", 0) + row.get("ram", {}).get("stack", 0),
                unit,
            )
    for _, label, points, ram, unit in best.values():
        yield label, points, ram, unit


def _points(figures: dict[str, Any], unit: str) -> list[pictures.Point]:
    start = figures.get("iv", {}).get(unit, 0)
    labels = [label for label in figures if label.startswith("message_") and not label.endswith("_decrypt")] or [
        "packet",
        "long",
    ]
    found = [
        (figures[label]["bytes"], start + figures[label][unit]) for label in labels if unit in figures.get(label, {})
    ]
    return sorted(found)


def _bars(plan: dict[str, Any], lines: Sequence[comparison.Line]) -> Iterator[pictures.Bar]:
    for line in lines:
        if line["table"] != plan["table"] or ("column" in plan and line["column"] != plan["column"]):
            continue
        values = [
            (what, float(line[which]), pictures_figure(line[which]))
            for which, what in (("paper", "paper"), ("technique", "its technique here"), ("ours", "ours"))
            if line[which] is not None
        ]
        name = " ".join(
            str(part).replace("_", " ")
            for part in (line["row"], None if "column" in plan else line["column"], line.get("bytes"))
            if part
        )
        if values and line["unit"] == plan["unit"]:
            yield pictures.Bar(name, values)
