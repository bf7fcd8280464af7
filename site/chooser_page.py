# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The chooser's page, as Markdown around HTML, with the answer to its first question in it: it reads without script."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from runnel_lab import pictures
from runnel_lab.choose import rules
from runnel_lab.choose.answer import answer

HERE = Path(__file__).resolve().parent / "choose"
HEADS = (
    ("title", "cipher"),
    ("cost", "cycles"),
    ("per_byte", "a byte"),
    ("us", "µs"),
    ("uj", "µJ"),
    ("ram", "RAM"),
    ("flash", "flash"),
    ("air", "on the air"),
    ("setup", "set-up"),
    ("kind_text", "kind of figure"),
)
ALTERNATIVES = 8
TITLES = {"c": "C", "arduino": "Arduino", "python": "Python"}


def page(data: rules.Data) -> str:
    question = rules.defaults(data)
    where = rules.device(data, question["device"])
    found = answer(data, question)
    energy = f" Energy: {where['nj']} nJ a cycle, {where['nj_why']}." if "nj_why" in where else ""
    texts = {
        "measured": data["measured"],
        "version": data["version"],
        "controls": "\n".join(group(data, *each) for each in data["rules"]["groups"].items()),
        "sentence": escape(found["sentence"]),
        "notes": _items(found["notes"]),
        "about_device": escape(f"Figures on {where['title']}: {where['error']}.{energy}"),
        "built": escape(found["built"]),
        "code": "".join(_code(n, language, text) for n, (language, text) in enumerate(found["code"].items())),
        "alternatives": "".join(
            _alternative(each, found["rows"], where["unit"]) for each in found["rows"][:ALTERNATIVES]
        ),
        "commands": ", ".join(f"<code>{escape(line)}</code>" for line in found["rows"][0]["commands"]),
        "heads": "".join(_head(name, text) for name, text in HEADS),
        "rows": "\n".join(_row(each, found["rows"]) for each in found["rows"]),
        "counter_bytes": str(where["counter_bytes"]),
        "left_out": _items(found["left_out"]),
        "cheapest": _items(found["cheapest"]),
        "give_up": _items(found["give_up"]),
        "curves": _curves(found, where["unit"]),
        "memory": _memory(found, where["unit"]),
    }
    html = re.sub(r"\{([a-z_]+)\}", lambda match: texts[match[1]], (HERE / "page.html").read_text())
    return f"---\nhide-toc: true\n---\n# Which cipher for my device?\n\n```{{raw}} html\n{html}\n```\n"


def group(data: rules.Data, name: str, title: str) -> str:
    """Return a group of controls, check boxes last; that of the device has its clock and energy too."""
    asked = [each for each in data["rules"]["questions"] if each["group"] == name]
    found = [control(data, each) for each in asked if each["kind"] != "flag"]
    if name == "message":
        found += [_number("mhz", "Clock, MHz", rules.MHZ), _number("nj", "nJ a cycle", rules.NJ)]
    found += [control(data, each) for each in asked if each["kind"] == "flag"]
    return f"<fieldset><legend>{title}</legend>{''.join(found)}</fieldset>"


def _number(name: str, text: str, least_and_most: tuple[float, float]) -> str:
    least, most = least_and_most
    return (
        f'<div class="field"><label for="{name}">{text}</label><input id="{name}" name="{name}" type="number" '
        f'min="{least:f}" max="{most}" step="any" inputmode="decimal" placeholder="usual"></div>'
    )


def control(data: rules.Data, asked: dict[str, Any]) -> str:
    """Return a control and its label; it is set free by the script."""
    name, default, text = asked["name"], asked.get("default"), escape(asked["text"])
    if asked["kind"] == "flag":
        hint = f"<br><small>{escape(asked['hint'])}</small>" if "hint" in asked else ""
        checked = " checked" if default else ""
        return (
            f'<div class="field flag"><input type="checkbox" id="{name}" name="{name}"{checked}>'
            f'<label for="{name}">{text}{hint}</label></div>'
        )
    if asked["kind"] == "count":
        value = f' value="{default}"' if default is not None else ' placeholder="no limit"'
        return (
            f'<div class="field"><label for="{name}">{text}</label><input type="number" id="{name}" name="{name}" min="0" '
            f'max="{rules.COUNT_MOST}" step="1" inputmode="numeric"{value}></div>'
        )
    choices = asked.get("choices") or {each["name"]: each["title"] for each in data["devices"]}
    options = "".join(
        f'<option value="{word}"{" selected" if word == default else ""}>{escape(what)}</option>'
        for word, what in choices.items()
    )
    return f'<div class="field"><label for="{name}">{text}</label><select id="{name}" name="{name}">{options}</select></div>'


def _items(lines: list[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _code(number: int, language: str, text: str) -> str:
    """Return a tab."""
    title, checked = TITLES[language], "" if number else " checked"
    return (
        f'<input type="radio" name="code" id="code-{language}" value="{language}"{checked}>'
        f'<label class="sd-tab-label" for="code-{language}">{title}</label><div class="sd-tab-content">'
        f'<pre tabindex="0" aria-label="{title}"><code>{escape(text)}</code></pre></div>'
    )


def _alternative(row: dict[str, Any], rows: list[dict[str, Any]], unit: str) -> str:
    most = max(each["cost"] for each in rows[:ALTERNATIVES])
    times = f", {row['times']} times" if row["times"] and row is not rows[0] else ""
    return (
        f"<li><b>{escape(row['title'])}</b> <span>{row['cost_text']} {unit}{times}</span>"
        f'<progress value="{row["cost"]}" max="{most}" aria-hidden="true"></progress></li>'
    )


def _head(name: str, text: str) -> str:
    kind = "" if name in ("title", "kind_text") else ' class="number"'
    sort = ' aria-sort="ascending"' if name == "cost" else ""
    return f'<th scope="col"{kind}{sort}><button type="button" data-column="{name}">{text}</button></th>'


def _row(row: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    cells = []
    for name, _ in HEADS:
        if name == "title":
            kernel = f"<br><code>{row['name']}</code><br>{row['status']}; kernel {escape(row['kernel'])}"
            cells.append(f'<th scope="row">{escape(row["title"])}{kernel}</th>')
        elif name == "cost":
            bar = f'<progress value="{row["cost"]}" max="{max(each["cost"] for each in rows)}" aria-hidden="true"></progress>'
            cells.append(f'<td class="number">{row["cost_text"]}{bar}</td>')
        elif name == "kind_text":
            cells.append(f"<td>{row['kind_text']}</td>")
        else:
            value = row[name]
            text = f"{value:,}" if isinstance(value, int) else value
            text = f"{value} %" if name == "setup" and value is not None else text
            cells.append(f'<td class="number">{text or "–"}</td>')
    return "<tr>" + "".join(cells) + "</tr>"


def _curves(found: dict[str, Any], unit: str) -> str:
    series = [pictures.Series(each["name"], each["points"]) for each in found["curves"]]
    title = f"Cost in {unit} by bytes of the message: {' '.join(found['cheapest'])}"
    return pictures.lines(title, series, "bytes of the message", unit)


def _memory(found: dict[str, Any], unit: str) -> str:
    points = [(name, ram, cost) for name, ram, cost in found["memory"] if ram and cost]
    edge = ", ".join(name for name, _, _ in pictures.pareto(points))
    return pictures.scatter(f"RAM against cost in {unit}; not beaten in both: {edge}", points, "bytes of RAM", unit)
