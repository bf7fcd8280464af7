# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The fuzz targets in short: each over its committed inputs, those in C under ASan and UBSan; each kind is seen to find a
planted fault. The campaign's part fuzz looks for new inputs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from campaign import afl
from campaign.parts import fuzz as part
from campaign.work import Figure, Work
from fuzz import corpus, coverage, python_targets
from mutation.incidents import incidents
from test_c_sanitizers import sanitized

FOLDER = ROOT / "tests" / "fuzz"
IN_C = sorted(path.stem.removeprefix("fuzz_") for path in FOLDER.glob("fuzz_*.c"))


def replay(program: Path, target: str, inputs: list[bytes], **variables: str) -> subprocess.CompletedProcess:
    given = b"".join(len(one).to_bytes(4, "big") + one for one in inputs)
    return subprocess.run(
        [program, target], input=given, env=variables, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def surroundings() -> dict[str, str]:
    return {name: value for name, value in sanitized("address").items() if name != "folder"}


def test_every_target_has_inputs():
    modules = {path.stem.removeprefix("fuzz_") for path in FOLDER.glob("fuzz_*.py")}
    assert modules == set(python_targets.TARGETS)
    assert {path.stem for path in (FOLDER / "corpus").glob("*.txt")} == modules | set(IN_C)
    assert sum(path.stat().st_size for path in (FOLDER / "corpus").iterdir()) <= 200_000
    for target in [*IN_C, *python_targets.TARGETS]:
        assert len(corpus.inputs(target)) >= 5


@pytest.mark.builds
@pytest.mark.parametrize("target", IN_C)
def test_inputs_in_c(target):
    program = sanitized("address")["folder"] / "runnel-fuzz"
    inputs = corpus.inputs(target)
    done = replay(program, target, inputs, **surroundings())
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-4000:]
    assert done.stdout.startswith(b"%d inputs, " % len(inputs))


@pytest.mark.builds
def test_the_inputs_reach_the_core(tmp_path):
    """95 % of its lines, whatever the processor; the rest is for errors, limits and processors that none of them meets."""
    build(BUILD)
    reached, lines = coverage.totals(tmp_path)["src/core"]
    assert lines > 1500 and reached >= 0.95 * lines


@pytest.mark.parametrize("target", python_targets.TARGETS)
def test_inputs_in_python(target):
    run = python_targets.target(target)
    for one in corpus.inputs(target):
        run(one)


# Incidents that break src/core, and the target that sees each.
FAULTS = {"a seek forgets the rest of its block": "streams", "what is not authentic is released": "aeads"}


@pytest.mark.builds
@pytest.mark.parametrize("name, target", FAULTS.items())
def test_a_planted_fault_is_seen_in_c(tmp_path, name, target):
    """In a core that is broken, the committed inputs fail."""
    folder = sanitized("address")["folder"]
    shutil.copytree(ROOT / "src" / "core", tmp_path / "core")
    incident = incidents()[name]
    file = incident.file.removeprefix("src/")
    (tmp_path / file).write_bytes(incident.broken((tmp_path / file).read_bytes()))
    generated = folder.parent / "generated"
    includes = [tmp_path, ROOT / "src", ROOT / "include", generated, generated / "runnel"]
    objects = [*(folder / "fuzz" / "CMakeFiles").glob("runnel*fuzz*.dir/**/*.o")]
    objects += [
        *folder.glob("CMakeFiles/runnel_harness_objects.dir/**/*.o"),
        *folder.glob("CMakeFiles/runnel_model*/**/*.o"),
    ]
    objects += [*folder.parent.glob("integrations/openssl/CMakeFiles/runnel_provider_objects.dir/*.o")]
    compiler = shutil.which("clang-19") or "cc"
    subprocess.run(
        [
            *(compiler, "-std=c11", "-O1", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
            *(f"-I{path}" for path in includes),
            *(tmp_path / file, *objects, folder.parent / "librunnel.a", "-lcrypto", "-o", tmp_path / "broken"),
        ],
        check=True,
    )
    done = replay(tmp_path / "broken", target, corpus.inputs(target), **surroundings())
    assert done.returncode == 1 and b"FAILED " + target.encode() in done.stdout, done.stdout[-2000:]


def test_a_planted_fault_is_seen_in_python(monkeypatch):
    from runnel.sealed import keyset_forms

    monkeypatch.setattr(keyset_forms, "parsed_json", lambda *_: {"key": [{}], "primaryKeyId": None}["nothing"])
    run = python_targets.target("keysets")
    with pytest.raises(KeyError):
        for one in corpus.inputs("keysets"):
            run(one)


def test_a_lost_file_is_seen(monkeypatch):
    from runnel_store import many

    monkeypatch.setattr(many, "check_outside", lambda *_: None)
    run = python_targets.target("commands")
    with pytest.raises(AssertionError, match="is lost"):
        for one in corpus.inputs("commands"):
            run(one)


PLANTED = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint8_t *copy = malloc(4);
    copy[0] = bytes > 2 && data[0] == 'R' && data[1] == 'u' ? copy[bytes + 2] : 0;
    free(copy);
    return 0;
}
"""


@pytest.mark.builds
def test_the_campaign_finds_a_planted_crash(tmp_path, monkeypatch):
    """By libFuzzer, from nothing; the input is kept, and is what the finding names. Its processor seconds are counted."""
    (tmp_path / "planted.c").write_text(PLANTED)
    command = ["clang-19", "-O1", "-g", "-fsanitize=fuzzer,address", tmp_path / "planted.c", "-o", tmp_path / "planted"]
    subprocess.run(command, check=True)
    work = Work(seconds=20, seed=1, folder=tmp_path / "work", build=BUILD)
    monkeypatch.setattr(part, "time_of_children", iter((1.5, 5.25)).__next__)
    part.run_one(work, "planted", [str(tmp_path / "planted")], 20, 1, crashes_most=1)
    assert len(work.findings) == 1 and "heap-buffer-overflow" in work.findings[0], work.findings
    saved = list((tmp_path / "work" / "planted" / "crashes").iterdir())
    assert len(saved) == 1 and saved[0].name in work.findings[0] and saved[0].read_bytes()[:2] == b"Ru"
    assert work.figures[0].count > 0 and work.figures[0].found == 1
    assert Figure("time of planted", 4, "processor seconds") in work.figures


@pytest.mark.campaign
def test_afl_finds_a_planted_crash(tmp_path, monkeypatch):
    """From one byte; what it kept on the way is there for libFuzzer too."""
    if not afl.installed():
        pytest.skip("afl++ is not installed")
    (tmp_path / "planted.c").write_text(PLANTED)
    command = ["afl-clang-fast", "-O1", "-fsanitize=fuzzer", "-fsanitize=address", tmp_path / "planted.c"]
    subprocess.run([*command, "-o", tmp_path / "planted"], check=True, env={**os.environ, "AFL_QUIET": "1"})
    monkeypatch.setitem(afl.SURROUNDINGS, "AFL_BENCH_UNTIL_CRASH", "1")
    work = Work(seconds=120, seed=1, folder=tmp_path / "work", build=BUILD)
    part.run_one_under_afl(work, "planted", str(tmp_path / "planted"), 120, 1)
    assert len(work.findings) == 1 and "AddressSanitizer" in work.findings[0], work.findings
    [crash] = afl.saved(tmp_path / "work" / "planted" / "afl")
    assert crash.read_bytes()[:2] == b"Ru" and crash.name in work.findings[0]
    assert any(each.read_bytes()[:1] == b"R" for each in (tmp_path / "work" / "planted" / "corpus").iterdir())
    [tried] = [each for each in work.figures if each.what == "inputs of planted under AFL++"]
    assert tried.count > 0 and tried.found == 1


def test_processor_seconds_are_those_of_programs_that_were_run():
    before = part.time_of_children()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
    assert 0.25 < part.time_of_children() - before < 5
