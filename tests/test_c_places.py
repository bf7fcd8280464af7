# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Contexts where malloc puts them, in builds whose compilers may take vector loads of any kind for what is written
without: code for this processor and for newer ones than the library asks for. The kernels for x86, which say themselves
what they load, stay out; UBSan watches those (test_c_sanitizers.py)."""

import platform
import shutil

import pytest
import selection
from c_programs import BUILD, build, check

BUILDS = {"clang": ("clang-19", "-O2 -march=x86-64-v3"), "gcc": ("gcc", "-O3 -march=native")}


@pytest.mark.builds
@pytest.mark.every_cipher
@pytest.mark.campaign
@pytest.mark.parametrize("name", BUILDS)
def test_contexts_from_malloc(name):
    compiler, flags = BUILDS[name]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    if platform.machine() != "x86_64":
        pytest.skip("not an x86-64 machine")
    folder = build(
        BUILD / f"places-{name}",
        f"-DCMAKE_C_COMPILER={compiler}",
        "-DRUNNEL_PAPERS=OFF",
        f"-DRUNNEL_HISTORIC={'ON' if selection.campaign() else 'OFF'}",
        "-DCMAKE_BUILD_TYPE=None",
        "-DRUNNEL_WERROR=OFF",
        f"-DCMAKE_C_FLAGS={flags} -DRUNNEL_NO_X86",
        target="runnel-properties",
    )
    lines = [line.split() for line in check("runnel-properties", "list", folder=folder).splitlines()]
    targets = [f"{line[0]}/{line[1]}" for line in lines if selection.takes(line[0], line[1])]
    output = check("runnel-properties", "places", "--scale", "100", *selection.arguments(), folder=folder)
    seen = {line.split(":")[0] for line in output.splitlines() if line.endswith(" checks")}
    assert seen >= set(targets) and (len(targets) > 30 or selection.current())
