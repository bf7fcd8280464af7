# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example firmware for RV32 says its sizes and, in the lab's simulator of the FE310, answers secured frames as the
standard has it, wherever the power fails."""

import shutil

import pytest
from frames import boards, conversation
from frames.boards import talk

EXAMPLE = boards.EXAMPLES / "rv32"
TOOLS = ["make", "cc", "riscv64-unknown-elf-gcc"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rv32")
    sizes = boards.make(EXAMPLE, folder, "all", f"{folder}/rv32sim")
    assert list(sizes) == ["fast", "small"]
    assert all(8000 < rom < 32000 and 1000 < ram < 8000 for rom, ram in sizes.values())
    return folder


@pytest.mark.parametrize("name", ["fast", "small"])
def test_answers_frames(built, tmp_path, name):
    board = boards.Run(built / "rv32sim", "--ram", tmp_path / "ram", built / f"{name}.elf")
    conversation.check(board, every_bit=name == "small")


@pytest.mark.campaign  # test_firmware_avr.py does it in every run
def test_answers_with_another_kernel(built, tmp_path):
    boards.make(EXAMPLE, tmp_path, "FAST=rv32_ttable", f"{tmp_path}/fast.elf")
    board = boards.Run(built / "rv32sim", "--ram", tmp_path / "ram", tmp_path / "fast.elf")
    conversation.check(board, every_bit=False)


def test_no_counter_comes_twice_wherever_the_power_fails(built, tmp_path):
    """After ever more instructions, again and again, in one life of the storage."""
    side, used, taken = talk.coordinator(), set(), []
    for stop in range(500, 120_000, 1999):
        frames = [side.seal(b"%d" % n) for n in range(3)]
        options = ["--ram", tmp_path / "ram", "--stop", str(stop)]
        found = boards.Run(built / "rv32sim", *options, built / "small.elf").exchange([*taken[-5:], *frames])
        assert all(isinstance(one, int) for one in found[: len(taken[-5:])])
        sent = [one for one in found if isinstance(one, bytes)]
        counters = [int.from_bytes(one[10:14], "little") for one in sent]
        assert not used & set(counters) and sorted(set(counters)) == counters
        used.update(counters)
        taken += frames[: len(sent)]
        side.sent += conversation.RECEIVED_RESERVE
    assert len(used) > 20
