# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents' tables of the lab's results: the five papers, and others' figures beside ours. test_documents.py
checks that they are fresh."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from runnel_lab.tables import papers, published

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lab_table


def test_readme_names_the_five_papers_with_their_commands():
    lines = lab_table.five_papers().splitlines()[2:]
    for name, line in zip(published.names(ROOT), lines, strict=True):
        assert f"| `runnel lab reproduce {name}` |" in line and papers.describe(ROOT, name).title in line
        theirs, ours = re.search(r"\| ([\d.,]+), ours ([\d.,]+) ", line).groups()
        better = float(ours.replace(",", "")) < float(theirs.replace(",", ""))
        assert better == (name != "sensor-streams")  # whose figure is kilobits a second
    assert "".join(place.now() for place in lab_table.PLACES if place.marker == "papers").count("lab reproduce") == 5


def test_where_another_is_faster_comes_first(monkeypatch, tmp_path):
    whole = lab_table.json.loads
    monkeypatch.setattr(lab_table.json, "loads", lambda text: slowed(whole(text)))
    rows = lab_table.beside_peers().splitlines()[2:]
    slower = [row for row in rows if "slower: " in row]
    assert rows[: len(slower)] == slower and len(slower) < len(rows)
    assert sum("slower: why" in row for row in slower) == sum("slower: not explained yet" in row for row in slower) == 1


def test_where_another_is_faster_the_reason_is_known():
    assert "not explained yet" not in lab_table.beside_peers()


def test_setting_the_iv_is_in_ours_where_the_row_says_so():
    found = [peer for peer in lab_table.peers()["rows"] if "fresh IV" in peer["what"]]
    assert len(found) == 4 and {peer["and"] for peer in found} == {"iv"}
    for peer in found:
        figures = lab_table.our_row(peer, "aes-128-ctr")["figures"]
        both = figures[peer["label"]]["instructions"] + figures["iv"]["instructions"]
        assert (
            lab_table.our_figure(peer, {"figures": figures}) == both * peer["bytes"] / figures[peer["label"]]["bytes"]
        )


def slowed(document: dict) -> dict:
    """Two peers become faster than we are, the last ones of the list."""
    if "about" in document:
        for peer in document["rows"][-2:]:
            peer["figure"] = 0.01
        document["rows"][-2]["reason"] = "why"
    return document


def test_every_figure_of_others_has_its_source():
    text = lab_table.peers()
    assert {row["source"] for row in text["rows"]} == set(text["sources"])
    assert all(each["source"] for each in text["other_units"])


def test_a_cipher_has_a_figure_of_others_or_is_said_to_have_none():
    said = lab_table.known_elsewhere()
    none = lab_table.alone(lab_table.peers())
    assert "sosemanuk" in none["avr"] and "sosemanuk" not in none["rv32"] and "aes-ctr" not in none["avr"]
    assert all(f"- `{target}`: {', '.join(ciphers)}." in said for target, ciphers in none.items())
    assert len(lab_table.alone({"rows": [], "other_units": []})["avr"]) > len(none["avr"])
