# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example firmware for Cortex-M4 says its sizes and, on QEMU's model of its board, answers secured frames as the standard
has it, over a reset too."""

import shutil

import pytest
from frames import boards, conversation

EXAMPLE = boards.EXAMPLES / "cortex-m4"
TOOLS = ["make", "arm-none-eabi-gcc", "qemu-system-arm"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")


def answers(tmp_path, name, *, every_bit):
    board = boards.Qemu(tmp_path / f"{name}.elf", tmp_path)
    try:
        conversation.check(board, every_bit=every_bit)
    finally:
        board.close()


def test_answers_frames(tmp_path):
    sizes = boards.make(EXAMPLE, tmp_path)
    assert list(sizes) == ["fast", "small"]
    assert all(5000 < rom < 24000 and 700 < ram < 6000 for rom, ram in sizes.values())
    for name in sizes:
        answers(tmp_path, name, every_bit=name == "small")


@pytest.mark.campaign  # test_firmware_avr.py does it in every run
def test_answers_with_another_kernel(tmp_path):
    boards.make(EXAMPLE, tmp_path, "FAST=thumb2_table", f"{tmp_path}/fast.elf")
    answers(tmp_path, "fast", every_bit=False)
