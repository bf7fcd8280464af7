# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pip installs only what was reviewed: every package is pinned, with the hashes of its files."""

import ast
import hashlib
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "packaging"))
import artefacts
import unpacked
from wheels import free_threaded

OWN = sorted((ROOT / "requirements").glob("*.txt"))
PACKAGING = sorted((ROOT / "packaging").glob("*/requirements.txt"))
FILES = OWN + PACKAGING


def requirements(text: str) -> list[str]:
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


def test_there_are_eleven_files_each_generated_from_another():
    assert (
        {file.stem for file in OWN}
        == {"build", "runtime", "store", "demo", "test", "ray", "gpu", "fuzz", "site", "tools", "proofs"}
        == {file.stem for file in (ROOT / "requirements").glob("*.in")}
    )


def test_each_file_of_a_package_is_generated_from_another():
    assert sorted(file.with_suffix(".txt") for file in (ROOT / "packaging").glob("*/requirements.in")) == PACKAGING


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_requirement_has_its_version_and_hashes(file):
    found = requirements(file.read_text())
    assert len(found) >= (3 if file in OWN and file.stem not in ("fuzz", "runtime") else 1)
    assert not [
        line for line in found if not re.match(r"[\w.-]+==[\w.]+( +--hash=sha256:[0-9a-f]{64})+( +#.*)?$", line)
    ]


def test_every_direct_requirement_is_pinned():
    for file in FILES:
        names = {line.split("==")[0] for line in requirements(file.read_text())}
        direct = {
            re.split(r"[\[=<>]", line)[0]
            for line in requirements(file.with_suffix(".in").read_text())
            if not line.startswith("-")
        }
        assert direct and direct <= names


# Every call of pip in the tree asks for hashes, or fetches nothing: what it installs lies here, and it looks for no more.

PIP = re.compile(r"(?:^|[\s/\"'])pip[\d.]*[\"']?\s+(?:-\S+\s+)*(?:install|download|wheel)\b")

FLAGS = {
    "-q",
    "-U",
    "--upgrade",
    "--no-deps",
    "--no-build-isolation",
    "--force-reinstall",
    "--disable-pip-version-check",
}
"""Options without a value; behind any other one a word may be its value."""


def refusal(words: list[str]) -> str | None:
    """Return what is wrong with a call of pip, whose words, variables aside, are given."""
    if "--no-index" in words:
        return None
    if "--require-hashes" in words:
        wheels = "--only-binary=:all:" in words
        return None if wheels else "source distributions fetch what builds them without hashes: --only-binary=:all:"
    if "--no-deps" not in words:
        return "--require-hashes is missing"
    if not any(word in words for word in ("--no-build-isolation", "--only-binary=:all:")):
        return "a build of what is here fetches its tools without hashes: --no-build-isolation is missing"
    values = {value for option, value in itertools.pairwise(words) if option.startswith("-") and option not in FLAGS}
    names = [word for word in words if re.match(r"[A-Za-z][\w.-]*([=<>~]=.*)?$", word) and word not in values]
    fetched = [name for name in names if not (ROOT / name).exists() and name not in ("pip", "install", "wheel")]
    return f"{fetched} come without hashes" if fetched else None


def in_shell(text: str) -> list[list[str]]:
    """Return the words of each call of pip in a Makefile, a workflow or a script of the shell."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    code = (line.strip() for line in lines if not line.lstrip().startswith("#"))
    commands = (command for line in code for command in re.split(r"&&|\|\||;", line))
    return [command.split() for command in commands if PIP.search(command)]


def in_python(text: str) -> list[list[str]]:
    """Those of each call in a module that pip is started by: a list or the arguments of a function, with a word `install`."""
    tree = ast.parse(text)
    lists: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AugAssign)
            else None
        )
        if isinstance(target, ast.Name) and isinstance(node.value, (ast.List, ast.BinOp)):
            lists.setdefault(target.id, []).append(node.value)

    def words(node: ast.AST, seen: frozenset[str] = frozenset()) -> list[str]:
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else []
        if isinstance(node, ast.Name) and node.id in lists and node.id not in seen:
            return [word for each in lists[node.id] for word in words(each, seen | {node.id})]
        if isinstance(node, ast.Name):
            return [node.id] if node.id == "pip" else []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):  # a path
            return [word for word in words(node.right, seen) if word == "pip"]
        if isinstance(node, ast.JoinedStr):
            return ["".join(each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)]
        return [word for child in ast.iter_child_nodes(node) for word in words(child, seen)]

    prefixes = {id(each) for found in lists.values() for each in found}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) or (isinstance(node, ast.List) and id(node) not in prefixes):
            own = node.args if isinstance(node, ast.Call) else node.elts
            spoken = [word for each in own if not isinstance(each, ast.Call) for word in words(each)]
            if "pip" in spoken and {"install", "download", "wheel"} & set(spoken):
                found.append(spoken)
            if "-c" in spoken:
                found += [call for word in spoken for call in in_shell(word)]
    return found


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in os.fsdecode(listed).split("\0") if name and (ROOT / name).is_file()]


def calls_of_pip(file: Path) -> list[list[str]]:
    if file == Path(__file__):
        return []  # what it plants
    head = file.read_bytes()[:100]
    if file.suffix == ".py" or (head.startswith(b"#!") and b"python" in head.partition(b"\n")[0]):
        return in_python(file.read_text())
    shell = head.startswith(b"#!") or file.suffix in (".sh", ".yml", ".yaml", ".mk", ".cmake")
    if shell or re.match(r"(Makefile|Dockerfile|Containerfile|CMakeLists)", file.name):
        return in_shell(file.read_text())
    return []


def test_pip_installs_nothing_without_hashes():
    found = {str(file.relative_to(ROOT)): calls for file in tracked() if (calls := calls_of_pip(file))}
    assert len(found["Makefile"]) >= 6 and len(found["packaging/wheels/artefact.py"]) >= 4, found
    wrong = {name: why for name, calls in found.items() for words in calls if (why := refusal(words))}
    assert wrong == {}


@pytest.mark.parametrize(
    "call",
    [
        "\t@$(VENV)/bin/pip install -q pip-tools==7.6.2",
        "  - run: python3 -m pip install --upgrade pip",
        "  - run: pip install .",
        "  - run: true && pip3 download -r requirements/test.txt",
        "RUN pip install --no-deps --no-build-isolation requests",
        "\tpip install --require-hashes -r requirements/test.txt",
    ],
)
def test_a_call_of_pip_without_hashes_is_found(call):
    (words,) = in_shell(call)
    assert refusal(words)


@pytest.mark.parametrize(
    "call",
    [
        'call(folder / "bin" / "pip", "install", "-q", "requests")',
        'run([sys.executable, "-m", "pip", "install", "-r", pins])',
        'pip = [folder / "pip", "install"]\ncall(*pip, "--no-deps", sdist)',
        'pip = [folder / "pip"]\nsubprocess.run([*pip, "wheel", "-q", sdist])',
        'call("sh", "-c", "pip install requests")',
    ],
)
def test_one_of_a_module_too(call):
    assert any(refusal(words) for words in in_python(call))


def test_no_file_names_a_registry():
    for file in [*FILES, *(file.with_suffix(".in") for file in FILES)]:
        assert "://" not in file.read_text()
        assert not re.search(
            r"^--?(i|index-url|extra-index-url|f|find-links|trusted-host)\b", file.read_text(), re.MULTILINE
        )


def test_the_builds_backend_is_the_pinned_one():
    wanted = re.search(r'requires = \["(.*)"\]', (ROOT / "pyproject.toml").read_text())[1]
    assert any(
        line.startswith(f"{wanted} ") for line in requirements((ROOT / "requirements" / "build.txt").read_text())
    )


def test_pip_refuses_a_file_with_another_hash(tmp_path):
    (tmp_path / "wheel-1-py3-none-any.whl").write_bytes(b"another file")
    (tmp_path / "wanted.txt").write_text(f"wheel==1 --hash=sha256:{'0' * 64}\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-index",
            "--no-deps",
            "--find-links",
            tmp_path,
            "--require-hashes",
            "--target",
            tmp_path / "there",
            "-r",
            tmp_path / "wanted.txt",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode and "DO NOT MATCH THE HASHES" in done.stderr


def test_a_source_of_debian_that_is_not_the_pinned_one_is_refused(tmp_path):
    archive = tmp_path / "python3.13_3.13.5.orig.tar.xz"
    archive.write_bytes(b"something else")
    unpacked.check(archive, hashlib.sha256(b"something else").hexdigest())
    unpacked.check(archive, "")  # signed by Debian alone
    with pytest.raises(artefacts.Failed, match="has the SHA-256"):
        unpacked.check(archive, free_threaded.SHA256)
