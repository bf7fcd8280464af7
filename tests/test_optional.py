# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Configuring looks anew for what a system lacked: a build that was configured before libraries and programs came is the
one that is configured with all of them, whatever they are; the same where they have gone again."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build

# On a bare system no compiler's check succeeds, except CMake's own of the compiler. The file `bare` makes it one.
COMPILER = """\
#!/bin/sh
if [ -e "{bare}" ]; then
    case "$PWD $*" in
    *ABI.c*|*testCCompiler.c*) ;;
    */CMakeFiles/CMakeScratch*|*/CMakeFiles/CMakeTmp*)
        for word; do case "$word" in *.c|*.cc|*.cpp|*.cxx) exit 1 ;; esac; done ;;
    esac
fi
exec {compiler} "$@"
"""
TOOLS = ("ar", "as", "cmake", "ld", "ninja", "nm", "objcopy", "objdump", "ranlib", "readelf", "sed", "sh", "strip")


class System:
    """Programs that configuring runs: those that it must have, or all that are on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bare = folder, folder / "bare"
        self.tools, self.others = folder / "tools", folder / "others"
        self.tools.mkdir()
        for tool in filter(shutil.which, TOOLS):
            (self.tools / tool).symlink_to(shutil.which(tool))
        compiler = self.tools / "cc"
        compiler.write_text(COMPILER.format(bare=self.bare, compiler=shutil.which("cc")))
        compiler.chmod(0o755)

    def configure(self, name: str, bare: bool) -> str:
        """Return the build's rules without the folder's name, without what CMake writes only the first time (which Windows'
        compilers alone read), and without the names of its own modules that it read."""
        build = self.folder / name
        self.bare.unlink(missing_ok=True)
        shutil.rmtree(self.others, ignore_errors=True)
        if bare:
            self.bare.touch()
        else:
            self.others.mkdir()
            for program in (each for folder in os.get_exec_path() for each in Path(folder).glob("*")):
                if not (self.others / program.name).is_symlink():
                    (self.others / program.name).symlink_to(program)
        places = "OFF" if bare else "ON"
        options = [f"-DCMAKE_FIND_USE_{kind}_PATH={places}" for kind in ("CMAKE_SYSTEM", "SYSTEM_ENVIRONMENT")]
        options += [f"-DCMAKE_C_COMPILER={self.tools / 'cc'}", f"-DCMAKE_MAKE_PROGRAM={self.tools / 'ninja'}"]
        done = subprocess.run(
            [self.tools / "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DRUNNEL_HISTORIC=ON", *options],
            env={name: value for name, value in os.environ.items() if not name.startswith("CMAKE_")}
            | {"PATH": f"{self.tools}{os.pathsep}{self.others}"},
            text=True,
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        rules = (build / "build.ninja").read_text().replace(str(build), "BUILD").partition("# Re-run CMake")[0]
        return re.sub(r"^  TARGET_(?:COMPILE_)?PDB = .*\n", "", rules, flags=re.MULTILINE)


def programs(rules: str) -> set[str]:
    return set(re.findall(r"^build (\S+): \w*(?:EXECUTABLE|LIBRARY|MODULE)\w*_LINKER", rules, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.campaign
def test_what_came_later_is_found_and_what_has_gone_is_forgotten(tmp_path):
    system = System(tmp_path)
    bare = system.configure("first", bare=True)
    full = system.configure("second", bare=False)
    assert {"tests/runnel-secrets", "provider/runnel.so"} <= programs(full) - programs(bare)
    assert not programs(bare) - programs(full)
    assert system.configure("first", bare=False) == full
    assert system.configure("second", bare=True) == bare


def test_newer_packages_configure_again():
    """Ninja compares the time of what the system records its packages in."""
    record = next(filter(Path.exists, map(Path, ("/var/lib/dpkg/status", "/lib/apk/db/installed", "/usr/local/lib"))))
    build(BUILD, target="runnel_static")
    query = ["ninja", "-C", BUILD, "-t", "query", "build.ninja"]
    asked = subprocess.run(query, check=True, text=True, capture_output=True)
    assert str(record) in asked.stdout.split()
