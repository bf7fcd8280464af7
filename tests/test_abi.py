# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The shared library's ABI is the recorded one: what programs are linked with changes on purpose only."""

import subprocess
import sys

import pytest
from c_programs import BUILD, ROOT

sys.path.insert(0, str(ROOT / "tools"))
import abi


@pytest.fixture(scope="module")
def lines():
    return abi.now(BUILD)


def test_it_is_the_recorded_one(lines):
    if not abi.record().exists():
        pytest.skip("no ABI is recorded for this processor")
    broken, new = abi.compare(abi.recorded(abi.record()), lines)
    assert not broken, (
        "breaks programs; VERSIONING.md says in which version it may: python tools/abi.py --write --break"
    )
    assert not new, "record what is new: python tools/abi.py --write"


def test_what_is_recorded_is_what_programs_rely_on(lines):
    kinds = {kind: [line for line in lines if line.startswith(kind + " ")] for kind in ("soname", "symbol", "struct")}
    assert len(kinds["soname"]) == 1 and len(kinds["symbol"]) > 500 and len(kinds["struct"]) > 40
    assert "symbol runnel_aes_gcm_seal" in lines and not any("phelix" in line for line in lines)
    assert any(line.startswith("struct runnel_aes_gcm ") for line in lines)
    assert "constant RUNNEL_OK 0" in lines


@pytest.mark.parametrize(
    "old, new, broken",
    [
        ("symbol runnel_rabbit_xor", "", True),
        ("struct runnel_rabbit 128 16", "struct runnel_rabbit 144 16", True),
        ("constant RUNNEL_ERR_TAG -12", "constant RUNNEL_ERR_TAG -13", True),
        ("", "symbol runnel_rabbit_more", False),
    ],
)
def test_a_change_is_told_from_an_addition(old, new, broken):
    same = ["soname librunnel.so.0.1", "symbol runnel_wipe"]
    found, added = abi.compare([*same, *filter(None, [old])], [*same, *filter(None, [new])])
    assert bool(found) == broken and bool(added) == (not broken)


def test_under_another_soname_all_may_change():
    broken, _ = abi.compare(["soname librunnel.so.0.1", "symbol a"], ["soname librunnel.so.0.2", "symbol b"])
    assert not broken


def test_a_context_that_grew_is_found(lines, tmp_path):
    """In the library that is here, through the tool."""
    grown = [f"{line}0" if line.startswith("struct runnel_hc128 ") else line for line in lines]
    broken, _ = abi.compare(grown, lines)
    assert [line.split(",")[0] for line in broken] == [
        line for line in grown if line.startswith("struct runnel_hc128 ")
    ]


def test_the_library_exports_what_the_headers_declare(lines):
    symbols = {line.split()[1] for line in lines if line.startswith("symbol ")}
    done = subprocess.run(
        ["nm", "-D", "--defined-only", BUILD / "librunnel.so"], text=True, capture_output=True, check=True
    )
    assert symbols <= {line.split()[-1] for line in done.stdout.splitlines()}
