# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What pip installs is what was looked at: every package is pinned, with the hashes of its files."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))
import artefacts
import unpacked
from wheels import free_threaded

OWN = sorted((ROOT / "requirements").glob("*.txt"))
PACKAGING = sorted((ROOT / "packaging").glob("*/requirements.txt"))
FILES = OWN + PACKAGING


def requirements(text: str) -> list[str]:
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


def test_there_are_nine_files_each_made_of_another():
    assert (
        {file.stem for file in OWN}
        == {"build", "runtime", "store", "demo", "test", "ray", "gpu", "fuzz", "site"}
        == {file.stem for file in (ROOT / "requirements").glob("*.in")}
    )


def test_each_file_of_a_package_is_made_of_another():
    assert sorted(file.with_suffix(".txt") for file in (ROOT / "packaging").glob("*/requirements.in")) == PACKAGING


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_requirement_has_its_version_and_hashes(file):
    found = requirements(file.read_text())
    assert len(found) >= (3 if file in OWN and file.stem != "fuzz" else 1)
    assert not [
        line for line in found if not re.match(r"[\w.-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+( +#.*)?$", line)
    ]


def test_every_direct_requirement_is_pinned():
    for file in FILES:
        names = {line.split("==")[0] for line in requirements(file.read_text())}
        direct = {
            re.split(r"[\[=<>]", line)[0]
            for line in requirements(file.with_suffix(".in").read_text())
            if not line.startswith("-")
        }
        assert direct and direct <= names


def test_pip_is_told_to_require_the_hashes():
    makefile = requirements((ROOT / "Makefile").read_text())
    installs = [line for line in makefile if "pip install" in line and " -r " in line]
    assert len(installs) >= 2
    assert all("--require-hashes" in line for line in installs)


def test_no_file_names_a_registry():
    for file in [*FILES, *(file.with_suffix(".in") for file in FILES)]:
        assert "://" not in file.read_text()
        assert not re.search(
            r"^--?(i|index-url|extra-index-url|f|find-links|trusted-host)\b", file.read_text(), re.MULTILINE
        )


def test_the_builds_backend_is_the_pinned_one():
    wanted = re.search(r'requires = \["(.*)"\]', (ROOT / "pyproject.toml").read_text())[1]
    assert any(
        line.startswith(f"{wanted} ") for line in requirements((ROOT / "requirements" / "build.txt").read_text())
    )


def test_pip_refuses_a_file_with_another_hash(tmp_path):
    (tmp_path / "wheel-1-py3-none-any.whl").write_bytes(b"another file")
    (tmp_path / "wanted.txt").write_text(f"wheel==1 --hash=sha256:{'0' * 64}\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-index",
            "--no-deps",
            "--find-links",
            tmp_path,
            "--require-hashes",
            "--target",
            tmp_path / "there",
            "-r",
            tmp_path / "wanted.txt",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode and "DO NOT MATCH THE HASHES" in done.stderr


def test_a_source_of_debian_that_is_not_the_pinned_one_is_refused(tmp_path):
    archive = tmp_path / "python3.13_3.13.5.orig.tar.xz"
    archive.write_bytes(b"something else")
    unpacked.check(archive, hashlib.sha256(b"something else").hexdigest())
    unpacked.check(archive, "")  # signed by Debian alone
    with pytest.raises(artefacts.Failed, match="has the SHA-256"):
        unpacked.check(archive, free_threaded.SHA256)
