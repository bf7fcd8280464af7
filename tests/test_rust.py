# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Rust crates against the library in build/, so that nothing of C is compiled: their tests, the README's example, and
what the table of types and the descriptions say. `packaging/build rust` has the library compiled by the crate."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

ROOT = Path(__file__).resolve().parent.parent
RUST = ROOT / "packaging" / "rust"
OLDEST = (1, 85)


def cargo_version() -> tuple[int, ...]:
    if not shutil.which("cargo"):
        return (0,)
    output = subprocess.run(["cargo", "--version"], text=True, capture_output=True).stdout
    return tuple(map(int, re.findall(r"\d+", output)[:2]))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    if cargo_version() < OLDEST:
        pytest.skip(f"cargo {'.'.join(map(str, OLDEST))} or newer is not installed (https://rustup.rs)")
    sys.path.insert(0, str(ROOT / "packaging"))
    from rust import packed

    folder = tmp_path_factory.mktemp("rust")
    packed.fill(folder, amalgamated=False)
    return folder


def cargo(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    headers = [BUILD / "generated", ROOT / "include", BUILD / "generated" / "runnel"]
    library = {"RUNNEL_LIB_DIR": str(BUILD), "RUNNEL_INCLUDE_DIR": os.pathsep.join(map(str, headers))}
    library |= {"CARGO_TARGET_DIR": str(ROOT / "build" / "packages" / "rust" / "linked"), "CARGO_TERM_COLOR": "never"}
    return subprocess.run(["cargo", *arguments], cwd=folder, env=os.environ | library, text=True, capture_output=True)


@pytest.mark.slow
def test_the_crates_tests_and_example(workspace):
    done = cargo(workspace, "test", "--locked", "-j2")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    passed = sum(map(int, re.findall(r"test result: ok\. (\d+) passed", done.stdout)))
    assert passed >= 55


def test_layout(workspace):
    if not shutil.which("rustfmt"):
        pytest.skip("rustfmt is not installed")
    done = subprocess.run(["cargo", "fmt", "--check"], cwd=RUST, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_missing_file_of_c_is_told(workspace):
    one_variable = {"RUNNEL_LIB_DIR", "RUNNEL_INCLUDE_DIR"}
    env = {name: value for name, value in os.environ.items() if name not in one_variable}
    env["CARGO_TARGET_DIR"] = str(ROOT / "build" / "packages" / "rust" / "empty")
    done = subprocess.run(["cargo", "build", "--locked", "-p", "runnel-sys"], cwd=workspace, env=env, text=True,
                          capture_output=True)  # fmt: skip
    assert done.returncode != 0 and "packaging/build rust" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("changed", ["librunnel.a", "runnel/config.h"])
def test_another_library_or_header_is_noticed(workspace, tmp_path, changed):
    copy = tmp_path / "runnel"
    shutil.copytree(BUILD / "generated" / "runnel", copy)
    shutil.copy(BUILD / "librunnel.a", tmp_path)
    headers = os.pathsep.join(map(str, (tmp_path, ROOT / "include", copy)))
    env = os.environ | {"RUNNEL_LIB_DIR": str(tmp_path), "RUNNEL_INCLUDE_DIR": headers}
    env |= {"CARGO_TARGET_DIR": str(tmp_path / "target"), "CARGO_TERM_COLOR": "never"}

    def state() -> str:
        command = ["cargo", "check", "--locked", "--verbose", "-p", "runnel-sys"]
        done = subprocess.run(command, cwd=workspace, env=env, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr[-4000:]
        return re.search(r"^ *(\w+) runnel-sys\b", done.stderr, re.MULTILINE)[1]

    assert [state(), state()] == ["Compiling", "Fresh"]
    os.utime(tmp_path / changed, (2**31, 2**31))
    assert state() == "Dirty"


def test_names_and_sizes_of_types_are_those_of_the_library():
    """Each row of the table: name, bytes of key, and of block, IV or nonce."""
    text = (RUST / "runnel" / "src" / "table.rs").read_text()
    rows = re.findall(r'"([a-z0-9-]+)",\s+key U(\d+),\s+(block|iv|nonce) U(\d+)(?:, tag U(\d+), (\w+))?', text)
    assert len(rows) == len(re.findall(r"\bkey U\d+", text)) > 25
    for name, key, what, bytes_of_it, tag, position in rows:
        if what == "nonce":
            aead = runnel.aeads()[name]
            assert aead.key_bytes == int(key) and int(tag) in aead.tag_lengths, name
            assert aead.nonce_min <= int(bytes_of_it) <= (aead.nonce_max or 16), name
            assert aead.tag_first == (position == "Prefix"), name
        else:
            cipher = runnel.ciphers()[f"{name}-ctr" if what == "block" else name]
            assert int(key) in cipher.key_bytes and int(bytes_of_it) in cipher.iv_bytes, name
        if what == "iv":
            row = next(line for line in text.splitlines() if f'"{name}",' in line)
            assert cipher.seekable == ("Seekable" in row), name


@pytest.mark.of("aes")
def test_what_the_program_without_std_prints_is_what_others_compute():
    sys.path.insert(0, str(ROOT / "packaging"))
    from rust.artefact import EXPECTED

    key, reading, header = b"sixteen bytes...", b"21.5 C, 48 %", b"node 7"
    lines = [
        "ascon-aead128 " + runnel.aead("ascon-aead128", key).seal(bytes(16), reading, header).hex(),
        "aes-128-ccm " + AESCCM(key, tag_length=8).encrypt(bytes(13), reading, header).hex(),
        "chacha20 " + Cipher(ChaCha20(key + b"and sixteen more", bytes(16)), None).encryptor().update(bytes(16)).hex(),
    ]
    assert EXPECTED.splitlines() == lines


FAKE_RUSTC = """\
#!/bin/sh
case "$*" in
"--print sysroot") echo '{root}' ;;
"--print target-libdir --target here") echo '{root}/lib' ;;
*) echo '{root}/nowhere' ;;
esac
"""


def test_rusts_library_for_a_target_is_the_installed_one_or_compiled_or_told(tmp_path, monkeypatch):
    sys.path.insert(0, str(ROOT / "packaging"))
    from artefacts import Missing
    from rust.artefact import library_for

    rustc = tmp_path / "rustc"
    rustc.write_text(FAKE_RUSTC.format(root=tmp_path))
    rustc.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "lib").mkdir()
    assert library_for("here", "std") == ([], {})
    with pytest.raises(Missing, match="rustup target add elsewhere, or Debian's rust-web-src"):
        library_for("elsewhere", "core")
    (tmp_path / "lib" / "rustlib" / "src" / "rust" / "library").mkdir(parents=True)
    assert library_for("elsewhere", "core") == (["-Zbuild-std=core"], {"RUSTC_BOOTSTRAP": "1"})


def test_versions_and_names():
    version = (ROOT / "VERSION").read_text().split()[0]
    workspace = (RUST / "Cargo.toml").read_text()
    assert f'version = "{version}"' in workspace and 'license = "Apache-2.0 OR MIT"' in workspace
    assert f'runnel-sys = {{ version = "={version}"' in (RUST / "runnel" / "Cargo.toml").read_text()
    lock = (RUST / "Cargo.lock").read_text()
    for package in lock.split("[[package]]")[1:]:
        ours = re.search(r'name = "runnel(-sys)?"', package)
        assert (f'version = "{version}"' if ours else "checksum = ") in package
