# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: what it refuses, what it skips, that a wrong byte costs a kernel its figures, and the papers' tables."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_program import PROGRAM, refused
from runnel.columns import columns, number
from runnel_lab import targets
from runnel_lab.tables import published

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ("aes-ctr-c", "aes-x86-64", "fixslicing-rv32", "seed-armv8", "sensor-streams")
KINDS = {"exact", "model", "mca", "measured", None}


def lab(*arguments: object, tree: Path | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ) | ({"RUNNEL_SOURCE": str(tree)} if tree else {})
    return subprocess.run(
        [*PROGRAM, "lab", *map(str, arguments)],
        text=True,
        capture_output=True,
        env=environment,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        timeout=280,
        check=False,
    )


@pytest.fixture
def tree(tmp_path):
    """As much of the source tree as the lab needs, to be spoilt."""
    for name in ("src", "include", "lab", "bench", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("results", "*.o"))
    return tmp_path


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("run", "--target", "z80"), "no target z80; there are aarch64, "),
        (("run", "--cipher", "aes-127-ctr"), "no cipher aes-127-ctr; there are aes-128-cfb, "),
        (
            ("run", "--target", "host", "--cipher", "aes-128-ctr", "--kernel", "quantum"),
            "no kernel quantum; there are aesni, ",
        ),
        (("show", "aes-on-mars"), "no paper aes-on-mars; there are aes-ctr-c, "),
        (("show",), "missing argument"),
        (("run", "everything"), "too many arguments"),
    ],
)
def test_wrong_names(arguments, says, monkeypatch):
    monkeypatch.setenv("RUNNEL_SOURCE", str(ROOT))
    assert says in refused("lab", *arguments, status=2)


def test_without_the_source_tree(tmp_path, monkeypatch):
    monkeypatch.delenv("RUNNEL_SOURCE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert "source tree" in refused("lab", "show", "aes-ctr-c")
    monkeypatch.setenv("RUNNEL_SOURCE", str(tmp_path))
    assert str(tmp_path) in refused("lab", "run")


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after, 1))


def few_passes(tree: Path) -> None:
    """These tests look at bytes, not at figures."""
    file = tree / "lab" / "targets" / "host" / "target.toml"
    file.write_text(re.sub(r"^passes = \d+$", "passes = 3", file.read_text(), flags=re.MULTILINE))


def tried_out(tree: Path) -> list[Path]:
    """The files that `lab run` has written."""
    folder = tree / "build" / "lab" / "results"
    return [*folder.glob("*.json"), *folder.glob("*/*.json")]


def rows(tree: Path, target: str, cipher: str) -> list[dict]:
    (file,) = [file for file in tried_out(tree) if file.stem == target]
    return [row for row in json.loads(file.read_text())["rows"] if row["cipher"] == cipher]


def test_right_bytes_are_recorded_and_wrong_ones_refused(tree):
    """On the host, where there always is a compiler."""
    if shutil.which("cc") is None:
        pytest.skip("no compiler")
    few_passes(tree)
    arguments = ("run", "--target", "host", "--cipher", "aes-128-ecb", "--kernel", "ttable", "--quiet")
    done = lab(*arguments, tree=tree)
    assert done.returncode == 0, done.stderr
    (row,) = [r for r in rows(tree, "host", "aes-128-ecb") if r["kernel"] == "ttable"]
    assert row["figures"]["long"]["cycles"] > 0 and row["figures"]["long_decrypt"]["bytes"] == 16384
    assert row["kind"] == "measured" and row["rom"] > 4096 and row["ram"]["static"] > 300 and row["ram"]["stack"] > 0

    shutil.rmtree(tree / "build")
    change(tree / "src" / "ciphers" / "aes" / "ttable_tables.c", "w(16)\n", "w(17)\n")
    done = lab(*arguments, tree=tree)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("runnel: host aes-128-ecb ttable: byte "), (
        done.stderr
    )
    assert "differs from the host's; no figure is recorded" in done.stderr
    assert not tried_out(tree)


@pytest.mark.parametrize(
    "target, compiler, kernel, file, before, after",
    [
        ("avr", "avr-gcc", "avr-sram", "avr/tables.inc", "0x63", "0x62"),
        ("rv32", "riscv64-unknown-elf-gcc", "rv32-small", "rv32/small_code.S", "xor ", "or "),
    ],
)
def test_a_wrong_byte_is_refused_on_a_simulator(tree, target, compiler, kernel, file, before, after):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    change(tree / "src" / "ciphers" / "aes" / file, before, after)
    done = lab("run", "--target", target, "--cipher", "aes-128-ctr", "--kernel", kernel, "--quiet", tree=tree)
    if "skipped" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 1 and f"runnel: {target} aes-128-ctr {kernel}: byte " in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1
    assert not tried_out(tree)


def test_one_failure_does_not_stop_the_others(tree):
    few_passes(tree)
    change(tree / "src" / "ciphers" / "aes" / "ttable_tables.c", "w(16)\n", "w(17)\n")
    done = lab(
        "run",
        "--target",
        "host",
        "--cipher",
        "aes-128-ctr",
        "--kernel",
        "ttable",
        "--kernel",
        "portable",
        "--kernel",
        "ctr-c",
        tree=tree,
    )
    assert done.returncode == 1
    assert "runnel: 2 failed, " in done.stderr and "host aes-128-ctr ctr-c: byte " in done.stderr
    assert [r["kernel"] for r in rows(tree, "host", "aes-128-ctr") if "figures" in r] == ["portable"]


def test_an_error_of_the_compiler_is_one_line(tree):
    change(tree / "src" / "ciphers" / "aes" / "ttable.c", "#include", "#error nobody wrote this yet\n#include")
    done = lab("run", "--target", "host", "--cipher", "aes-128-ctr", "--kernel", "ttable", "--quiet", tree=tree)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "ttable.c:" in done.stderr and "nobody wrote this yet" in done.stderr


def test_a_missing_tool_is_skipped_and_gives_no_figure(tree):
    """With the package that has it; a target that is asked for by its name fails."""
    for folder in (tree / "lab" / "targets").iterdir():
        if folder.name not in ("host", "avr"):
            shutil.rmtree(folder)
    change(tree / "lab" / "targets" / "host" / "target.toml", 'compiler = "cc"', 'compiler = "cc-of-tomorrow"')
    change(tree / "lab" / "targets" / "avr" / "target.toml", 'tools = ["gcc"]', 'tools = ["qemu-of-tomorrow"]')
    shutil.copy(ROOT / "packages.txt", tree)
    chosen = ("--cipher", "aes-128-ctr")
    done = lab("run", *chosen, tree=tree)
    assert done.returncode == 0
    assert "host: skipped, cc-of-tomorrow is not installed\n" in done.stderr and "avr: skipped, " in done.stderr
    done = lab("run", *chosen, "--target", "avr", tree=tree)
    assert done.returncode == 1
    assert done.stderr == "runnel: avr: qemu-of-tomorrow is not installed: apt-get install qemu-user\n"
    assert not tried_out(tree)


def test_every_tool_of_every_target_is_in_a_package():
    for name in targets.find(ROOT):
        target = targets.load(ROOT, name)
        for tool in [target.compiler, target.binutils + "size", target.binutils + "nm", *target.tools]:
            assert targets.package_of(ROOT, tool), (name, tool)
    assert targets.package_of(ROOT, "avr-gcc") == "gcc-avr" and targets.package_of(ROOT, "cc") == "gcc"
    assert targets.package_of(ROOT, "qemu-arm") == "qemu-user" and targets.package_of(ROOT, "rustc") is None


def test_what_is_too_large_does_not_fit(tree):
    file = tree / "lab" / "targets" / "host" / "target.toml"
    change(file, 'kind = "measured"', 'kind = "measured"\nram = 1000')
    done = lab("run", "--target", "host", "--cipher", "aes-128-ctr", "--kernel", "ttable", tree=tree)
    assert done.returncode == 0 and "does not fit: " in done.stderr and "the target has 1000" in done.stderr
    (row,) = rows(tree, "host", "aes-128-ctr")
    assert "1000" in row["does_not_fit"] and "figures" not in row


def test_a_broken_description_of_a_target(tree):
    (tree / "lab" / "targets" / "host" / "target.toml").write_text("title = \n")
    done = lab("run", "--target", "host", tree=tree)
    assert done.returncode == 1 and "target.toml" in done.stderr and done.stderr.count("\n") == 1


def table(paper: str) -> list[dict]:
    done = lab("show", paper, "--json", tree=ROOT)
    assert done.returncode == 0, done.stderr
    text = json.loads(done.stdout)
    assert text["paper"] == paper
    return text["rows"]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_of_a_paper_is_shown(paper):
    found = table(paper)
    for row in found:
        assert {"table", "row", "column", "unit", "paper", "ours", "kind", "target", "kernel"} <= row.keys()
        assert row["unit"] and row["kind"] in KINDS
        assert (row["kernel"] is None) == (row["target"] is None) == (row["kind"] is None)
        assert (row["ours"] is None) == (row["kernel"] is None or "does_not_fit" in row)
        assert row["ours"] is not None or row["paper"] is not None or row["does_not_fit"]
    shown = {(r["table"], r["row"], r["column"], r.get("bytes")): r["paper"] for r in found}
    expected = published.read(ROOT, paper).figures
    assert expected
    for place, figure in expected.items():
        assert shown[(place.table, place.row, place.column, place.bytes)] == figure
    assert sum(figure is not None for figure in shown.values()) == len(expected)


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
        assert ours == theirs


def test_ours_comes_from_the_results_and_only_from_them(tree):
    done = lab("show", "aes-ctr-c", "--json", tree=tree)
    assert done.returncode == 0
    assert all(row["ours"] is None for row in json.loads(done.stdout)["rows"])
    folder = tree / "lab" / "results" / "host"
    folder.mkdir(parents=True)
    row = {
        "cipher": "aes-128-ctr",
        "kernel": "ctr-c",
        "key_bits": 128,
        "iv_bits": 128,
        "kind": "measured",
        "hz": 1e9,
        "figures": {"stream": {"cycles": 6900, "bytes": 1600}, "more_1024": {"cycles": 1024, "bytes": 1024}},
    }
    other = row | {"kernel": "ttable", "figures": {"stream": {"cycles": 9300, "bytes": 1600}}}
    (folder / "aes-128-ctr.json").write_text(json.dumps({"rows": [row, other]}))
    ours = {
        (r["table"], r["row"], r["column"], r.get("bytes")): r["ours"]
        for r in json.loads(lab("show", "aes-ctr-c", "--json", tree=tree).stdout)["rows"]
    }
    assert ours["block_time_ms", "all", "128", None] == 0.000069
    assert ours["time_reduction_percent_vs_default", "all", "128", None] == pytest.approx(100 * (1 - 69 / 93), rel=1e-4)
    assert ours["throughput_all", "128", "MBps", 1024] == 1000
    assert ours["throughput_all", "192", "MBps", 1024] is None


def test_cycles_of_llvm_mca_are_labelled(tree):
    """SEED's paper: two blocks of one kernel beside one of the other, with the counter in both places."""
    folder = tree / "lab" / "results" / "aarch64"
    folder.mkdir(parents=True)
    row = {
        "cipher": "seed-ctr",
        "kernel": "table",
        "key_bits": 128,
        "iv_bits": 128,
        "kind": "exact",
        "figures": {"long": {"instructions": 3200, "bytes": 64}, "left": {"instructions": 3200, "bytes": 64}},
        "mca": {"tool": "llvm-mca", "label": "packet", "bytes": 128, "cycles": {"neoverse-n1": 4800}},
    }
    other = row | {
        "kernel": "neon-tbl",
        "figures": {"long": {"instructions": 2560, "bytes": 64}, "left": {"instructions": 2400, "bytes": 64}},
        "mca": row["mca"] | {"cycles": {"neoverse-n1": 6000}},
    }
    (folder / "seed-ctr.json").write_text(json.dumps({"rows": [row, other]}))
    found = json.loads(lab("show", "seed-armv8", "--json", tree=tree).stdout)["rows"]
    ours = {(r["row"] or r["table"], r["unit"]): (r["ours"], r["kind"]) for r in found if r["paper"] is not None}
    assert ours == {
        ("reference_c_1_block", "instructions"): (800, "exact"),
        ("reference_c_1_block", "instructions, be32-left"): (800, "exact"),
        ("reference_c_1_block", "cycles on neoverse-n1"): (600, "mca"),
        ("neon_tbl_2_blocks", "instructions"): (1280, "exact"),
        ("neon_tbl_2_blocks", "instructions, be32-left"): (1200, "exact"),
        ("neon_tbl_2_blocks", "cycles on neoverse-n1"): (1500, "mca"),
        ("gain_percent_per_block", "% of instructions"): (25, "exact"),
        ("gain_percent_per_block", "% of instructions, be32-left"): (33.3333, "exact"),
        ("gain_percent_per_block", "% on neoverse-n1"): (-20, "mca"),
    }


@pytest.mark.parametrize("paper", PAPERS)
def test_for_people(paper):
    """A page or two, and the rest by name; no number with an exponent, or more than the digits that mean something."""
    for arguments in ((), ("--all",)):
        done = lab("show", paper, *arguments, tree=ROOT)
        assert done.returncode == 0 and "paper" in done.stdout and "ours" in done.stdout
        lines = done.stdout.splitlines()
        assert all(len(line) < 200 and line == line.rstrip() for line in lines)
        assert not re.search(r"\d[eE][-+]?\d", done.stdout)
        assert arguments or len(lines) < 160
        assert ("--table NAME" in done.stdout) == (not arguments)


def test_one_table():
    whole = table("sensor-streams")
    done = lab("show", "SENSOR-streams", "--table", "State_Bytes", tree=ROOT)
    assert done.returncode == 0 and "state_bytes\n" in done.stdout and "atmega128l" not in done.stdout
    done = lab("show", "sensor-streams", "--table", "ours: avr", "--table", "state_bytes", "--json", tree=ROOT)
    rows = json.loads(done.stdout)["rows"]
    assert rows == [row for row in whole if row["table"] in ("ours: avr", "state_bytes")] and len(rows) < len(whole)
    done = lab("show", "sensor-streams", "--table", "state_byte", tree=ROOT)
    assert done.returncode == 2 and "no table 'state_byte'; did you mean state_bytes?" in done.stderr


def test_list():
    done = lab("list", tree=ROOT)
    assert done.returncode == 0 and all(f"\n  {name} " in done.stdout for name in (*PAPERS, *targets.find(ROOT)))
    listed = json.loads(lab("list", "--json", tree=ROOT).stdout)
    assert [paper["name"] for paper in listed["papers"]] == sorted(PAPERS)
    assert [target["name"] for target in listed["targets"]] == targets.find(ROOT)
    assert all(target["kind"] in KINDS and target["title"] for target in listed["targets"])


def test_lab_alone_prints_its_help():
    done = lab(tree=ROOT)
    assert done.returncode == 2 and done.stdout == "" and done.stderr == lab("--help", tree=ROOT).stdout


@pytest.mark.parametrize(
    "value, text",
    [
        (2.87343e-05, "0.00002873"),
        (-0.0824778, "-0.08248"),
        (1610.28, "1,610"),
        (16102.8, "16,103"),
        (982.38, "982.4"),
        (3.0, "3"),
        (1234567, "1,234,567"),
        (0, "0"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_columns():
    rows = [("name", "n", "x"), ("a", "1,610", "z"), ("bcdef", "-0.08", ""), ("g", "-", "z")]
    assert columns(rows, right=[1], indent=" ") == (
        " name          n  x\n a      1,610     z\n bcdef     -0.08\n g             -  z\n"
    )
    assert columns([("a", "b"), ("aa", "b")]) == "a   b\naa  b\n"


def test_damaged_results_are_named(tree):
    folder = tree / "lab" / "results" / "host"
    folder.mkdir(parents=True)
    (folder / "aes-128-ctr.json").write_text("{")
    done = lab("show", "aes-ctr-c", tree=tree)
    assert done.returncode == 1 and "aes-128-ctr.json" in done.stderr and done.stderr.count("\n") == 1
