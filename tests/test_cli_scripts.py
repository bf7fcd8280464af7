# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Golden scripts of the command line: tests/cli/*.txt, in the format of cram.

Lines that are not indented are comments. Indented by two spaces are commands, which begin with "$ " and are continued
with "> ", and behind each its standard output, its standard error output and, in brackets, its exit status if that is not
0. A line of output that ends with " (glob)" is a pattern; " (eol)" stands behind white space at
a line's end, " (no-eol)" where there is no end. A script that mentions $TEMPLATE runs once for each file format.

A command of `runnel` alone runs in this process, anything else in bash. `python tests/test_cli_scripts.py --write` puts
what the commands print into the scripts, to be reviewed as a diff.
"""

import contextlib
import fnmatch
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_program import standard_files
from runnel.cli.group import run
from sealed_files import ONE_OF_EACH

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted((Path(__file__).parent / "cli").glob("*.txt"))
BASH = f'runnel() {{ "{sys.executable}" -m runnel "$@"; }}; export -f runnel\n'


class Session:
    """A folder, which is the current one, and variables, for the commands of one script."""

    def __init__(self, folder: Path, template: str) -> None:
        self.folder = folder
        self.variables = {**os.environ, "TEMPLATE": template, "SOURCE": str(ROOT), "LC_ALL": "C.UTF-8", "SHELL": "bash"}
        self.variables["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    def output(self, command: str) -> list[str]:
        """Run a command; return the lines that it prints, and its status."""
        if assigned := re.fullmatch(r"([A-Z]+)=(\S*)", command):
            self.variables[assigned[1]] = assigned[2]
            return []
        single_command = re.fullmatch(r"runnel\b[^|;&`(){}\\]*", command)
        status, printed = self._runnel(command) if single_command and "> /dev/" not in command else self._bash(command)
        text = printed.decode("utf-8", "backslashreplace").replace("\r\n", "\n")  # as terminals have it
        lines = text.removesuffix("\n").split("\n") if text else []
        if text and not text.endswith("\n"):
            lines[-1] += " (no-eol)"
        lines = [line if line and not line[-1].isspace() else f"{line} (eol)" for line in lines]
        return [*lines, f"[{status}]"] if status else lines

    def _runnel(self, command: str) -> tuple[int, bytes]:
        expanded = re.sub(r"\$([A-Z]+)", lambda match: self.variables[match[1]], command)
        words = iter(shlex.split(expanded)[1:])
        arguments, source, target = [], os.devnull, None
        for word in words:
            if word == "<":
                source = next(words)
            elif word in (">", ">>"):
                target = next(words), {">": "wb", ">>": "ab"}[word]
            else:
                arguments.append(word)
        errors = io.StringIO()
        with open(source, "rb") as stdin, tempfile.TemporaryFile() as shown:
            with contextlib.ExitStack() as stack:
                stdout = stack.enter_context(open(*target)) if target else shown
                stack.enter_context(standard_files(stdin, stdout))
                text = stack.enter_context(open(1, "w", closefd=False))
                stack.enter_context(contextlib.redirect_stdout(text))
                stack.enter_context(contextlib.redirect_stderr(errors))
                status, line = run(arguments)
            shown.seek(0)
            message = f"runnel: {line}\n" if line else ""
            return status, shown.read() + (errors.getvalue() + message).encode("utf-8", "surrogateescape")

    def _bash(self, command: str) -> tuple[int, bytes]:
        done = subprocess.run(
            ["bash", "-c", BASH + command], env=self.variables, stdin=subprocess.DEVNULL, capture_output=True
        )
        return done.returncode, done.stdout + done.stderr


def blocks(text: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """Yield (lines before the output, command, lines of output); the command is empty behind the last one."""
    before: list[str] = []
    output: list[str] = []
    command = ""
    for line in text.splitlines():
        if command and line.startswith("  > ") and not output:
            before.append(line)
            command += "\n" + line[4:]
        elif command and line.startswith("  ") and not line.startswith("  $ "):
            output.append(line[2:])
        else:
            if command and (line.startswith("  $ ") or not line.startswith("  ")):
                yield before, command, output
                before, output, command = [], [], ""
            before.append(line)
            command = line[4:] if line.startswith("  $ ") else ""
    yield before, command, output


def is_as_expected(line: str, expected: str) -> bool:
    return line == expected or (expected.endswith(" (glob)") and fnmatch.fnmatchcase(line, expected[:-7]))


def transcript(text: str, session: Session) -> str:
    """Return the script with the output that its commands have now; patterns stay where they fit."""
    lines = []
    for before, command, expected in blocks(text):
        found = session.output(command) if command else []
        fits = len(found) == len(expected) and all(map(is_as_expected, found, expected))
        lines += before
        lines += [f"  {line}" for line in (expected if fits else found)]
    return "\n".join(lines) + "\n"


def rerun(script: Path, template: str) -> str:
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return transcript(script.read_text(), Session(Path(folder), template))
        finally:
            os.chdir(before)


def cases() -> list[tuple[Path, str]]:
    each = ((script, ONE_OF_EACH if "$TEMPLATE" in script.read_text() else ONE_OF_EACH[:1]) for script in SCRIPTS)
    return [(script, template) for script, templates in each for template in templates]


@pytest.mark.parametrize("script, template", cases(), ids=lambda each: getattr(each, "stem", each))
def test_script(script, template):
    assert rerun(script, template) == script.read_text()


@pytest.mark.parametrize(
    "wrong, found",
    [
        ("  $ echo one\n  two\n", "  $ echo one\n  one\n"),
        ("  $ false\n", "  $ false\n  [[]1]\n"),
        ("  $ runnel ciphers zz\n", "  $ runnel ciphers zz\n  runnel: *unknown cipher 'zz'*\n  [[]2]\n"),
        ("  $ true\n  [1]\n", "  $ true\n"),
        ("  $ echo abc\n  b* (glob)\n", "  $ echo abc\n  abc\n"),
        ("  $ printf 1\n  1\n", "  $ printf 1\n  1 (no-eol)\n"),
    ],
)
def test_a_wrong_output_is_found(tmp_path, wrong, found):
    actual = transcript(wrong, Session(tmp_path, ""))
    assert actual != wrong and fnmatch.fnmatchcase(actual, found)


if __name__ == "__main__":
    assert sys.argv[1:2] == ["--write"]
    for each in SCRIPTS:
        if not sys.argv[2:] or each.stem in sys.argv[2:]:
            each.write_text(rerun(each, ONE_OF_EACH[0]))
