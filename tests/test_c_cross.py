# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C tests on other architectures: cross-compiled, and run under QEMU."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import runnel
import selection
from c_programs import BUILD, ROOT, build, check
from test_c_macs import check_extremes, check_hmac_sha_1
from test_vectors import FILES, tally

pytestmark = pytest.mark.builds


@dataclass(frozen=True)
class Machine:
    name: str  # of the toolchain file in cmake/
    compiler: str
    emulator: tuple[str, ...]
    own: tuple[str, ...]  # how the names of its own kernels begin
    features: tuple[tuple[str, str], ...]  # what must be found, by the emulated processor
    options: tuple[str, ...] = ()  # of the build

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        for tool in (self.compiler, self.emulator[0]):
            if shutil.which(tool) is None:
                pytest.skip(f"{tool} is not installed")
        toolchain = ROOT / "cmake" / f"{self.name}.cmake"
        options = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", *self.options]
        return build(BUILD / "cross" / self.name, *options, target="runnel_cross_tests")

    @property
    def files(self) -> list[Path]:
        """Vectors of what it has, and of what was asked for."""
        without = "-DRUNNEL_HISTORIC=OFF" in self.options
        return [file for file in FILES if selection.takes_file(file) and not (without and selection.historic(file))]

    def check(self, program: str, *arguments: str | Path, cpu: str | None = None, **variables: str) -> str:
        wrapper = [*self.emulator, *(["-cpu", cpu] if cpu else [])]
        return check(program, *arguments, folder=self.folder, wrapper=wrapper, **variables)

    def kernels(self) -> list[list[str]]:
        """Returns cipher, kernel, features, timing, …"""
        return [line.split() for line in self.check("runnel-properties", "list").splitlines()]


# These are C alone, and in every run the lab's Cortex-M4 has them: on machines with an operating system the campaign does.
HISTORIC = () if selection.campaign() else ("-DRUNNEL_HISTORIC=OFF",)
MACHINES = [
    Machine(
        "aarch64-linux-gnu",
        "aarch64-linux-gnu-gcc",
        ("qemu-aarch64",),
        ("aarch64-", "neon-tbl"),
        (("cortex-a53", "aes,neon,clmul,sha"), ("max", "aes,neon,clmul,sha")),
        HISTORIC,
    ),
    Machine(
        "armv7-linux-gnueabihf",
        "arm-linux-gnueabihf-gcc",
        ("qemu-arm", "-cpu", "cortex-a8"),
        ("armv7-", "thumb2"),
        (("cortex-a8", "neon"), ("cortex-a15", "neon"), ("max", "aes,neon,clmul,sha")),
        HISTORIC,
    ),
]
# Big-endian, with nothing but the portable kernels: all of it in the campaign; test_single_file.py has a sample in every run.
BIG_ENDIAN = Machine("s390x-linux-gnu", "s390x-linux-gnu-gcc", ("qemu-s390x",), ("portable",), ())
machines = pytest.mark.parametrize(
    "machine", [*MACHINES, pytest.param(BIG_ENDIAN, marks=pytest.mark.campaign)], ids=str
)
# Those that abi_arm.S has checkers for; what takes long, on AArch64 in every run.
EACH = [
    machine if machine is MACHINES[0] else pytest.param(machine, marks=pytest.mark.campaign) for machine in MACHINES
]
with_checked_abi = pytest.mark.parametrize("machine", EACH, ids=str)


@pytest.mark.of("aes")
@machines
@pytest.mark.parametrize(
    "name",
    [
        "aes-128-gcm",
        pytest.param("aes-128-ccm", marks=pytest.mark.campaign),
        "chacha20-poly1305",
        "ascon-aead128",
        pytest.param("aes-128-gcm-siv", marks=pytest.mark.campaign),
    ],
)
def test_aeads(machine, name):
    """GHASH by products without carries, and everything else in words of 32 bits."""
    assert machine.check("runnel-aeads", "properties", "1", name) == f"{name}: ok\n"


@pytest.mark.of("poly1305")
@machines
@pytest.mark.parametrize("allowed", ["all", "none"])
def test_poly1305_of_extremes(machine, allowed):
    """NEON's kernel, and words alone."""
    check_extremes([*machine.emulator, machine.folder / "runnel-macs"], RUNNEL_CPU=allowed)


@pytest.mark.of("hmac-sha-1")
@machines
@pytest.mark.parametrize("allowed", ["all", "none"])
def test_hmac_sha_1(machine, allowed):
    """The Armv8 instructions, and words."""
    check_hmac_sha_1([*machine.emulator, machine.folder / "runnel-macs"], RUNNEL_CPU=allowed)


RV32 = ["riscv64-unknown-elf-gcc", "-isystem", "/usr/lib/picolibc/riscv64-unknown-elf/include", "-mabi=ilp32"]
RV32 += ["-O2", "-fno-tree-loop-distribute-patterns", "-nostdlib", "-Wl,--no-relax,--no-warn-rwx-segments", "-w"]


@pytest.mark.of("ascon-aead128")
@pytest.mark.parametrize(
    "march, cpu, kernel",
    [("rv32im", "rv32", "portable"), ("rv32im", "rv32", "rv32"), ("rv32im_zbb", "rv32,zbb=true", "interleaved")],
)
def test_ascon_on_rv32(tmp_path, march, cpu, kernel):
    """The kernel that is the default there, in a program without an operating system's library."""
    for tool in (RV32[0], "qemu-riscv32"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    source = ROOT / "src"
    folder = source / "aead" / "ascon"
    files = [ROOT / "tests" / "c" / "bare_ascon.c", *folder.glob("*.c"), *folder.glob("rv32/*.[cS]")]
    files += [source / "core" / f"{name}.c" for name in ("aead", "choose", "cpu", "wipe")]
    includes = [f"-I{path}" for path in (source, source / "aead" / "ascon", ROOT / "include")]
    flags = [f"-march={march}", f"-DRUNNEL_ASCON_KERNEL={kernel}", "-ffunction-sections", "-Wl,--gc-sections"]
    subprocess.run([*RV32, *flags, *includes, *files, "-lgcc", "-o", tmp_path / "ascon"], check=True)
    sent = subprocess.run(["qemu-riscv32", "-cpu", cpu, tmp_path / "ascon"], capture_output=True, check=True).stdout
    key, text, aad = bytes(range(16)), bytes(i % 251 for i in range(100)), bytes(3 * i for i in range(40))
    aead = runnel.aead("ascon-aead128", key)
    assert sent == b"".join(aead.seal(key, text[:n], aad[: n % 40]) for n in range(100))


@pytest.mark.every_cipher
@machines
@pytest.mark.parametrize("allowed", ["all", "none"])
def test_vectors(machine, allowed):
    """All known answers, through every kernel; without features through those that need none, which is AES's answers
    except in the campaign: they are the same kernels, chosen the same way for all."""
    files = machine.files
    if allowed == "none" and not selection.campaign():
        files = [file for file in files if file.parent.name == "aes"]
    if not files:
        pytest.skip("no cipher was asked for")
    seen = tally(machine.check("runnel-vectors", "--most", "300", *files, RUNNEL_CPU=allowed))
    assert all(seen.values())
    wanted = {f"{k[0]}/{k[1]}" for k in machine.kernels() if allowed == "all" or k[2] == "-"}
    whole = len(files) == len(machine.files) and selection.current() is None
    assert wanted == set(seen) if whole else set(seen) < wanted


@pytest.mark.every_cipher
@pytest.mark.parametrize("machine", [*EACH, pytest.param(BIG_ENDIAN, marks=pytest.mark.campaign)], ids=str)
def test_properties_of_its_own_kernels(machine):
    """Those for keys of 192 bits, and in feedback mode of 256, are the code of other lengths. Feedback mode, and keys of 256
    bits, whose vectors every run has, are checked in the campaign."""
    repeated = re.compile("-192-|-256-cfb" if selection.campaign() else "-192-|-256-|-cfb")
    own = [
        k
        for k in machine.kernels()
        if k[1].startswith(machine.own) and not repeated.search(k[0]) and selection.takes(k[0], k[1])
    ]
    assert own or selection.current()
    for cipher, kernel, *_ in own:
        output = machine.check("runnel-properties", "all", "--cipher", cipher, "--kernel", kernel, "--scale", "600")
        assert f"{cipher}/{kernel}: " in output


@with_checked_abi
def test_the_abi_is_kept(machine):
    """By every kernel: compilers make mistakes too. The checker itself is right."""
    assert "checks" in machine.check("runnel-properties", "corrupters")
    assert "checks" in machine.check("runnel-properties", "abi", "--scale", "600")


@machines
def test_dispatch(machine):
    for cipher in ["aes-128-ctr", "aes-256-cfb"]:
        assert "feature sets" in machine.check("runnel-properties", "dispatch", "--cipher", cipher)


@pytest.mark.parametrize("machine, cpu, features", [(m, *f) for m in MACHINES for f in m.features], ids=str)
def test_features_are_found(machine, cpu, features):
    machine.check("runnel-properties", "environment", features, cpu=cpu)
    machine.check("runnel-properties", "environment", "neon", cpu=cpu, RUNNEL_CPU="neon")
    machine.check("runnel-properties", "environment", "", cpu=cpu, RUNNEL_CPU="none")
