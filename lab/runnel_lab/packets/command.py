# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab show packets."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from runnel_lab.packets import frames, published, recorded, rows, text
from runnel_lab.packets.rows import Question


def show_packets(tree: Path, tables: list[str], everything: bool, as_json: bool) -> None:
    """Prints rankings, or the rows of the first frame, or with everything those of all frames; and what others published."""
    ranked = [text.split(tree, table) for table in tables if table != "published"]
    if not as_json:
        click.echo(text.text(tree, text.names(tree) if everything else tables), nl=False)
        return
    first = next(iter(frames.frames(tree)))
    questions = [Question(first)]
    if everything:
        questions = [Question(*one) for one in itertools.product(frames.frames(tree), (True, False), (False, True))]
    elif tables:
        questions = [Question(frame) for frame in dict.fromkeys(frame for _, frame, _ in ranked)]
    found = [row for question in questions for row in rows.rows(tree, question)]
    if tables:
        found = [row for row in found if (row["processor"], row["frame"], row["bytes"]) in ranked]
    record: dict[str, Any] = {"rows": found}
    if not tables or "published" in tables:
        others = published.published(tree, recorded.read_all(recorded.recorded(tree)))
        record["published"] = [asdict(one) | {"times": one.times} for one in others]
    click.echo(json.dumps(record, indent=1))
