# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example firmware for RV32 says its sizes and, in the lab's simulator of the FE310, sends the right packets."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "firmware" / "rv32"
TOOLS = ["make", "cc", "riscv64-unknown-elf-gcc"]
pytestmark = [
    pytest.mark.of("aes"),
    pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}"),
]


def make(*arguments):
    done = subprocess.run(["make", "-s", "-C", EXAMPLE, *arguments], capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def packets():
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    for number in range(4):
        yield runnel.new("aes-128-ctr", key, number.to_bytes(4, "big") + bytes(12)).xor(bytes([number]) * 128)


@pytest.mark.parametrize("fast, flags", [("rv32_prefix8", "-O2 -DRUNNEL_PREFIX=1"), ("rv32_ttable", "-O2")])
def test_sends_the_packets(tmp_path, fast, flags):
    arguments = f"FAST={fast}", f"FAST_FLAGS={flags}", f"OUT={tmp_path}"
    sizes = re.findall(r"^(\w+) +ROM +(\d+) bytes  RAM +(\d+) bytes$", make(*arguments).decode(), re.MULTILINE)
    assert [name for name, *_ in sizes] == ["fast", "small"]
    assert all(2000 < int(rom) < 32000 and 600 < int(ram) < 8000 for _, rom, ram in sizes)
    for name, *_ in sizes:
        assert make(f"run-{name}", *arguments) == b"".join(packets())
