# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The PlatformIO library: packed by pio, installed in a project of its own, and its example built and run for this machine.

PlatformIO takes platforms and tools from a registry of its own. The test does without: a platform `native` is beside this
file, and the tool SCons comes from PyPI."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import tarfile
from pathlib import Path

from artefacts import HERE, Artefact, call, environment, source_date, version
from firmware import pack

SCONS = "4.41101.0"  # the number under which PlatformIO 6.2 asks for it
# Ascon-AEAD128 of the example's reading; tests/test_packages.py computes it anew.
EXPECTED = "cc8030963360ffdda4b60517c9a15c5fd8aedd197234a7735032c3a2\n21.5 C, 48 %\n"
QUIET = {"PLATFORMIO_SETTING_ENABLE_TELEMETRY": "no", "PLATFORMIO_SETTING_CHECK_PLATFORMIO_INTERVAL": "3650", "CI": "1"}


def pio(folder: Path, *arguments: str | Path) -> str:
    home = {"PLATFORMIO_CORE_DIR": str(folder / "core")}
    python = environment("platformio") / "python"
    return call(python, HERE / "platformio" / "offline_pio.py", *arguments, cwd=folder, env=QUIET | home)


def build(folder: Path) -> str:
    pack("platformio", folder / "Runnel")
    pio(folder, "pkg", "pack", folder / "Runnel", "-o", folder / "Runnel.tar.gz")
    make_plain(folder / "Runnel.tar.gz")
    return version(environment("platformio") / "pio")


def make_plain(archive: Path) -> None:
    """Takes dates, owners and modes of the files here out of what pio has packed."""
    plain = io.BytesIO()
    date = int(source_date())
    with tarfile.open(archive) as packed, tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for member in sorted(packed.getmembers(), key=lambda each: each.name):
            info = tarfile.TarInfo(member.name)
            info.size, info.mode, info.mtime = member.size, 0o644, date
            assert member.isfile(), member.name
            tar.addfile(info, packed.extractfile(member))
    archive.write_bytes(gzip.compress(plain.getvalue(), mtime=date))


def run(folder: Path) -> str:
    """Build as a user does: a project with the library from the packed file, and the example as its program."""
    tool = folder / "core" / "packages" / "tool-scons"
    scons = next((environment("platformio").parent / "lib").glob("python*/site-packages/SCons"))
    shutil.copytree(scons, tool / "SCons")
    (tool / "scons.py").write_text("import SCons.Script\n\nSCons.Script.main()\n")
    described = {"name": "tool-scons", "version": SCONS, "description": "SCons, from PyPI"}
    (tool / "package.json").write_text(json.dumps(described))
    spec = {"owner": "platformio", "id": 1, "name": "tool-scons", "requirements": None, "uri": None}
    (tool / ".piopm").write_text(json.dumps({"type": "tool", "name": "tool-scons", "version": SCONS, "spec": spec}))
    pio(folder, "pkg", "install", "-g", "-p", f"file://{HERE / 'platformio' / 'platform'}")

    project = folder / "project"
    shutil.copytree(folder / "Runnel" / "examples" / "sensor", project)
    settings = project / "platformio.ini"
    settings.write_text(settings.read_text().replace("lib_deps = Runnel", f"lib_deps = file://{folder}/Runnel.tar.gz"))
    pio(folder, "run", "-d", project)
    text = call(project / ".pio" / "build" / "native" / "program")
    assert text == EXPECTED, f"the example printed\n{text}"
    return "this machine, platform native"


ARTEFACTS = [
    Artefact(
        "platformio",
        "PlatformIO library, with its example",
        build,
        run,
        needs=("cc",),
        shipped=("Runnel.tar.gz",),
        tried_by="test_packages.py::test_the_platformio_example_is_built_with_what_is_packed",
    )
]
