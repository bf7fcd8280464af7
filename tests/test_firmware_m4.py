# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example firmware for Cortex-M4 says its sizes and, on QEMU's model of its board, sends the right packets."""

import re
import shutil
import subprocess
from pathlib import Path
from threading import Timer

import pytest
import runnel

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "firmware" / "cortex-m4"
TOOLS = ["make", "arm-none-eabi-gcc", "qemu-system-arm"]
pytestmark = [
    pytest.mark.of("aes"),
    pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}"),
]


def packets():
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    for number in range(4):
        yield runnel.new("aes-128-ctr", key, number.to_bytes(4, "big") + bytes(12)).xor(bytes([number]) * 128)


def sent(elf, count):
    """Returns the first bytes of the serial port. The firmware never ends."""
    command = [
        "qemu-system-arm",
        "-M",
        "mps2-an386",
        "-display",
        "none",
        "-monitor",
        "none",
        "-serial",
        "stdio",
        "-kernel",
        elf,
    ]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet) as board:
        limit = Timer(60, board.kill)
        limit.start()
        try:
            return board.stdout.read(count)
        finally:
            limit.cancel()
            board.kill()


@pytest.mark.parametrize("fast, flags", [("thumb2_fixslice", "-O2 -DRUNNEL_PREFIX=1"), ("thumb2_table", "-O2")])
def test_sends_the_packets(tmp_path, fast, flags):
    done = subprocess.run(
        ["make", "-s", "-C", EXAMPLE, f"FAST={fast}", f"FAST_FLAGS={flags}", f"OUT={tmp_path}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sizes = re.findall(r"^(\w+) +ROM +(\d+) bytes  RAM +(\d+) bytes$", done.stdout, re.MULTILINE)
    assert [name for name, *_ in sizes] == ["fast", "small"]
    assert all(2000 < int(rom) < 16000 and 300 < int(ram) < 6000 for _, rom, ram in sizes)
    expected = b"".join(packets())
    for name, *_ in sizes:
        assert sent(tmp_path / f"{name}.elf", len(expected)) == expected
