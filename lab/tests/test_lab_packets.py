# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Authenticated packets of the lab: the arithmetic of bytes and energy recomputed by hand, rankings, and packets of every
processor compared with the host's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC
from lab_programs import require, runner, target
from runnel_lab import DoesNotFit, LabError, UnknownNameError, results, targets
from runnel_lab.building import programs
from runnel_lab.packets import energy, frames, measure, program, reference, rows, text
from runnel_lab.packets.combinations import combination, combinations
from runnel_lab.packets.frames import Setting
from runnel_lab.packets.published import published
from runnel_lab.packets.rows import Question
from runnel_lab.running.measure import empty_sizes
from runnel_lab.running.target_run import TargetRun
from runnel_lab.subjects import Mode

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = [name for name in targets.find(ROOT) if target(name).packets]


def test_processors_are_those_of_nodes():
    assert PROCESSORS == ["attiny85", "avr", "avr-1284p", "avr-328p", "cortex-m0plus", "cortex-m4", "rv32"]


def test_nanojoules_of_boards():
    """V x mA / MHz."""
    known = energy.boards(ROOT)
    assert known["micaz"].nj_per_cycle == 3.75  # 3 x 5 / 4
    assert known["atmega328p"].nj_per_cycle == pytest.approx(1.275)  # 3 x 1.7 / 4
    assert known["nrf52840"].nj_per_cycle == pytest.approx(0.1546875)  # 3 x 3.3 / 64
    assert known["e31"].grade == "assumed" and known["e31"].nj_per_cycle == 0.51
    for board in known.values():
        assert board.least_nj <= board.nj_per_cycle + 0.006 and board.nj_per_cycle <= board.most_nj
        assert board.processor in PROCESSORS and board.source


def test_microjoules_of_radios():
    """V x mA x us / 1000."""
    known = energy.radios(ROOT)
    cc2420 = known["cc2420"]
    assert cc2420.uj_per_byte(True) == pytest.approx(1.6704)  # 3 x 17.4 x 32
    weakest = replace(cc2420, default="-25 dBm")
    assert weakest.uj_per_byte(True) == pytest.approx(0.816)  # 3 x 8.5 x 32
    assert cc2420.uj_per_byte(False) == pytest.approx(1.8048)  # 3 x 18.8 x 32
    assert known["nrf52840-802154"].uj_per_byte(True) == pytest.approx(0.6144)
    assert known["nrf52840-ble"].uj_per_byte(False) == pytest.approx(0.15024)
    assert known["sx1272-sf7"].uj_per_byte(True) == pytest.approx(135.17, rel=1e-3)


def test_energy_is_cycles_and_bytes():
    board, radio = energy.boards(ROOT)["micaz"], energy.radios(ROOT)["cc2420"]
    cost = energy.energy(board, radio, 20_000, 13, sending=True)
    assert cost.processor == pytest.approx(75.0)  # 20,000 x 3.75 nJ
    assert cost.radio == pytest.approx(21.7152)  # 13 x 1.6704 uJ
    assert cost.total == pytest.approx(96.7152) and cost.share == pytest.approx(0.77547, rel=1e-4)
    assert energy.energy(board, radio, 20_000, 13, sending=False).radio == pytest.approx(23.4624)  # 13 x 1.8048


def test_ccm_in_the_radio():
    """The datasheet has 222 us for 50 bytes of header and 69 of text."""
    board, radio = energy.boards(ROOT)["micaz"], energy.radios(ROOT)["cc2420"]
    assert energy.blocks_of_ccm(50, 69) == 16 and energy.blocks_of_ccm(14, 32) == 7 and energy.blocks_of_ccm(0, 1) == 4
    us, uj = energy.in_the_radio(board, radio, 50, 69)
    assert us == 224 and us == pytest.approx(222, rel=0.01)
    assert uj == pytest.approx(6.4793, rel=1e-4)  # 224 x (7.3728 x 3.75 nJ + 3 x 0.426 mW)


@pytest.mark.parametrize(
    "name, frame, setting, added, longest",
    [
        ("aes-128-ccm", "802154", Setting(13, 14, 8), 13, 95),
        ("ascon-aead128", "802154", Setting(16, 14, 8), 13, 95),
        ("chacha20-poly1305", "802154", Setting(12, 14, 16), 21, 95),
        ("grain-128aead-v2", "ble", Setting(12, 1, 8), 8, 128),
        ("aes-128-ccm", "ble", Setting(13, 1, 4), 4, 128),
        ("aes-128-ccm", "lorawan", Setting(9, 9, 4), 6, 128),
        ("aes-128-ccm", "tinysec", Setting(8, 8, 4), 5, 95),
        ("ascon-aead128", "802154-random", Setting(16, 10, 8), 25, 64),
        ("rabbit + siphash", "802154-random", Setting(8, 10, 8), 17, 95),
        ("hight-ctr + cmac", "802154", Setting(6, 14, 8), 13, 95),
    ],
)
def test_bytes_of_frames(name, frame, setting, added, longest):
    """Nonce, header and tag, what the air carries besides, and the longest payload of those measured."""
    one, form = combination(ROOT, name), frames.frame(ROOT, frame)
    assert frames.setting(one, form) == setting and frames.setting(one, form, False).header == 0
    assert form.added(one) == added
    assert max(n for n in frames.LENGTHS if form.fits(one, n)) == longest


def test_what_is_measured_of_a_combination():
    cells = frames.cells(combination(ROOT, "aes-128-ccm"), frames.frames(ROOT), 1024)
    of_first = {n for setting, n in cells if setting == Setting(13, 14, 8)}
    assert of_first == {n for setting, n in cells if setting == Setting(13, 0, 8)} == set(frames.LENGTHS)
    assert {n for setting, n in cells if setting == Setting(9, 9, 4)} == {16, 32, 64}
    assert len(set(cells)) == len(cells)


def test_combinations_are_many():
    known = combinations(ROOT)
    assert len(known) >= 20 and sum(not one.composed for one in known.values()) == 8
    for one in known.values():
        assert one.status in ("recommended", "legacy") and one.standard and one.limits
        assert all((ROOT / "src" / folder).is_dir() for folder in one.folders)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 32, 47])
def test_cmac_is_cmac(length):
    secret, data = bytes(range(16)), bytes(range(100, 100 + length))
    single = Cipher(AES(secret), modes.ECB())  # of single blocks
    mac = CMAC(AES(secret))
    mac.update(data)
    assert reference.cmac(lambda block: single.encryptor().update(block), 16, data) == mac.finalize()


# SP 800-38B, D.4: three-key TDEA, blocks of 8 bytes.
TDEA = bytes.fromhex("8aa83bf8cbda10620bc1bf19fbb6cd58bc313d4a371ca8b5")


@pytest.mark.parametrize(
    "message, tag",
    [
        ("", "b7a688e122ffaf95"),
        ("6bc1bee22e409f96", "8e8f293136283797"),
        ("6bc1bee22e409f96e93d7e117393172aae2d8a57", "743ddbe0ce2dc2ed"),
        ("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", "33e6b1092400eae5"),
    ],
)
def test_cmac_of_short_blocks(message, tag):
    decrepit = pytest.importorskip("cryptography.hazmat.decrepit.ciphers.algorithms")
    single = Cipher(decrepit.TripleDES(TDEA), modes.ECB())
    computed = reference.cmac(lambda block: single.encryptor().update(block), 8, bytes.fromhex(message))
    assert computed.hex() == tag


def target_run(name: str) -> TargetRun:
    return TargetRun(require(name), runner(name), target(name).describe_machine(runner(name)), ROOT)


def packets(name: str, aead: str, folder: Path, lengths: tuple[int, ...]) -> int:
    """Puts packets under several keys through the first kernels that are tried; returns how many."""
    at, one = target_run(name), combination(ROOT, aead)
    short = replace(at.target, buffer=128)
    kernels = program.candidates(at.target, one)[0]
    try:
        programs.build_one(short, program.program(short, one, kernels), folder / "packet.elf")
    except DoesNotFit as why:
        pytest.skip(str(why))
    cells = [cell for cell in frames.cells(one, frames.frames(ROOT), 128) if cell[1] in lengths]
    steps = []
    for number in range(KEYS):
        steps += [measure.key(one, number), *(step for cell in cells for step in measure.packet(one, *cell, number))]
    return (len(measure.run(at, one, folder / "packet.elf", steps)) - KEYS) // 3


KEYS = 4
"""A wrong constant of CMAC makes no difference to half of them."""
SHORT = ("aes-128-ccm", "hight-ctr + cmac")


@pytest.mark.lab
@pytest.mark.parametrize("aead", SHORT)
@pytest.mark.parametrize("name", PROCESSORS)
def test_packets_of_a_processor(name, aead, tmp_path):
    settings = {setting for setting, _ in frames.cells(combination(ROOT, aead), frames.frames(ROOT), 128)}
    assert packets(name, aead, tmp_path, (32,)) == KEYS * len(settings) >= 20


@pytest.mark.lab
@pytest.mark.campaign
@pytest.mark.parametrize("aead", combinations(ROOT))
@pytest.mark.parametrize("name", PROCESSORS)
def test_packets_of_all_combinations(name, aead, tmp_path):
    assert packets(name, aead, tmp_path, (8, 95)) > 8


@pytest.mark.lab
def test_a_wrong_byte_costs_the_figures(tmp_path, monkeypatch):
    def another(*arguments):
        ciphertext, tag = right(*arguments)
        return ciphertext, bytes([tag[0] ^ 128]) + tag[1:]

    right = reference.seal
    monkeypatch.setattr(reference, "seal", another)
    monkeypatch.setattr(measure, "packet", measure.packet.__wrapped__)  # which would know the right ones
    with pytest.raises(
        LabError, match="avr aes-128-ccm: byte 32 of seal differs from the host's; no figure is recorded"
    ):
        packets("avr", "aes-128-ccm", tmp_path, (32,))


@pytest.mark.lab
def test_the_empty_program_refuses_nothing_and_costs_nothing():
    base = empty_sizes(replace(target_run("avr").target, buffer=128), Mode.PACKETS)
    assert 0 < base.rom < 3000 and 128 < base.ram < 400


@pytest.mark.lab
def test_measuring_again_gives_the_same():
    at, one = target_run("avr"), combination(ROOT, "rabbit + siphash")
    first, second = (measure.measure_kernels(at, one, {"ciphers/rabbit": "avr"}) for _ in range(2))
    assert json.dumps(first) == json.dumps(second) and set(first["cycles"]["nonce 8, header 14, tag 8"]) == {
        str(length) for length in frames.LENGTHS
    }


def row(aead: str, cycles: dict[str, list[int]], setting: str, key: int = 1000, safe: bool = True) -> dict:
    return {
        "aead": aead,
        "kernels": {},
        "constant_time": safe,
        "kind": "exact",
        "key": key,
        "cycles": {setting: cycles},
        "rom": 1,
        "ram": {"context": 2, "static": 3, "stack": 4},
    }


@pytest.fixture
def folder(tmp_path):
    """Results of two combinations: the slower one sends a shorter tag."""
    (tmp_path / "avr.json").write_text(
        json.dumps(
            {
                "rows": [
                    row("chacha20-poly1305", {"32": [20_000, 20_100, 20_200]}, "nonce 12, header 14, tag 16"),
                    row("aes-128-ccm", {"32": [22_000, 22_100, 22_200]}, "nonce 13, header 14, tag 8"),
                ]
            }
        )
    )
    return tmp_path


def test_ranking_by_energy(folder):
    """22,000 cycles and 13 bytes: 82.5 + 21.715; 20,000 and 21 bytes: 75 + 35.078 uJ."""
    found = rows.rows(ROOT, Question("802154"), folder)
    ranked = [one for one in rows.ranking(found, "avr", 32) if one["cycles"] is not None]
    assert [one["aead"] for one in ranked] == ["aes-128-ccm", "chacha20-poly1305"]
    assert [one["energy_uj"] for one in ranked] == [104.215, 110.078]
    assert [one["cipher_share"] for one in ranked] == [0.792, 0.681]
    opened = [one for one in rows.ranking(found, "avr", 32, "open") if one["cycles"] is not None]
    assert [one["energy_uj"] for one in opened] == [106.337, 113.276]  # 82.875 + 23.462; 75.375 + 37.901


def test_a_new_key_counts(folder):
    kept, new = (rows.rows(ROOT, Question("802154", new_key=new), folder) for new in (False, True))
    for a, b in zip(kept, new):
        assert b["cycles"] == (a["cycles"] + 1000 if a["cycles"] is not None else None)


def test_the_radio_has_rows_of_its_own(folder):
    found = [one for one in rows.rows(ROOT, Question("802154"), folder) if one["aead"] == rows.IN_THE_RADIO]
    assert {one["bytes"] for one in found} == {8, 16, 32, 64, 95} and {one["kind"] for one in found} == {"datasheet"}
    (one,) = [one for one in found if one["bytes"] == 32 and one["direction"] == "seal"]
    assert one["us"] == 98 and one["cycles"] is None  # 7 blocks of 14 us
    assert one["energy_uj"] == pytest.approx(2.8347 + 21.7152, abs=2e-3)
    assert not [one for one in rows.rows(ROOT, Question("ble"), folder) if one["aead"] == rows.IN_THE_RADIO]


def test_lower_figures_of_others_come_first(tmp_path):
    setting = "nonce 16, header 0, tag 8"
    ours = row("ascon-aead128", {"16": [30_000, 0, 0], "32": [33_000, 0, 0]}, setting, key=400)
    (tmp_path / "avr-328p.json").write_text(json.dumps({"rows": [ours]}))
    found = [one for one in published(ROOT, tmp_path) if one.ours is not None]
    assert [(one.bytes, one.ours) for one in found] == [(16, 30_400), (32, 33_400)]
    assert found[0].times == pytest.approx(28_416 / 30_400) and found[0].reason
    assert found[1].times == pytest.approx(35_392 / 33_400) and found[1].reason is None


def test_what_is_shown():
    def record(*tables: str) -> dict:
        return json.loads(text.shown(ROOT, list(tables), everything=False, as_json=True))

    whole = record()
    assert record() == whole
    assert {"aead", "processor", "bytes", "direction", "cycles", "energy_uj", "cipher_share", "rom"} <= whole["rows"][
        0
    ].keys()
    (of_one,) = {(r["processor"], r["frame"], r["bytes"]) for r in record("avr ble 16")["rows"]}
    assert of_one == ("avr", "ble", 16)
    others = record("published")
    assert others["rows"] == [] and others["published"] == whole["published"]
    one = others["published"][0]
    assert one["theirs"] > 0 and {"source", "aead", "bytes", "ours", "times", "reason"} <= one.keys()
    printed = text.shown(ROOT, ["avr 802154 32", "published"], everything=False, as_json=False)
    assert "3.75 nJ a cycle" in printed and rows.IN_THE_RADIO in printed and "NIST LWC-Benchmarking" in printed
    for wrong in ("avr 802154 33", "z80 ble 16", "nonsense"):
        with pytest.raises(UnknownNameError, match="no table"):
            record(wrong)


PARTLY = {"cortex-m0plus"}
"""Targets on which not all combinations have been measured so far."""


def test_results_are_whole():
    """At least 20 combinations, 3 processors, 7 lengths; each combination has figures or words that say why not."""
    found = rows.rows(ROOT, Question("802154"))
    for name in text.PROCESSORS:
        cells = {(one["aead"], one["bytes"]) for one in found if one["processor"] == name and one["cycles"] is not None}
        whole = [aead for aead in combinations(ROOT) if all((aead, n) in cells for n in frames.LENGTHS)]
        assert len(whole) >= 20, name
    for name, kept in results.read_packets(results.recorded(ROOT)).items():
        measured = {one["aead"] for one in kept}
        assert measured <= set(combinations(ROOT)) and (measured == set(combinations(ROOT)) or name in PARTLY), name
        assert all("cycles" in one or "does_not_fit" in one for one in kept)


def test_targets_computed_the_same_bytes():
    """Every processor that had room for it all returned the same bytes."""
    sums: dict[str, set[str]] = {}
    for kept in results.read_packets(results.recorded(ROOT)).values():
        for one in kept:
            if any("1024" in by_length for by_length in one.get("cycles", {}).values()):
                sums.setdefault(one["aead"], set()).add(one["output_sha256"])
    assert sums and all(len(found) == 1 for found in sums.values())


def test_records_are_sorted_and_replaced(tmp_path):
    at, file = target("avr"), tmp_path / "avr.json"
    results.record(file, at, [row("b", {}, "x", safe=True), row("b", {}, "x", safe=False)])
    results.record(file, at, [row("a", {}, "x")])
    before = file.read_bytes()
    results.record(file, at, [row("b", {}, "x", safe=False), row("b", {}, "x", safe=True)])
    assert file.read_bytes() == before
    found = results.read_packets(tmp_path)["avr"]
    assert [(one["aead"], one["constant_time"]) for one in found] == [("a", True), ("b", False), ("b", True)]
    results.keep(file, at, lambda one: one["aead"] == "a")
    assert [one["aead"] for one in results.read_packets(tmp_path)["avr"]] == ["a"]


def test_kernels_that_are_tried():
    """On AVR those that look up tables beside the best that do not; never a paper's, nor the portable one beside another."""
    tried = [kernels["ciphers/hight"] for kernels in program.candidates(target("avr"), combination(ROOT, SHORT[1]))]
    assert "avr" in tried and "avr-small" in tried
    tried = [kernels["ciphers/aes"] for kernels in program.candidates(target("rv32"), combination(ROOT, SHORT[0]))]
    assert "rv32-ttable" in tried and "rv32-prefix" in tried and not any("fixslice" in name for name in tried)
    tried = [kernels["aead/ascon"] for kernels in program.candidates(target("avr"), combination(ROOT, "ascon-aead128"))]
    assert tried == ["avr"] and program.constant_time(target("avr"), {"aead/ascon": "avr"})
