# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No network while building: the C library, and the wheel from the source distribution, are built where there is none."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import BUILD, ROOT, build
from skips import ALONE
from test_packages_python import source_distribution

PINS = [word for name in ("build", "runtime") for word in ("-r", ROOT / "requirements" / f"{name}.txt")]


@pytest.fixture(scope="module")
def offline():
    """Runs a command that sees no network."""
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        pytest.skip("namespaces without a network are not for this user")

    def run(*command: str | Path, **options) -> str:
        done = subprocess.run([*ALONE, *map(str, command)], text=True, capture_output=True, **options)
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        return done.stdout

    return run


def test_there_is_no_network(offline):
    """Not even what listens on this machine is reached, which is how a proxy would be."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = server.getsockname()
        socket.create_connection(place).close()
        asked = f"import socket; print(socket.socket().connect_ex({place!r}))"
        assert int(offline(sys.executable, "-c", asked)) != 0


def test_the_library_asks_for_none(offline):
    """Run what `make library` does beside compiling."""
    build(BUILD, target="runnel_shared")
    offline("make", "-C", ROOT, "library", f"BUILD={BUILD}")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> Path:
    (archive,) = source_distribution(tmp_path_factory).parent.glob("*.tar.gz")
    return archive


@pytest.mark.slow
@pytest.mark.campaign
def test_the_wheel_asks_for_none(offline, sdist, tmp_path):
    """Build it where the back end is, and the library is compiled."""
    build(BUILD, target="runnel_static")
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--no-cache-dir", "-w", tmp_path]
    library = f"--config-settings=cmake.define.RUNNEL_LIBRARY={BUILD / 'librunnel.a'}"
    offline(sys.executable, "-m", "pip", "wheel", "-q", *options, library, sdist)
    assert len(list(tmp_path.glob("runnel-*-cp311-abi3-linux_*.whl"))) == 1


@pytest.mark.slow
@pytest.mark.builds
@pytest.mark.campaign
def test_the_library_from_nothing(offline, tmp_path):
    offline("make", "-C", ROOT, "library", f"BUILD={tmp_path}")
    assert (tmp_path / "librunnel.a").is_file() and (tmp_path / "librunnel.so").is_file()


@pytest.mark.slow
@pytest.mark.builds
@pytest.mark.campaign
def test_the_package_from_a_folder_of_wheels(offline, sdist, tmp_path):
    """The two commands of docs/releasing.md: one that downloads, in an environment of its own, and one that builds."""
    subprocess.run(["/usr/bin/python3", "-m", "venv", tmp_path / "environment"], check=True)
    pip = [tmp_path / "environment" / "bin" / "pip", "--disable-pip-version-check"]
    download = [*pip, "download", "-q", "-d", tmp_path / "wheelhouse", "--only-binary=:all:", "--require-hashes", *PINS]
    done = subprocess.run(download, text=True, capture_output=True)
    if done.returncode:
        pytest.skip(f"pip downloads nothing here: {done.stderr.strip().splitlines()[-1]}")
    wheels = ["--no-index", "--find-links", tmp_path / "wheelhouse", "--no-cache-dir"]
    offline(*pip, "install", "-q", *wheels, sdist)
    version = offline(tmp_path / "environment" / "bin" / "runnel", "--version", cwd=tmp_path)
    assert version.split() == ["runnel", (ROOT / "VERSION").read_text().strip()]


def test_the_document_has_the_two_commands():
    text = " ".join((ROOT / "docs" / "releasing.md").read_text().split())
    pins = " ".join(str(word).removeprefix(f"{ROOT}/") for word in PINS)
    assert f"pip download -d wheelhouse --only-binary=:all: --require-hashes {pins}" in text
    version = (ROOT / "VERSION").read_text().strip()
    assert f"pip install --no-index --find-links wheelhouse runnel-{version}.tar.gz" in text
