# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What is left of secrets on the stack when a context has been wiped: nothing (tests/c/residue.c), for every cipher and
kernel, every AEAD and MAC, and each compiler."""

import pytest
from c_programs import COMPILERS, build_with, kernels, run
from test_c_aeads import listed as listed_aeads
from test_c_macs import NAMES


def residue(compiler: str, *arguments: str, **variables: str):
    """The dynamic linker would save vector registers on the stack when it looks for a symbol."""
    return run(
        "runnel-residue", *arguments, folder=build_with(compiler, "runnel-residue"), LD_BIND_NOW="1", **variables
    )


@pytest.mark.parametrize("cpu", ["all", "none"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_nothing_is_left(compiler, cpu):
    done = residue(compiler, RUNNEL_CPU=cpu)
    lines = [line for line in done.stdout.splitlines() if line.endswith(" bytes of stack are left")]
    wrong = [line for line in lines if ": 0 of " not in line]
    assert (done.returncode, wrong) == (0, []), "\n".join(line for line in done.stdout.splitlines() if "copies" in line)
    seen = {line.split()[0] for line in lines if line.split()[1] == "wipe:"}
    expected = set(NAMES) | {str(k) for k in kernels() if k.available and (cpu == "all" or not k.features)}
    for name, kernel, features, _, available in listed_aeads():
        if available == "1" and (cpu == "all" or features == "-"):
            expected.add(f"{name}/{kernel}")
    assert seen == expected


@pytest.mark.parametrize("compiler", COMPILERS)
def test_planted_residue_is_reported(compiler):
    done = residue(compiler, "planted")
    assert done.returncode == 1 and "planted wipe: 0 of" not in done.stdout, done.stdout
