# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Short runs of the campaign's parts, and faults that they must find: in kernels, in the comparison of tags, in files, in
Python's memory, in time."""

import json
import random
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import c_programs
import pytest
from c_programs import BUILD, build, link_mutant
from campaign import programs, run
from campaign.parts import blocks, dudect, files, forgeries, python_calls
from campaign.work import Work
from mutation import syntax
from mutation.incidents import incidents
from skips import processor_has


def work_of(folder: Path, seconds: float = 0, seed: int = 1) -> Work:
    return Work(seconds=seconds, seed=seed, folder=folder, build=BUILD)


@pytest.mark.parametrize("part", ["big", "blocks", "counters", "files", "forgeries", "lengths", "machine"])
def test_a_short_run_counts_and_finds_nothing(part, tmp_path):
    for seconds in (0.7, 7, 70):  # on a busy machine the first round may be over before anything was counted
        (folder := tmp_path / str(seconds)).mkdir()
        work = work_of(folder, seconds)
        run.part(part).run(work)
        assert work.findings == []
        if any(figure.count for figure in work.figures):
            return
    pytest.fail("nothing was counted")


def test_a_run_continues_where_the_last_one_stopped(tmp_path):
    def seen() -> list[str]:
        return [item for item, _, _ in programs.in_turn(work_of(tmp_path), ["a", "b", "c"])]

    assert [seen(), seen(), seen(), seen()] == [["a"], ["b"], ["c"], ["a"]]


def test_what_a_part_did_until_it_was_stopped_is_kept(tmp_path, monkeypatch):
    def stopped(work: Work) -> None:
        work.add("a", 3, "calls")
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "part", lambda name: SimpleNamespace(run=stopped))
    work = run.run("some", 60, 1, tmp_path)
    assert work.stopped and [figure.count for figure in work.figures] == [3]


def test_what_was_tried_often_enough_leaves_its_turns_to_the_others(tmp_path):
    (tmp_path / "next").write_text("1")
    had = {"a": 0, "b": 2, "c": 1}
    seen = []
    turns = programs.in_turn(work_of(tmp_path, 60), list(had), enough=lambda item: had[item] >= 2)
    for (item, _, _), _ in zip(turns, range(5)):
        had[item] += 1
        seen.append(item)
    assert seen == ["c", "a", "a", "b", "c"]  # in the end all have, and all take turns again


def test_what_earlier_runs_tried_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "RESULTS", tmp_path)
    (tmp_path / "goals.toml").write_text(
        '[goals.G]\ntargets = [{ part = "machine", what = "[^(]+: calls", unit = "steps", each = true, count = 5 }]'
    )
    work = work_of(tmp_path)
    work.add("k: calls", 3, "steps")
    run.record("machine", work, "c0ffee", tmp_path)
    recorded = programs.Recorded(work_of(tmp_path), "machine")
    assert not recorded.enough("k: calls", "steps")
    recorded.work.add("k: calls", 2, "steps")
    assert recorded.enough("k: calls", "steps") and not recorded.enough("k: else", "steps")


def test_families_have_enough_blocks_and_models_enough_messages(tmp_path, monkeypatch):
    """A model is slow: the blocks of its family come from other libraries, and it would never have its turn."""
    goals = programs.goals()
    monkeypatch.setattr(programs, "RESULTS", tmp_path)
    monkeypatch.setattr(programs, "goals", lambda: goals)
    recorded = programs.Recorded(work_of(tmp_path), "blocks")
    recorded.work.add("hight-ctr beside botan", goals["family_blocks"], "blocks")
    assert blocks.enough(recorded, ("hight-cfb", "botan")) and not blocks.enough(recorded, ("hight-ctr",))
    assert not blocks.enough(recorded, ("hight-cfb", "models"))
    recorded.work.add("hight-cfb beside models", 1000, "messages")
    assert blocks.enough(recorded, ("hight-cfb", "models"))


def test_a_finding_does_not_say_where_the_project_lies(tmp_path):
    work = work_of(tmp_path)
    work.finding(f"'{c_programs.ROOT}/tests/x.pl' of {c_programs.ROOT}/build: no answer")
    assert work.findings == ["'tests/x.pl' of build: no answer"]


def test_runs_are_added_to_the_parts_file(tmp_path):
    for seed in (1, 2):
        work = work_of(tmp_path, seed=seed)
        work.add("a", 3, "calls")
        work.add("a", 4, "calls", 1)
        run.record("machine", work, "c0ffee", tmp_path)
    kept = json.loads((tmp_path / "machine.json").read_text())
    assert [each["seed"] for each in kept["runs"]] == [1, 2]
    assert kept["runs"][1]["figures"] == [{"what": "a", "count": 7, "unit": "calls", "found": 1}]
    assert kept["goals"] == list(run.part("machine").GOALS)


def test_a_finding_leaves_no_goal_reached(tmp_path, monkeypatch):
    """Also that of a program, whose figures say how much it tried until it failed."""
    finished = SimpleNamespace(returncode=1, stdout="a: 5 checks\nFAILED b\n")
    monkeypatch.setattr(c_programs, "run", lambda *_, **__: finished)
    work = work_of(tmp_path)
    programs.count(work, programs.call(work, "runnel-properties", "lengths"))
    work.add("c", 1, "calls", 1)
    work.finding("c is wrong")
    figures = work.record()["figures"]
    assert [(each["count"], each["unit"], each["found"]) for each in figures] == [
        (5, "checks", 0), (1, "calls", 1), (1, "findings", 1),
    ]  # fmt: skip


def with_harness(folder: Path, name: str) -> Path:
    """Link a test program's own object and the harness into one."""
    object_file = folder / f"{name}.o"
    objects = BUILD / "tests" / "CMakeFiles"
    parts = (objects / f"runnel-{name}.dir/c/{name}.c.o", objects / "runnel_harness_objects.dir/c/harness.c.o")
    subprocess.run(["ld", "-r", "-o", object_file, *parts], check=True)
    return object_file


def finding_of(program: Path, arguments: list[object], folder: Path, monkeypatch) -> list[str]:
    """Return a part's finding on a broken program."""
    work = work_of(folder)
    shutil.move(program, folder / "broken")
    monkeypatch.setattr(c_programs, "build", lambda _: folder)
    programs.call(work, "broken", *arguments)
    return work.findings


def test_a_broken_kernel_is_a_finding(tmp_path, monkeypatch):
    """Beside the reference kernel, from a random position: no test of the carry itself."""
    if "avx2" not in processor_has():
        pytest.skip("this CPU lacks one of: avx2")
    incident = incidents()["Salsa20's block in general registers has no carry"]
    build(BUILD)
    both, file = with_harness(tmp_path, "blocks"), incident.file.removeprefix("src/")
    source = str(Path(file).parent / "avx2.c")
    program = link_mutant(tmp_path, file, source, "runnel-blocks", both, incident.broken, "-O2")
    [finding] = finding_of(program, ["salsa20", 10, 1], tmp_path, monkeypatch)
    assert "FAILED avx2" in finding and "salsa20 10 1" in finding


def test_an_accepted_forgery_is_a_finding(tmp_path, monkeypatch):
    """The comparison of tags leaves out the last byte."""
    build(BUILD)
    both = with_harness(tmp_path, "forgeries")
    old = "for (size_t $i = 0; $i < $bytes; $i++) $differ |= (uint8_t)($right[$i] ^ $tag[$i]);"

    def last_byte_left_out(text: bytes) -> bytes:
        return syntax.patched(
            text, syntax.c(), "runnel_compare_tag", old, old.replace("$i < $bytes", "$i + 1 < $bytes")
        )

    program = link_mutant(tmp_path, "core/tag.h", "core/aead.c", "runnel-forgeries", both, last_byte_left_out)
    [finding] = finding_of(program, ["lea-128-gcm", 10, 1], tmp_path, monkeypatch)
    assert "gives 0" in finding


def test_a_forged_file_that_opens_is_a_finding(tmp_path, monkeypatch):
    work = work_of(tmp_path)
    for name in forgeries.SMALL:
        forgeries.files(work, name, 1, 20)
    assert work.findings == [] and len(work.figures) == len(forgeries.SMALL)
    monkeypatch.setattr(forgeries, "every_way_to_open", lambda *_: [lambda: b"anything"])
    forgeries.files(work, "gcm-hkdf", 1, 20)
    assert any("opens" in finding for finding in work.findings)


def test_kept_memory_is_a_finding(tmp_path):
    kept: list[object] = []
    kinds, weights = python_calls.calls(1)
    work = work_of(tmp_path, 60)
    python_calls.watch(work, [*kinds, lambda: kept.append([len(kept)])], [*weights, 200], 5_000)
    assert len(work.findings) == 1 and work.left() > 0, "it stops at the second look that finds more"
    work = work_of(tmp_path, 0.3)
    python_calls.watch(work, kinds, weights, 1_000)
    assert work.findings == []


def test_a_read_of_all_that_is_left_is_no_fault():
    faults = files.Faults(random.Random(1))
    faults.fails_at, faults.is_short = None, True
    read, view = faults.reader(b"a").readinto, memoryview(bytearray(9))
    assert [read(view) for _ in range(20)] == [1, *[0] * 19] and faults.count == 0


def test_lost_bytes_are_a_finding(tmp_path, monkeypatch):
    """A reader that takes a short read for the end, and an output that leaves its temporary behind."""
    monkeypatch.setattr("runnel.sealed.io.read_all", lambda read, name, view, **_: read(view) or 0)
    monkeypatch.setattr("runnel.output.OutputFile.remove", lambda _: None, raising=True)
    work = work_of(tmp_path)
    for seed in range(40):
        (tmp_path / str(seed)).mkdir()
        case = files.Case(work, seed, tmp_path / str(seed))
        case.streams()
        case.files()
    assert any("short reads" in finding for finding in work.findings)
    assert any("left behind" in finding for finding in work.findings)


@pytest.mark.parametrize("t, reported", [(1.0, "control"), (99.0, "another secret")])
def test_time_that_depends_on_secrets_is_a_finding(t, reported, tmp_path, monkeypatch):
    """And a control that is not reported is one."""

    def program(_: str, name: str, *arguments: str, **options: object) -> SimpleNamespace:
        lines = "(leak)\nkey a\n" if name == "list" else f"{name}: 1000000 measurements\nt {t}\n"
        return SimpleNamespace(returncode=0, stdout=lines)

    monkeypatch.setattr(c_programs, "run", program)
    work = work_of(tmp_path, 0.1)
    dudect.run(work)
    assert work.findings and all(reported in finding for finding in work.findings)


def test_the_leaking_comparison_is_seen():
    done = c_programs.run("runnel-timing", "(compare, leaving at the first difference)", "50000", "5", "1")
    if done.returncode == programs.ABSENT:
        pytest.skip(done.stdout.strip())
    assert float(done.stdout.split()[-1]) > dudect.CERTAIN
