# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The site's tables: all that is recorded is in them, and where another is faster comes first, with its reason."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from runnel_lab import speed

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "site"))
import figures
import tables
from figures import charts, lab_rows, lab_tables, packets, proofs, reliability
from runnel_lab.tables import papers, published


@pytest.fixture(scope="module")
def found() -> list[figures.Page]:
    return list(figures.pages())


@pytest.fixture(scope="module")
def pages(found) -> dict[str, str]:
    return {page.name: page.text for page in found}


def test_every_figure_of_a_machine_is_on_its_page(pages):
    files = sorted((ROOT / "results").glob("*/speed*.json"))
    assert len(files) > 4
    for file in files:
        page = pages[f"speed-{file.parent.name}"]
        for cipher, comparison in speed.comparisons(tables.load(file)).items():
            assert f"| `{cipher}` |" in page, (file, cipher)
            for implementation, cells in tables.named(comparison):
                rows = [
                    line for line in tables.cipher_table(comparison).splitlines() if f"| {implementation} |" in line
                ]
                assert rows and all(row in page for row in rows), (file, cipher, implementation)
                assert all(f" {speed.figure(cell)} |" in "".join(rows) for cell in cells.values()), (file, cipher)


def test_every_kernel_that_the_lab_measured_is_on_its_cipher_s_page(pages):
    """Except for raw blocks and feedback, which `runnel lab show TARGET` prints."""
    seen = 0
    for file in lab_rows.targets():
        for row in lab_rows.rows(file) if file.stem != "host" else ():
            folder = figures.ciphers.belongs(row["cipher"])
            if folder and "figures" in row and not row["cipher"].endswith(("-cfb", "-ecb")):
                table = pages[folder.name].partition(f"**`{file.stem}`**")[2].partition("\n\n**")[0]
                assert f"| {row['cipher']} | `{row['kernel']}` |" in table, (file, row["cipher"], row["kernel"])
                seen += 1
    assert seen > 800


def test_every_proof_is_on_the_page_of_proofs(pages):
    files = [
        file
        for file in (ROOT / "results" / "proofs").glob("*.json")
        if not file.name.startswith(("forms", "planted", "compilers"))
    ]
    assert len(files) > 40
    for file in files:
        kept = json.loads(file.read_text(encoding="utf-8"))
        row = f"| [{kept['cipher']}/{kept['kernel']}](../results/proofs/{file.name}) | {kept['target']} | "
        # One whose instructions were not all compared with a processor does not count either.
        allowed = ["of older code"] if "stale" in kept else ["yes", "no"] if kept["proved"] else ["no"]
        assert any(f"{row}{each} |" in pages["proofs"] for each in allowed)


def test_the_matrix_has_every_proof(pages):
    matrix = pages["proofs"].partition("## Each proof")[0]
    results = proofs.forms_tested.results_in(proofs.RESULTS)
    assert matrix.count("<span") == len(results) and matrix.count('class="yes"') == sum(map(proofs.is_proved, results))


def test_no_kernel_without_cached_rounds_beats_the_limit(pages):
    """Of the AES instructions; ours may, by as many rounds as its tables leave out."""
    bars = [
        bar
        for folder, runs in charts.known_limits().items()
        for name, rate in runs.items()
        for bar in charts.limit_rows(ROOT / "results" / folder / name, rate)
    ]
    assert len(bars) > 10
    for bar in bars:
        values = {what: value for what, value, _ in bar.values}
        limit, rounds = values["limit of the AES instructions"], charts.ROUNDS[bar.name]
        assert values["Runnel"] > limit * (rounds - charts.CACHED) / rounds
        assert values.get("best library", limit) > 0.97 * limit  # two runs differ by 2 %, and so does the clock
    runs = sum(len(each) for each in charts.known_limits().values())
    assert pages["charts"].partition("### Other")[0].count("<svg") == runs


def test_goals_parts_and_packages_are_there(pages):
    text = pages["reliability"]
    assert all(f"| {goal} |" in text for goal in reliability.goals()["goals"])
    assert all(f"[{part}](" in text for part in reliability.parts())
    assert all(finding["found"] in text for finding in reliability.goals()["findings"])
    recorded = json.loads((ROOT / "results" / "packages.json").read_text())
    assert recorded and all(f"| `{name}` |" in pages["packages"] for name in recorded)


def test_rankings_have_every_row(pages):
    frame, length = packets.text.PACKETS[0]
    for processor in packets.text.PROCESSORS:
        cells = packets.text.ranking_cells(packets.found(frame), processor, length)
        head = f"### {packets.TITLES[processor]}: {length} bytes, {frame}\n"
        assert pages["packets"].partition(head)[2].partition("\n### ")[0].count("\n| ") == len(cells) + 2
    assert pages["packets"].count("<svg") == len(packets.text.PROCESSORS)


def test_a_cipher_s_page_begins_with_its_readme(found):
    """And the list of pages names all of them."""
    names = [page.name for page in found]
    assert len(names) == len(set(names)) and all(f"]({name}.md)" in figures.index(found) for name in names)
    by_folder = {page.folder: page.title for page in found if page.folder != "docs"}
    assert by_folder["src/ciphers/rabbit"] == "Rabbit"
    assert set(by_folder) == {str(folder.relative_to(ROOT)) for folder in figures.folders()}


def slowed(document: dict) -> dict:
    """Make two peers, the last ones of the list, faster than we are."""
    if "about" in document:
        for peer in document["rows"][-2:]:
            peer["figure"] = 0.01
        document["rows"][-2]["reason"] = "why"
    return document


def test_where_another_is_faster_comes_first(monkeypatch):
    whole = lab_tables.json.loads
    monkeypatch.setattr(lab_tables.json, "loads", lambda text: slowed(whole(text)))
    rows = lab_tables.beside_peers().splitlines()[2:]
    slower = [row for row in rows if "slower: " in row]
    assert rows[: len(slower)] == slower and len(slower) < len(rows)
    assert sum("slower: why" in row for row in slower) == sum("slower: not explained yet" in row for row in slower) == 1


def test_where_another_is_faster_the_reason_is_known():
    assert "not explained yet" not in lab_tables.beside_peers()


def test_setting_the_iv_is_in_ours_where_the_row_says_so():
    found = [peer for peer in lab_tables.peers()["rows"] if "fresh IV" in peer["what"]]
    assert found and {peer["and"] for peer in found} == {"iv"}
    for peer in found:
        measured = lab_tables.our_row(peer, "aes-128-ctr")["figures"]
        both = measured[peer["label"]]["instructions"] + measured["iv"]["instructions"]
        ours = lab_tables.our_figure(peer, {"figures": measured})
        assert ours == both * peer["bytes"] / measured[peer["label"]]["bytes"]


def test_every_figure_of_others_has_its_source():
    text = lab_tables.peers()
    assert {row["source"] for row in text["rows"]} == set(text["sources"])
    assert all(each["source"] for each in text["other_units"])


def test_ciphers_of_which_nothing_else_is_known_are_named():
    none = lab_tables.without_peers(lab_tables.peers())
    assert "sosemanuk" in none["avr"] and "sosemanuk" not in none["rv32"] and "aes-ctr" not in none["avr"]
    assert len(lab_tables.without_peers({"rows": [], "other_units": []})["avr"]) > len(none["avr"])


def test_the_list_of_papers_has_a_figure_of_each():
    for name, line in zip(published.names(ROOT), lab_tables.five_papers().splitlines()[2:], strict=True):
        assert f"| `runnel lab reproduce {name}` |" in line and papers.describe(ROOT, name).title in line
        theirs, ours = re.search(r"\| ([\d.,]+), ours ([\d.,]+) ", line).groups()
        better = float(ours.replace(",", "")) < float(theirs.replace(",", ""))
        assert better == (name != "sensor-streams")  # whose figure is kilobits a second
