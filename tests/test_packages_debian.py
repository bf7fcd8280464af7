# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The files that Debian packages are made by agree with the library and with each other. `make packages` builds, installs
and tests the packages (packaging/debian)."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build

sys.path.insert(0, str(ROOT / "packaging"))
from artefacts import all_artefacts  # the framework loads the module, as packaging/build does

assert all_artefacts()
debian = sys.modules["artefact_debian"]
FILES = debian.DEBIAN
CONTROL = debian.paragraphs((FILES / "control").read_text())
BINARIES = {each["Package"]: each for each in CONTROL[1:]}


def test_the_symbols_file_has_what_the_library_exports():
    build(BUILD, target="runnel_plain")
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", BUILD / "plain" / "librunnel.so"], check=True, capture_output=True, text=True
    ).stdout
    exported = {line.split()[-1] for line in listing.splitlines()}
    lines = (FILES / "librunnel0.1.symbols").read_text().splitlines()
    listed = [found[1] for line in lines if (found := re.match(r" (\w+)@Base \d+\.\d+\.\d+$", line))]
    assert len(listed) == len(lines) - 2 == len(set(listed)) > 500
    assert set(listed) == exported


def test_packages_are_named_by_the_soname_and_the_version():
    version = (ROOT / "VERSION").read_text().strip()
    soname = f"librunnel.so.0.{version.split('.')[1]}"
    package = soname.replace(".so.", "")
    assert package in BINARIES
    assert (FILES / f"{package}.symbols").read_text().startswith(f"{soname} {package} ")
    assert re.match(r"runnel \((.*)-\d+\) ", (FILES / "changelog").read_text())[1] == version


def test_what_packages_take_is_what_is_installed(tmp_path):
    """Compare what rules configures and installs with the libraries of this build: every line of the lists of files
    finds some."""
    build(BUILD, target="runnel_plain")
    build(BUILD, target="runnel_provider")
    modules = "/usr/lib/ossl-modules"
    options = ["-DCMAKE_INSTALL_PREFIX=/usr", "-DCMAKE_INSTALL_LIBDIR=lib/here", f"-DRUNNEL_OPENSSL_MODULES={modules}"]
    built, root = tmp_path / "made", tmp_path / "root"
    subprocess.run(["cmake", "-S", ROOT, "-B", built, "-G", "Ninja", *options], check=True, stdout=subprocess.DEVNULL)
    for library in (*(BUILD / "plain").glob("librunnel*"), BUILD / "provider" / "runnel.so"):
        place = built / ("provider" if library.name == "runnel.so" else "") / library.name
        place.parent.mkdir(exist_ok=True)
        shutil.copy2(library, place, follow_symlinks=False)
    for component in ([], ["--component", "provider"]):
        command = ["cmake", "--install", built, *component]
        subprocess.run(command, env=os.environ | {"DESTDIR": str(root)}, check=True, stdout=subprocess.DEVNULL)
    packages = root / "usr" / "lib" / "python3" / "dist-packages"
    for path in (
        root / "usr" / "bin" / "runnel",
        packages / "runnel",
        packages / "runnel_lab",
    ):  # rules copies these itself
        path.mkdir(parents=True)
    subprocess.run([FILES / "bin" / "dist-info", ROOT / "lab", packages], check=True)
    (found,) = importlib.metadata.distributions(name="runnel-lab", path=[str(packages)])
    assert found.version == (ROOT / "VERSION").read_text().strip()
    assert {each.name for each in found.entry_points} == {"choose", "lab", "report", "speed"}
    for file in FILES.glob("*.install"):
        for pattern in file.read_text().split():
            assert list(root.glob(pattern.replace("usr/lib/*/ossl", "usr/lib/ossl"))), f"{file.name}: no {pattern}"


# A folder with this system's files, which is no mount; $1 is the folder, $2 what runs in it.
CHROOT = """
set -e
cd "$1"
for each in /*; do
    if [ -L "$each" ]; then cp -P "$each" .
    elif [ -d "$each" ]; then mkdir -p ".$each" && mount --rbind "$each" ".$each"
    fi
done
exec chroot . /bin/sh -ec "$2"
"""
INSIDE = """
import sys
sys.path.insert(0, "packaging")
from artefacts import all_artefacts
all_artefacts()
from artefact_debian import Path, inside_output
print(inside_output(Path(sys.argv[1]), "echo here; mount -t tmpfs seen /run; echo /run/* /packages"))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may chroot")
@pytest.mark.parametrize("chroot", [False, True])
def test_packages_are_installed_in_a_chroot_too(tmp_path, chroot):
    """The chroot's root is no mount; nothing stays mounted."""
    root, outer = tmp_path / "root", tmp_path / "outer"
    for folder in ("dev", "proc", "run", "packages", "bin"):
        (root / folder).mkdir(parents=True)
    needed = subprocess.run(["ldd", "/bin/sh", "/bin/mount"], text=True, capture_output=True, check=True).stdout
    for file in {"/bin/sh", "/bin/mount", *re.findall(r"(/\S+) \(", needed)}:
        (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file[1:])
    asked = [sys.executable, "-c", INSIDE, root]
    private_mounts = ["unshare", "--mount", "--propagation", "private"]
    in_a_chroot = subprocess.run([*private_mounts, "true"], capture_output=True).returncode != 0
    if chroot and not in_a_chroot:
        outer.mkdir()
        script = f"cd '{ROOT}'; '{sys.executable}' -c '{INSIDE}' '{root}'"
        asked = [*private_mounts, "sh", "-c", CHROOT, "sh", outer, script]
    done = subprocess.run(asked, cwd=ROOT, text=True, capture_output=True)
    assert done.stdout == "here\n/run/* /packages\n\n", done.stderr
    assert str(tmp_path) not in Path("/proc/mounts").read_text()


def test_every_package_has_its_files_and_no_other_is_named():
    assert set(BINARIES) == set(debian.PACKAGES)
    assert {path.stem for path in FILES.glob("*.install")} == set(BINARIES)


def test_the_copyright_file_knows_the_vectors_of_others():
    """tests/vectors/README.md has their terms: Wycheproof's are Google's, under Apache-2.0 alone."""
    copyrights = debian.paragraphs((FILES / "copyright").read_text())
    licences = [(each["Files"].split(), each["License"]) for each in copyrights if "Files" in each]
    names = [name for name in debian.source_files() if "/wycheproof_" in name]
    assert len(names) > 10
    for name in names:
        matching = [licence for patterns, licence in licences if any(fnmatch(name, each) for each in patterns)]
        assert matching[-1] == "Apache-2.0", name  # the last paragraph that matches counts


def test_dependencies_are_the_python_packages():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert wanted
    for each in wanted:
        name, version = each.split(">=")
        clause = f"python3-{name} (>= {version})"
        assert clause in BINARIES["python3-runnel"]["Depends"] and clause in CONTROL[0]["Build-Depends"]


def test_every_test_is_there_and_can_be_run():
    scripts = {path.name for path in (FILES / "tests").iterdir()} - {"control"}
    assert scripts == set(debian.declared_tests()) and len(scripts) >= 5
    assert all(os.access(FILES / "tests" / name, os.X_OK) for name in scripts)
    tested = {name for each in debian.test_paragraphs() for name in each["Depends"].split(", ")} & set(BINARIES)
    assert tested >= set(BINARIES) - {"librunnel0.1"}  # which librunnel-dev brings


@pytest.mark.parametrize("options, tested", [("", True), ("nocheck", False)])
def test_nocheck_is_honoured(tmp_path, options, tested):
    shutil.copytree(FILES, tmp_path / "debian")
    (tmp_path / "CMakeLists.txt").touch()
    done = subprocess.run(
        ["dh", "build", "--no-act", "--buildsystem=cmake"],
        cwd=tmp_path,
        env=os.environ | {"DEB_BUILD_OPTIONS": options},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "override_dh_auto_build" in done
    assert ("override_dh_auto_test" in done) == tested
