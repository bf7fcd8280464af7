# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test the files for Python's index: the source distribution and the wheel's metadata. `make packages` builds and runs
wheels for each system (packaging/wheels)."""

import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from test_consumers import once

METADATA = importlib.metadata.metadata("runnel")
MOST_BYTES = 1_600_000


def source_distribution(factory: pytest.TempPathFactory) -> Path:
    """Unpacked, beside its archive."""

    def make(folder: Path) -> None:
        script = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
        subprocess.run([sys.executable, "-c", script, folder], cwd=ROOT, check=True, capture_output=True)
        (archive,) = folder.glob("*.tar.gz")
        subprocess.run(["tar", "-xf", archive, "-C", folder], check=True)

    return next(once(factory, "sdist", make).glob("runnel-*/"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> Path:
    return source_distribution(tmp_path_factory)


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.every_cipher
def test_the_source_distribution_has_all_that_is_compiled(sdist):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    needed = {name for name in listed.splitlines() if name.startswith(("src/", "include/", "cmake/", "python/"))}
    assert len(needed) > 600
    needed |= {"CMakeLists.txt", "pyproject.toml", "VERSION", "README.md", "LICENSE", "docs/runnel.1"}
    needed |= {"LICENSES/Apache-2.0.txt", "LICENSES/MIT.txt"}
    assert {name for name in needed if (ROOT / name).is_file()} <= files(sdist)


def test_and_no_ballast(sdist):
    folders = {Path(name).parts[0] for name in files(sdist) if "/" in name}
    assert folders == {"LICENSES", "cmake", "docs", "include", "python", "src"}
    assert not [name for name in files(sdist) if name.startswith(".") or "__pycache__" in name]
    assert sum(archive.stat().st_size for archive in sdist.parent.glob("*.tar.gz")) < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize(
    "options, target",
    [(["-DSKBUILD=2"], "_native"), (["-DSKBUILD=2", "-DRUNNEL_HISTORIC=ON"], "_native"), ([], "runnel_shared")],
)
def test_it_builds_without_the_repository(sdist, tmp_path, options, target):
    """CMake takes it, and every file that a compiler would be given is there."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", sdist, "-B", tmp_path, *options], check=True, capture_output=True)
    listing = ["ninja", "-C", tmp_path, "-t", "inputs", target]
    inputs = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.splitlines()
    sources = [Path(name) for name in inputs if name.startswith(str(sdist))]
    assert len(sources) > 100 and all(path.is_file() for path in sources)


def test_metadata_names_licences_and_versions(sdist):
    assert METADATA["License-Expression"] == "Apache-2.0 OR MIT"
    assert set(METADATA.get_all("License-File")) == {"LICENSE", "LICENSES/Apache-2.0.txt", "LICENSES/MIT.txt"}
    assert METADATA["Requires-Python"] == ">=3.11"
    assert METADATA["Version"] == (ROOT / "VERSION").read_text().strip()
    assert METADATA["Description-Content-Type"] == "text/markdown"
    packed = (sdist / "PKG-INFO").read_text()
    for name in ("Name", "Version", "Summary", "License-Expression", "Requires-Python"):
        assert f"\n{name}: {METADATA[name]}\n" in packed


def test_classifiers_claim_no_more_than_is_tested():
    classifiers = METADATA.get_all("Classifier")
    versions = {found[1] for each in classifiers if (found := re.search(r"Python :: (3\.\d+)$", each))}
    assert versions == {"3.11"}, "what `make packages` runs wheels in"
    assert [each for each in classifiers if each.startswith("Operating System")] == [
        "Operating System :: POSIX :: Linux"
    ]
    assert not [each for each in classifiers if each.startswith("License ::")], "License-Expression says it"


# The products on top of it

IN_WHEEL = {
    "store": "runnel_store/objects.py",
    "gpu": "runnel_gpu/cuda/aes.cuh",
    "lab": "runnel_lab/choose/cipher-data.json",
}
PROGRAM = "runnel_lab/runnel-speed"


def wheel_of(source: Path, folder: Path, *settings: str, **variables: str) -> set[str]:
    """Build a wheel; return the names of what is in it."""
    words = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "-w", folder]
    words += [f"--config-settings={each}" for each in (*settings, f"build-dir={folder / 'cmake'}")]
    command = [sys.executable, "-m", "pip", "wheel", "-q", *words, source]
    done = subprocess.run(command, text=True, capture_output=True, env=os.environ | variables)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return set(archive.namelist())


@pytest.mark.slow
@pytest.mark.parametrize("product", IN_WHEEL)
def test_a_product_can_be_built_from_its_source_distribution(product, tmp_path):
    """The lab with a library that is installed; nothing but the package is in it, no tests and no results."""
    script = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", script, tmp_path], cwd=ROOT / product, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(["tar", "-xf", archive, "-C", tmp_path], check=True)
    (source,) = tmp_path.glob(f"runnel_{product}-*/")
    inside = {name.split("/")[0] for name in files(source)}
    compiled = {"CMakeLists.txt", "engine"} if product == "lab" else set()
    assert inside == {"LICENSES", "PKG-INFO", "README.md", "VERSION", "pyproject.toml", f"runnel_{product}", *compiled}
    assert not (source / "VERSION").is_symlink() and not (source / "LICENSES" / "MIT.txt").is_symlink()
    if product == "lab":
        build(BUILD, target="runnel_plain")
        install = ["cmake", "--install", BUILD, "--prefix", tmp_path / "there", "--component", "plain"]
        subprocess.run(install, check=True, capture_output=True)
    built = wheel_of(source, tmp_path / "wheel", CMAKE_PREFIX_PATH=str(tmp_path / "there"))
    assert IN_WHEEL[product] in built and (PROGRAM in built) == (product == "lab")
    assert {name.split("/")[0] for name in built if ".dist-info/" not in name} == {f"runnel_{product}"}


@pytest.mark.slow
def test_the_labs_wheel_has_its_program(tmp_path):
    """Built in the tree, whose library is linked into it."""
    build(BUILD, target="runnel_static")
    built = wheel_of(ROOT / "lab", tmp_path, f"cmake.define.RUNNEL_LIBRARY={BUILD / 'librunnel.a'}")
    assert {PROGRAM, IN_WHEEL["lab"]} <= built and not [name for name in built if name.endswith((".so", ".a", ".h"))]
