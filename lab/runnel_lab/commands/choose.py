# SPDX-License-Identifier: Apache-2.0 OR MIT
"""choose: which cipher for a device and its messages, by the same rules and figures as the project's page."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from typing import Any

import click
from runnel.cli.options import examples, json_option, pass_inputs
from runnel.cli.streams import write_standard_output
from runnel.cli.values import KnownName, Number, Size
from runnel.columns import columns
from runnel.inputs import Inputs

from runnel_lab.choose import rules
from runnel_lab.choose.answer import answer

_ROWS = 10
_HEAD = ("", "µs", "µJ", "RAM", "flash", "on the air", "kind of figure")


def _devices() -> list[str]:
    return [each["name"] for each in rules.load()["devices"]]


def _questions(function: Callable[..., None]) -> Callable[..., None]:
    """Return an option for each question of the rules."""
    for asked in reversed(rules.load()["rules"]["questions"]):
        name, default, text = asked["name"], asked.get("default"), asked["text"].replace(", bytes", ", in bytes")
        option = f"--{name}"
        if asked["kind"] == "flag":
            words = f"{option}/--{'not' if name in ('authenticated', 'seek') else 'no'}-{name}"
            decorator = click.option(words, name, default=default, help=f"{text}.", show_default=True)
        elif asked["kind"] == "count":
            size = Size(rules.COUNT_MOST)
            decorator = click.option(option, type=size, default=default, metavar="N", help=f"{text}.")
        elif name == "device":
            known = KnownName("device", _devices)
            decorator = click.option(option, type=known, default=_devices()[0], metavar="NAME", help=f"{text}.")
        else:
            choice = click.Choice(list(asked["choices"]), case_sensitive=False)
            choices = "; ".join(f"{word}: {what}" for word, what in asked["choices"].items())
            decorator = click.option(option, type=choice, default=default, help=f"{text}. {choices}.")
        function = decorator(function)
    return function


@click.command(
    short_help="Print which cipher fits a device and its messages.",
    epilog=examples("runnel choose --device atmega328p --bytes 32 --ram 1024", "runnel choose --device x86-64 --json"),
)
@_questions
@click.option("--mhz", type=Number(*rules.MHZ), metavar="N", help="The clock, where it is not the device's usual.")
@click.option("--nj", type=Number(*rules.NJ), metavar="N", help="nJ that a cycle takes.")
@click.option(
    "--code",
    "language",
    type=click.Choice(["c", "arduino", "python"], case_sensitive=False),
    default="c",
    help="The code's language.",
)
@json_option
@pass_inputs
def choose(
    inputs: Inputs, /, mhz: float | None, nj: float | None, language: str, as_json: bool, **question: Any
) -> None:
    """Print the cipher that costs least for such messages on such a device, what else would do and what would not, and why.

    The figures are those of the project's lab, with its kinds: exact, timing model, measured. Legacy and broken ciphers
    are left out unless --all asks for them.
    """
    data = rules.load()
    found = answer(data, question, mhz, nj)
    if as_json:
        text = json.dumps({"question": question, **found}, indent=1) + "\n"
    else:
        text = _text(found, rules.device(data, question["device"])["unit"], language)
    write_standard_output(inputs, text.encode())


def _text(found: dict[str, Any], unit: str, language: str) -> str:
    paragraphs = [_wrapped(found["sentence"])]
    if found["notes"]:
        paragraphs.append("".join(_wrapped(note, "- ") for note in found["notes"]))
    if rows := found["rows"]:
        lines = [[unit, *_HEAD]]
        for row in rows[:_ROWS]:
            flash = "" if row["flash"] is None else f"{row['flash']:,}"
            figures = [row["cost_text"], row["name"], row["us"], row["uj"], f"{row['ram']:,}", flash, str(row["air"])]
            lines.append([*figures, row["kind_text"]])
        paragraphs.append(columns(lines, right=(0, 2, 3, 4, 5, 6)))
        paragraphs.append("What you give up:\n" + "".join(_wrapped(line, "- ") for line in found["give_up"]))
        paragraphs.append(found["code"][language] + "\n")
        paragraphs += [_wrapped(found["built"])] if found["built"] else []
        paragraphs.append("Measured anew by:\n" + "".join(f"  {line}\n" for line in rows[0]["commands"]))
    else:
        paragraphs.append("Left out:\n" + "".join(_wrapped(line, "- ") for line in found["left_out"][:_ROWS]))
    return "\n".join(paragraphs)


def _wrapped(text: str, mark: str = "") -> str:
    return textwrap.fill(text, 100, initial_indent=mark, subsequent_indent=" " * len(mark)) + "\n"
