# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The papers' tables: each cell has a figure or a reason, none mixes units or machines, and they say the same on every
processor. A new row is data."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runnel_lab import LabError, results
from runnel_lab.tables import comparison, papers, printing, published, values

ROOT = Path(__file__).resolve().parent.parent
PAPERS = published.names(ROOT)
KINDS = {"exact", "model", "mca", "measured", None}
EMPTY = {
    "aes-ctr-c": set(),
    "aes-x86-64": {
        "athlon64_instructions_per_cycle",
        "bounds",
        "code_bytes_per_round",
        "cycles_per_block",
        "instructions_per_round",
        "table_1_pentium",
        "table_2_core2",
        "table_3_athlon64",
        "table_4_designs",
    },
    "fixslicing-rv32": {"quoted"},
    "seed-armv8": set(),
    "sensor-streams": set(),
}
"""The tables in which others' code stands, which is not ours to measure."""
NAMES = {"table", "row", "column", "unit", "paper", "technique", "ours", "kind", "target", "kernel", "machine"}


@pytest.fixture
def tree(tmp_path):
    """A source tree as far as tables need it, without results."""
    for name in ("papers", "targets"):
        shutil.copytree(ROOT / "lab" / name, tmp_path / "lab" / name)
    return tmp_path


def record(tree: Path, target: str, rows: list[dict]) -> None:
    file = tree / "lab" / "results" / f"{target}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"target": target, "title": target, "clock_hz": None, "rows": rows}))


def row(cipher: str, kernel: str, **more) -> dict:
    about = {"cipher": cipher, "kernel": kernel, "key_bits": 128, "iv_bits": 128, "kind": "exact", "machine": "it"}
    return about | more


def shown(lines: list[dict]) -> dict[tuple, dict]:
    return {(r["table"], r["row"], r["column"], r.get("bytes")): r for r in lines}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_cell_of_a_paper_has_a_figure_or_a_reason(paper):
    lines = comparison.rows(ROOT, paper)
    for line in lines:
        assert line.keys() >= NAMES and line["unit"] and line["kind"] in KINDS
        assert (line["kernel"] is None) == (line["target"] is None) == (line["kind"] is None)
        if line["paper"] is not None:
            assert line["ours"] is not None or line["reason"], line
            assert line["technique"] is not None or line["reason"], line
        else:
            names = ("technique", "ours", "elsewhere", "does_not_fit")
            assert any(line.get(name) is not None for name in names), line
    found, expected = shown(lines), published.read(ROOT, paper).figures
    assert expected
    for place, figure in expected.items():
        assert found[place.table, place.row, place.column, place.bytes]["paper"] == figure
    assert sum(line["paper"] is not None for line in lines) == len(expected)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_figure_that_can_be_measured_is_there(paper):
    """What is empty is others' code, or an argument."""
    lines = comparison.rows(ROOT, paper)
    assert {line["table"] for line in lines if line["paper"] is not None and line["ours"] is None} == EMPTY[paper]


def test_a_missing_figure_is_seen(tree):
    """The checks above are not satisfied by an empty lab."""
    lines = [line for line in comparison.rows(tree, "sensor-streams") if line["paper"] is not None]
    assert lines and all(line["ours"] is None and line["reason"] is None for line in lines)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_figures_are_the_papers(paper):
    """Their digests were taken from figures read off the papers on their own, and these are compared where they are at
    hand."""
    ours = json.loads((ROOT / "lab" / "papers" / f"{paper}.json").read_text())
    digests = dict(reversed(line.split()) for line in (ROOT / "tests" / "papers.sha256").read_text().splitlines())
    assert hashlib.sha256(json.dumps(ours, sort_keys=True).encode()).hexdigest() == digests[paper]
    collection = ROOT.parent / "shared" / "seeds" / "tables.json"
    if collection.is_file():
        theirs = json.loads(collection.read_text())[paper]
        del theirs["file"]
        assert {name: ours[name] for name in theirs} == theirs


def line(**changed) -> dict:
    about = {"table": "t", "row": "r", "column": "c", "unit": "us", "target": "avr", "machine": "ATmega128"}
    return about | changed


@pytest.mark.parametrize(
    "other, says",
    [
        ({"unit": "cycles"}, "t: the column c mixes us and cycles"),
        ({"machine": "ATmega1284P"}, "t mixes avr and avr, ATmega1284P"),
        ({"target": "rv32"}, "t mixes avr and rv32, ATmega128"),
    ],
)
def test_a_table_that_mixes_units_or_machines_is_refused(other, says):
    comparison.check([line(), line(row="s"), line(column="d", unit="bytes"), line(table="u", **other)])
    with pytest.raises(LabError) as refused:
        comparison.check([line(), line(**other)])
    assert str(refused.value) == says


def add_table(tree, *lines: str) -> Path:
    """Adds a table `new` with one row, LEX on AVR, to the sensor-node paper, and returns the file of the paper."""
    file = tree / "lab" / "papers" / "sensor-streams.toml"
    rule = ["[[rules]]", 'table = "new"', 'target = "avr"', 'cipher = "lex"', *lines, 'rows.first.technique = "table"']
    file.write_text(file.read_text() + "\n" + "\n".join(rule) + "\n")
    papers.describe.cache_clear()
    return file


def test_a_new_row_is_data(tree):
    record(tree, "avr", [row("lex", "table", rom=1000), row("lex", "portable", rom=900)])
    file = add_table(tree, "value = \"memory('rom') / 2\"", 'unit = "half bytes"')
    found = shown(comparison.rows(tree, "sensor-streams"))["new", "first", None, None]
    assert (found["technique"], found["ours"], found["kernel"], found["unit"]) == (500, 450, "portable", "half bytes")
    file.write_text(file.read_text().replace("memory('rom') / 2", "open('/etc/passwd')"))
    papers.describe.cache_clear()
    with pytest.raises(LabError, match="a rule of new cannot be read"):
        comparison.rows(tree, "sensor-streams")


@pytest.mark.parametrize("text", ["figure", "figure('key').real", "1 if 2 else 3", "[1]", "x + 1", "figure(", "-1"])
def test_what_an_expression_may_not_be(text):
    with pytest.raises(ValueError):
        values.parse(text)


def test_ours_comes_from_the_results_and_only_from_them(tree):
    assert all(r["ours"] is None for r in comparison.rows(tree, "aes-ctr-c"))
    figures = {"stream": {"cycles": 6900, "bytes": 1600}, "more_1024": {"cycles": 1024, "bytes": 1024}}
    slow = {"stream": {"cycles": 9300, "bytes": 1600}}
    rows = [
        row("aes-128-ctr", "ctr-c", kind="measured", hz=1e9, figures=figures),
        row("aes-128-ctr", "ttable", kind="measured", hz=1e9, figures=slow),
        row(
            "aes-128-ctr",
            "openssl",
            kind="measured",
            hz=1e9,
            peer=True,
            figures={"stream": {"cycles": 1, "bytes": 1600}},
        ),
    ]
    record(tree, "host", rows)
    found = shown(comparison.rows(tree, "aes-ctr-c"))
    time = found["block_time_ms", "all", "128", None]
    assert (time["technique"], time["ours"], time["kernel"]) == (0.000069, 0.000069, "ctr-c")
    default = found["block_time_ms", "default", "128", None]
    assert (default["technique"], default["ours"], default["technique_kernel"]) == (0.000093, 0.000069, "ttable")
    saved = found["time_reduction_percent_vs_default", "all", "128", None]
    assert saved["technique"] == pytest.approx(100 * (1 - 69 / 93), rel=1e-4)
    assert found["throughput_all", "128", "MBps", 1024]["ours"] == 1000
    assert found["throughput_all", "192", "MBps", 1024]["ours"] is None


def test_cycles_of_llvm_mca_are_labelled(tree):
    """SEED's paper: two blocks of one kernel beside one of the reference, both in the paper's layout."""

    def kernel(name: str, instructions: int, cycles: int) -> dict:
        figures = {label: {"instructions": instructions, "bytes": 64} for label in ("long", "left")}
        ranked = {"label": "long", "bytes": 1024, "cycles": {"cyclone": cycles}}
        mca = {
            "tool": "llvm-mca",
            **ranked,
            "left": {"label": "left", "bytes": 1024, "cycles": {"cyclone": cycles - 64}},
        }
        return row("seed-ctr", name, figures=figures, mca=mca)

    record(tree, "aarch64", [kernel("table", 3200, 57600), kernel("neon-tbl-literal", 2560, 35264)])
    found = shown(comparison.rows(tree, "seed-armv8"))
    reference, pairs = (found["cycles", name, None, None] for name in ("reference_c_1_block", "neon_tbl_2_blocks"))
    assert (reference["technique"], reference["kind"], reference["unit"]) == (899, "mca", "cycles")
    assert (pairs["technique"], pairs["kind"]) == (1100, "mca")
    assert found["gain_percent_per_block", None, None, None]["technique"] == pytest.approx(63.4545)
    assert found["instructions", "neon_tbl_2_blocks", "be128", None]["technique"] == 1280
    assert found["instructions", "neon_tbl_2_blocks", "be128", None]["kind"] == "exact"


@pytest.mark.parametrize("last", ["a", "b"])
def test_of_several_machines_the_last_one_counts(tree, last):
    for machine in ("a", "b"):
        file = tree / "lab" / "results" / machine / "host.json"
        file.parent.mkdir(parents=True)
        date = "2026-01-02" if machine == last else "2026-01-01"
        measured = row("aes-128-ctr", "ctr-c", kind="measured", hz=1e9, machine=machine, date=date)
        measured["figures"] = {"stream": {"cycles": 16 if machine == last else 32, "bytes": 16}}
        file.write_text(json.dumps({"target": "host", "title": "", "clock_hz": None, "rows": [measured]}))
    found = shown(comparison.rows(tree, "aes-ctr-c"))["block_time_ms", "all", "128", None]
    assert (found["technique"], found["machine"]) == (0.000016, last)


def test_the_node_is_faster_in_every_row():
    """As the notes on the paper say: our best kernel beside the paper's code, key, IV and 128 bytes together."""
    both = [
        each
        for each in comparison.rows(ROOT, "sensor-streams")
        if each["paper"] is not None and each["column"] == "us_per_byte"
    ]
    assert both
    for each in both:
        assert each["ours"] < each["paper"], each


def test_every_row_says_what_made_it():
    rows = results.read_all(results.recorded(ROOT))
    assert len(rows) > 700
    for found in rows:
        assert {"machine", "hz", "compiler", "flags", "commit", "date", "kind"} <= found.keys(), found["kernel"]
        assert found["machine"] and found["compiler"] and found["commit"] and found["date"]


@pytest.mark.parametrize("paper", PAPERS)
def test_for_people(paper):
    lines = comparison.rows(ROOT, paper)
    text = printing.text(ROOT, paper, lines)
    for one in text.splitlines():
        assert len(one) < 200 and one == one.rstrip()
    for table in dict.fromkeys(each["table"] for each in lines):
        assert f"\n{table}" in text
    assert "cc (" in text and papers.describe(ROOT, paper).published.split()[0] in text


def test_a_table_says_when_its_own_figures_were_made(tree):
    """Not those of another cipher, or of other lengths, whose kernel has the same name."""
    about = {"compiler": "cc", "flags": ["-O2"], "date": "2026-01-01"}
    record(
        tree,
        "avr",
        [
            row("aes-128-ctr", "table", rom=1, commit="anothers", **about),
            row("lex", "table", rom=1000, commit="longer") | about | {"key_bits": 256},
            row("lex", "table", rom=1000, commit="technique", **about),
            row("lex", "portable", rom=900, commit="best", **about),
        ],
    )
    add_table(tree, "lengths = [128, 128]", "value = \"memory('rom')\"", 'unit = "bytes"')
    lines = [each for each in comparison.rows(tree, "sensor-streams") if each["table"] == "new"]
    text = " ".join(printing.text(tree, "sensor-streams", lines).split())
    assert "cc, -O2; 2026-01-01, commit best; 2026-01-01, commit technique" in text
    assert "commit anothers" not in text and "commit longer" not in text


def test_the_same_on_every_processor():
    """Nothing that is shown is asked of the processor that shows it."""
    script = (
        "import json, sys; from pathlib import Path; from runnel_lab.tables import comparison, printing, published\n"
        "tree = Path(sys.argv[1])\n"
        "for paper in published.names(tree):\n"
        "    lines = comparison.rows(tree, paper)\n"
        "    print(json.dumps(lines), printing.text(tree, paper, lines))\n"
    )
    texts = []
    for cpu in (None, "none"):
        environment = {k: v for k, v in os.environ.items() if k != "RUNNEL_CPU"} | ({"RUNNEL_CPU": cpu} if cpu else {})
        command = [sys.executable, "-c", script, str(ROOT)]
        texts.append(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert texts[0] == texts[1] and len(texts[0]) > 100_000
