# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Rust crates: packed by cargo, unpacked, and the tests and the README's example of what was unpacked run, on this
machine and on AArch64."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from artefacts import CACHE, HERE, Artefact, Failed, Missing, call, version
from rust.packed import CRATES, fill

OLDEST = (1, 90)
"""The cargo that packs crates which need each other; who uses them needs Rust 1.85."""
AARCH64 = "aarch64-unknown-linux-gnu"
CORTEX_M4 = "thumbv7em-none-eabihf"
LINKER = "ld.lld-19"
"""For the Cortex-M4: rustup brings one of its own, Debian's packages do not."""
# The output of the program in bare/; tests/test_rust.py computes it anew.
EXPECTED = """\
ascon-aead128 67125d14793aaa6daf73f3a05a2af96db1a7dafcd4fdc7274317ef0e
aes-128-ccm c34e8952a66afe8d5e2f61a01a2cc58ff4b30da0
chacha20 bd30e32a52d627de0accc94f7d63431c
"""


def check_version() -> None:
    found = tuple(map(int, re.findall(r"\d+", version("cargo"))[:2]))
    if found < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise Missing(f"cargo {wanted} or newer (Debian 12's is 0.66, its cargo-web newer), or https://rustup.rs")


def cargo(folder: Path, *arguments: str, env: Mapping[str, str] = {}) -> str:
    kept = {"CARGO_TARGET_DIR": str(CACHE / "rust" / "target"), "CARGO_TERM_COLOR": "never"}
    return call("cargo", *arguments, cwd=folder, env={**kept, **env})


def build(folder: Path) -> str:
    check_version()
    fill(folder)
    try:
        cargo(folder, "fetch", "--locked")
    except Failed as why:
        raise Missing(f"cargo gets no crates: {str(why).splitlines()[-1].strip()}") from None
    packed = {"CARGO_TARGET_DIR": str(folder / "target")}
    cargo(folder, "package", "--workspace", "--locked", "--offline", "--no-verify", "--allow-dirty", env=packed)
    for crate in CRATES:
        shutil.move(next((folder / "target" / "package").glob(f"{crate}-[0-9]*.crate")), folder)
        shutil.rmtree(folder / crate)
    shutil.rmtree(folder / "target")
    return version("cargo")


def unpack(folder: Path) -> None:
    """Unpack the crates as their users get them, but that the second crate finds the first here and not in the registry."""
    for packed in folder.glob("*.crate"):
        call("tar", "-xf", packed, "-C", folder)
        (folder / packed.stem).rename(folder / re.sub(r"-[0-9].*", "", packed.name))
    workspace = (HERE / "rust" / "Cargo.toml").read_text()
    (folder / "Cargo.toml").write_text(workspace + '\n[patch.crates-io]\nrunnel-sys = { path = "runnel-sys" }\n')


def run_tests(folder: Path, *arguments: str, env: Mapping[str, str] = {}) -> int:
    """Returns how many tests passed."""
    text = cargo(folder, "test", "--locked", f"-j{min(2, os.cpu_count() or 1)}", *arguments, env=env)
    passed = sum(map(int, re.findall(r"test result: ok\. (\d+) passed", text)))
    assert passed > 0, "cargo ran no test"
    return passed


def run(folder: Path) -> str:
    unpack(folder)
    return f"this machine: {run_tests(folder)} tests, against RustCrypto's crates"


def library_for(target: str, crate: str) -> tuple[list[str], dict[str, str]]:
    """Options and environment of cargo that give it Rust's own library for a target: the one that rustup has installed, or
    else, because Debian has none, this crate of it compiled from the compiler's source. Raises Missing."""
    if Path(call("rustc", "--print", "target-libdir", "--target", target).strip()).is_dir():
        return [], {}
    source = Path(call("rustc", "--print", "sysroot").strip()) / "lib" / "rustlib" / "src" / "rust" / "library"
    if not source.is_dir():
        raise Missing(f"no Rust for {target}: rustup target add {target}, or Debian's rust-web-src")
    return [f"-Zbuild-std={crate}"], {"RUSTC_BOOTSTRAP": "1"}  # without it a released cargo takes no -Z


def setting(target: str, name: str) -> str:
    """Return the variable of the environment for what cargo's configuration calls target.<target>.<name>."""
    return f"CARGO_TARGET_{target.upper().replace('-', '_')}_{name}"


def run_on_aarch64(folder: Path) -> str:
    options, env = library_for(AARCH64, "std")
    unpack(folder)
    env |= {
        setting(AARCH64, "LINKER"): "aarch64-linux-gnu-gcc",
        setting(AARCH64, "RUNNER"): "qemu-aarch64 -L /usr/aarch64-linux-gnu",
    }
    passed = run_tests(folder, "--target", AARCH64, "--tests", *options, env=env)
    return f"{version('qemu-aarch64')}: {passed} tests, against RustCrypto's crates"


def run_bare(folder: Path) -> str:
    """Run a program without an operating system's library, for a Cortex-M4, in an emulator that has its instructions."""
    options, env = library_for(CORTEX_M4, "core")
    unpack(folder)
    shutil.copytree(HERE / "rust" / "bare", folder / "bare")
    workspace = folder / "Cargo.toml"
    workspace.write_text(workspace.read_text().replace('"runnel"]', '"runnel", "bare"]'))
    env |= {setting(CORTEX_M4, "LINKER"): LINKER}
    cargo(folder, "build", "-p", "bare", "--target", CORTEX_M4, *options, env=env)
    program = CACHE / "rust" / "target" / CORTEX_M4 / "debug" / "bare"
    text = call("qemu-arm", "-cpu", "cortex-a15", program)
    assert text == EXPECTED, f"the program printed\n{text}"
    return version("qemu-arm")


TRIED_BY = "test_rust.py::test_the_crates_tests_and_example"
WHAT = "crates `runnel` and `runnel-sys`, RustCrypto's traits"
ARTEFACTS = [
    Artefact("rust", WHAT, build, run, needs=("cargo", "cc"), shipped=("*.crate",), released=True,
             tried_by=TRIED_BY, clock=False),
    Artefact("rust-aarch64", f"the same for {AARCH64}", build, run_on_aarch64,
             needs=("cargo", "aarch64-linux-gnu-gcc", "qemu-aarch64"), same_as="rust", tried_by=TRIED_BY),
    Artefact("rust-cortex-m4", f"the same for {CORTEX_M4}, without std", build, run_bare,
             needs=("cargo", "arm-none-eabi-gcc", "qemu-arm", LINKER), same_as="rust", tried_by=TRIED_BY),
]  # fmt: skip
