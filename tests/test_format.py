# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The tree is laid out as its settings say: .clang-format, .editorconfig, and ruff's and mypy's in pyproject.toml. `make
format` mends what a formatter can mend."""

import configparser
import fnmatch
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import selection

ROOT = Path(__file__).parents[1]
C_SUFFIXES = (".c", ".h", ".cc", ".cpp")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.every_cipher
def test_c_is_formatted():
    files = [str(path) for path in tracked() if path.suffix in C_SUFFIXES and selection.takes_file(path)]
    assert len(files) > (300 if selection.current() is None else 1)
    assert run("clang-format-19", "--dry-run", "-Werror", *files) == ""


def test_a_space_too_many_in_c_is_found(tmp_path):
    shutil.copy(ROOT / ".clang-format", tmp_path)
    (tmp_path / "a.c").write_text("int  a;\n")
    assert "a.c:1:4" in run("clang-format-19", "--dry-run", "-Werror", str(tmp_path / "a.c"))


def test_what_is_laid_out_by_hand_is_there():
    for line in (ROOT / ".clang-format-ignore").read_text().splitlines():
        assert line.startswith("#") or list(ROOT.glob(line)), line


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check"),
        ("ruff", "format", "--check"),
        ("mypy",),
        pytest.param(("basedpyright",), marks=pytest.mark.campaign),  # what mypy sees, and takes four times as long
    ],
    ids=" ".join,
)
def test_python(command):
    assert run(sys.executable, "-m", *command) == ""


MOST_LINES = 600
SOURCES = (*C_SUFFIXES, ".S", ".inc", ".py", ".pyi", ".cmake", ".sh", ".rs")


def test_no_source_file_is_too_long():
    """Outside tests, which list cases: who reads a file can know all of it."""
    sources = [
        path
        for path in tracked()
        if path.suffix in SOURCES or path.name in ("Makefile", "CMakeLists.txt") or path.parent == ROOT / "tools"
        if path.relative_to(ROOT).parts[0] != "tests"
    ]
    assert len(sources) > 400
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in sources}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def rules_for(path: Path) -> dict[str, str]:
    settings = configparser.ConfigParser()
    settings.read_string("[root]\n" + (ROOT / ".editorconfig").read_text())
    rules: dict[str, str] = {}
    for pattern in settings.sections()[1:]:
        match = re.fullmatch(r"(.*)\{(.*)\}(.*)", pattern)
        patterns = [match[1] + each + match[3] for each in match[2].split(",")] if match else [pattern]
        if any(fnmatch.fnmatch(path.name, each) for each in patterns):
            rules.update(settings[pattern])
    return rules


def faults(name: str, text: bytes, rules: dict[str, str]) -> list[str]:
    found = []
    if rules["end_of_line"] == "lf" and b"\r" in text:
        found.append(f"{name}: a carriage return")
    if rules["insert_final_newline"] == "true" and text and not text.endswith(b"\n"):
        found.append(f"{name}: no newline at the end")
    for number, line in enumerate(text.split(b"\n"), 1):
        if rules["trim_trailing_whitespace"] == "true" and line != line.rstrip():
            found.append(f"{name}:{number}: white space at the end")
        if rules["indent_style"] == "space" and line.startswith(b"\t"):
            found.append(f"{name}:{number}: a tab")
    try:
        text.decode(rules["charset"])
    except UnicodeDecodeError as error:
        found.append(f"{name}: {error}")
    return found


@pytest.mark.every_cipher
def test_every_text_is_as_editors_are_told():
    found = []
    for path in filter(selection.takes_file, tracked()):
        text = path.read_bytes()
        if b"\0" not in text:
            found += faults(str(path.relative_to(ROOT)), text, rules_for(path))
    assert found == []


def test_what_editors_are_told_is_checked():
    rules = rules_for(Path("a.c"))
    assert len(faults("a.c", b"\tint a; \r\n\xff", rules)) == 5
    assert faults("Makefile", b"all:\n\tcc\n", rules_for(Path("Makefile"))) == []


def test_errors_say_what_their_comments_say():
    """runnel_error_text, and the header's comment on each error."""
    header = (ROOT / "include" / "runnel" / "stream.h").read_text()
    commented = dict(re.findall(r"^ *(RUNNEL_ERR_\w+) =\s*-\d+,? +/\* (.*?) \*/", header, re.MULTILINE))
    messages = dict(
        re.findall(r'case (RUNNEL_ERR_\w+):\s+return "(.*)";', (ROOT / "src" / "core" / "error.c").read_text())
    )
    assert len(messages) >= 16 and messages == commented
    assert len(re.findall(r"^ *RUNNEL_ERR_\w+ =", header, re.MULTILINE)) == len(messages)
