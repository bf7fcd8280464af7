# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Two builds give the same bytes: of what is quick to build here, of the rest in the campaign (its part `reproducible`). And
the single file, of everything, is C."""

import json
import shutil
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


def test_each_artefact_says_what_it_ships():
    """Files of its own, or those of another artefact; the site is compared too."""
    every = {artefact.name: artefact for artefact in artefacts.all_artefacts()}
    for name, artefact in every.items():
        assert bool(artefact.shipped) != bool(artefact.same_as), (
            f"{name}: `shipped` or `same_as`, packaging/artefacts.py"
        )
        assert not artefact.same_as or every[artefact.same_as].shipped, name
    assert reproduce.compared().keys() == {name for name in every if every[name].shipped} | {"site"}


def test_artefacts_of_the_same_files_are_built_by_the_same_function():
    every = {artefact.name: artefact for artefact in artefacts.all_artefacts()}
    same = [each for each in every.values() if each.same_as]
    assert len(same) > 5
    for each in same:
        one, other = (getattr(build, "func", build) for build in (each.build, every[each.same_as].build))
        assert one is other, each.name


def test_programs_of_an_environment_that_is_brought_are_there(tmp_path):
    """And what was fetched is no second time on the disk."""
    source = tmp_path / "source"
    programs = source / "toy" / "environment" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "program").write_text(f"#!{programs}/python\nprint('here')\n")
    (programs / "program").chmod(0o755)
    (programs / "data").write_text("data")
    (source / "unpacked" / "toy-amd64").mkdir(parents=True)
    cache = tmp_path / "another" / "cache"
    reproduce.bring(source, cache)
    shutil.copytree(source, tmp_path / "kept", symlinks=True)
    shutil.rmtree(source)
    moved = cache / "toy" / "environment" / "bin"
    assert subprocess.run([moved / "program"], capture_output=True, text=True, check=True).stdout == "here\n"
    assert (moved / "data").read_text() == "data" and (cache / "unpacked" / "toy-amd64").is_dir()
    assert f"#!{programs}/python" in (tmp_path / "kept" / "toy" / "environment" / "bin" / "program").read_text()


@pytest.mark.parametrize("raised, status", [("Missing('no tool')", 3), ("Failed('status 1')", 1), ("", 0)])
def test_what_becomes_of_one_build(tmp_path, monkeypatch, capsys, raised, status):
    def build(folder):
        assert not list(folder.iterdir())
        if raised:
            raise eval(raised, vars(reproduce))

    monkeypatch.setattr(reproduce, "compared", lambda: {"toy": reproduce.Compared(build, ("*",))})
    assert reproduce.main(["--build", str(tmp_path / "folder"), "toy"]) == status
    assert raised[raised.find("'") + 1 : -2] == capsys.readouterr().out.strip()


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
    archives = []
    script = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    for tree, how in trees:
        command = [sys.executable, "-c", script, tree / "dist"]
        subprocess.run(command, cwd=tree, env=reproduce.environment(how), check=True, capture_output=True)
        (archive,) = (tree / "dist").glob("*.tar.gz")
        archives.append(archive.read_bytes())
    assert archives[0] == archives[1]


def single_file(tree, how, *families):
    command = [tree / "tools" / "amalgamate", "-o", tree / "single", *families]
    subprocess.run(command, cwd=tree, env=reproduce.environment(how), check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in (tree / "single").iterdir()}


@pytest.mark.of("aes")
def test_the_single_file(trees):
    first, second = (single_file(tree, how, "aes_gcm") for tree, how in trees)
    assert first == second and len(first) == 3


def test_the_campaigns_part_reports_and_continues(tmp_path, monkeypatch):
    """A difference is a finding, an artefact not reached counts 0, and the next run begins with those not yet found equal."""
    monkeypatch.setattr(reproducible, "program", lambda: reproduce)
    monkeypatch.setattr(reproducible.programs, "RESULTS", tmp_path)
    (tmp_path / "goals.toml").write_text("[goals]\n")
    monkeypatch.setattr(reproduce, "compared", lambda: dict.fromkeys(("same", "other", "none", "broken")))
    tried = []

    def fake(name, folder):
        tried.append(name)
        if name == "none":
            raise reproduce.Missing("no tool")
        if name == "broken":
            raise reproduce.Failed("status 1")
        return 3, ["wheel"] if name == "other" else []

    monkeypatch.setattr(reproduce, "reproduce", fake)
    work = Work(seconds=60, seed=1, folder=tmp_path, build=tmp_path)
    reproducible.run(work)
    assert [(each.what, each.count, each.found) for each in work.figures] == [
        ("same", 3, 0),
        ("other", 3, 1),
        ("none", 0, 0),
        ("broken", 0, 0),
        ("none: not built, tools are missing", 1, 0),
    ]
    assert work.findings == ["other: wheel differs between two builds", "broken cannot be built: status 1"]
    (tmp_path / "reproducible.json").write_text(json.dumps({"runs": [work.record()]}))
    reproducible.run(Work(seconds=60, seed=1, folder=tmp_path, build=tmp_path))
    assert tried == ["same", "other", "none", "broken", "other", "none", "broken", "same"]
    nothing = Work(seconds=0, seed=1, folder=tmp_path, build=tmp_path)
    reproducible.run(nothing)
    assert [each.count for each in nothing.figures] == [0] * 4 and len(tried) == 8
