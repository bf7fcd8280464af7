# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test that nothing of secrets is left on the stack when a context has been wiped (tests/c/residue.c), for every cipher and
kernel, every AEAD, MAC and profile of SRTP, and each compiler."""

import pytest
import selection
from c_programs import build_with, each_compiler, kernels, run
from test_c_aeads import listed as aeads
from test_c_macs import NAMES
from test_srtp import LIBSRTP, ONLY_OURS

SRTP = {f"{name}/{kind}" for name in (*LIBSRTP, *ONLY_OURS) for kind in ("rtp", "rtcp")}


def residue(compiler: str, *arguments: str, **variables: str):
    """Run the program without lazy binding: the dynamic linker would save vector registers on the stack when it looks for a
    symbol."""
    return run(
        "runnel-residue", *arguments, folder=build_with(compiler, "runnel-residue"), LD_BIND_NOW="1", **variables
    )


@pytest.mark.every_cipher
@pytest.mark.parametrize("cpu", ["all", "none"])
@each_compiler
def test_nothing_is_left(compiler, cpu):
    macs = {name for name in NAMES if selection.takes(name)}
    wanted = {str(k) for k in kernels() if k.available and (cpu == "all" or not k.features)}
    if selection.current():
        wanted = {str(k) for k in kernels() if str(k) in wanted and selection.takes(k.cipher, k.name)}
    else:
        wanted |= {f"{line[0]}/{line[1]}" for line in aeads() if line[4] == "1" and (cpu == "all" or line[2] == "-")}
    asked = [["mac", name] for name in macs] + [k.split("/") for k in wanted] if selection.current() else [[]]
    for arguments in asked:
        check_that_nothing_is_left(residue(compiler, *arguments, RUNNEL_CPU=cpu), arguments, macs | wanted)


def check_that_nothing_is_left(done, arguments: list[str], wanted: set[str]):
    """Check with a program that was asked for everything, or for one kernel or MAC."""
    lines = [line for line in done.stdout.splitlines() if line.endswith(" bytes of stack are left")]
    wrong = [line for line in lines if ": 0 of " not in line]
    assert (done.returncode, wrong) == (0, []), "\n".join(line for line in done.stdout.splitlines() if "copies" in line)
    seen = {line.split()[0] for line in lines if line.split()[1] == "wipe:"} - SRTP
    assert seen == ({arguments[1] if arguments[0] == "mac" else "/".join(arguments)} if arguments else wanted)


@pytest.mark.parametrize("cpu", ["all", "none", "ssse3,aes,avx2,clmul", "ssse3,aes,avx2,clmul,vaes"])
@each_compiler
def test_srtp_leaves_nothing(compiler, cpu):
    """Functions of several ciphers below the one that has a group of packets: the deepest of all."""
    done = residue(compiler, "srtp", RUNNEL_CPU=cpu)
    lines = done.stdout.splitlines()
    assert {line.split()[0] for line in lines} == SRTP and done.returncode == 0, [
        line for line in lines if ": 0 of" not in line
    ]


@each_compiler
def test_planted_residue_is_reported(compiler):
    done = residue(compiler, "planted")
    assert done.returncode == 1 and "planted wipe: 0 of" not in done.stdout, done.stdout
