# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Bills of materials of the packages, in CycloneDX's JSON (bill.py), looked at by the schema."""

from __future__ import annotations

from pathlib import Path

from artefacts import HERE, Artefact, call, environment, installed, pytest


def build(folder: Path) -> str:
    call(environment("sbom") / "python", HERE / "sbom" / "bill.py", folder)
    return installed(environment("sbom"), "cyclonedx-python-lib")


def run(folder: Path) -> str:
    pytest("tests/test_packages_sbom.py", env={"RUNNEL_SBOM": str(folder)})
    return "CycloneDX's schema 1.6; hashes are those of the sources and of the pinned files"


ARTEFACTS = [
    Artefact(
        "sbom",
        "bills of materials of the packages, CycloneDX",
        build,
        run,
        shipped=("*.cdx.json",),
        released=True,
        tried_by="test_packages_sbom.py::test_the_schema_is_followed",
    )
]
