# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the lab keeps of its compiling: an object is that of this compiler, command, text and headers, or none."""

from __future__ import annotations

import os
import time

import pytest
from runnel_lab import LabError
from runnel_lab.building import objects

COMMAND = ("cc", "-std=c11", "-DVALUE=1")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A C file with a header that has another one, and an empty store."""
    monkeypatch.setenv("RUNNEL_LAB_OBJECTS", str(tmp_path / "store"))
    new_process()
    (tmp_path / "a.c").write_text('#include "a.h"\nint value(void); int value(void) { return VALUE + OTHER; }\n')
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text("#define OTHER 2\n")
    yield tmp_path / "a.c"
    monkeypatch.undo()
    new_process()


def new_process() -> None:
    """Forgets what only lives as long as a process."""
    for function in (objects._store, objects._content, objects._made, objects._version, objects._text):
        function.cache_clear()


def object_of(file, command=COMMAND):
    new_process()
    return objects.compiled(command, file)


@pytest.fixture
def compilations(monkeypatch):
    """The commands that compiled something."""
    ran: list[list[str]] = []
    run = objects.run_tool

    def watched(command):
        if "-c" in command:
            ran.append(command)
        return run(command)

    monkeypatch.setattr(objects, "run_tool", watched)
    return ran


def test_it_is_compiled_once(file, compilations):
    first = object_of(file)
    assert first.read_bytes().startswith(b"\x7fELF")
    assert object_of(file) == first
    assert len(compilations) == 1


def test_another_text_header_or_option_is_another_object(file):
    seen = {object_of(file)}
    for change in (
        lambda: file.write_text(file.read_text().replace("+", "-")),
        lambda: (file.parent / "a.h").write_text('#include "b.h"\nint more(void);\n'),
        lambda: (file.parent / "b.h").write_text("#define OTHER 3\n"),
    ):
        change()
        made = object_of(file)
        assert made not in seen
        seen.add(made)
    seen.add(object_of(file, ("cc", "-std=c11", "-DVALUE=5")))
    seen.add(object_of(file, (*COMMAND, "-O1")))
    assert len(seen) == 6 and len({path.read_bytes() for path in seen}) > 3


def test_what_makes_no_difference_to_a_file_compiles_nothing(file, compilations):
    first = object_of(file)
    (file.parent / "b.h").write_text("#define OTHER 2 /* as it was */\n#define UNUSED 1\n")
    assert object_of(file) == first
    assert object_of(file, (*COMMAND, "-DANOTHER=1")) == first
    assert len(compilations) == 1


def test_another_version_of_the_compiler_is_another_object(file, monkeypatch):
    first = object_of(file)
    monkeypatch.setattr(objects, "_version", lambda compiler: "cc 99")
    objects._made.cache_clear()
    assert objects.compiled(COMMAND, file) != first


def test_what_was_changed_back_is_found_again(file):
    first, text = object_of(file), file.read_text()
    file.write_text(text.replace("VALUE", "7"))
    assert object_of(file) != first
    file.write_text(text)
    assert object_of(file) == first


def test_what_does_not_compile_is_said_each_time(file):
    file.write_text("nonsense\n")
    for _ in range(2):
        with pytest.raises(LabError, match="error"):
            object_of(file)
    assert not [path for path in (file.parent / "store").iterdir() if path.suffix == ".o"]


def test_what_nobody_asks_for_is_removed(file):
    first = object_of(file)
    long_ago = time.time() - (objects.KEPT_DAYS + 1) * 86400
    os.utime(first, (long_ago, long_ago))
    stray = first.with_name("stray.o")
    stray.write_text("")
    assert object_of(file).exists() and stray.exists()
    os.utime(stray, (long_ago, long_ago))
    object_of(file)
    assert not stray.exists()
