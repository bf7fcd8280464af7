# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The origin of a row of the lab's results: the hash of the code that was measured, the commit, the machine, and figures that
two runs agree on."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from lab_programs import ROOT, require, target
from runnel_lab import checking, history, results, subjects, targets
from runnel_lab.building import code, ninja, programs
from runnel_lab.running import measure
from test_lab_cli import change, lab, tree

__all__ = ["tree"]

SAMPLE = 2
"""Rows of each target that every run of the tests compares: other ones whenever rows are measured anew."""
KERNEL = ("--target", "avr", "--cipher", "rabbit", "--kernel", "avr")
SOURCE = Path("src") / "ciphers" / "rabbit" / "avr"


@pytest.mark.parametrize("name", [name for name in targets.find(ROOT) if not target(name).measured])
def test_recorded_rows_are_of_the_code_as_it_is(name):
    """A sample; all of them by make lab-check."""
    require(name)
    found = checking.check(ROOT, results.recorded(ROOT), [name], (), (), SAMPLE)
    assert found.rows and not found.wrong, "\n".join(found.lines)


def test_every_recorded_commit_is_in_the_history():
    rows = [row for file in results.recorded(ROOT).rglob("*.json") for row in results.read(file)]
    assert len(rows) > 1000
    assert not history.unknown(ROOT, {row["commit"] for row in rows})


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, text=True, capture_output=True).stdout.strip()


def recorded(folder: Path) -> dict:
    (row,) = json.loads((folder / "lab" / "results" / "avr.json").read_text())["rows"]
    return row


def slower(folder: Path) -> None:
    """Add an instruction to the kernel."""
    file = next(file for file in sorted((folder / SOURCE).glob("*.S")) if "\n    ret" in file.read_text())
    change(file, "\n    ret", "\n    nop\n    ret")


def test_a_row_is_fresh_until_the_code_changes(tree):
    require("avr")
    (tree / ".gitignore").write_text("/build/\n__pycache__/\n")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "first")
    done = lab("run", *KERNEL, "--record", "--quiet", tree=tree)
    assert done.returncode == 0, done.stderr
    first = recorded(tree)
    assert re.fullmatch(r"[0-9a-f]{16}", first["code"]) and git(tree, "rev-parse", "HEAD").startswith(first["commit"])
    assert lab("check", *KERNEL, tree=tree).returncode == 0

    change(tree / "lab" / "bench.c", "return checked(0);", "return checked(0) + 0 * __LINE__;\n/* as it was */")
    assert lab("check", *KERNEL, tree=tree).returncode == 0  # the measuring program is not the code
    slower(tree)
    done = lab("check", *KERNEL, tree=tree)
    assert done.returncode == 1 and "avr rabbit avr 128 64: stale: the build makes other code\n" in done.stdout
    done = lab("run", *KERNEL, "--record", "--quiet", tree=tree)
    assert done.returncode == 1 and "differs from the commit" in done.stderr and done.stderr.count("\n") == 1
    assert recorded(tree) == first

    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "second")
    done = lab("run", *KERNEL, "--record", tree=tree)
    assert done.returncode == 0 and "1 recorded" in done.stderr
    assert recorded(tree)["code"] != first["code"]
    assert recorded(tree)["figures"]["packet"]["cycles"] > first["figures"]["packet"]["cycles"]
    assert "0 recorded" in lab("run", *KERNEL, "--record", tree=tree).stderr  # it is fresh
    assert "1 recorded" in lab("run", *KERNEL, "--record", "--all", tree=tree).stderr


def test_a_row_without_a_commit_of_the_history_is_an_error(tree):
    require("avr")
    git(tree, "init", "-q")
    git(tree, "commit", "-qm", "nothing", "--allow-empty")
    assert lab("run", *KERNEL, "--results", tree / "mine", "--quiet", tree=tree).returncode == 0
    done = lab("check", *KERNEL, "--results", tree / "mine", tree=tree)
    assert done.returncode == 1 and re.search(r"avr rabbit avr 128 64: commit [0-9a-f]{12}-dirty: dirty\n", done.stdout)
    assert not (tree / "lab" / "results").exists() and not (tree / "build" / "lab" / "results").exists()


def test_commits(tmp_path):
    for name in ("one", "two"):
        git(tmp_path, "init", "-q", name)
        for text in "ab":
            git(tmp_path / name, "commit", "-qm", name + text, "--allow-empty")
    known, gone = git(tmp_path / "one", "rev-parse", "--short=12", "HEAD~"), git(tmp_path / "two", "rev-parse", "HEAD")
    asked = {known, gone, f"{known}-dirty", None}
    found = history.unknown(tmp_path / "one", asked)
    assert found == {gone: "not in the history", f"{known}-dirty": "dirty", None: "no commit"}
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path / 'one'}", "shallow")
    assert not history.unknown(tmp_path / "shallow", {known, gone})  # further back than it knows


def test_what_a_clock_measured_is_marked_where_a_compiler_makes_other_code_of_it(tmp_path):
    require("host")
    one = row("portable", "2026-01-01", "other") | {"commit": git(ROOT, "rev-parse", "--short=12", "HEAD"), "code": "0"}
    results.record(results.file_of(tmp_path, target("host"), "other"), target("host"), [one])
    found = checking.check(ROOT, tmp_path, ["host"], (), ())
    assert found.lines == ["host rabbit portable 128 64: stale: the build makes other code here"] and not found.wrong


def built(folder: Path, kernel: str = "avr") -> ninja.Built:
    chosen = targets.load(folder, "avr")
    (subject,) = subjects.variants(subjects.cipher("rabbit"), kernel)
    (built_program,) = ninja.build(chosen, [programs.program(chosen, subject)])
    return built_program


def test_the_hash_is_of_kernel_and_driver(tree, tmp_path_factory):
    """Wherever the tree lies, and whatever is around them."""
    require("avr")
    before = code.code_hash(built(ROOT))
    other, changed = (Path(shutil.copytree(tree, tmp_path_factory.mktemp("other") / "tree")) for _ in range(2))
    assert code.code_hash(built(tree)) == before
    change(other / "src" / "core" / "driver.c", "#include", "#define UNUSED 1\n#include")
    change(
        other / "lab" / "targets" / "avr" / "channel.c", "*p++ = CHANNEL_IN;", "*p++ = (uint8_t)(CHANNEL_IN + 0 * n);"
    )
    assert code.code_hash(built(other)) == before
    slower(changed)
    assert code.code_hash(built(changed)) != before


def test_the_prefix_of_a_local_name_is_not_in_the_hash(tmp_path):
    hashes = {}
    for name in ("start", "rabbit_start", "begin", "lea_ctr", "ctr"):
        text = f"static int {name}(void) {{ return 1; }}\nint (*runnel_table)(void) = {name};\n"
        options = ["-O1", "-fno-pie", "-ffunction-sections", "-fdata-sections", "-x", "c"]
        file = tmp_path / f"{name}.o"
        subprocess.run(["cc", *options, "-c", "-", "-o", file], input=text, text=True, check=True)
        hashes[name] = code._section_hash(file, ".data.runnel_table")
    assert hashes["start"] == hashes["rabbit_start"] != hashes["begin"] and "" not in hashes.values()
    assert hashes["lea_ctr"] != hashes["ctr"]  # what had its prefix before the others


def test_a_file_is_compiled_once_for_all_kernels_that_make_no_difference_to_it():
    require("rv32")
    chosen = target("rv32")
    cipher = subjects.cipher("aes-128-ctr")
    programs_built = ninja.build(
        chosen,
        [programs.program(chosen, subjects.variants(cipher, kernel)[0]) for kernel in ("rv32-small", "rv32-ttable")],
    )
    one, other = (set(each.archived) for each in programs_built)
    shared = {file.name.rsplit("-", 1)[0] for file in one & other}
    assert {"driver", "counter", "expand"} <= shared and "aes" not in shared
    assert "rv32_prefix" not in {file.name.rsplit("-", 1)[0] for file in one}


def test_of_other_kernels_only_the_files_that_are_needed_are_compiled():
    """This kernel's keys are another one's. The code is the same as with all files to choose from."""
    require("cortex-m4")
    chosen = target("cortex-m4")
    program = programs.program(chosen, subjects.variants(subjects.cipher("aes-128-ctr"), "thumb2-table")[0])
    few, all_files = (ninja.build(chosen, [each])[0] for each in (program, replace(program, without=())))
    stems = {file.name.rsplit("-", 1)[0] for file in few.archived}
    assert "ttable" in stems and not {"portable", "fixslice", "small"} & stems, stems
    assert few.error is None and code.code_hash(few) == code.code_hash(all_files)


def test_a_clock_is_asked_until_two_values_of_each_figure_agree():
    def figures(key: float, packet: float) -> dict:
        return {"key": {"cycles": key}, "packet": {"cycles": packet}}

    later = iter([figures(104, 1010), figures(130, 999), figures(103, 1001)])
    assert measure._settled(figures(150, 1000), lambda: next(later)) == figures(103, 999)
    assert next(later, None) is None
    noisy = iter(figures(100 * n, 1000) for n in range(2, 99))
    found = measure._settled(figures(100, 1000), lambda: next(noisy))
    assert found == {"key": {"cycles": 100, "noisy": True}, "packet": {"cycles": 1000}}
    assert next(noisy) == figures(100 * (measure.RUNS + 1), 1000)


def row(kernel: str, date: str, machine: str) -> dict:
    lengths = {"key_bits": 128, "iv_bits": 64}
    return {"cipher": "rabbit", "kernel": kernel, **lengths, "date": date, "machine": machine, "figures": {}}


def test_a_machine_keeps_its_rows_when_another_one_measures(tmp_path):
    """And a table has those of the one that measured the most."""
    host = target("host")
    for machine, date, kernels in (("old", "2020-01-01", "ab"), ("new", "2026-01-01", "a")):
        file = results.file_of(tmp_path, host, machine)
        results.record(file, host, [row(kernel, date, machine) for kernel in kernels])
    results.keep(results.file_of(tmp_path, host, "new"), host, lambda each: False)
    results.record(results.file_of(tmp_path, host, "new"), host, [row("a", "2026-01-02", "new")])
    assert [each["kernel"] for each in results.read(tmp_path / "old" / "host.json")] == ["a", "b"]
    assert {each["machine"] for each in results.read_all(tmp_path)} == {"old"}


def test_rows_of_packets_and_of_ciphers_share_a_file(tmp_path):
    avr, file = target("avr"), tmp_path / "avr.json"
    packet = {"aead": "aes-128-ccm", "constant_time": True, "kernels": {}}
    results.record(file, avr, [packet | {"constant_time": False}, packet])
    results.record(file, avr, [row("avr", "2026-01-01", "m")])
    results.record(file, avr, [packet | {"new": 1}])
    assert [each.get("aead") for each in results.read(file)] == [None, "aes-128-ccm"]
    assert results.read(file)[1]["new"] == 1 and len(results.read_all(tmp_path)) == 1


def test_what_does_not_fit_is_reported_in_the_linkers_words():
    require("avr")
    small = replace(target("avr"), buffer=4000)
    (subject,) = subjects.variants(subjects.cipher("rabbit"), "avr")
    (built_program,) = ninja.build(small, [programs.program(small, subject)])
    assert re.search(r"is not within region .data., \d+ bytes too many", str(built_program.error))
    assert code.context_bytes(built_program) and "of bench.elf" in str(built_program.error)
