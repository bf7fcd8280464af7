# SPDX-License-Identifier: Apache-2.0 OR MIT
"""README.md is read in a minute and its blocks run as they stand; the make targets that documents name exist."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
README = (ROOT / "README.md").read_text()
LANGUAGES = {"sh", "python", "c"}


def example(language: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1, f"README.md has {len(blocks)} examples in {language}"
    return blocks[0]


def run(command, folder, **options):
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True, **options)


def test_it_is_short():
    assert len(README.splitlines()) <= 110


def test_every_block_is_one_that_is_run_here():
    assert sorted(re.findall(r"^```(\w+)$", README, re.MULTILINE)) == sorted(LANGUAGES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the README in it, as that in which somebody pastes the blocks, one after the other."""
    folder = tmp_path_factory.mktemp("tried")
    (folder / "README.md").write_text(README)
    return folder


def test_shell_and_what_was_changed_is_refused(folder):
    done = run(["sh", "-eu"], folder, input=example("sh"))
    assert done.returncode == 0, done.stderr
    again = folder / "README.again"
    assert again.read_text() == README
    again.unlink()
    sealed = bytearray((folder / "sealed").read_bytes())
    assert README.encode()[:40] not in sealed
    sealed[len(sealed) // 2] ^= 1
    (folder / "sealed").write_bytes(sealed)
    assert "gives exit status 3, and nothing is written" in README.replace("\n", " ")
    assert run(["sh", "-c", example("sh").splitlines()[-1]], folder).returncode == 3
    assert not again.exists()


def test_python(folder, tmp_path):
    done = run([sys.executable, "-c", example("python")], folder)
    assert done.returncode == 0, done.stderr
    part, opened = done.stdout.splitlines()
    assert opened == "b'20.5 degrees'"
    assert part == repr(README[100:160].encode())
    (tmp_path / "README.md").write_text(README)
    changed = example("python").replace('"rb", keyset, aad=b"for Ann"', '"rb", keyset')
    refused = run([sys.executable, "-c", changed], tmp_path)
    assert "AuthenticationError" in refused.stderr and not refused.stdout


def test_c(tmp_path):
    (tmp_path / "example.c").write_text(example("c"))
    prefix = tmp_path / "prefix"
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
    env = {
        **os.environ,
        "PKG_CONFIG_PATH": str(next(prefix.glob("**/pkgconfig"))),
        "LD_LIBRARY_PATH": str(next(prefix.glob("**/librunnel.so")).parent),
    }
    command = re.search(r"`(cc example\.c .*)`", README)[1]
    subprocess.run(["sh", "-c", f"{command} -Wall -Wextra -Werror -o example"], cwd=tmp_path, check=True, env=env)
    subprocess.run([tmp_path / "example"], check=True, env=env)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/performance.md", ".github/workflows/ci.yml"])
def test_make_targets_that_are_named_exist(name):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = (ROOT / name).read_text()
    named = set(re.findall(r"(?:^ +|`|, |and )make ([a-z]+)", text, re.MULTILINE))
    if matrix := re.search(r"target: \[(.*)\]", text):
        named |= set(matrix[1].split(", "))
    assert named and named <= targets


def test_ci_runs_make_and_nothing_else():
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    packages, ownership, *commands = re.findall(r"run: (.*)", text)
    assert packages.startswith("apt-get update && apt-get install ") and packages.endswith(" ca-certificates git make")
    assert ownership.startswith("git config --system --add safe.directory ")
    assert commands == ["make ${{ matrix.target }}"]


def test_the_changelog_names_this_version():
    version = (ROOT / "VERSION").read_text().strip()
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert f"\n## [{version}]" in changes or f"\nWhat will be {version}," in changes
