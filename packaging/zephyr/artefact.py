# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Zephyr module. No Zephyr is built: its source comes from no registry. What is tried: its descriptions are read by
kconfiglib and PyYAML, which Zephyr's tools read them with, and its CMake file runs with the sample's configuration against
stubs of Zephyr's functions, which build the sample for this machine."""

from __future__ import annotations

from pathlib import Path

from artefacts import HERE, Artefact, call, environment, installed, version
from firmware import example_with_stubs, pack

# AES-128-CCM of the sample's reading; tests/test_packages.py computes it anew.
EXPECTED = "553271f338f01e4c0ac42af02e98f50ba20d42b2\n21.5 C, 48 %\n"


def build(folder: Path) -> str:
    pack("zephyr", folder / "runnel")
    call(environment("zephyr") / "python", HERE / "zephyr" / "check.py", folder / "runnel")
    return installed(environment("zephyr"), "kconfiglib", "PyYAML")


def run(folder: Path) -> str:
    module = folder / "runnel"
    values = call(environment("zephyr") / "python", HERE / "zephyr" / "check.py", module).splitlines()
    places = [f"-DMODULE={module}", f"-DAPPLICATION={module / 'samples' / 'sensor'}"]
    text = example_with_stubs("zephyr", folder, *places, *values)
    assert text == EXPECTED, f"the sample printed\n{text}"
    return f"no Zephyr: its sample on this machine, with stubs of Zephyr's functions for {version('cmake')}"


ARTEFACTS = [
    Artefact(
        "zephyr",
        "Zephyr module, with a sample",
        build,
        run,
        needs=("cmake", "ninja", "cc"),
        shipped=("runnel/**/*",),
        tried_by="test_packages.py::test_the_example_is_built_by_the_packages_files",
    )
]
