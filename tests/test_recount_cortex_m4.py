# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Cells of the packets' table counted again on Cortex-M4, without the lab: a firmware as a user writes it, on a board of
QEMU's with a Cortex-M4 (the lab's runner has QEMU's user mode and an application core). Its instructions are counted twice,
by the SysTick timer of a machine in which each takes the same time, and one by one; cycles follow from the manual's table."""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM

ROOT = Path(__file__).resolve().parent.parent
BOARD = ROOT / "examples" / "firmware" / "cortex-m4"
RECORDED = ROOT / "lab" / "results" / "cortex-m4.json"
TOOLS = ["arm-none-eabi-gcc", "arm-none-eabi-objdump", "qemu-system-arm"]
SAID = 4 + 4 + 32 + 8 + 4 + 32 + 4
NS, TICK = 1024, 40  # of an instruction under -icount shift=10, and of SysTick at 25 MHz
pytestmark = pytest.mark.skipif(any(shutil.which(t) is None for t in TOOLS), reason=f"needs {', '.join(TOOLS)}")


def build(kernel, elf):
    source = ROOT / "src"
    files = [file for file in sorted((source / "core").glob("*.c")) if file.name != "registry.c"]
    files += [source / "modes" / "ccm" / "ccm.c", source / "modes" / "cfb" / "cfb.c"]
    files += sorted((source / "ciphers" / "aes").glob("*.c"))
    files += sorted((source / "ciphers" / "aes" / "thumb2").glob("*.[cS]"))
    files += [ROOT / "tests" / "recount" / "cortex_m4.c", BOARD / "board.c"]
    options = ["-mcpu=cortex-m4", "-mthumb", "-O2", "-fno-tree-loop-distribute-patterns", "-ffunction-sections"]
    options += ["-fdata-sections", f"-DRUNNEL_AES_KERNEL={kernel}", "-DRUNNEL_AES_KEY_BITS=128"]
    options += [f"-I{ROOT / p}" for p in ("include", "src", "src/ciphers/aes", "examples/firmware")]
    options += ["-Wl,--gc-sections", "--specs=nano.specs", "-nostartfiles", "-T", BOARD / "link.ld"]
    subprocess.run(["arm-none-eabi-gcc", *options, "-Wl,-z,noexecstack", *files, "-o", elf], check=True)


def run(elf, *options):
    """Returns what the board says."""
    command = ["qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "stdio"]
    with subprocess.Popen(
        [*command, *options, "-kernel", elf], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as board:
        try:
            return board.stdout.read(SAID)
        finally:
            time.sleep(0.1)  # for what QEMU writes beside
            board.kill()


def timed(output, at):
    """Instructions, from ticks."""
    return round((int.from_bytes(output[at : at + 4], "little") - int.from_bytes(output[:4], "little")) * TICK / NS)


def executed(elf, folder):
    """Yield the addresses of all instructions between the labels, in order."""
    log = folder / "log"
    run(elf, "-singlestep", "-d", "exec,nochain", "-D", log)
    addresses = [int(m[1], 16) for m in re.finditer(r"\[[0-9a-f]+/([0-9a-f]+)/", log.read_text())]
    listed = subprocess.run(["arm-none-eabi-nm", elf], text=True, capture_output=True, check=True).stdout.split("\n")
    label = {line.split()[2]: int(line.split()[0], 16) for line in listed if len(line.split()) == 3}
    for call in ("seal", "open"):
        first = addresses.index(label[f"{call}_begins"])
        yield call, addresses[first : addresses.index(label[f"{call}_ends"], first)]


def registers(operands):
    return set(re.findall(r"\b(?:r\d+|sl|fp|ip|sp|lr|pc|sb)\b", operands))


def listed(operands):
    """Return how many registers {r4-r6, lr} are."""
    inside = re.search(r"\{(.*)\}", operands)[1].replace(" ", "").replace("lr", "r14").replace("pc", "r15")
    inside = inside.replace("sb", "r9").replace("sl", "r10").replace("fp", "r11").replace("ip", "r12")
    ends = [part.split("-") for part in inside.split(",")]
    return sum(int(end[-1][1:]) - int(end[0][1:]) + 1 for end in ends)


def cycles(elf, trace):
    """Count cycles by the instruction table of the Cortex-M4's Technical Reference Manual, without wait states: a jump
    refills in one cycle, the least that the manual says, as in the lab's model, and a load behind a load or store is
    pipelined."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "-z", elf], text=True, capture_output=True, check=True).stdout
    code = {
        int(m[1], 16): (len(m[2].replace(" ", "")) // 2, m[3], m[4])
        for m in re.finditer(r"^ +([0-9a-f]+):\t([0-9a-f ]+?) *\t(\S+)[ \t]*([^;@\n]*)", text, re.MULTILINE)
    }
    total, before = 0, ("", "")
    for at, after in zip(trace, [*trace[1:], None], strict=True):
        size, name, operands = code[at]
        base = re.sub(r"\.[nw]$", "", name)
        if re.match(r"(ldm|stm|push|pop)", base):
            total += 1 + listed(operands)
        elif base.startswith(("ldrd", "strd")):
            total += 3
        elif base.startswith("ldr"):
            loaded = before[1].split(",")[0] if before[0].startswith("ldr") else ""
            single = before[0].startswith(("ldr", "str")) and not before[0].startswith(("ldrd", "strd"))
            total += 1 if single and loaded not in registers(operands[operands.index("[") :]) else 2
        elif base.startswith("str"):
            total += 2 if len(registers(operands[operands.index("[") :])) > 1 else 1
        else:
            total += 1
        total += after is not None and after != at + size
        before = base, operands
    return total


@pytest.mark.lab
@pytest.mark.parametrize("kernel", ["thumb2-fixslice", "thumb2-table"])
def test_a_firmware_counts_the_same(tmp_path, kernel):
    elf = tmp_path / "node.elf"
    build(kernel.replace("-", "_"), elf)
    output = run(elf, "-icount", "shift=10,align=off,sleep=off")
    key, nonce, header, text = (bytes(range(a, a + n)) for a, n in ((1, 16), (40, 13), (70, 14), (100, 32)))
    assert output[8:48] == AESCCM(key, tag_length=8).encrypt(nonce, text, header)
    assert output[52:84] == text and output[84:] == bytes(4)
    traces = dict(executed(elf, tmp_path))
    counted = {call: cycles(elf, trace) for call, trace in traces.items()}
    for call, at in (("seal", 4), ("open", 48)):
        assert abs(timed(output, at) - len(traces[call])) <= 2
        assert counted[call] >= 1.0 * len(traces[call])
    if RECORDED.exists():
        rows = json.loads(RECORDED.read_text())["rows"]
        lab = {row["kernels"]["ciphers/aes"]: row for row in rows if row.get("aead") == "aes-128-ccm"}
        sealed, opened, *_ = lab[kernel]["cycles"]["nonce 13, header 14, tag 8"]["32"]
        assert (counted["seal"], counted["open"]) == pytest.approx((sealed, opened), rel=0.01)
