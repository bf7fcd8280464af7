# SPDX-License-Identifier: Apache-2.0 OR MIT
"""llvm-mca's ranking: how a trace is read, and that more work on the same core is more cycles."""

import shutil

import pytest
from runnel_lab import LabError
from runnel_lab.running import mca

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


@needs_llvm
@pytest.mark.parametrize("core", mca.MACHINES["aarch64"].cores)
def test_ranks(core):
    texts = mca.disassemble(TRIPLE, {"400": ADD, "404": CHAIN})
    independent, chained = (mca.analyse(TRIPLE, core, (texts[a] + "\n") * 100) for a in ("400", "404"))
    assert 100 / 3 <= independent < chained


@needs_llvm
def test_refuses_what_it_does_not_know():
    with pytest.raises(LabError):
        mca.analyse(TRIPLE, "cortex-a57", "no instruction\n")
