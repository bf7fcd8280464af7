# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Faults of docs/incidents.md that break no kernel and no property of their own: lengths in 32 bits, loads that want
alignment, keys of which a part is right, code that one compiler makes, memory that grows with the file."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from c_programs import BUILD, ROOT, link_mutant
from cli_program import runnel as command
from mutation.incidents import incidents
from test_cli_process import HIGH_WATER, MIB

pytestmark = pytest.mark.slow

VECTORS = BUILD / "tests" / "CMakeFiles" / "runnel_vectors_objects.dir" / "c" / "vectors.c.o"
UNBROKEN = pytest.param(None, marks=pytest.mark.campaign, id="unbroken")
PARTS = BUILD / "tests" / "librunnel_properties_parts.a"
LONG = {"lengths have 32 bits": 2**32 + 1, "lengths are ints": 2**31, None: 2**32 + 1}


@pytest.mark.parametrize("mutant", [each or UNBROKEN for each in LONG])
def test_one_call_of_more_than_an_int(mutant, tmp_path):
    """None: the code as it is."""
    source = ROOT / "tests" / "c" / "long_call.c"
    change = incidents()[mutant].broken if mutant else None
    program = link_mutant(tmp_path, "core/driver.c", "core/driver.c", "runnel-properties", source, change)
    assert (subprocess.run([program, str(LONG[mutant])], timeout=120).returncode == 0) == (mutant is None)


@pytest.mark.of("salsa20")
@pytest.mark.parametrize("mutant", ["a load wants an aligned address", UNBROKEN])
def test_loads_at_any_address(mutant, tmp_path):
    """UBSan's check of alignment ends the program where a processor that wants it would."""
    flags = ("-O1", "-fsanitize=alignment", "-fsanitize-undefined-trap-on-error")
    file, source = "arch/common/bytes.h", "ciphers/salsa20/salsa20.c"
    change = incidents()[mutant].broken if mutant else None
    program = link_mutant(tmp_path, file, source, "runnel-properties", PARTS, change, *flags)
    asked = [program, "lengths", "--cipher", "salsa20", "--kernel", "portable", "--scale", "100"]
    assert (subprocess.run(asked, capture_output=True, timeout=60).returncode == 0) == (mutant is None)


HC128 = "ciphers/hc128/hc128.c"


@pytest.mark.of("hc128")
def test_keys_that_repeat_a_word_do_not_suffice(tmp_path):
    change = incidents()["right for repetitive keys alone"].broken
    program = link_mutant(tmp_path, HC128, HC128, "runnel-vectors", (VECTORS, PARTS), change)
    published = ROOT / "src" / "ciphers" / "hc128" / "vectors.txt"
    vectors = [each for each in published.read_text().split("\n\n") if each.startswith("name: ")]
    repetitive = [each for each in vectors if re.search(r"^key: (.{8})\1{3}$", each, re.MULTILINE)]
    assert 0 < len(repetitive) < len(vectors)
    (tmp_path / "repetitive.txt").write_text(
        "\n\n".join(["source: eSTREAM", "cipher: hc-128", *repetitive]).replace("\n\n", "\n", 1) + "\n"
    )
    assert subprocess.run([program, tmp_path / "repetitive.txt"], capture_output=True, timeout=60).returncode == 0
    assert subprocess.run([program, published], capture_output=True, timeout=60).returncode != 0


COUNTER = "core/counter.c"


@pytest.mark.of("aes")
@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_each_compiler_is_tried(compiler, tmp_path):
    """The properties see one compiler's error in its build, and only there."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    change = incidents()["wrong under one compiler"].broken
    program = link_mutant(tmp_path, COUNTER, COUNTER, "runnel-properties", PARTS, change, compiler=compiler)
    asked = [program, "all", "--cipher", "aes-128-ctr", "--scale", "100"]
    assert (subprocess.run(asked, capture_output=True, timeout=60).returncode == 0) == (compiler == "gcc")


def test_memory_that_grows_is_reported(tmp_path):
    """As test_cli_process.py measures it."""
    package = tmp_path / "package" / "runnel"
    shutil.copytree(Path(runnel.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    incident = incidents()["blocks are never used again"]
    place = package / Path(incident.file).relative_to("python/runnel")
    place.write_bytes(incident.broken(place.read_bytes()))
    command("keygen", "--template", "AES256_CTR_HMAC_SHA256_1MB", tmp_path / "key")
    with open(tmp_path / "in", "wb") as file:
        file.truncate(300 * MIB)
    report = tmp_path / "status"
    arguments = ["encrypt", "--key", tmp_path / "key", tmp_path / "in", "-"]
    subprocess.run(
        [sys.executable, "-c", HIGH_WATER, report, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(package.parent)},
        stdout=subprocess.DEVNULL,
        timeout=100,
        check=True,
    )
    (line,) = [line for line in report.read_text().splitlines() if line.startswith("VmHWM")]
    assert int(line.split()[1]) / 1024 > 150
