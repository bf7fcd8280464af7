# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make install`: from what was compiled, and all that a user of the library needs is done or printed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from test_readme import example

sys.path.insert(0, str(ROOT / "tools"))
import inventory

INSTALL_LINE = re.compile(r"^To compile and run with it: (export .*)$", re.MULTILINE)


def install(prefix: Path | str, *options: str) -> tuple[Path, str]:
    """Run `make install` and return the prefix and the output."""
    build(BUILD, target="runnel_shared")
    done = subprocess.run(
        ["make", "-C", ROOT, "install", f"PREFIX={prefix}", f"BUILD={BUILD}", *options],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return Path(prefix), done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> tuple[Path, str]:
    return install(tmp_path_factory.mktemp("prefix"))


@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja lists the commands")
def test_nothing_is_compiled_twice(installed):
    """Except the lists: of ciphers, without the historic ones, and of kernels, without the papers' where there are some."""
    compiled = set(re.findall(r"Building C object \S+/src/(\S+)\.o", installed[1]))
    folders = [papers.parent for papers in ROOT.glob("src/*/*/papers")]
    lists = {f"{folder.parent.name}/{folder.name}/{folder.name}.c" for folder in folders} | {"core/registry.c"}
    assert compiled <= lists
    targets = ["runnel_static", "runnel_shared", "runnel_plain", "runnel_historic"]
    commands = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", *targets], check=True, capture_output=True, text=True
    ).stdout
    sources = Counter(re.findall(r" -c (\S+)$", commands, re.MULTILINE))
    assert len(sources) > 100
    assert {str(Path(name).relative_to(ROOT / "src")) for name, times in sources.items() if times > 1} == lists


def test_the_manual_pages_are_installed(installed):
    """Those of commands and of the library; none of a cipher that is not installed."""
    man = installed[0] / "share" / "man"
    assert (man / "man1" / "runnel.1").read_bytes() == (ROOT / "docs" / "runnel.1").read_bytes()
    assert (man / "man1" / "runnel-encrypt.1").exists() and (man / "man3" / "runnel_aes_gcm_seal.3").exists()
    assert not (man / "man3" / "runnel_cryptmt.3").exists()


def test_the_readmes_example_works_by_what_it_says(installed, tmp_path):
    (tmp_path / "example.c").write_text(example("c"))
    compile_it = re.search(r"`(cc example\.c .*)`", (ROOT / "README.md").read_text())[1]
    line = INSTALL_LINE.search(installed[1])[1]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH")
    }
    subprocess.run(
        ["sh", "-euc", f"{line}\n{compile_it} -o example\n./example"], cwd=tmp_path, check=True, env=environment
    )


def test_a_prefix_may_have_a_blank(tmp_path):
    """And another installation below it is not the one that is named."""
    prefix = tmp_path / "my dir"
    other = prefix / "also" / "pkgconfig"
    other.mkdir(parents=True)
    (other / "runnel.pc").write_text("of another installation")
    line = INSTALL_LINE.search(install(f"{prefix}/")[1])[1]
    shown = subprocess.run(
        ["sh", "-euc", f'{line}\necho "$LD_LIBRARY_PATH"\npkg-config --variable=libdir runnel'],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    library = next(prefix.glob("**/librunnel.a")).parent
    assert [Path(each.replace("\\", "")).resolve() for each in shown] == [library, library]


@pytest.mark.skipif(shutil.which("ninja") is None, reason="ninja lists the objects")
@pytest.mark.parametrize("place", ["papers", "historic"])
def test_the_source_may_lie_in_any_folder(place, tmp_path):
    """One whose name means something in the source, too: what is left out goes by the place in the source."""
    tree = tmp_path / place / "runnel"
    for name in ("CMakeLists.txt", "VERSION", "cmake", "docs/runnel.1", "include", "src", "tools"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tree / name)
    options = ["-DRUNNEL_HISTORIC=ON", "-DRUNNEL_PAPERS=ON"]
    call = {"check": True, "capture_output": True, "text": True}
    subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", *options], **call)
    for edition, named in (("plain", ""), ("historic", "historic")):
        words = ["ninja", "-C", tree / "build", "-t", "query", f"{edition}/librunnel.a"]
        objects = set(re.findall(r"^ +CMake\S+\.dir/src/(\S+)\.o$", subprocess.run(words, **call).stdout, re.MULTILINE))
        assert {"ciphers/aes/aes.c", "ciphers/aes/portable.c", "core/registry.c"} <= objects
        assert not [each for each in objects if "/papers/" in each]
        assert {each.split("/")[0] for each in objects} - {"aead", "ciphers", "core", "macs", "modes", "srtp"} == {
            *named.split()
        }
    subprocess.run([sys.executable, tree / "tools" / "amalgamate", "-o", tmp_path, "seed_ctr"], **call)
    text = (tmp_path / "runnel.c").read_text()
    assert "/* ---- src/ciphers/seed/portable.c ---- */" in text and "/papers/" not in text


def test_a_place_may_have_a_blank(tmp_path):
    """The Makefile quotes its own folder's name for the shell."""
    tree = tmp_path / "my dir"
    tree.mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("build", ".venv", ".git"):
            (tree / path.name).symlink_to(path)
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    output = ""
    for target in set(targets) - {"clean", "demo"}:
        words = ["make", "--no-print-directory", "-n", target]
        output += subprocess.run(words, cwd=tree, check=True, capture_output=True, text=True).stdout
    lines = [line for line in output.replace("\\\n", " ").splitlines() if "my dir" in line]
    assert len(lines) > 10
    assert not [line for line in lines if any(word.startswith("dir/") for word in shlex.split(line))]


def papers_kernels() -> set[bytes]:
    """Return the papers' kernels by the names that the library would have them."""
    return {kernel.name.encode() + b"\0" for kernel in inventory.load(ROOT).kernels if kernel.paper}


@pytest.mark.parametrize("option", ["HISTORIC=OFF", "HISTORIC=ON"])
def test_what_is_installed(option, tmp_path):
    """The historic ciphers when they are asked for, and the papers' kernels never."""
    prefix, _ = install(tmp_path, option)
    asked = option == "HISTORIC=ON"
    historic = {path.parent.name for path in ROOT.glob("src/historic/*/*.c") if path.stem == path.parent.name}
    headers = {header.stem for header in (prefix / "include" / "runnel").iterdir()}
    assert historic and historic & headers == (historic if asked else set()) and "aes" in headers
    included = (prefix / "include" / "runnel" / "runnel.h").read_text()
    assert "<runnel/aes.h>" in included
    assert {name for name in historic if f"<runnel/{name}.h>" in included} == (historic if asked else set())
    papers = papers_kernels()
    assert len(papers) > 10 and b"x86-partial-key\0" in papers
    libraries = [path for path in prefix.glob("**/librunnel.*") if path.suffix in (".a", ".so")]
    assert len(libraries) == 2
    for library in libraries:
        symbols = subprocess.run(
            ["nm", "-g", *(["-D"] if library.suffix == ".so" else []), library],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        assert "runnel_aes_ctr_xor" in symbols
        assert {name for name in historic if f" runnel_{name}_" in symbols} == (historic if asked else set())
        text = library.read_bytes()
        assert b"ttable\0" in text  # so names are found
        assert not [name for name in papers if name in text]


@pytest.mark.parametrize(
    "user, prefix, destdir, calls, message",
    [
        (0, "/usr/local", "", True, ""),
        (0, "/usr", "", True, ""),
        (0, "/usr/local//", "", True, ""),
        (1000, "/usr/local", "", False, "Now run as root: ldconfig\n"),
        (0, "/usr/local", "/tmp/package", False, ""),
    ],
)
def test_the_loader_is_told(tmp_path, user, prefix, destdir, calls, message):
    for name, text in {"id": f"echo {user}", "ldconfig": f"touch {tmp_path}/called"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [ROOT / "tools" / "after-install", prefix, "lib"],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "DESTDIR": destdir},
    )
    assert done.stdout == message
    assert (tmp_path / "called").exists() == calls
