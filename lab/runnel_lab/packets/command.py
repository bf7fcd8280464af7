# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab packets: measure authenticated packets on the processors of nodes."""

from __future__ import annotations

import itertools
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from runnel.cli.options import examples, quiet_option
from runnel.cli.values import Names

from runnel_lab import LabError, Skipped, UnknownNameError, targets
from runnel_lab.packets import campaign, frames, published, recorded, rows, text
from runnel_lab.packets.combinations import combination, combinations
from runnel_lab.packets.rows import Question
from runnel_lab.running import measure
from runnel_lab.source import source_tree
from runnel_lab.tally import Tally


def _names() -> list[str]:
    try:
        return list(combinations(source_tree()))
    except LabError:
        return []


def _processors() -> list[str]:
    try:
        return campaign.processors(source_tree())
    except LabError:
        return []


@click.command(
    short_help="Measure authenticated packets on small processors.",
    epilog=examples("runnel lab packets --target avr --aead aes-128-ccm"),
)
@click.option(
    "--aead", "aeads", multiple=True, type=Names(_names), metavar="NAME", help="Only this one; may be repeated."
)
@click.option(
    "--target",
    "wanted",
    multiple=True,
    type=Names(_processors),
    metavar="NAME",
    help="Only this target; may be repeated.",
)
@click.option("--record", is_flag=True, help="Keep the rows in lab/packets/results, which the tables are made of.")
@quiet_option
def packets(aeads: tuple[str, ...], wanted: tuple[str, ...], record: bool, quiet: bool) -> None:
    """Measure packets that are sealed, opened and forged, and write what they cost to build/lab/packets.

    Every byte is compared with the host's. lab/packets/combinations.toml names the AEADs, and the ciphers that get a MAC.

    Of each part the kernel is taken with which a packet of 32 bytes takes the fewest cycles. A target whose tools are not
    installed is skipped with a line that says so; where --target names it, that is an error.
    """
    tree = source_tree()
    chosen = [combination(tree, name) for name in dict.fromkeys(aeads or combinations(tree))]
    processors = [_processor(tree, name) for name in dict.fromkeys(wanted or campaign.processors(tree))]
    place = recorded.recorded(tree) if record else recorded.scratch(tree)
    tally = Tally(wanted, quiet)
    with tempfile.TemporaryDirectory() as scratch:
        for target in processors:
            folder = Path(scratch) / target.name
            folder.mkdir()
            try:
                station = measure.station(target, folder)
            except Skipped as error:
                tally.skip(error, target)
                continue
            if not aeads:
                recorded.forget_the_gone(place, target, set(combinations(tree)))
            tally.follow(target, campaign.run(station, place, chosen), len(chosen))
    tally.end(place)


def _processor(tree: Path, name: str) -> targets.Target:
    target = targets.load(tree, name)
    if name not in (known := campaign.processors(tree)):
        raise UnknownNameError(f"packets are not measured on {name}, but on {', '.join(known)}")
    return target


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
