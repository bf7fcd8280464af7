# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example sensor for the ATtiny85 fits into its memory and, in simavr, sends packets that the package opens, with
counters that its EEPROM keeps."""

import importlib.util
import re
import shutil
import subprocess

import pytest
from frames import boards

EXAMPLE = boards.EXAMPLES / "attiny85"
TOOLS = ["avr-gcc", "avr-size", "cc", "make"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")

specification = importlib.util.spec_from_file_location("attiny85_read", EXAMPLE / "read.py")
read = importlib.util.module_from_spec(specification)
specification.loader.exec_module(read)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attiny85")
    sizes = boards.make(EXAMPLE, folder, "all", f"{folder}/simulator")
    assert 0 < sizes["small"][0] < sizes["fast"][0] <= 8192
    assert sizes["small"][1] == sizes["fast"][1] <= 512 - 256  # the stack has the rest
    return folder


def run(programs, name, eeprom, *cut: str) -> subprocess.CompletedProcess[bytes]:
    command = [programs / "simulator", programs / f"{name}.elf", eeprom, *cut]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=boards.LIMIT)


def sent(programs, name, eeprom) -> bytes:
    done = run(programs, name, eeprom)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["fast", "small"])
def test_sends_packets_that_open(programs, tmp_path, name):
    """A reset skips the counters that one write to the EEPROM reserves."""
    counters = []
    for _ in range(3):
        packets = list(read.opened(sent(programs, name, tmp_path / "eeprom")))
        assert [(sensor, text[0], len(text)) for sensor, _, text in packets] == [(7, i, 32) for i in range(3)]
        counters += [counter for _, counter, _ in packets]
    assert counters == [0, 1, 2, 16, 17, 18, 32, 33, 34]


def test_a_changed_packet_does_not_open(programs, tmp_path):
    line = sent(programs, "small", tmp_path / "eeprom")
    for at in (3, 20, 48):
        with pytest.raises(read.runnel.AuthenticationError):
            list(read.opened(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]))


def test_no_counter_comes_twice_where_the_power_fails(programs, tmp_path):
    """At each of the writes before the first packet."""
    used, failed = [], 0
    for write in range(1, 9):
        cut = run(programs, "small", tmp_path / "eeprom", str(write), str(37 * write % 256))
        failed += cut.returncode == boards.POWER_FAILED
        for line in (cut.stdout if cut.returncode == 0 else b"", sent(programs, "small", tmp_path / "eeprom")):
            used += [counter for _, counter, _ in read.opened(line)]
    assert failed >= 4 and len(used) == len(set(used)) >= 24


def test_the_readme_gives_the_sizes(programs):
    sizes = boards.make(EXAMPLE, programs, "all")
    text = (EXAMPLE / "README.md").read_text()
    fast, small, ram = (
        int(n.replace(",", "")) for n in re.search(r": ([\d,]+) and ([\d,]+) bytes of flash, (\d+)", text).groups()
    )
    assert abs(fast - sizes["fast"][0]) < 100 and abs(small - sizes["small"][0]) < 100 and ram == sizes["small"][1]
