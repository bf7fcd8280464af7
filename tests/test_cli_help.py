# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test the command's own documentation: help, the manual page, docs/command-line.md, and what a shell completes."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_program import commands

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent


ALL = {" ".join(words): command for command, words in commands()}


def example_lines(command: click.Command) -> list[str]:
    return [line.strip() for line in (command.epilog or "").splitlines()[2:]]


# Help


@pytest.mark.parametrize("name", ALL)
def test_every_help_is_imperative_and_has_an_example(name):
    command = ALL[name]
    first = command.help.split()[0].rstrip(",")
    assert first in (
        "Encrypt",
        "Decrypt",
        "Make",
        "XOR",
        "Write",
        "List",
        "Measure",
        "Build",
        "Compare",
        "Put",
        "Print",
        "Read",
    ), first
    lines = example_lines(command)
    assert lines and all(re.search(rf"\b{name}\b", line) for line in lines)
    shown = command.get_help(click.Context(command, info_name=name)) + "\n"
    assert all(f"    {line}\n" in shown for line in lines)


@pytest.mark.parametrize("line", [line for command in ALL.values() for line in example_lines(command)])
def test_examples_are_command_lines(line, monkeypatch):
    """Their options are known and their values of the right kind."""
    monkeypatch.setenv("RUNNEL_SOURCE", str(ROOT))
    for part in line.split(" | "):
        words = shlex.split(part.partition(" > ")[0])
        if words[0] != "runnel":
            continue
        name = next(name for name in sorted(ALL, key=len, reverse=True) if words[: len(name.split())] == name.split())
        with ALL[name].make_context(name, words[len(name.split()) :]):
            pass


# The manual page and the documentation


def test_the_manual_page_is_fresh():
    printed = subprocess.run(
        [sys.executable, ROOT / "tools" / "man_page.py"], check=True, capture_output=True, text=True
    )
    assert printed.stdout == (ROOT / "docs" / "runnel.1").read_text(), "run tools/man_page.py --write"


def test_the_manual_page_has_every_command_and_option():
    page = (ROOT / "docs" / "runnel.1").read_text().replace("\\-", "-")
    for name, command in ALL.items():
        assert name == "runnel" or f".SH {name.upper()}\n" in page
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.hidden != (parameter.opts[-1] in page), parameter.opts
    assert not [line for line in page.splitlines() if re.match(r"\.(?!(\\|TH|SH|B|PP|TP|nf|fi|RS|RE)(\s|$|\"))", line)]


def test_the_documentation(tmp_path):
    """Its examples run as they stand, one after the other, and it has every command."""
    text = (ROOT / "docs" / "command-line.md").read_text()
    for name in ALL:
        assert name in text or f"`{name.split()[-1]}`" in text, name
    (tmp_path / "photos.tar").write_bytes(os.urandom(20_000))
    script = "\n".join(re.findall(r"^```(?:ba)?sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    environment = {**os.environ, "PATH": f"{SCRIPTS}:{os.environ['PATH']}", "RUNNEL_SOURCE": str(ROOT)}
    done = subprocess.run(["bash", "-eu"], input=script, text=True, cwd=tmp_path, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "\n4096\n" in done.stdout and len(script.splitlines()) > 20
    assert all(f"\n| {status} | " in text for status in (0, 1, 2, 3))
