# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The packages on top of runnel: wheels and source distributions of runnel-store, runnel-gpu and runnel-lab, each made in its
own folder by the back end's functions. Those of Python alone have one wheel, the lab, which has a program, one a system."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from artefacts import ROOT, call, environment, installed, tests_environment, version

PURE = ("store", "gpu")
NAMES = (*PURE, "lab")
ENGINE = "runnel-speed"
_BUILD = "import sys; from scikit_build_core.build import build_{kind}; build_{kind}(sys.argv[1])"


def make(folder: Path) -> str:
    bin_folder = environment("wheels")
    for name in NAMES:
        call(bin_folder / "python", "-c", _BUILD.format(kind="sdist"), folder, cwd=ROOT / name)
    for name in PURE:  # of the source distribution, which is complete
        (archive,) = folder.glob(f"runnel_{name}-*.tar.gz")
        call("tar", "-xf", archive, "-C", folder)
        (source,) = folder.glob(f"runnel_{name}-*/")
        call(bin_folder / "python", "-c", _BUILD.format(kind="wheel"), folder, cwd=source)
        shutil.rmtree(source)
    call(bin_folder / "twine", "check", "--strict", *sorted(folder.glob("runnel_*")))
    return installed(bin_folder, "scikit-build-core")


def run(folder: Path) -> str:
    """Installed by pip into an environment of its own, beside the package that the tests have: the command takes a file there
    and back, and the doors in the package lead to what was installed."""
    place = folder / "environment"
    call("/usr/bin/python3", "-m", "venv", place)
    pip = [place / "bin" / "pip", "install", "-q", "--disable-pip-version-check"]
    pins = [word for name in ("runtime", "store") for word in ("-r", ROOT / "requirements" / f"{name}.txt")]
    call(*pip, "--only-binary=:all:", "--require-hashes", *pins)
    call(*pip, "--no-index", "--no-deps", *sorted(folder.glob("*.whl")))
    bring_package(place)
    python = place / "bin" / "python"
    look = "import runnel.store, runnel.gpu; print(runnel.store.objects.__file__, runnel.gpu.kernels()[0].cipher)"
    at, cipher = call(python, "-c", look, cwd=folder).split()
    assert Path(at).is_relative_to(place) and cipher == "aes-128-ctr", (at, cipher)
    (folder / "plain").write_bytes(os.urandom(200_001))
    for words in (
        "keygen key.json",
        "store encrypt -k key.json plain sealed",
        "store decrypt -k key.json sealed opened",
    ):
        call(python, "-m", "runnel", *words.split(), cwd=folder)
    assert (folder / "opened").read_bytes() == (folder / "plain").read_bytes()
    return f"this machine, {version('/usr/bin/python3')}"


def bring_package(place: Path) -> None:
    """Make the package `runnel` that `make` installed importable in an environment."""
    look = "import runnel, pathlib; print(pathlib.Path(runnel.__file__).parent)"
    package = Path(call(tests_environment(), "-c", look).strip())
    (target,) = place.glob("lib/python3*/site-packages")
    shutil.copytree(package, target / "runnel", ignore=shutil.ignore_patterns("__pycache__"))


def run_engine(command: list[str], folder: Path) -> None:
    """Run the lab's program by what starts programs of its system: it finds our bytes right, and measures."""
    program = folder / "site" / "runnel_lab" / ENGINE
    program.chmod(0o755)
    rows = json.loads(call(*command, program, "--cipher", "aes-128-ctr", "--seconds", "0", cwd=folder))["rows"]
    assert {row["implementation"] for row in rows} >= {"runnel"} and {row["cipher"] for row in rows} == {"aes-128-ctr"}
