# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bugs planted one at a time (mutants/*.toml), of which each must be seen by the tests that its list names."""

import shlex
from pathlib import Path

import mutation
import pytest
import selection
from c_programs import ROOT

FOLDERS = {str(folder.relative_to(ROOT)): folder.name for folder in selection.names_by_folder()}


def about(path: str) -> list[pytest.MarkDecorator]:
    """The cipher, MAC or AEAD whose folder the file is in."""
    folder = "/".join(path.split("/")[:3])
    return [pytest.mark.of(FOLDERS[folder])] if folder in FOLDERS else []


def what_tests(file: mutation.File) -> tuple:
    """Files with the same are broken by the same tests, if they are broken at all."""
    return file.tests, file.sources(), Path(file.path).suffix


def sample(list_: str) -> list:
    """A tenth of a list's mutants."""
    listed = [each for each in mutation.mutants() if each.file.list == list_ and not each.survives]
    return selection.one_in(10, [pytest.param(each, id=each.name, marks=about(each.file.path)) for each in listed])


def foreign(mutant: mutation.Mutant) -> bool:
    """Those that see it are not among the tests of its file."""
    own = {word.partition("::")[0] for word in mutant.file.tests.pytest}
    return not own >= {word.partition("::")[0] for word in shlex.split(mutant.by) if word.startswith("tests/")}


SOUND = {what_tests(file): pytest.param(file, "", id=file.path, marks=about(file.path)) for file in mutation.files()}
SOUND |= {
    (what_tests(each.file), each.by): pytest.param(
        each.file, each.by, id=f"{each.file.path}, {each.by}", marks=about(each.file.path)
    )
    for each in mutation.mutants()
    if foreign(each)
}


@pytest.mark.slow
@pytest.mark.parametrize("mutant", [each for name in mutation.GROUPS for each in sample(name)])
def test_mutant_is_seen(mutant, tmp_path):
    if mutant.file.sources() is None:
        pytest.skip(f"this CPU lacks one of: {', '.join(sorted(set().union(*mutant.file.first_of.values())))}")
    assert mutation.tried(mutant), f"no test notices that {mutant}"


@pytest.mark.slow
@pytest.mark.parametrize(("file", "by"), selection.one_in(12, SOUND.values()))
def test_the_unbroken_code_survives(file, by, tmp_path):
    """Or tests that fail wherever a mutant is tried would see them all."""
    if file.sources() is None:
        pytest.skip(f"this CPU lacks one of: {', '.join(sorted(set().union(*file.first_of.values())))}")
    assert mutation.seen_by(tmp_path, file, None, by) == ""


def test_each_changes_one_text_that_is_there():
    for mutant in mutation.mutants():
        text = (ROOT / mutant.file.path).read_text(encoding="utf-8")
        assert text.count(mutant.old) == 1 and mutant.new != mutant.old, f"{mutant.file.path}: {mutant}"
    assert {file.list for file in mutation.files()} == set(mutation.GROUPS)
    names = [(mutant.file.list, mutant.name) for mutant in mutation.mutants()]
    assert len(names) == len(set(names)) >= 300


def test_the_document_is_that_of_the_lists():
    assert mutation.DOCUMENT.read_text(encoding="utf-8") == mutation.document()
