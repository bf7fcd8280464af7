# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Count on our kernels what two of the papers count on x86-64: accesses to memory, look-ups, code. Never time."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import selection
from c_programs import BUILD, build
from runnel_lab import Skipped, subjects, targets
from runnel_lab.building import programs
from runnel_lab.running import session
from runnel_lab.running.target_run import target_run

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / "lab" / "targets" / "host"

pytestmark = [
    pytest.mark.of("aes"),
    pytest.mark.slow,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="what is counted is code for x86-64"),
]

_spec = importlib.util.spec_from_file_location("peers", HOST / "peers.py")
assert _spec is not None and _spec.loader is not None
peers = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(peers)


@pytest.fixture(scope="module")
def counting():
    """Yield the host's target run that counts, under QEMU."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = target_run(targets.load(ROOT, "host"), Path(folder))
        except Skipped as why:
            pytest.skip(str(why))
        if found.counting is None:
            pytest.skip("nothing to count with")
        yield found.counting


def costs(counting, cipher: str, kernel: str, calls: list[session.Call]) -> list[session.Cost]:
    subject = subjects.variants(subjects.cipher(cipher), kernel)[0]
    with tempfile.TemporaryDirectory() as scratch:
        elf = Path(scratch) / "bench.elf"
        programs.build_one(counting.target, programs.program(counting.target, subject), elf)
        answers = session.run(counting.target, counting.runner, elf, calls)
    assert all(answer.status == 0 for answer in answers)
    return [answer.cost for answer in answers]


def accesses_of_a_block(counting, kernel: str) -> tuple[float, float]:
    """Returns those of encryption and of decryption: of 256 blocks more in one call."""
    data = bytes(range(256)) * 64
    a, b, c, d = costs(
        counting,
        "aes-128-ecb",
        kernel,
        [session.key(bytes(range(16)))]
        + [call("long", data[:n]) for call in (session.encrypt, session.decrypt) for n in (8192, 12288)],
    )[1:]
    return ((b.loads + b.stores - a.loads - a.stores) / 256, (d.loads + d.stores - c.loads - c.stores) / 256)


@pytest.mark.parametrize(
    "kernel, encryption, decryption",
    selection.one_in(
        3,
        [
            pytest.param("x86-short-code", 212, 212),
            pytest.param("x86-partial-key", 182, 188),
            pytest.param("x86-in-place", 212, None),
        ],
    ),
)
def test_accesses_to_memory(counting, kernel, encryption, decryption):
    """The paper's 182 and 212 for a block: text, look-ups and round keys, and nothing else."""
    counted = accesses_of_a_block(counting, kernel)
    assert counted == (encryption, decryption or counted[1])


@pytest.mark.parametrize(
    "kernel, pic, instructions, size, accesses, key_words",
    [
        ("x86-partial-key", False, 44, 207, 17, 14),
        ("x86-partial-key", True, 44, 166, 17, 14),
        ("x86-short-code", False, 44, 168, 20, 44),
        ("x86-short-code", True, 44, 168, 20, 44),
        ("x86-second-byte", True, 44, None, 20, 44),
        ("x86-in-place", True, 40, None, 20, 44),
        ("x86-4k", True, 44, None, 20, 44),
        ("x86-4k-4k", True, 44, None, 20, 44),
        ("x86-scaled-index", True, 60, None, 20, 44),
        ("x86-shift-mask", True, 68, None, 20, 44),
        ("x86-byte-loads", True, 44, None, 40, 44),
    ],
)
def test_code_of_a_round(tmp_path, kernel, pic, instructions, size, accesses, key_words):
    """The paper's Tables 4 and 10, counted: where tables have absolute addresses, appendix 1 has its 207 bytes."""
    code = peers.code_of_rounds(kernel, tmp_path, pic=pic)
    assert code["instructions_per_round"] == instructions
    assert size is None or code["code_bytes_per_round"] == size
    assert code["accesses_per_round"] == accesses
    assert code["round_key_words_per_block"] == key_words


APPENDICES = {"x86-partial-key": "56655f0006920671", "x86-short-code": "781a16f0ce2e3e50"}


@pytest.mark.parametrize("kernel", APPENDICES)
def test_a_round_is_the_appendix(tmp_path, kernel):
    """Every round, the last one too, is the machine code that the paper's text makes: of its instructions in its order and
    registers, when numbers in addresses are zero."""
    code = peers.code(kernel, tmp_path, pic=False)
    for begin, end in code.rounds:
        lines = [text for at, text in code.instructions.items() if begin <= at < end]
        printed = "\n".join(re.sub(r"\s+", " ", re.sub(r"-?0x[0-9a-f]+\(", "0(", line)) for line in lines)
        assert hashlib.sha256(printed.encode()).hexdigest()[:16] == APPENDICES[kernel]


@pytest.mark.parametrize(
    "kernel, saved", [("ttable", 0), ("ctr-c-wu", 12), ("ctr-c-1", 12), ("ctr-c-2", 24), ("ctr-c", 28)]
)
def test_look_ups_of_a_block(tmp_path, kernel, saved):
    """16 in each round, less what each cache saves; the table for round 1 is looked up by the counter."""
    assert peers.lookups(kernel, tmp_path) == {bits: 16 * (bits // 32 + 6) - saved for bits in (128, 192, 256)}


ROUND_0_OF_THE_PAPER = {"with-the-nonce", "stays", "new-with-b11", "read-by-a-run"}


def test_round_0_is_kept_as_long_as_the_paper_says(tmp_path):
    """Its 12 bytes are made with the nonce and stay until b11 changes; each block reads them, or, where there is a table
    for round 1, each run of 256 blocks. Wu's 15 bytes are made anew for every run."""
    program = tmp_path / "aes_caches"
    sources = [*(peers.AES / "papers").glob("ctr_c*.c"), peers.AES / "ttable.c", peers.AES / "ttable_tables.c"]
    subprocess.run([*peers.COMPILE, ROOT / "tests" / "c" / "aes_caches.c", *sources, "-o", program], check=True)
    lines = subprocess.run([program], text=True, capture_output=True, check=True).stdout.splitlines()
    assert {kernel: set(what) for kernel, *what in map(str.split, lines)} == {
        "ctr-c": ROUND_0_OF_THE_PAPER,
        "ctr-c-b14": ROUND_0_OF_THE_PAPER,
        "ctr-c-2": ROUND_0_OF_THE_PAPER | {"read-by-a-block"},
        "ctr-c-1": ROUND_0_OF_THE_PAPER | {"read-by-a-block"},
        "ctr-c-wu": {"with-the-nonce", "new-with-b11", "read-by-a-block"},
    }


@pytest.mark.campaign
def test_the_check_for_two_columns_costs_more_than_it_saves(counting):
    """The paper's section 3.2: columns 2 and 3 after round 1, kept when b14 changes, make it slower."""
    calls = [session.key(bytes(16)), session.iv(bytes(16)), *[session.encrypt("stream", bytes(8192))] * 2]
    without, kept = (
        costs(counting, "aes-128-ctr", kernel, calls)[-1].instructions / 512 for kernel in ("ctr-c", "ctr-c-b14")
    )
    assert without + 2 < kept < without + 8


@pytest.mark.campaign
def test_every_cache_saves_loads(counting):
    """From kernel to kernel of the paper, in the middle of a stream."""
    loads = []
    for kernel in ("ttable", "ctr-c-1", "ctr-c-2", "ctr-c"):
        calls = [session.key(bytes(16)), session.iv(bytes(16)), *[session.encrypt("stream", bytes(4096))] * 2]
        loads.append(costs(counting, "aes-128-ctr", kernel, calls)[-1].loads / 256)
    assert loads == sorted(loads, reverse=True) and loads[0] - loads[3] >= 28


@pytest.fixture(scope="module")
def library() -> list[Path]:
    """Return the library in build/ and the clock, in the place of the sources that are compiled to be measured."""
    build(BUILD, target="runnel_static")
    return [ROOT / "lab" / "engine" / "clock.c", BUILD / "librunnel.a"]


def test_one_run_compares_bytes_first(tmp_path, library):
    """The program that measures in turn refuses a kernel whose bytes differ."""
    source = (HOST / "turns.c").read_text()
    broken = tmp_path / "turns.c"
    planted = source.replace(
        "    s->run(s);\n}", "    s->run(s);\n    out[3] ^= s != subjects && s->blocks != NULL;\n}", 1
    )
    assert planted != source
    broken.write_text(planted)
    program = tmp_path / "turns"
    subprocess.run([*peers.COMPILE, f"-I{HOST}", "-O0", broken, *library, "-ldl", "-o", program], check=True)
    done = subprocess.run([program], text=True, capture_output=True)
    assert done.returncode == 1 and "differs" in done.stderr and done.stdout == ""


@pytest.fixture(scope="module")
def openssl():
    """Compile OpenSSL's table code into a program."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            yield ["-DLAB_OPENSSL_TABLES", *peers.openssl_tables.build(Path(scratch), *peers.HOST_COMPILER)]
        except peers.openssl_tables.NotBuiltError as why:
            pytest.skip(str(why))


def test_rounds_in_c(tmp_path, openssl, library):
    """OpenSSL's full-table round has the 20 accesses that are least, and 47 instructions; what a compiler makes of C has
    more accesses, and about the paper's 60 instructions."""
    if not shutil.which("qemu-x86_64"):
        pytest.skip("nothing to count with")
    rounds = peers.rounds_in_c(tmp_path, openssl, library)
    assert rounds["openssl-full-table"] == {"instructions_per_round": 47, "accesses_per_round": 20}
    for name in ("ttable", "ttable-plain", "openssl-c"):
        assert rounds[name]["accesses_per_round"] >= 20 and 40 <= rounds[name]["instructions_per_round"] <= 80, name


def test_one_run_has_everyone_in_every_way(tmp_path, openssl, library):
    """After it has compared their bytes: table kernels and OpenSSL's code, independent blocks timed in both ways, chains."""
    command = [*peers.HOST_COMPILER, *peers.COMPILE[2:], "-DLAB_VISITS=3", HOST / "turns.c", *openssl]
    subprocess.run([*command, *library, "-ldl", "-o", tmp_path / "turns"], check=True)
    lines = subprocess.run([tmp_path / "turns"], text=True, capture_output=True, check=True).stdout.splitlines()
    found = {tuple(line.split()[1:3]) for line in lines}
    assert {
        (kernel, label) for kernel in peers.TABLE_KIB for label in ("long", "matsui", "chain", "long_decrypt")
    } <= found
    assert all(float(line.split()[4]) > 0 for line in lines)


def test_openssl_that_cannot_be_had_is_left_out(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert peers.openssl(tmp_path) == []
    assert capsys.readouterr().err == "OpenSSL's table code is left out: cargo: No such file or directory\n"
