# SPDX-License-Identifier: Apache-2.0 OR MIT
"""runnel lab: what it refuses, what it skips, that a wrong byte costs a kernel its figures, and the papers' tables."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import copy_inventory
from cli_program import PROGRAM, refused
from runnel_lab import targets
from runnel_lab.tables import papers

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ("aes-ctr-c", "aes-x86-64", "fixslicing-rv32", "seed-armv8", "sensor-streams")


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
    """Return as much of the source tree as the lab needs, to be spoilt."""
    for name in ("src", "include", "lab", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("results", "*.o"))
    copy_inventory(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("run", "--target", "z80"), "no target z80; there are aarch64, "),
        (("run", "--cipher", "aes-127-ctr"), "no cipher aes-127-ctr; there are aes-128-cfb, "),
        (
            ("run", "--target", "host", "--cipher", "aes-128-ctr", "--kernel", "quantum"),
            "no kernel quantum; there are aesni, ",
        ),
        (("show", "aes-on-mars"), "no paper aes-on-mars; there are aes-ctr-c, "),
        (("packets", "--aead", "aes-128-gmc"), "no combination 'aes-128-gmc'; there are aes-128-ccm, "),
        (("packets", "--target", "z80"), "no target z80; there are aarch64, "),
        (("packets", "--target", "host"), "packets are not measured on host, but on attiny85, avr, "),
        (("show", "packets", "--table", "publishd", "--json"), "packets has no table 'publishd'"),
        (("verify", "--cipher", "aes-128-ctr"), "no vectors of aes-128-ctr for this; there are those of chacha20, "),
        (("verify", "--cipher", "aes-128-ecb"), "no vectors of aes-128-ecb"),
        (("verify", "--cipher", "siphash"), "no vectors of siphash"),
        (("behind", "--results", ""), "'--results': empty file name"),
        (("behind", "--before", ""), "'--before': empty file name"),
        (("show",), "missing argument"),
        (("run", "everything"), "too many arguments"),
    ],
)
def test_wrong_names(arguments, message, monkeypatch):
    monkeypatch.setenv("RUNNEL_SOURCE", str(ROOT))
    assert message in refused("lab", *arguments, status=2)


def test_the_tree_is_read_as_utf_8_in_every_locale(monkeypatch):
    for name, value in {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}.items():
        monkeypatch.setenv(name, value)
    done = lab("export", tree=ROOT)
    assert done.returncode == 0, done.stderr


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
    """Measure with few passes: these tests look at bytes, not at figures."""
    file = tree / "lab" / "targets" / "host" / "target.toml"
    file.write_text(re.sub(r"^passes = \d+$", "passes = 3", file.read_text(), flags=re.MULTILINE))


def tried_out(tree: Path) -> list[Path]:
    """Return the files that `lab run` has written."""
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
    assert not (tree / "lab" / "results").exists()  # nobody asked to keep it
    assert row["kind"] == "measured" and row["rom"] > 4096 and row["ram"]["static"] > 300 and row["ram"]["stack"] > 0

    shutil.rmtree(tree / "build" / "lab")
    change(tree / "src" / "arch" / "common" / "aes_s_box.h", "w(bb) w(16)\n", "w(bb) w(17)\n")
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


@pytest.mark.campaign
def test_one_failure_does_not_stop_the_others(tree):
    few_passes(tree)
    change(tree / "src" / "arch" / "common" / "aes_s_box.h", "w(bb) w(16)\n", "w(bb) w(17)\n")
    kernels = [word for kernel in ("ttable", "portable", "ctr-c") for word in ("--kernel", kernel)]
    done = lab("run", "--target", "host", "--cipher", "aes-128-ctr", *kernels, tree=tree)
    assert done.returncode == 1
    assert "runnel: 2 failed, " in done.stderr and "host aes-128-ctr ctr-c: byte " in done.stderr
    assert [r["kernel"] for r in rows(tree, "host", "aes-128-ctr") if "figures" in r] == ["portable"]


def test_an_error_of_the_compiler_is_one_line(tree):
    if shutil.which("riscv64-unknown-elf-gcc") is None:
        pytest.skip("riscv64-unknown-elf-gcc is not installed")
    change(tree / "src" / "ciphers" / "aes" / "portable.c", "#include", "#error nobody wrote this yet\n#include")
    done = lab("run", "--target", "rv32", "--cipher", "aes-128-ctr", "--kernel", "portable", "--quiet", tree=tree)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "portable.c:" in done.stderr and "nobody wrote this yet" in done.stderr


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
        for tool in [target.compiler, target.binutils + "size", target.binutils + "ar", "ninja", *target.tools]:
            assert targets.package_of(ROOT, tool), (name, tool)
    assert targets.package_of(ROOT, "avr-gcc") == "gcc-avr" and targets.package_of(ROOT, "cc") == "gcc"
    assert targets.package_of(ROOT, "qemu-arm") == "qemu-user" and targets.package_of(ROOT, "rustc") is None


def test_what_is_too_large_does_not_fit(tree):
    file = tree / "lab" / "targets" / "host" / "target.toml"
    change(file, 'kind = "measured"', 'kind = "measured"\nram = 1000')
    done = lab("run", "--target", "host", "--cipher", "aes-128-ctr", "--kernel", "ttable", "--record", tree=tree)
    assert done.returncode == 0 and "does not fit: " in done.stderr and "the target has 1000" in done.stderr
    assert not tried_out(tree)
    (file,) = (tree / "lab" / "results").glob("*/host.json")
    (row,) = json.loads(file.read_text())["rows"]
    assert row["machine"] == file.parent.name
    assert "1000" in row["does_not_fit"] and "figures" not in row


def test_a_broken_description_of_a_target(tree):
    (tree / "lab" / "targets" / "host" / "target.toml").write_text("title = \n")
    done = lab("run", "--target", "host", tree=tree)
    assert done.returncode == 1 and "target.toml" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_for_people(paper):
    """A few pages, and the rest by name; no number with an exponent, or more than the digits that mean something."""
    for arguments in ((), ("--all",)):
        done = lab("show", paper, *arguments, tree=ROOT)
        assert done.returncode == 0 and "paper" in done.stdout and "ours" in done.stdout
        lines = done.stdout.splitlines()
        assert all(len(line) < 200 and line == line.rstrip() for line in lines)
        assert not re.search(r"\d[eE][-+]?\d", re.sub(r"commit\s+\w+", "", done.stdout))
        assert arguments or len(lines) < 240
        assert ("--table NAME" in done.stdout) == (not arguments)


@pytest.mark.parametrize(
    "wanted, paper",
    [
        ("SEED", "seed-armv8"),
        ("송민호", "seed-armv8"),
        ("송 민 호", "seed-armv8"),
        ("Jin Hyung Park", "aes-ctr-c"),
        ("모바일 환경", "aes-ctr-c"),
        ("10.13089/jkiisc.2008.18.5.3", "sensor-streams"),
        ("risc-v", "fixslicing-rv32"),
        ("jung ilhwan", "aes-x86-64"),
    ],
)
def test_a_paper_is_found_by_author_title_or_doi(wanted, paper):
    assert papers.find(ROOT, wanted) == paper


def test_a_paper_that_is_not_clear():
    done = lab("show", "AES", tree=ROOT)
    assert done.returncode == 2 and "'AES' may be any of aes-ctr-c, aes-x86-64, fixslicing-rv32" in done.stderr


def test_one_table():
    whole = json.loads(lab("show", "sensor-streams", "--json", tree=ROOT).stdout)["rows"]
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
    assert all(target["kind"] in targets.KINDS and target["title"] for target in listed["targets"])


def test_lab_without_arguments_prints_its_help():
    done = lab(tree=ROOT)
    assert done.returncode == 2 and done.stdout == "" and done.stderr == lab("--help", tree=ROOT).stdout


def test_damaged_results_are_named(tree):
    folder = tree / "lab" / "results" / "host"
    folder.mkdir(parents=True)
    (folder / "aes-128-ctr.json").write_text("{")
    done = lab("show", "aes-ctr-c", tree=tree)
    assert done.returncode == 1 and "aes-128-ctr.json" in done.stderr and done.stderr.count("\n") == 1
