# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Assembly takes its sections, symbols and frames from src/arch/<processor>/asm.h, and nowhere else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src"
PROCESSORS = sorted(header.parent.name for header in SRC.glob("arch/*/asm.h") if header.parent.name != "common")
FILES = sorted(path for suffix in (".S", ".inc") for path in SRC.rglob(f"*{suffix}") if path.name != "kernels.inc")
BELONG_TO_THE_HEADER = re.compile(
    r"\.(globa?l|hidden|type|size|section|pushsection|text|data|bss|syntax|thumb\w*|arm|"
    r"arch|fpu|purgem|cfi_\w+)\b"
)
SAVING = re.compile(r"\.macro\s+(\w*function|end_?func\w*|push_all|pop_all\w*|for_saved_registers|set_stack\w*)\b")


def processor(path: Path) -> str | None:
    """Return the processor of its folder; what is in papers/ says so in the guard around everything, or begins with the
    name."""
    if path.parent.name in PROCESSORS:
        return path.parent.name
    if path.parent.name != "papers":
        return None
    guard = re.search(r"^#if RUNNEL_(\w+)", path.read_text(), re.M)
    declared = guard[1].lower() if guard else path.name
    return next((name for name in PROCESSORS if declared.startswith(name)), None)


def lines(path: Path):
    """Numbered, without comments."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), path.read_text(), flags=re.S)
    return enumerate((line.partition("//")[0] for line in text.splitlines()), 1)


@pytest.mark.parametrize("name", PROCESSORS)
def test_directives_are_the_headers(name):
    files = [path for path in FILES if processor(path) == name]
    assert files
    repeated = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in files
        for number, line in lines(path)
        if BELONG_TO_THE_HEADER.match(line.strip()) or SAVING.match(line.strip())
    ]
    assert not repeated, f"{len(repeated)} lines\n" + "\n".join(repeated)
    without = [
        str(path.relative_to(SRC))
        for path in files
        if path.suffix == ".S" and f'#include "arch/{name}/asm.h"' not in path.read_text()
    ]
    assert not without


@pytest.mark.parametrize("name", PROCESSORS)
def test_labels_are_local(name):
    """Those that other files see are made by the header; a name without .L would go into the table of symbols."""
    seen = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in FILES
        if processor(path) == name
        for number, line in lines(path)
        if re.match(r"\s*(?!\.L)[\w.$\\@()]+:", line)
    ]
    assert not seen, f"{len(seen)} labels\n" + "\n".join(seen)


def assembled(path: Path, out: Path, *command: str) -> Path:
    folders = [word for folder in (SRC.parent / "include", SRC, SRC / "ciphers" / "aes") for word in ("-I", folder)]
    subprocess.run(
        [*command, *folders, "-DRUNNEL_PAPERS=1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", path, "-o", out],
        check=True,
    )
    return out


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("readelf") is None, reason="needs cc and readelf")
def test_no_object_wants_an_executable_stack(tmp_path):
    """Nor one that is empty on this machine."""
    for path in (p for p in FILES if p.suffix == ".S"):
        headings = subprocess.run(
            ["readelf", "-SW", assembled(path, tmp_path / "made.o", "cc")], text=True, check=True, capture_output=True
        ).stdout
        note = re.search(r"\.note\.GNU-stack\s+PROGBITS\s+(?:[0-9a-f]+\s+){4}(\w*)\s+\d+\s+\d+\s+\d+$", headings, re.M)
        assert note and "X" not in note[1], path


# Numbers in headers of assembly that are no member's place: words of a round key, and a flag.
NOT_OFFSETS = {"LEA_RV32_EACH", "LEA_RV32_LIST_WORDS", "AES_RV32_RAW"}
NO_STRUCT = {SRC / "ciphers" / "trivium" / "avr" / "places.h", SRC / "ciphers" / "hight" / "thumb2" / "job.h"}


def headers(path: Path):
    """Those of a kernel's own that a file of assembly includes."""
    for name in re.findall(r'^#include "([\w/.]+\.h)"', path.read_text(), re.M):
        found = next(place for place in (path.parent / name, SRC / name) if place.exists()).resolve()
        if "arch" not in found.relative_to(SRC).parts:
            yield found


def test_offsets_that_assembly_knows_are_checked():
    """Against the C struct, by RUNNEL_CHECK_OFFSET and in no other way."""
    texts = {path: path.read_text() for path in SRC.rglob("*.[ch]")}
    checked = {
        number for text in texts.values() for number in re.findall(r"^RUNNEL_CHECK_OFFSET\(.*, (\w+)\);", text, re.M)
    }
    shared = {header for path in FILES for header in headers(path)} - NO_STRUCT
    numbers = {number for header in shared for number in re.findall(r"^#define (\w+) \d+\b", header.read_text(), re.M)}
    assert len(numbers) > 50
    assert numbers - checked == NOT_OFFSETS
    assert [
        str(path.relative_to(SRC))
        for path, text in texts.items()
        if re.search(r"_Static_assert\(offsetof\(\w+, [\w.]+\) == ", text) and path.name != "offsets.h"
    ] == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs cc")
@pytest.mark.parametrize("number, compiles", [(4, True), (5, False)])
def test_another_offset_is_an_error(number, compiles, tmp_path):
    source = tmp_path / "job.c"
    source.write_text(
        '#include "arch/common/offsets.h"\ntypedef struct { int keys, rounds; } job;\n'
        f"#define JOB_ROUNDS {number}\nRUNNEL_CHECK_OFFSET(job, rounds, JOB_ROUNDS);\n"
    )
    done = subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", SRC, source], capture_output=True, text=True)
    assert (done.returncode == 0) == compiles
    assert compiles or "assembly finds rounds of job at" in done.stderr


# Linux, where debuggers and profilers walk the stack.
LINUX = {
    "armv7": (
        ["armv7", "thumb2"],
        ["arm-linux-gnueabihf-gcc"],
        ["arm-linux-gnueabihf-ld"],
        "arm-linux-gnueabihf-objdump",
    ),
    "rv32": (
        ["rv32"],
        [
            "clang-19",
            "--target=riscv32-unknown-linux-gnu",
            "-march=rv32im",
            "-mabi=ilp32",
            "-mno-relax",
            "-ffreestanding",
            "-fPIC",  # as in a shared library
        ],
        ["riscv64-unknown-elf-ld", "-m", "elf32lriscv"],
        "riscv64-unknown-elf-objdump",
    ),
}


def returns(disassembly: str):
    """Yield the addresses of instructions that return from a function, with the bytes of registers that each pops."""
    before = ""
    for address, word, operands in re.findall(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)[ \t]*(.*)$", disassembly, re.M):
        jump = before.startswith("lr, [")  # to where a frame says
        if (word, operands) == ("ret", "") or ((word, operands) == ("bx", "lr") and not jump):
            yield int(address, 16), 0
        elif word.startswith(("pop", "ldmia")) and "pc}" in operands:
            yield int(address, 16), 4 * (operands.partition("{")[2].count(",") + 1)
        before = operands


@pytest.mark.parametrize("target", LINUX)
def test_call_frames_are_described(target, tmp_path):
    names, compiler, linker, objdump = LINUX[target]
    if missing := [tool for tool in (compiler[0], linker[0], objdump, "readelf") if shutil.which(tool) is None]:
        pytest.skip(f"needs {', '.join(missing)}")
    objects = [
        assembled(path, tmp_path / f"{number}.o", *compiler)
        for number, path in enumerate(FILES)
        if path.suffix == ".S" and processor(path) in names
    ]
    linked = tmp_path / "linked"
    subprocess.run([*linker, "--unresolved-symbols=ignore-all", "-e", "0", *objects, "-o", linked], check=True)

    def output_of(*command) -> str:
        return subprocess.run([*command, linked], capture_output=True, text=True, check=True).stdout

    rows: dict[int, str] = {}  # from this address on, the rule for the caller's stack pointer
    ranges = []
    for frame in re.split(r"\n(?=[0-9a-f]{8} [0-9a-f]{8} )", output_of("readelf", "-wF")):
        if found := re.search(r"FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", frame):
            start, end = int(found[1], 16) & ~1, int(found[2], 16)
            ranges.append((start, end))
            rows[start] = "sp+0"
            for at, rule in re.findall(r"^([0-9a-f]+) (\S+)", frame, re.M):
                if start <= int(at, 16) & ~1 < end:
                    rows[int(at, 16) & ~1] = rule.replace("r13", "sp")
    functions = [
        (int(value, 16) & ~1, int(size), name)
        for value, size, name in re.findall(
            r":\s+([0-9a-f]+)\s+(\d+)\s+FUNC\s+\S+\s+\S+\s+\S+\s+(\S+)$", output_of("readelf", "-sW"), re.M
        )
    ]
    assert len(functions) >= 15
    assert [name for start, size, name in functions if (start, start + size) not in ranges] == []
    checked = 0
    for address, popped in returns(output_of(objdump, "-d")):
        if any(start <= address < end for start, end in ranges):
            rule = rows[max(at for at in rows if at <= address)]
            assert rule == f"sp+{popped}", f"{address:#x}: {rule}, where {popped} bytes are popped"
            checked += 1
    assert checked >= 15
