# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make install`: from what was compiled, and all that a user of the library needs is done or said."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from test_readme import example

INSTALL_LINE = re.compile(r"^To compile and run with it: (export .*)$", re.MULTILINE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> tuple[Path, str]:
    """A prefix that `make install` has filled, and what it said."""
    build(BUILD, target="runnel_shared")
    prefix = tmp_path_factory.mktemp("prefix")
    done = subprocess.run(
        ["make", "-C", ROOT, "install", f"PREFIX={prefix}", f"BUILD={BUILD}"],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return prefix, done.stdout


@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja lists the commands")
def test_nothing_is_compiled_twice(installed):
    """Except the lists: of ciphers, without the historic ones, and of kernels, without the papers'."""
    compiled = set(re.findall(r"Building C object \S+/src/(\S+)\.o", installed[1]))
    lists = {f"ciphers/{folder.name}/{folder.name}.c" for folder in (ROOT / "src" / "ciphers").iterdir()} | {
        "core/registry.c"
    }
    assert compiled <= lists
    commands = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", "runnel_static", "runnel_shared", "runnel_plain"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    sources = Counter(re.findall(r" -c (\S+)$", commands, re.MULTILINE))
    assert len(sources) > 100
    assert {str(Path(name).relative_to(ROOT / "src")) for name, times in sources.items() if times > 1} == lists


def test_the_manual_page_is_installed(installed):
    assert (installed[0] / "share" / "man" / "man1" / "runnel.1").read_bytes() == (
        ROOT / "docs" / "runnel.1"
    ).read_bytes()


def test_the_readmes_example_works_by_what_it_says(installed, tmp_path):
    (tmp_path / "example.c").write_text(example("c"))
    compile_it = re.search(r"`(cc example\.c .*)`", (ROOT / "README.md").read_text())[1]
    said = INSTALL_LINE.search(installed[1])[1]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH")
    }
    subprocess.run(
        ["sh", "-euc", f"{said}\n{compile_it} -o example\n./example"], cwd=tmp_path, check=True, env=environment
    )


def test_the_historic_ciphers_are_left_out(installed):
    prefix, _ = installed
    historic = {
        folder.name for folder in (ROOT / "src" / "historic").iterdir() if (folder / f"{folder.name}.c").exists()
    }
    headers = {header.stem for header in (prefix / "include" / "runnel").iterdir()}
    assert historic and not historic & headers and "aes" in headers
    included = (prefix / "include" / "runnel" / "runnel.h").read_text()
    assert "<runnel/aes.h>" in included and not [name for name in historic if f"<runnel/{name}.h>" in included]
    for library in prefix.glob("**/librunnel.*"):
        symbols = subprocess.run(
            ["nm", "-g", *(["-D"] if ".so" in library.name else []), library],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        assert "runnel_aes_ctr_xor" in symbols
        assert not [name for name in historic if f" runnel_{name}_" in symbols]


@pytest.mark.parametrize(
    "user, prefix, destdir, calls, says",
    [
        (0, "/usr/local", "", True, ""),
        (0, "/usr", "", True, ""),
        (1000, "/usr/local", "", False, "Now run as root: ldconfig\n"),
        (0, "/usr/local", "/tmp/package", False, ""),
    ],
)
def test_the_loader_is_told(tmp_path, user, prefix, destdir, calls, says):
    for name, text in {"id": f"echo {user}", "ldconfig": f"touch {tmp_path}/called"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [ROOT / "tools" / "after-install", prefix],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "DESTDIR": destdir},
    )
    assert done.stdout == says
    assert (tmp_path / "called").exists() == calls
