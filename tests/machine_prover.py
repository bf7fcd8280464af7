# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The prover of machine code for tests: where it is imported from, and kernels as it takes them. A file of tests that imports
this is skipped where the prover's packages are not installed."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
sys.path[:0] = [str(ROOT / "proofs" / "machine"), str(BUILD / "proofs"), str(ROOT / "lab")]

pytest.importorskip("pypcode")
pytest.importorskip("forms")

from proving import building
from proving.image import Image

LIBRARY = BUILD / "librunnel.a"


def image_of(subject, folder):
    if shutil.which(building.target_of(subject.target).compiler) is None:
        pytest.skip("no compiler")
    return Image(building.build(subject, folder, LIBRARY).elf)
