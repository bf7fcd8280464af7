# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The sensor's program (packaging/sensor) with the single file, for each processor: how it is compiled and where it runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from artefacts import HERE, ROOT, call, version

SENSOR = HERE / "sensor"
EXPECTED = (SENSOR / "expected.txt").read_text()
FAMILIES = ("aes_ccm", "ascon_aead128", "chacha20_poly1305")
"""Those that the sensor's program uses."""
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror")
# As firmware is linked: what nobody calls is left out.
LEAN = "-ffunction-sections -fdata-sections -Wl,--gc-sections"
# Where picolibc's linker script puts things; under an emulator it is all memory.
PICOLIBC = "__flash=0x10000,--defsym=__flash_size=0x100000,--defsym=__ram=0x200000,--defsym=__ram_size=0x100000"


@dataclass(frozen=True)
class Processor:
    name: str
    compiler: tuple[str, ...]
    emulator: tuple[str, ...]
    """The words before the program; () for this machine; simavr's program is built when it is needed."""

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.compiler[0], *self.emulator[:1])))


def bare(command: str) -> tuple[str, ...]:
    """Return a compiler and its options, and those of programs without an operating system."""
    return (*command.split(), "-std=c11", *LEAN.split(), "-nostartfiles", "-static")


PROCESSORS = {
    each.name: each
    for each in (
        Processor("aarch64", ("aarch64-linux-gnu-gcc", "-std=c11", "-static"), ("qemu-aarch64",)),
        # Big-endian.
        Processor("s390x", ("s390x-linux-gnu-gcc", "-std=c11", "-static"), ("qemu-s390x",)),
        Processor("armv7", ("arm-linux-gnueabihf-gcc", "-std=c11", "-static"), ("qemu-arm",)),
        Processor(
            "cortex-m4",
            bare(
                "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb --specs=nano.specs -Wl,-Ttext-segment=0x10000 -Wl,-z,noexecstack"
            ),
            ("qemu-arm", "-cpu", "cortex-a15"),
        ),
        Processor(
            "rv32",
            bare(f"riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 --specs=picolibc.specs -Wl,--defsym={PICOLIBC}"),
            ("qemu-riscv32",),
        ),
        # gnu11 for the tables in flash; with 16 KB of SRAM, of which the linker knows.
        Processor(
            "avr",
            (
                *["avr-gcc", "-std=gnu11", "-mmcu=atmega1284p", "-Wl,--defsym=__DATA_REGION_LENGTH__=0x4000"],
                *LEAN.split(),
            ),
            (),
        ),
    )
}


def amalgamate(folder: Path, families: Iterable[str] = FAMILIES) -> None:
    call(ROOT / "tools" / "amalgamate", "-o", folder, *families)


def compile_sensor(folder: Path, compiler: Iterable[str], program: Path, *options: str) -> None:
    """Links the sensor's program with the single file in a folder."""
    sources = [SENSOR / "sensor.c", SENSOR / "board.c", folder / "runnel.c", folder / "runnel_asm.S"]
    call(*compiler, *(options or ("-O2",)), *STRICT, f"-I{folder}", *sources, "-o", program)


def output_in_simavr(controller: str, program: Path, *until: str) -> str:
    """Return the output of a program on an AVR's serial line, without simavr's own; it is stopped at this text."""
    simulator = program.parent / "uart"
    call("cc", "-O2", SENSOR / "uart.c", "-lsimavr", "-lelf", "-o", simulator)
    text = call(simulator, controller, program, *until)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("Loaded "))


def output_of(processor: Processor, program: Path) -> str:
    """Return the output of the sensor's program."""
    if processor.name == "avr":
        return output_in_simavr("atmega1284p", program)
    return call(*processor.emulator, program)


def where(processor: Processor) -> str:
    if processor.name == "avr":
        return "simavr, ATmega1284P"
    return version(processor.emulator[0])


def assert_expected(text: str) -> None:
    assert text == EXPECTED, f"the sensor's program says\n{text}"
