# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The products and the walls between them: what each is made of and may import, and what the package `runnel` lacks."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import suites
from c_programs import BUILD, ROOT, build
from cli_program import runnel

PRODUCTS = {"store": "runnel_store", "gpu": "runnel_gpu", "lab": "runnel_lab"}
PYTHON = ROOT / "python" / "runnel"
# The modules of the package by which the products are reached.
DOORS = {PYTHON / f"{name}.py" for name in ("fsspec", "gpu", "store")}
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]


def imported(file: Path) -> set[str]:
    """Return the modules and names that a file imports, those of its own package by their whole name."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def of_package(name: str, files) -> set[str]:
    return {each for file in files for each in imported(file) if each.split(".")[0] == name}


@pytest.mark.parametrize("folder", PRODUCTS)
def test_a_product_uses_public_names_only(folder):
    """Nothing that begins with an underscore, and nothing of another product."""
    files = list((ROOT / folder / PRODUCTS[folder]).rglob("*.py"))
    below = of_package("runnel", files)
    assert below and not {name for name in below if any(part.startswith("_") for part in name.split("."))}
    assert not {name for other in PRODUCTS.values() if other != PRODUCTS[folder] for name in of_package(other, files)}


def test_the_package_knows_the_products_by_their_entry_points_only():
    inside = [file for file in PYTHON.rglob("*.py") if file not in DOORS]
    assert len(inside) > 40 and not {name for product in PRODUCTS.values() for name in of_package(product, inside)}


@pytest.mark.parametrize("folder", PRODUCTS)
def test_a_product_has_what_a_package_needs(folder):
    """Its description, its tests beside it, and the version of all others."""
    about = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    assert about["name"] == PRODUCTS[folder].replace("_", "-") and (ROOT / folder / about["readme"]).is_file()
    assert ROOT / folder / "tests" in suites.FOLDERS and list((ROOT / folder / "tests").glob("test_*.py"))
    metadata = importlib.metadata.metadata(about["name"])
    version = (ROOT / "VERSION").read_text().strip()
    assert metadata["Version"] == version and f"runnel=={version}" in metadata.get_all("Requires-Dist")
    assert {"LICENSES/Apache-2.0.txt", "LICENSES/MIT.txt"} == set(metadata.get_all("License-File"))


def test_every_folder_of_tests_is_collected():
    assert {path.parent for path in ROOT.glob("*/tests/test_*.py")} | {ROOT / "tests"} == set(suites.FOLDERS)


def test_extras_bring_the_products():
    version = (ROOT / "VERSION").read_text().strip()
    wanted = importlib.metadata.metadata("runnel").get_all("Requires-Dist")
    brought = {
        "store": "runnel-store",
        "fsspec": "runnel-store[fsspec]",
        "ray": "runnel-store[ray]",
        "gpu": "runnel-gpu[cu13]",
        "gpu-cu12": "runnel-gpu[cu12]",
        "lab": "runnel-lab",
    }
    libraries = {'cryptography>=38.0.4; extra == "age"'}
    assert {each for each in wanted if "extra ==" in each} - libraries == {
        f'{package}=={version}; extra == "{extra}"' for extra, package in brought.items()
    }


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> set[str]:
    """Return the names of all that is in a wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build(BUILD, target="runnel_static")
    words = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "-w", folder]
    settings = [f"cmake.define.RUNNEL_LIBRARY={BUILD / 'librunnel.a'}", f"build-dir={folder / 'cmake'}"]
    command = [sys.executable, "-m", "pip", "wheel", "-q", *words, *(f"--config-settings={each}" for each in settings)]
    subprocess.run([*command, ROOT], check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_wheel_is_the_package_only(wheel):
    """No store, no GPU, no charts, no chooser and its data, no measuring engine."""
    files = {str(path.relative_to(PYTHON.parent)) for path in PYTHON.rglob("*") if path.suffix in (".py", ".pyi")}
    compiled = {"runnel/_native.abi3.so", "runnel/known_answers.txt", "runnel/py.typed"}
    assert {name for name in wheel if name.startswith("runnel/")} == files | compiled
    assert {name.split("/")[0] for name in wheel} == {"runnel", *(name.split("/")[0] for name in wheel if ".d" in name)}
    modules = {Path(name).stem for name in files}
    assert not modules & {
        "pictures",
        "speed",
        "report",
        "choose",
        "measuring",
        "counter",
        "catalog",
        "rules",
        "objects",
    }


def test_the_wheel_has_no_broken_cipher(tmp_path):
    """Check what CMake would compile for it, and the known answers that it would bring."""
    options = [f"-D{name}={value}" for name, value in SETTINGS["cmake"]["define"].items()]
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", ROOT, "-B", tmp_path, "-DSKBUILD=2", *options], check=True, capture_output=True
    )
    asked = ["ninja", "-C", tmp_path, "-t", "commands", "_native"]
    commands = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    assert "src/ciphers/rabbit/rabbit.c" in commands and "known_answers.py" in commands
    assert "src/historic/" not in commands
    assert (
        "historic" not in (tmp_path / "generated" / "folders.inc").read_text()
        and "RUNNEL_FOLDER(lex)" not in (tmp_path / "generated" / "folders.inc").read_text()
    )


# Without a product

ALONE = """
import importlib.abc, sys
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
import importlib.metadata
importlib.metadata.entry_points = lambda group: []
"""


def run_isolated(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python where no product is installed."""
    script = ALONE.format(absent=set(PRODUCTS.values())) + code
    return subprocess.run([sys.executable, "-c", script], text=True, capture_output=True)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("store", "the package runnel-store is not installed: pip install 'runnel[store]'"),
        ("fsspec", "the package runnel-store is not installed: pip install 'runnel[fsspec]'"),
        ("gpu", "the package runnel-gpu is not installed: pip install 'runnel[gpu]'"),
    ],
)
def test_a_module_says_what_brings_it(module, line):
    done = run_isolated(f"import runnel.{module}")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {line}"


@pytest.mark.parametrize(
    ("command", "extra"), [("store", "store"), ("speed", "lab"), ("report", "lab"), ("choose", "lab"), ("lab", "lab")]
)
def test_a_command_says_what_brings_it(command, extra):
    done = run_isolated(f"from runnel.cli import main; main(['{command}', '--json'])")
    line = f"runnel: {command} needs the package runnel-{extra}: pip install 'runnel[{extra}]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", line)


def test_the_package_works_without_products():
    done = run_isolated("from runnel.cli import main; main(['--help'])")
    assert (
        done.returncode == 0 and "encrypt" in done.stdout and not re.search(r"^  (store|lab|speed) ", done.stdout, re.M)
    )


def test_with_the_products_they_are_there():
    shown = runnel("--help").stdout.decode()
    listed = re.findall(r"^  ([a-z]+) ", shown.partition("Commands:")[2], re.MULTILINE)
    assert listed[-5:] == ["store", "choose", "speed", "report", "lab"]
    code = "import runnel.store, runnel.fsspec, runnel.gpu, runnel_store.fsspec, runnel_gpu\n"
    code += "assert runnel.store.objects.__name__ == 'runnel_store.objects'\n"
    code += "assert runnel.fsspec.SealedFileSystem is runnel_store.fsspec.SealedFileSystem\n"
    code += "assert runnel.gpu.new is runnel_gpu.new and not hasattr(runnel.store, 'nonsense')"
    subprocess.run([sys.executable, "-c", code], check=True)
