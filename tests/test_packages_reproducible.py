# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two builds give the same bytes: of what is quick to build here, of the rest in the campaign (its part `reproducible`). And
the single file, of everything, is C."""

import subprocess
import sys

import pytest
from campaign.parts import reproducible
from campaign.work import Work

reproduce = reproducible.program()
artefacts = sys.modules["artefacts"]  # which it has imported, from packaging/


def test_differences_are_named():
    first = {"a": "1", "b": "2", "c": "3"}
    assert reproduce.differences(first, dict(first)) == []
    assert reproduce.differences(first, {"a": "1", "b": "0", "d": "3"}) == ["b", "c", "d"]


def test_what_is_shipped_is_of_artefacts_that_there_are():
    assert set(reproduce.SHIPPED) <= {artefact.name for artefact in artefacts.all_artefacts()}


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    return [(reproduce.copy(folder, how), how) for how in (reproduce.FIRST, reproduce.SECOND)]


def test_circumstances_are_others(trees):
    (one, first), (two, second) = trees
    a, b = ((tree / "Makefile").stat() for tree in (one, two))
    assert a.st_mtime != b.st_mtime and a.st_mode != b.st_mode and len(str(one)) != len(str(two))
    assert all(first.variables[name] != second.variables[name] for name in ("TZ", "LC_ALL", "LANG"))


@pytest.mark.slow
@pytest.mark.campaign
def test_the_source_distribution(trees):
    """By the build's own back end, as packaging/wheels calls it."""
    made = []
    script = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    for tree, how in trees:
        command = [sys.executable, "-c", script, tree / "dist"]
        subprocess.run(command, cwd=tree, env=reproduce.environment(how), check=True, capture_output=True)
        (archive,) = (tree / "dist").glob("*.tar.gz")
        made.append(archive.read_bytes())
    assert made[0] == made[1]


def single_file(tree, how, *families):
    command = [tree / "tools" / "amalgamate", "-o", tree / "single", *families]
    subprocess.run(command, cwd=tree, env=reproduce.environment(how), check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in (tree / "single").iterdir()}


@pytest.mark.of("aes")
def test_the_single_file(trees):
    first, second = (single_file(tree, how, "aes_gcm") for tree, how in trees)
    assert first == second and len(first) == 3


@pytest.mark.slow
@pytest.mark.every_cipher
def test_the_single_file_of_everything_is_c(trees):
    """test_single_file.py runs it, in the campaign."""
    tree, how = trees[0]
    single_file(tree, how, "all", "historic")
    command = ["cc", "-std=c11", "-w", "-fsyntax-only", tree / "single" / "runnel.c"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]


def test_the_campaigns_part_tells_and_goes_on(tmp_path, monkeypatch):
    """What differs is a finding; what a run has no time for, the next one begins with."""
    monkeypatch.setattr(reproducible, "program", lambda: reproduce)
    monkeypatch.setattr(reproduce, "SHIPPED", {"same": (), "other": (), "none": (), "broken": ()})

    def fake(name, folder):
        if name == "none":
            raise reproduce.Missing("no tool")
        if name == "broken":
            raise reproduce.Failed("status 1")
        return 3, ["wheel"] if name == "other" else []

    monkeypatch.setattr(reproduce, "reproduce", fake)
    work = Work(seconds=60, seed=1, folder=tmp_path, build=tmp_path)
    reproducible.run(work)
    assert [(each.what.split(":")[0], each.count, each.found) for each in work.figures] == [
        ("same", 3, 0),
        ("other", 3, 1),
        ("none", 1, 0),
    ]
    assert work.findings == ["other: wheel differs between two builds", "broken cannot be built: status 1"]
    reproducible.run(Work(seconds=0, seed=1, folder=tmp_path, build=tmp_path))
    assert (tmp_path / "position.json").read_text() == "0"
