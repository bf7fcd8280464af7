# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The ESP-IDF component. No ESP-IDF is built: neither it nor its compilers come from a registry. Its CMake files run against
a stub of ESP-IDF's function, which builds the example for this machine."""

from __future__ import annotations

from pathlib import Path

from artefacts import Artefact, call, environment, installed, version
from firmware import example_with_stubs, pack

# AES-128-CCM of the example's reading; tests/test_packages.py computes it anew.
EXPECTED = "553271f338f01e4c0ac42af02e98f50ba20d42b2\n21.5 C, 48 %\n"
READ = "import sys, yaml; [yaml.safe_load(open(name)) for name in sys.argv[1:]]"


def build(folder: Path) -> str:
    component = folder / "runnel"
    pack("esp-idf", component)
    descriptions = sorted(component.rglob("idf_component.yml"))
    assert len(descriptions) == 2
    call(environment("zephyr") / "python", "-c", READ, *descriptions)
    return installed(environment("zephyr"), "PyYAML")


def run(folder: Path) -> str:
    text = example_with_stubs("esp-idf", folder, f"-DCOMPONENT={folder / 'runnel'}")
    assert text == EXPECTED, f"the example printed\n{text}"
    return f"no ESP-IDF: its example on this machine, with a stub of its function for {version('cmake')}"


ARTEFACTS = [
    Artefact(
        "esp-idf",
        "ESP-IDF component, with an example",
        build,
        run,
        needs=("cmake", "ninja", "cc"),
        shipped=("runnel/**/*",),
        tried_by="test_packages.py::test_the_example_is_built_by_the_packages_files",
    )
]
