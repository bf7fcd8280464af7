# SPDX-License-Identifier: Apache-2.0 OR MIT
"""llvm-mca's ranking: how a trace is read, and that more work on the same core is more cycles."""

import shutil
from pathlib import Path

import pytest
from runnel_lab import LabError, targets
from runnel_lab.running import mca

ROOT = Path(__file__).resolve().parents[2]
TRIPLE = "aarch64"
ADD = "2000028b"  # add x0, x1, x2
CHAIN = "0004008b"  # add x0, x0, x0, lsl #1
AESE = "2048284e"  # aese v0.16b, v1.16b

needs_llvm = pytest.mark.skipif(
    not all(map(shutil.which, (mca.DISASSEMBLER, mca.ANALYSER))), reason="needs LLVM's tools"
)


def test_reads_a_trace(tmp_path):
    file = tmp_path / "trace"
    file.write_text(f"begin\n400 {ADD}\n404 {AESE}\n400\nend\nbegin\n404\nend\n")
    calls, encodings = mca.read_trace(file)
    assert calls == [["400", "404", "400"], ["404"]]
    assert encodings == {"400": ADD, "404": AESE}


@needs_llvm
def test_disassembles_by_address():
    assert mca.disassemble(TRIPLE, {"404": AESE, "400": ADD}) == {
        "404": "aese\tv0.16b, v1.16b",
        "400": "add\tx0, x1, x2",
    }
    with pytest.raises(LabError):
        mca.disassemble(TRIPLE, {"400": ADD, "404": "00000000", "408": "ffffffff"})


CORES = list(targets.load(ROOT, "aarch64").mca.cores.values())


@needs_llvm
def test_reads_thumb():
    """Of two sizes, and one that QEMU gives with bytes of the next before the end of a page."""
    texts = mca.disassemble("thumbv7", {"10": "0844", "12": "00eb4100", "fe": "0844c6e9", "100": "8cea080c5ffa"})
    assert texts == {
        "10": "add\tr0, r1",
        "12": "add.w\tr0, r0, r1, lsl #1",
        "fe": "add\tr0, r1",
        "100": "eor.w\tr12, r12, r8",
    }
    assert mca.disassemble("armv7", {"0": "010080e0"}) == {"0": "add\tr0, r0, r1"}
    program = "\tadd\tr0, r1\n.arm\n\tadd\tr0, r0, r1\n.thumb\n\tit\teq\n\tmoveq\tr1, r2\n"
    assert 3 <= mca.analyse("thumbv7", "cortex-a9", program) < 30


@needs_llvm
@pytest.mark.parametrize("core", CORES)
def test_ranks(core):
    texts = mca.disassemble(TRIPLE, {"400": ADD, "404": CHAIN})
    independent, chained = (mca.analyse(TRIPLE, core, (texts[a] + "\n") * 100) for a in ("400", "404"))
    assert 100 / 8 <= independent < chained


@needs_llvm
def test_refuses_what_it_does_not_know():
    with pytest.raises(LabError):
        mca.analyse(TRIPLE, "cortex-a57", "no instruction\n")
