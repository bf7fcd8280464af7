# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The papers' tables: each cell has a figure or a reason, none mixes units or machines, several machines and folders stand
side by side, no verdict uses what it may not, and they say the same on every processor."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from runnel_lab import LabError, results
from runnel_lab.tables import comparison, curves, kernels, papers, printing, published

ROOT = Path(__file__).resolve().parents[2]
PAPERS = published.names(ROOT)
EMPTY = {"aes-x86-64": {"bounds", "cycles_per_block", "table_1_pentium"}, "fixslicing-rv32": {"quoted"}}
"""The tables in which others' code stands, which is not ours to measure."""
NAMES = {"table", "row", "column", "unit", "paper", "technique", "ours", "kind", "target", "kernel", "machine"}


@pytest.fixture
def tree(tmp_path):
    """Return a source tree as far as tables need it, without results."""
    for name in ("papers", "targets"):
        shutil.copytree(ROOT / "lab" / name, tmp_path / "lab" / name)
    return tmp_path


def record(folder: Path, target: str, *rows: dict) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = {"target": target, "title": target, "clock_hz": None, "rows": rows}
    (folder / f"{target}.json").write_text(json.dumps(text))
    return folder


def row(cipher: str, kernel: str, **more) -> dict:
    about = {"cipher": cipher, "kernel": kernel, "key_bits": 128, "iv_bits": 128, "kind": "exact", "machine": "it"}
    build = {"compiler": "cc", "flags": ["-O2"], "date": "2026-01-01", "commit": "c"}
    return about | build | more


def clocked(kernel: str, cycles: int, **more) -> dict:
    """Return a row of the host, of so many cycles a block."""
    figures = {"stream": {"cycles": 100 * cycles, "bytes": 1600}}
    return row("aes-128-ctr", kernel, **{"kind": "measured", "hz": 1e9, "figures": figures} | more)


def shown(lines: list[dict]) -> dict[tuple, dict]:
    return {(r["table"], r["row"], r["column"], r.get("bytes")): r for r in lines}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_cell_of_a_paper_has_a_figure_or_a_reason(paper):
    lines = comparison.rows(ROOT, paper)
    for line in lines:
        assert line.keys() >= NAMES and line["unit"]
        assert line["kind"] in {"exact", "model", "mca", "measured", None}
        assert (line["kernel"] is None) == (line["target"] is None) == (line["kind"] is None)
        if line["paper"] is not None:
            assert (line["ours"] is not None and line["technique"] is not None) or line["reason"], line
        else:
            assert any(line.get(name) is not None for name in ("technique", "ours", "elsewhere", "does_not_fit"))
    found, expected = shown(lines), published.read(ROOT, paper).figures
    assert expected
    for place, figure in expected.items():
        assert found[place.table, place.row, place.column, place.bytes]["paper"] == figure
    empty = {line["table"] for line in lines if line["paper"] is not None and line["ours"] is None}
    assert empty == EMPTY.get(paper, set())


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


@pytest.mark.parametrize(
    "other, message",
    [
        ({"unit": "cycles"}, "t: the column c mixes us and cycles"),
        ({"machine": "ATmega1284P"}, "t mixes avr and avr, ATmega1284P"),
        ({"target": "rv32"}, "t mixes avr and rv32, ATmega128"),
    ],
)
def test_a_table_that_mixes_units_or_machines_is_refused(other, message):
    line = {"table": "t", "row": "r", "column": "c", "unit": "us", "target": "avr", "machine": "ATmega128"}
    comparison.check(
        [line, line | {"row": "s"}, line | {"column": "d", "unit": "bytes"}, line | {"table": "u"} | other]
    )
    with pytest.raises(LabError) as refused:
        comparison.check([line, line | other])
    assert str(refused.value) == message


def test_a_new_row_is_one_line(tree):
    """Of the paper's Python file; without results its figures have no reason, so that a hole is seen."""
    file = tree / "lab" / "papers" / "aes-ctr-c.py"
    old = 'CACHES = {"all": "ctr-c"'
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, 'CACHES = {"new": "ctr-c-new", "all": "ctr-c"'))
    papers.describe.cache_clear()
    assert all(each["ours"] is None and each["reason"] is None for each in comparison.rows(tree, "aes-ctr-c"))
    record(tree / "lab" / "results" / "pc", "host", clocked("ctr-c-new", 75), clocked("ttable", 100))
    found = shown(comparison.rows(tree, "aes-ctr-c"))
    assert found["block_time_ms", "new", "128", None]["technique"] == 0.000075
    assert found["time_reduction_percent_vs_default", "new", "128", None]["technique"] == 25
    file.write_text("1 / 0\n")
    papers.describe.cache_clear()
    with pytest.raises(LabError, match=r"aes-ctr-c\.py"):
        comparison.rows(tree, "aes-ctr-c")


def test_ours_is_the_best_kernel_of_ours(tree):
    figures = {"stream": {"cycles": 6900, "bytes": 1600}, "more_1024": {"cycles": 1024, "bytes": 1024}}
    peer = clocked("openssl", 1, peer=True)
    record(tree / "lab" / "results", "host", clocked("ctr-c", 69, figures=figures), clocked("ttable", 93), peer)
    found = shown(comparison.rows(tree, "aes-ctr-c"))
    default = found["block_time_ms", "default", "128", None]
    assert (default["technique"], default["ours"], default["kernel"]) == (0.000093, 0.000069, "ctr-c")
    assert default["technique_kernel"] == "ttable" and default["paper"] == 0.00093
    assert found["throughput_all", "128", "MBps", 1024]["ours"] == 1000
    assert found["throughput_all", "192", "MBps", 1024]["ours"] is None


def test_cycles_of_llvm_mca_are_labelled(tree):
    """SEED's paper: two blocks of one kernel beside one of the reference, both in the paper's layout."""

    def kernel(name: str, instructions: int, cycles: int) -> dict:
        figures = {label: {"instructions": instructions, "bytes": 64} for label in ("long", "left")}
        left = {"label": "left", "bytes": 1024, "cycles": {"cyclone": cycles - 64}}
        mca = {"tool": "llvm-mca", "label": "long", "bytes": 1024, "cycles": {"cyclone": cycles}, "left": left}
        return row("seed-ctr", name, figures=figures, mca=mca)

    kernels = kernel("table", 3200, 57600), kernel("neon-tbl-literal", 2560, 35264), kernel("neon-tbl", 2560, 35264)
    record(tree / "lab" / "results", "aarch64", *kernels)
    lines = comparison.rows(tree, "seed-armv8")
    found = shown(lines)
    reference, pairs = (found["cycles", name, None, None] for name in ("reference_c_1_block", "neon_tbl_2_blocks"))
    assert (reference["technique"], reference["kind"], pairs["technique"], pairs["kind"]) == (899, "mca", 1100, "mca")
    assert found["gain_percent_per_block", None, None, None]["technique"] == pytest.approx(63.4545)
    counted = found["instructions", "neon_tbl_2_blocks", "be128", None]
    assert (counted["technique"], counted["kind"]) == (1280, "exact")
    assert comparison.headline(lines).startswith("No figure")  # what llvm-mca ranks is in no verdict
    half = found["cycles", "after the paper, S-boxes loaded half as often", None, None]
    assert half["after"].startswith("after the paper: differs in ") and "after" not in pairs
    assert "neon-tbl, after the paper: differs in" in printing.text(tree, "seed-armv8", lines)


def test_machines_stand_side_by_side(tree):
    """A machine on which less was measured, and last, takes no cell away."""
    folder = tree / "lab" / "results"
    record(folder / "a", "host", clocked("ctr-c", 10, machine="a"), clocked("ttable", 20, machine="a"))
    record(folder / "b", "host", clocked("ctr-c", 7, machine="b", date="2026-02-02", commit="bs"))
    lines = comparison.rows(tree, "aes-ctr-c")
    found = shown(lines)
    both, one_machine = (found["block_time_ms", name, "128", None] for name in ("all", "default"))
    assert (both["machine"], both["technique"], one_machine["technique"]) == ("a", 0.00001, 0.00002)
    (other,) = both["others"]
    assert (other["source"], other["technique"]) == ("b", 0.000007)
    text = printing.text(tree, "aes-ctr-c", [each for each in lines if each["table"] == "block_time_ms"])
    assert "technique (2)" in text and "* (2): b" in text and "0.000007" in text
    assert "commit c" in text and "commit bs" not in text
    records = list(csv.DictReader(io.StringIO(printing.as_csv(lines))))
    assert records[0].keys() >= {"paper", "technique", "ours", "technique, b", "ours, b"} and len(records) == len(lines)


def test_folders_stand_side_by_side(tree):
    mine = record(tree / "mine" / "pc", "host", clocked("ctr-c", 11)).parent
    yours = record(tree / "yours" / "pc", "host", clocked("ctr-c", 22)).parent
    line = shown(comparison.rows(tree, "aes-ctr-c", [mine, yours]))["block_time_ms", "all", "128", None]
    assert line["technique"] == 0.000011
    assert [(other["source"], other["technique"]) for other in line["others"]] == [("yours: pc", 0.000022)]


@pytest.mark.parametrize("spoilt, mark", [({"noisy": True}, "~"), ({"commit": "old"}, "!")])
def test_no_verdict_uses_what_is_noisy_or_stale(tree, spoilt, mark):
    for more in ({}, spoilt):
        figures = {
            "long": {"cycles": 150, "bytes": 16} | {name: value for name, value in more.items() if name == "noisy"}
        }
        ecb = row("aes-128-ecb", "x86-partial-key", kind="measured", figures=figures, iv_bits=0)
        record(
            tree / "lab" / "results", "host", ecb | {name: value for name, value in more.items() if name == "commit"}
        )
        lines = comparison.rows(tree, "aes-x86-64", stale=lambda each: each["commit"] == "old")
        counted = [each for each in lines if comparison.counts_in_a_verdict(each)]
        assert any(each["table"] == "cycles_per_block" for each in counted) == (not more)
        text = printing.text(tree, "aes-x86-64", lines)
        assert (f"150{mark}" in text and f"* {mark}: " in text) == bool(more)


def test_a_server_is_not_counted_against_a_telephone():
    lines = comparison.rows(ROOT, "aes-ctr-c")
    assert any(each["target"] == "host" and each["paper"] is not None and each["ours"] is not None for each in lines)
    assert {each["target"] for each in lines if comparison.counts_in_a_verdict(each)} == {"armv7"}
    assert lines[0]["target"] == "armv7"  # the paper's own class of processor comes first


def test_the_node_is_faster_in_every_row():
    """As the notes on the paper say: our best kernel beside the paper's code, key, IV and 128 bytes together."""
    lines = comparison.rows(ROOT, "sensor-streams")
    both = [each for each in lines if each["paper"] is not None and each["column"] == "us_per_byte"]
    assert both and all(each["ours"] < each["paper"] for each in both)


def test_every_row_records_what_built_it():
    rows = results.read_all(results.recorded(ROOT))
    assert len(rows) > 700
    for found in rows:
        assert {"machine", "hz", "compiler", "flags", "commit", "date", "kind"} <= found.keys(), found["kernel"]
        assert found["machine"] and found["compiler"] and found["commit"] and found["date"]


def test_a_table_says_when_its_own_figures_were_measured(tree):
    """Not those of another cipher, or of other lengths, whose kernel has the same name."""
    rows = [row("aes-128-ctr", "table", rom=1, commit="anothers")]
    rows += [row("lex", "table", key_bits=256, commit="longer"), row("lex", "table", commit="technique")]
    ram = {"context": 3}
    rows += [
        row("lex", "avr-c-xtime", ram=ram, commit="technique"),
        row("lex", "portable", ram={"context": 2}, commit="best"),
    ]
    record(tree / "lab" / "results", "avr", *rows)
    lines = [each for each in comparison.rows(tree, "sensor-streams") if each["table"] == "state_bytes"]
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


def test_a_curve_goes_from_16_bytes_to_1_MiB_and_its_names_do_not_overlap(tree, tmp_path):
    lengths = [4**n for n in range(2, 11)]
    rows = [
        clocked(kernel, 1, figures={f"more_{n}": {"cycles": 100 + cost * n, "bytes": n} for n in lengths})
        for kernel, cost in {
            "ctr-c": 10,
            "ctr-c-1": 10.01,
            "ctr-c-2": 10.02,
            "ttable": 10.03,
            "ttable-bytes": 15,
        }.items()
    ]
    record(tree / "lab" / "results" / "pc", "host", *rows)
    counted = [each | {"figures": {n: {"instructions": 9} | f for n, f in each["figures"].items()}} for each in rows]
    record(tree / "lab" / "results", "armv7", *counted)
    known = papers.describe(tree, "aes-ctr-c").curves
    files = curves.write(list(known), comparison.sources(tree)[0].result_set, tmp_path / "svg")
    assert [file.name for file in files] == ["figure-7-armv7.svg", "figure-7-host.svg"]
    for svg in (file.read_text() for file in files):
        assert svg.startswith("<svg") and svg.count("<polyline") == 5
        points = re.findall(r'polyline class="line" points="([^"]*)"', svg)
        assert all(len(each.split()) == len(lengths) for each in points)
        heights = sorted(float(y) for y in re.findall(r'class="name" x="[\d.]+" y="([\d.]+)"', svg))
        assert len(heights) == 5 and all(b - a >= 12 for a, b in itertools.pairwise(heights))


@pytest.mark.parametrize("target", ["host", "avr"])
def test_a_target_has_a_line_for_every_row(target):
    """Ours, other projects', and what does not fit."""
    folder = ROOT / "lab" / "results"
    whole = json.loads(kernels.shown([folder], target, False, True))["rows"]
    records = list(csv.DictReader(io.StringIO(kernels.shown([folder], target, True, False))))
    text = kernels.shown([folder], target, False, False).splitlines()
    assert len(records) == len(whole) == sum(line.startswith("  ") for line in text) - text.count("") - 1
    chosen = [each for each in whole if (each["cipher"], each["kernel"]) == ("grain-128", "portable")]
    lines = [each for each in records if (each["cipher"], each["kernel"].rstrip("~")) == ("grain-128", "portable")]
    assert [(int(each["128 bytes"]), int(each["ROM"])) for each in lines] == [
        (round(each["figures"]["packet"]["cycles"]), each["rom"]) for each in chosen
    ]
    assert (target == "avr") == any("does not fit" in each for each in text)
    with pytest.raises(LabError, match="z80 has no results"):
        kernels.shown([folder], "z80", False, False)
