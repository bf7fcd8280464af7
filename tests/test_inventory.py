# SPDX-License-Identifier: Apache-2.0 OR MIT
"""build/inventory.json has everything that exists, and what it says is what the descriptors say."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD, build

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import inventory

ROW = re.compile(r"^(?:KERNEL|PAPER|BATCH)\(\w+, (\w+)\)", re.MULTILINE)


@pytest.fixture(scope="module")
def everything() -> inventory.Inventory:
    build(BUILD, target="inventory")
    return inventory.load(ROOT)


def test_every_row_of_every_list_is_there(everything):
    rows = {
        (f"{file.parent.parent.name}/{file.parent.name}", name.replace("_", "-"))
        for file in (ROOT / "src").glob("*/*/kernels.inc")
        for name in ROW.findall(file.read_text())
    }
    listed = [(kernel.folder, kernel.name) for kernel in everything.kernels]
    assert len(listed) == len(set(listed)) and len(rows) > 150
    assert set(listed) - rows == {("aead/grain128aead", "portable")}  # which is all that the folder has
    assert rows <= set(listed)


def test_files_exist(everything):
    for kernel in everything.kernels:
        assert kernel.sources[0] == kernel.file
        assert kernel.file.startswith(kernel.folder + "/")
        assert all((ROOT / "src" / each).is_file() for each in kernel.sources), kernel
    with_assembly = {kernel.name for kernel in everything.of("ciphers/seed") if len(kernel.sources) > 1}
    assert {"avr", "rv32", "thumb2"} <= with_assembly


def test_it_agrees_with_the_package(everything):
    """Of ciphers, and of kernels of this processor, which are all that the package has."""
    assert [each["name"] for each in everything.ciphers] == sorted(runnel.ciphers())
    assert [each["name"] for each in everything.aeads] == sorted(runnel.aeads())
    assert [each["name"] for each in everything.macs if not each["component"]] == sorted(runnel.macs())
    assert [each["name"] for each in everything.macs if each["component"]] == ["ghash"]
    seen = 0
    for each in everything.ciphers:
        listed = {kernel.name: kernel for kernel in everything.of(each["folder"])}
        for kernel in runnel.ciphers()[each["name"]].kernels:
            found = listed[kernel.name]
            assert (found.timing, found.citation) == (kernel.timing_class, kernel.citation)
            assert sorted(found.features) == sorted(kernel.cpu)
            assert found.lanes >= 1
            seen += 1
    assert seen > 100


def test_macs_have_their_kernels(everything):
    assert everything.mac("ghash")["kernels"][-1] == "portable"
    assert everything.mac("hmac-sha-256")["folder"] == "macs/hmac_sha_256"
    assert everything.mac("siphash-128")["folder"] == "macs/siphash"
    assert everything.mac("aes-cmac")["cipher"] == "aes_ctr"


def test_guards_have_words_where_they_are_defined(everything):
    for guard, words in everything.guards.items():
        if guard != "RUNNEL_HOSTED":
            text = (ROOT / "src" / words["header"]).read_text()
            assert re.search(rf"^#define {guard} [01]$", text, re.MULTILINE), guard
    assert {kernel.guard for kernel in everything.kernels} <= set(everything.guards)


def folder_with(tmp_path: Path, row: str, source: str) -> Path:
    folder = tmp_path / "src" / "ciphers" / "x"
    folder.mkdir(parents=True)
    (folder / "kernels.inc").write_text(row + "\n")
    (folder / "x.c").write_text(source)
    return folder


GUARDS = {"RUNNEL_AVR": {"processor": "AVR", "header": "arch/arch.h"}}


def test_a_kernel_without_a_descriptor_is_an_error(tmp_path):
    folder = folder_with(tmp_path, "KERNEL(RUNNEL_AVR, avr)", "int x;\n")
    with pytest.raises(ValueError, match="no descriptor of the kernel avr"):
        list(inventory.kernels(folder, GUARDS))


def test_a_guard_without_words_is_an_error(tmp_path):
    folder = folder_with(tmp_path, "KERNEL(RUNNEL_Z80, z80)", "int x;\n")
    with pytest.raises(ValueError, match="no RUNNEL_Z80_NAME"):
        list(inventory.kernels(folder, GUARDS))


def test_a_kernel_that_the_list_lacks_is_an_error(tmp_path):
    folder_with(tmp_path, "", "")
    (tmp_path / "src" / "ciphers" / "x" / "x.h").write_text("typedef struct runnel_x {\n} runnel_x;\n")
    (tmp_path / "src" / "arch").mkdir()
    (tmp_path / "src" / "arch" / "arch.h").write_text('#define RUNNEL_ANYWHERE_NAME "any"\n')
    kernel = {"name": "avr", "citation": "a paper", "timing": "constant-time", "features": [], "lanes": 1}
    with pytest.raises(ValueError, match=r"kernels.inc lacks avr"):
        inventory.take(
            tmp_path, {"ciphers": [{"name": "x", "family": "x", "kernels": [kernel]}], "aeads": [], "macs": []}
        )


@pytest.mark.parametrize("field, value", [("citation", "another"), ("timing", "secret-indexed"), ("features", ["aes"])])
def test_a_reading_that_the_library_denies_is_an_error(tmp_path, field, value):
    text = 'const runnel_kernel runnel_x_avr = {\n    .name = "avr",\n    .citation = "a paper",\n};\n'
    folder = folder_with(tmp_path, "KERNEL(RUNNEL_AVR, avr)", text)
    (folder / "x.h").write_text("typedef struct runnel_x {\n} runnel_x;\n")
    (tmp_path / "src" / "arch").mkdir()
    (tmp_path / "src" / "arch" / "arch.h").write_text('#define RUNNEL_AVR_NAME "AVR"\n')
    kernel = {"name": "avr", "citation": "a paper", "timing": "constant-time", "features": [], "lanes": 1}
    registry = {"ciphers": [{"name": "x", "family": "x", "kernels": [kernel]}], "aeads": [], "macs": []}
    (listed,) = inventory.take(tmp_path, json.loads(json.dumps(registry)))["kernels"]
    assert (listed["processor"], listed["lanes"]) == ("AVR", 1)
    kernel[field] = value
    with pytest.raises(ValueError, match=f"{field} is read as"):
        inventory.take(tmp_path, registry)


def test_a_stale_inventory_is_an_error(tmp_path, monkeypatch):
    monkeypatch.delenv("RUNNEL_BUILD_DIR", raising=False)
    folder = folder_with(tmp_path, "", "")
    with pytest.raises(ValueError, match="is missing"):
        inventory.load(tmp_path)
    file = tmp_path / "build" / "inventory.json"
    file.parent.mkdir()
    file.write_text("{}")
    os.utime(folder / "kernels.inc", ns=(file.stat().st_mtime_ns + 10**9,) * 2)
    with pytest.raises(ValueError, match=r"kernels.inc is newer"):
        inventory.load(tmp_path)
