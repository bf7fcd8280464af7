# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Arduino library, its example compiled as the IDE does it for an Uno, and run in simavr."""

from __future__ import annotations

from pathlib import Path

from artefacts import Artefact, Missing, call, version
from firmware import pack
from trial import output_in_simavr

CORE = Path("/usr/share/arduino/hardware/arduino/avr")
# Those of the core's platform.txt for an Uno.
BOARD = ["-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10819", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR"]
COMMON = ["-c", "-g", "-Os", "-w", "-ffunction-sections", "-fdata-sections", "-flto"]
CC = ["avr-gcc", *COMMON, "-std=gnu11", "-fno-fat-lto-objects", *BOARD]
CXX = ["avr-g++", *COMMON, *["-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"], *BOARD]
CXX.append("-DDECIMAL_DIG=9")  # which avr-gcc 5.4's <float.h> has for C alone
ASM = ["avr-gcc", *["-c", "-g", "-x", "assembler-with-cpp", "-flto"], *BOARD]
LINK = ["avr-gcc", *["-w", "-Os", "-g", "-flto", "-fuse-linker-plugin", "-Wl,--gc-sections", "-mmcu=atmega328p"]]
# AES-128-CCM of the sketch's first reading: ciphertext and tag. tests/test_packages.py computes it anew.
EXPECTED = "553271F338F01E4C0AC42AF0\n2E98F50BA20D42B2\n"


def build(folder: Path) -> str:
    if not (CORE / "cores" / "arduino").is_dir():
        raise Missing("no arduino-core-avr (tools/install-packages packages)")
    library = folder / "Runnel"
    pack("arduino", library)
    includes = [f"-I{CORE / 'cores' / 'arduino'}", f"-I{CORE / 'variants' / 'standard'}", f"-I{library / 'src'}"]
    sketch = folder / "Sensor.ino.cpp"
    sketch.write_text("#include <Arduino.h>\n" + (library / "examples" / "Sensor" / "Sensor.ino").read_text())
    objects = []
    for source in [sketch, *sorted((library / "src").iterdir()), *sorted((CORE / "cores" / "arduino").iterdir())]:
        tool = {".c": CC, ".cpp": CXX, ".S": ASM}.get(source.suffix)
        if tool:
            objects.append(folder / f"{source.name}.o")
            call(*tool, *includes, source, "-o", objects[-1])
    call(*LINK, *objects, "-lm", "-o", folder / "Sensor.elf")
    return f"{version('avr-gcc')} over Debian's arduino-core-avr"


def run(folder: Path) -> str:
    text = output_in_simavr("atmega328p", folder / "Sensor.elf", "48 %").replace("\r\n", "\n")
    assert text == EXPECTED + "21.5 C, 48 %", f"the sketch sent\n{text}"
    return "simavr, ATmega328P"


ARTEFACTS = [
    Artefact(
        "arduino-uno",
        "Arduino library, with its example",
        build,
        run,
        needs=("avr-gcc", "avr-g++", "cc"),
        shipped=("Runnel/**/*",),
        tried_by="test_packages.py::test_the_arduino_library_is_built_for_its_board",
    )
]
