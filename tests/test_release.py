# SPDX-License-Identifier: Apache-2.0 OR MIT
"""packaging/release: what is gathered, signed and verified, with a key that lives as long as the tests."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import ROOT

sys.path.insert(0, str(ROOT / "packaging"))
import artefacts

RELEASED = [each for each in artefacts.all_artefacts() if each.released]
NAMES = [f"{each.name}/{pattern.replace('*', each.name)}" for each in RELEASED for pattern in each.shipped]
WHEEL = next(Path(name).name for name in NAMES if name.endswith(".whl"))


def release(*arguments, home: Path | None = None) -> subprocess.CompletedProcess:
    command = [sys.executable, ROOT / "packaging" / "release", *arguments]
    environment = os.environ | ({"GNUPGHOME": str(home)} if home else {})
    return subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True)


def gpg(home: Path, *arguments: str) -> bytes:
    command = ["gpg", "--homedir", str(home), "--batch", "--quiet", *arguments]
    return subprocess.run(command, check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("g")
    folder.chmod(0o700)
    for name in ("maintainer", "stranger"):
        gpg(
            folder,
            "--passphrase",
            "",
            "--quick-generate-key",
            f"{name} <{name}@runnel.invalid>",
            "ed25519",
            "sign",
            "1d",
        )
        (folder / f"{name}.gpg").write_bytes(gpg(folder, "--export", f"{name}@runnel.invalid"))
    yield folder
    subprocess.run(["gpgconf", "--homedir", folder, "--kill", "all"], check=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "debian" / "runnel_1.changes").write_text("is not released")
    return folder


@pytest.fixture(scope="module")
def signed(home, built, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "1"
    assert release("gather", folder, "--artefacts", built).returncode == 0
    done = release("sign", folder, "maintainer@runnel.invalid", home=home)
    assert done.returncode == 0, done.stderr
    return folder


def test_what_is_gathered(signed):
    names = sorted(Path(name).name for name in NAMES)
    assert sorted(path.name for path in signed.iterdir()) == sorted([*names, "SHA256SUMS", "SHA256SUMS.asc"])
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=signed, check=True)


def test_every_kind_of_package_is_released():
    endings = (".deb", ".dsc", ".orig.tar.xz", ".debian.tar.xz", ".tgz", ".crate", ".cdx.json", ".tar.gz", ".whl")
    assert [ending for ending in endings if not any(name.endswith(ending) for name in NAMES)] == []


def test_a_package_that_was_not_built_is_missed(tmp_path):
    (tmp_path / "built").mkdir()
    done = release("gather", tmp_path / "1", "--artefacts", tmp_path / "built")
    assert done.returncode == 1 and "run `make packages`" in done.stderr


def line_of(done: subprocess.CompletedProcess) -> str:
    """Return the one line that a refusal says."""
    assert done.returncode == 1 and done.stdout == "" and done.stderr.startswith("packaging/release: "), done.stderr
    (line,) = done.stderr.splitlines()
    return line.removeprefix("packaging/release: ")


def test_what_stands_in_the_way_gets_one_line(signed, home, tmp_path, monkeypatch):
    built, empty = signed.parent / "not built", tmp_path / "empty"
    empty.mkdir()
    assert line_of(release("gather", tmp_path / "1", "--artefacts", built)).startswith("no ")
    assert not (tmp_path / "1").exists()
    assert line_of(release("sign", empty, "x")) == f"{empty / 'SHA256SUMS'}: No such file or directory"
    (empty / "SHA256SUMS").write_text("nothing of the kind\n")
    assert line_of(release("sign", empty, "x")) == f"{empty / 'SHA256SUMS'} is no list of checksums"
    assert line_of(release("sign", signed, "nobody@runnel.invalid", home=home)).startswith(
        "SHA256SUMS is not signed: gpg"
    )
    assert "does not verify: gpgv" in line_of(release("verify", empty, home / "maintainer.gpg"))
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))
    done = release("sign", signed, "maintainer@runnel.invalid", home=home)
    assert line_of(done) == "gpg: No such file or directory"


def test_an_existing_folder_is_not_touched(built, tmp_path):
    (tmp_path / "1").mkdir()
    done = release("gather", tmp_path / "1", "--artefacts", built)
    assert line_of(done) == f"{tmp_path / '1'} exists: name a folder that does not"
    assert not list((tmp_path / "1").iterdir())


def test_what_is_right_verifies(signed, home):
    done = release("verify", signed, home / "maintainer.gpg")
    assert (done.returncode, done.stdout) == (0, f"{len(NAMES)} files, all as they were signed\n"), done.stderr


def changed_file(folder):
    (folder / WHEEL).write_text("another")


def lost_file(folder):
    (folder / WHEEL).unlink()


def further_file(folder):
    (folder / "runnel-2.whl").write_text("further")


def changed_sums(folder):
    changed_file(folder)
    text = (folder / "SHA256SUMS").read_text()
    line = subprocess.run(["sha256sum", WHEEL], cwd=folder, check=True, capture_output=True, text=True).stdout
    (folder / "SHA256SUMS").write_text("".join([each for each in text.splitlines(True) if ".whl" not in each] + [line]))


@pytest.mark.parametrize(
    "change, message",
    [
        (changed_file, f"{WHEEL} is not the file that was signed"),
        (lost_file, f"{WHEEL} is missing"),
        (further_file, "runnel-2.whl is not in SHA256SUMS"),
        (changed_sums, "SHA256SUMS.asc does not verify"),
    ],
)
def test_what_was_changed_does_not(change, message, signed, home, tmp_path):
    folder = tmp_path / "1"
    shutil.copytree(signed, folder)
    change(folder)
    done = release("verify", folder, home / "maintainer.gpg")
    assert done.returncode == 1 and message in done.stderr
    if change is not changed_sums:
        assert release("sign", folder, "maintainer@runnel.invalid", home=home).returncode == 1


def test_another_key_does_not(signed, home):
    done = release("verify", signed, home / "stranger.gpg")
    assert done.returncode == 1 and "SHA256SUMS.asc does not verify" in done.stderr
