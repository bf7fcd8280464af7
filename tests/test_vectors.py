# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Known answers: those in the ciphers' folders, and the complete collection where it is at hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from c_programs import ROOT, check, kernels, run, valgrind

sys.path.insert(0, str(ROOT / "tools"))
import vectors as collection
from tink_vectors import COLLECTION

ACVP = ROOT / "tests" / "vectors" / "acvp_aes_ctr.txt"
FILES = sorted(file for parent in ("ciphers", "historic") for file in (ROOT / "src" / parent).glob("*/vectors.txt"))


# Elsewhere the selection has to do.
of_the_collection = pytest.mark.left_to("make test RUNNEL_VECTORS=FOLDER", str(COLLECTION))


def complete_collection() -> Path:
    """Return the path of the complete collection; skip the test without it."""
    base = collection.directory(None)
    if not base.is_dir():
        pytest.skip(f"the complete collection is not at {base} (RUNNEL_VECTORS names another place)")
    return base


def by_name(file):
    return file.stem if file.stem != "vectors" else file.parent.name


def tally(output: str) -> dict[str, int]:
    return {line.split(":")[0]: int(line.split()[1]) for line in output.splitlines()}


@pytest.mark.parametrize("file", FILES, ids=by_name)
def test_selection(file):
    assert all(tally(check("runnel-vectors", file)).values())


def test_nothing_depends_on_what_nobody_has_written():
    """As users find it who watch their programs with valgrind; kernels with AVX-512 or VAES are left to MSan. In one process:
    valgrind takes long to start."""
    assert all(tally(check("runnel-vectors", "--most", 300, *FILES, wrapper=valgrind())).values())


@pytest.mark.of("aes")
def test_acvp():
    counts = tally(check("runnel-vectors", ACVP))
    assert len(counts) >= 3 and all(count == 16 for count in counts.values()), counts


def vectors_through_every_kernel() -> dict[str, int]:
    """Return by cipher how many of the selection's vectors went through the kernel that took fewest."""
    seen = tally(check("runnel-vectors", *FILES))
    counts: dict[str, int] = {}
    for kernel in kernels():
        if kernel.available:
            counts[kernel.cipher] = min(counts.get(kernel.cipher, 1 << 30), seen.get(str(kernel), 0))
    return counts


def aead_counts() -> dict[str, int]:
    files = (ROOT / "tests" / "vectors" / "aead").glob("*.json")
    return {file.stem: len(json.loads(file.read_text())["vectors"]) for file in files}


def test_every_kernel_has_vectors():
    counts = vectors_through_every_kernel()
    missing = [cipher for cipher, count in counts.items() if count == 0]
    assert counts and not missing, f"no vector went through some kernel of {missing}"


def test_no_file_of_aeads_is_empty():
    counts = aead_counts()
    assert counts and all(counts.values()), counts


@of_the_collection
def test_selection_is_what_the_tool_writes(tmp_path, monkeypatch):
    base = complete_collection()
    monkeypatch.setattr(collection, "ROOT", tmp_path)
    assert collection.main(["select", str(base)]) == 0
    written = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= len(FILES) - 1 + len(collection.AEAD)  # ChaCha20 has what its RFC prints, and no more
    for name in written:
        mark = collection.MARK if name.suffix == ".txt" else ""  # what is above it is written by hand
        texts = [(root / name).read_text() for root in (tmp_path, ROOT)]
        assert texts[0][texts[0].index(mark) :] == texts[1][texts[1].index(mark) :], name


@of_the_collection
@pytest.mark.slow
def test_complete_collection(tmp_path):
    base = complete_collection()
    assert collection.main(["convert", str(tmp_path), str(base)]) == 0
    seen = tally(check("runnel-vectors", *sorted(tmp_path.glob("*.txt"))))
    assert sum(seen.values()) > 1600


@pytest.mark.parametrize(
    "change, status",
    [
        (("output: ", "output: 00"), 2),  # another length
        (("output: 87", "output: 88"), 1),  # another byte
        (("layout: be128", "layout: le128"), 1),
        (("cipher: aes-128-ctr", "cipher: aes-127-ctr"), 2),
        (("key: 2b", "key: zz"), 2),
        (("iv: f0", "iv: f1"), 1),
    ],
)
def test_a_wrong_vector_is_reported(tmp_path, change, status):
    lines = (ROOT / "src" / "ciphers" / "aes" / "vectors.txt").read_text().split("\n\n")[1]
    assert change[0] in lines
    (tmp_path / "wrong.txt").write_text(lines.replace(*change, 1) + "\n")
    assert run("runnel-vectors", tmp_path / "wrong.txt").returncode == status


def test_a_file_without_vectors_is_reported(tmp_path):
    (tmp_path / "empty.txt").write_text("# nothing\nsource: nothing\n")
    assert run("runnel-vectors", tmp_path / "empty.txt").returncode == 1
    assert run("runnel-vectors", tmp_path / "absent.txt").returncode == 2


def test_the_tool_explains_itself():
    done = subprocess.run([sys.executable, ROOT / "tools" / "vectors.py"], capture_output=True, text=True)
    assert done.returncode == 2 and "convert OUT" in done.stderr
