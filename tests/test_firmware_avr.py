# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example firmware for AVR says its sizes and, in simavr, answers secured frames as the standard has it, with its
counters in EEPROM, at whichever of its writes the power fails."""

import shutil

import pytest
from frames import boards, conversation
from frames.boards import talk

EXAMPLE = boards.EXAMPLES / "avr"
TOOLS = ["avr-gcc", "avr-size", "gcc", "make"]
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("avr")
    sizes = boards.make(EXAMPLE, folder, "all", f"{folder}/simulator")
    assert 0 < sizes["small"][0] < sizes["fast"][0] < 16384 and sizes["small"][1] < sizes["fast"][1] < 1024
    return folder


@pytest.mark.parametrize("name", ["fast", "small"])
def test_answers_frames(programs, tmp_path, name):
    board = boards.Run(programs / "simulator", programs / f"{name}.elf", tmp_path / "eeprom")
    conversation.check(board, every_bit=name == "fast")


def test_answers_with_another_kernel(programs, tmp_path):
    boards.make(EXAMPLE, tmp_path, "FAST=avr_flash", f"{tmp_path}/fast.elf")
    board = boards.Run(programs / "simulator", tmp_path / "fast.elf", tmp_path / "eeprom")
    conversation.check(board, every_bit=False)


def test_another_kernel_in_the_same_place_is_built(tmp_path):
    """And the same again is not."""

    def built(*arguments: str) -> tuple[bytes, int]:
        elf = tmp_path / "small.elf"
        boards.make(EXAMPLE, tmp_path, *arguments, str(elf))
        return elf.read_bytes(), elf.stat().st_mtime_ns

    usual, again = built(), built()
    assert usual == again
    other, larger = built("SMALL=avr_flash"), built("SMALL=avr_flash", "KEY_BITS=256")
    assert len({usual[0], other[0], larger[0]}) == 3


def test_no_counter_comes_twice_wherever_the_power_fails(programs, tmp_path):
    """Every write of a start and of the first frames after one, one after the other in one life of the EEPROM. The cell that
    is being written keeps something else."""
    eeprom = tmp_path / "eeprom"
    side, used, taken = talk.coordinator(), set(), []
    for write in [*range(1, 60, 3), *range(1, 12)]:
        board = boards.Run(programs / "simulator", programs / "fast.elf", eeprom, str(write), str(37 * write % 256))
        frames = [side.seal(b"%d" % n) for n in range(3)]
        found = board.exchange([*taken[-3:], *frames], power_may_fail=True)
        assert all(isinstance(one, int) for one in found[: len(taken[-3:])])
        sent = [one for one in found if isinstance(one, bytes)]
        counters = [int.from_bytes(one[10:14], "little") for one in sent]
        assert not used & set(counters) and sorted(set(counters)) == counters
        used.update(counters)
        taken += frames[: len(sent)]
        side.sent += conversation.RECEIVED_RESERVE
    assert len(used) > 20


def test_an_erased_eeprom_starts_again_and_a_damaged_one_does_not(programs, tmp_path):
    eeprom = tmp_path / "eeprom"
    board = boards.Run(programs / "simulator", programs / "fast.elf", eeprom)
    side = talk.coordinator()
    script = conversation.Script()
    script.accepted(side, side.seal(b"one"), b"one")
    script.check(board)
    eeprom.write_bytes(b"\0" * 64 + eeprom.read_bytes()[64:])
    assert board.exchange([side.seal(b"two")]) == [conversation.NUMBER["storage"]]
