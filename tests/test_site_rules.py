# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The chooser's data and rules: what is in the file was measured, the rules answer as the data say, in Python and in
JavaScript alike, and the code that is shown compiles and runs."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel
import site_questions
from cli_program import output_of, refused
from runnel_lab import pictures
from runnel_lab.choose import answer, rules

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("RUNNEL_BUILD_DIR", ROOT / "build"))
CHOOSE = ROOT / "site" / "choose"
DATA = rules.load()


def lab_row(target: str, cipher: str, kernel: str) -> dict:
    rows = json.loads((ROOT / "lab" / "results" / f"{target}.json").read_text())["rows"]
    return next(row for row in rows if (row["cipher"], row["kernel"]) == (cipher, kernel))


def part(target: str, name: str, kernel: str) -> dict:
    return next(p for p in DATA["parts"] if (p["target"], p["name"], p["kernel"]) == (target, name, kernel))


def test_the_file_is_small_and_has_its_schema(tmp_path):
    assert len(gzip.compress(rules.FILE.read_bytes())) < 100_000
    assert rules.FILE.read_bytes() == (ROOT / "lab/runnel_lab/choose/cipher-data.json").read_bytes(), "make"
    other = tmp_path / "cipher-data.json"
    other.write_text('{"schema": 99}')
    with pytest.raises(ValueError, match="its schema is 99, not 1"):
        rules.load(other)


def test_figures_are_those_of_the_lab():
    row, mine = lab_row("avr", "aes-128-ctr", "avr-flash"), part("avr", "aes-128-ctr", "avr-flash")
    iv, packet, long = (row["figures"][label]["cycles"] for label in ("iv", "packet", "long"))
    assert mine["fresh"][1:] == [[128, iv + packet], [1024, iv + long]]
    slope = (long - packet) / (1024 - 128)
    assert mine["fresh"][0] == [0, round(iv + packet - 128 * slope, 1)]
    assert (mine["rom"], mine["static"], mine["stack"]) == (row["rom"], row["ram"]["static"], row["ram"]["stack"])
    assert (
        part("aarch64", "chacha20", "portable")["going"][1][1]
        == (lab_row("aarch64", "chacha20", "portable")["figures"]["stream"]["instructions"])
    )


def test_time_is_promised_for_assembly_and_for_kernels_that_say_so():
    assert part("avr", "aes-128-ctr", "avr-sram")["constant_time"]
    assert not part("avr", "chacha20", "portable")["constant_time"]
    assert not part("cortex-m4", "aes-128-ctr", "thumb2-table")["constant_time"]
    assert not part("cortex-m4", "aes-cmac", "thumb2-table")["constant_time"]
    assert part("cortex-m4", "aes-cmac", "thumb2-fixslice")["constant_time"]


def test_assembly_that_no_knob_chooses_is_promised_too():
    """On AVR, whose MACs and Grain-128AEAD are assembly wherever they are linked, though no result names it."""
    for name in ("poly1305", "siphash", "siphash-128"):
        assert part("avr", name, "avr")["constant_time"]
        assert part("avr", name, "avr")["command"].endswith("--kernel portable")  # the lab's word for it
    assert part("avr-328p", "grain-128aead-v2", "avr")["constant_time"]
    assert part("cortex-m4", "siphash", "portable") and part("cortex-m4", "poly1305", "thumb2")
    for target in ("avr", "avr-1284p", "avr-328p"):
        rows = json.loads((ROOT / "lab" / "results" / f"{target}.json").read_text())["rows"]
        rows = [row for row in rows if "aead" in row]
        safe = {row["aead"] for row in rows if row["constant_time"] and "portable" not in row["kernels"].values()}
        here = {p["name"]: p["constant_time"] for p in DATA["parts"] if p["target"] == target and "air" in p}
        assert len(safe) > 10 and all(here.get(name, True) for name in safe), target
    offered = {row["name"] for row in answer.answer(DATA, site_questions.whole({"composed": True}))["rows"]}
    wanted = {"chacha20-poly1305", "aes-128-gcm", "grain-128aead-v2", "chacha20 + siphash", "salsa20 + poly1305"}
    assert wanted <= offered


def test_the_first_point_is_no_byte():
    """If the first measured length is not, take the line through the first and the last."""
    for each in DATA["parts"]:
        assert [point[0] for point in each["fresh"]][:2] < [0, 129] and each["fresh"][0][0] == 0
    points = part("avr-328p", "aes-128-ccm", "avr-sram-512")["fresh"]
    (x0, y0), (x1, y1) = points[1], points[-1]
    assert (x0, x1) == (8, 128) and points[0][1] == pytest.approx(y0 - x0 * (y1 - y0) / (x1 - x0), abs=0.1)
    row = answer.answer(DATA, site_questions.whole({"bytes": 8}))["rows"][0]
    assert 0 < row["setup"] < 100


def test_between_measured_lengths_and_beyond():
    points = [[0, 100], [128, 228], [1024, 1124]]
    for count, cost in ((0, 100), (64, 164), (128, 228), (576, 676), (2048, 2148)):
        assert rules.interpolated(points, count) == cost
    mine = {"fresh": points, "going": [[0, 0], [1000, 500]], "block": 16}
    assert rules.cost_of(mine, 1, "each") == 116 and rules.cost_of(mine, 17, "each") == 132
    assert rules.cost_of(mine, 100, "stream") == 50


def test_lengths_beyond_the_measured_ones_are_marked():
    raw = {"device": "atmega128", "authenticated": False}
    words = {32: ", beyond the measured lengths", 128: "", 500: ", between measured lengths", 1024: ""}
    for count, word in (words | {1025: ", beyond the measured lengths"}).items():
        row = answer.answer(DATA, site_questions.whole(raw | {"bytes": count}))["rows"][0]
        assert row["kind_text"] == "exact" + word, count
    pc = answer.answer(DATA, site_questions.whole({"device": "x86-64", "bytes": 1 << 20}))["rows"][0]
    assert pc["kind_text"] == "measured, beyond the measured lengths"


def test_going_on_costs_what_longer_messages_take_more():
    """Test it where it was not measured by itself."""
    mine = {"fresh": [[16, 300], [1040, 2348]], "going": None}
    assert [rules.cost_of(mine, count, "stream") for count in (0, 16, 1024, 2048)] == [0, 32, 2048, 4096]


def test_aeads_take_pieces():
    """The one that needs the lengths before says so."""
    found = answer.answer(DATA, site_questions.whole({"device": "x86-64", "nonce": "stream"}))
    best = found["rows"][0]
    assert best["name"] == "aes-128-gcm" and "_start(" in found["code"]["c"] and "not verified" in found["give_up"][2]
    assert not any("must be known" in line for line in found["give_up"])
    left_out = " ".join(found["left_out"])
    assert "SIV" in left_out and left_out.count("takes a message in one piece only") == len(
        [name for name, facts in DATA["algorithms"].items() if facts["status"] == "recommended" and not facts["pieces"]]
    )
    best = next(row for row in found["rows"] if row["name"] == "aes-128-ccm")
    assert best["difference"] and best["kind_text"] == "measured, the difference of two lengths"
    found = answer.answer(DATA, site_questions.whole({"nonce": "stream", "bytes": 1000}))
    assert (
        any("must be known before the first piece" in line for line in found["give_up"])
        is found["rows"][0]["lengths_first"]
    )


def test_the_longest_less_the_shortest_is_of_measured_lengths():
    assert rules.going({"fresh": [[0, 0], [16, 300], [1040, 2348]]}) == [[0, 0], [1024, 2048]]
    assert rules.going({"fresh": [[0, 20], [128, 148]]}) == [[0, 0], [128, 128]]


def test_no_further_byte_costs_nothing():
    for more in ({"authenticated": False}, {"composed": True}, {}):
        for device in DATA["devices"]:
            question = site_questions.whole({"device": device["name"], "bytes": 0, "nonce": "stream", **more})
            for row in answer.answer(DATA, question)["rows"]:
                assert row["cost"] >= 0 and "NaN" not in row["times"]


@pytest.mark.parametrize("name", site_questions.TWELVE)
def test_twelve_questions(name):
    asked = site_questions.TWELVE[name]
    rows = answer.answer(DATA, site_questions.whole(asked.question))["rows"]
    assert (rows[0]["name"] if rows else None) == site_questions.worked_out(asked)


def test_twelve_are_not_one():
    found = [site_questions.worked_out(asked) for asked in site_questions.TWELVE.values()]
    assert len(found) == 12 and len(set(found)) >= 7 and found.count(None) <= 2


def test_every_filter_keeps_something_out():
    """And only what it names: a filter that never bites would not be missed."""
    seen = {
        failed["name"]
        for question in site_questions.grid()
        for each in rules.candidates(DATA, question)
        for failed in rules.failures(DATA, each, question)
    }
    assert seen == {rule["name"] for rule in DATA["rules"]["filters"]}


def test_where_no_aead_was_measured_none_is_called_near():
    for device in ("armv7", "aarch64", "aarch64-no-aes"):
        found = answer.answer(DATA, site_questions.whole({"device": device}))
        title = rules.device(DATA, device)["title"]
        assert found["rows"] == [] and found["sentence"].startswith(
            f"Nothing fits: no AEAD has been measured on {title}"
        )
        assert "`runnel aeads`" in found["sentence"] and "Nearest" not in found["sentence"]
    sentence = answer.answer(DATA, site_questions.whole({"ram": 100}))["sentence"]
    assert sentence.startswith("Nothing fits. Nearest: ") and "does not authenticate" not in sentence


def test_what_the_figures_were_built_with():
    """The knobs, where firmware has them; of two lengths of key the longer."""
    raw = {"device": "atmega128", "authenticated": False}
    knobs = "RUNNEL_AES_KERNEL=avr_sram_512, RUNNEL_AES_KEY_BITS=128"
    assert f"with {knobs}: " in answer.answer(DATA, site_questions.whole({}))["built"]
    found = answer.answer(DATA, site_questions.whole(raw))
    assert f"with {knobs}, RUNNEL_PREFIX=1: " in found["built"] and found["rows"][0]["name"] == "aes-128-ctr"
    rows = answer.answer(DATA, site_questions.whole({"device": "rv32", "composed": True}))["rows"]
    assert {row["name"] for row in rows if not row["built"]} == {"grain-128aead-v2"}  # which has one kernel
    for device in ("armv7", "aarch64", "x86-64"):
        assert answer.answer(DATA, site_questions.whole(raw | {"device": device}))["built"] == ""
    both = ({"macros": {"KERNEL": "a", "KEY_BITS": 256}}, {"macros": {"KERNEL": "a", "KEY_BITS": 128, "PREFIX": 1}})
    assert rules._built(both) == "KERNEL=a, KEY_BITS=256, PREFIX=1"
    for name in re.findall(r"RUNNEL_\w+", json.dumps(DATA["parts"])):
        family = name.removeprefix("RUNNEL_").removesuffix("_KERNEL").removesuffix("_KEY_BITS").lower()
        assert name == "RUNNEL_PREFIX" or any(
            (ROOT / "src" / kind / family).is_dir() for kind in ("ciphers", "historic", "aead")
        )
    text = " ".join(output_of("choose").decode().split())
    assert f"Built with {knobs}: " in text


def test_what_takes_least_is_the_least_of_all():
    """Of every kernel that fits, not of those alone that are among the first at the length that is asked for."""
    for question in (
        {"device": "rv32", "composed": True},
        {"device": "atmega128", "authenticated": False, "all": True},
    ):
        asked = site_questions.whole(question)
        reported = dict(
            re.fullmatch(r"From ([\d,]+) bytes on (.*) takes least\.", line).groups()
            for line in answer.answer(DATA, asked)["cheapest"]
        )
        now = None
        for count in DATA["rules"]["lengths"]:
            now = reported.get(f"{count:,}", now)
            here = [
                each
                for each in rules.candidates(DATA, asked | {"bytes": count})
                if not rules.failures(DATA, each, asked)
                and all(DATA["parts"][number]["fresh"][-1][0] >= count for number in each["parts"])
            ]
            if here:
                assert now in {each["title"] for each in here if each["cost"] == here[0]["cost"]}, (question, count)
        assert len(reported) > 1


def test_the_ivs_of_counter_modes_leave_room_for_the_count():
    """In every language, and in words."""
    for name, facts in DATA["algorithms"].items():
        if facts["code_kind"] in ("aead",):
            continue
        counted = "-ctr" in name
        assert facts["iv_counts"] == (4 if counted else 0), name
        texts = answer.code(DATA, facts)
        assert all(("last 4 bytes" in text) is counted for text in texts.values()), name
    found = answer.answer(DATA, site_questions.whole({"device": "atmega128", "authenticated": False}))
    assert found["rows"][0]["name"] == "aes-128-ctr" and "last 4 bytes" in found["give_up"][1]
    found = answer.answer(DATA, site_questions.whole({"device": "cortex-m4", "authenticated": False}))
    assert found["rows"][0]["iv_counts"] == 0 and not any("last 4" in line for line in found["give_up"])


def test_messages_longer_than_a_ciphers_own_limit_are_refused():
    limits = {name: facts["message_bytes"] for name, facts in DATA["algorithms"].items()}
    assert limits["chacha20"] == limits["chacha20 + siphash"] == 1 << 38
    assert limits["chacha20 + poly1305"] == (1 << 38) - 64
    assert limits["aes-128-ctr"] == 16 << 32 and limits["hight-ctr"] == 8 << 32 and limits["salsa20"] is None
    for name, key, iv in (("chacha20", 32, 12), ("edon80", 10, 8)):
        assert limits[name] == runnel.new(name, bytes(key), bytes(iv), allow_broken=True).left()
    for count, offered in ((1 << 38, True), ((1 << 38) + 1, False)):
        asked = site_questions.whole({"device": "cortex-m4", "authenticated": False, "bytes": count})
        assert ("chacha20" in {row["name"] for row in answer.answer(DATA, asked)["rows"]}) is offered


def test_what_was_not_measured_is_within_no_limit():
    for name in ("ram", "flash"):
        rule = next(each for each in DATA["rules"]["filters"] if each["name"] == name)
        where, question = rules.device(DATA, "atmega328p"), site_questions.whole({})
        assert rules.passes(rule, {name: None}, question, where)
        assert not rules.passes(rule, {name: None}, question | {name: 1 << 30}, where)
        assert rules.reason(rule, {name: None}).endswith("that was not measured")
    found = answer.answer(DATA, site_questions.whole({"device": "x86-64", "flash": 4000}))
    assert all(row["flash"] is not None and row["flash"] <= 4000 for row in found["rows"])


def test_on_a_pc_the_context_is_all_that_counts():
    for device, words in (("x86-64", " bytes of RAM (context only)"), ("cortex-m4", " bytes of RAM,")):
        assert words in answer.answer(DATA, site_questions.whole({"device": device}))["sentence"]


def test_notes_are_sentences():
    """Instructions are no time; a status is one."""
    found = answer.answer(DATA, site_questions.whole({"device": "armv7", "authenticated": False, "bytes": 2000}))
    assert any(" times the instructions, but is legacy: " in note for note in found["notes"])
    assert not any("as long" in note for note in found["notes"])
    found = answer.answer(DATA, site_questions.whole({"device": "atmega128", "authenticated": False, "bytes": 2000}))
    assert any(" times as long, but is legacy: " in note for note in found["notes"])


def test_numbers_have_three_digits_or_more():
    shown = {
        0.0336: "0.0336",
        0.00001234: "0.0000123",
        0: "0",
        1: "1.00",
        1.255: "1.25",
        12.34: "12.3",
        99.96: "100.0",
        125.5: "126",
        12345.6: "12,346",
    }
    assert {value: answer.figure(value) for value in shown} == shown


def test_javascript_answers_alike(tmp_path):
    """On the grid, letter by letter: sentence, rows, reasons, curves, code."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed (tools/install-packages test)")
    grid = [(question, None, None) for question in site_questions.grid()]
    clocks = [*rules.MHZ, 1234.5678, 0.1 + 0.2]
    grid += [(site_questions.whole({}), mhz, nj) for mhz in clocks for nj in (*rules.NJ, 0.123456789)]
    longest = site_questions.whole({"device": "cortex-m4", "composed": True, "bytes": rules.COUNT_MOST})
    grid += [(longest | {"all": True, "timing": False}, float(rules.MHZ[0]), float(nj)) for nj in rules.NJ]
    program = "".join((CHOOSE / name).read_text().replace('"use strict";', "") for name in ("rules.js", "answer.js"))
    program += """
        const fs = require("fs");
        const [data, grid] = [process.argv[2], process.argv[3]].map((name) => JSON.parse(fs.readFileSync(name)));
        console.log(JSON.stringify(grid.map(([question, mhz, nj]) => chooser.answer(data, question, mhz, nj))));
    """
    (tmp_path / "program.js").write_text(program)
    (tmp_path / "grid.json").write_text(json.dumps(grid))
    done = subprocess.run(
        ["node", tmp_path / "program.js", rules.FILE, tmp_path / "grid.json"],
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    assert len(theirs) == len(grid) > 200
    for asked, mine, other in zip(grid, (json.loads(json.dumps(answer.answer(DATA, *q))) for q in grid), theirs):
        assert mine == other, asked


def test_javascript_draws_alike(tmp_path):
    """Also what costs more than anybody has measured."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed (tools/install-packages test)")
    program = "var chooser = {};" + (CHOOSE / "pictures.js").read_text()
    program += """
        const [points, curves] = JSON.parse(process.argv[2]);
        const series = curves.map(([name, points]) => ({ name, points }));
        const drawn = [chooser.scatter("t", points, "x", "y"), chooser.lines("t", series, "x", "y")];
        console.log(JSON.stringify(drawn));
    """
    (tmp_path / "program.js").write_text(program)
    for most in (9e4, 7.5e12, 5e15, 1.0):
        points = [("a", 100, most), ("b", 300, most / 7), ("c", 900, most / 50), ("d", 950, most)]
        curves = [pictures.Series("a", [(8, most / 9), (16, most)]), pictures.Series("b", [(8, most), (16, most)])]
        mine = [pictures.scatter("t", points, "x", "y"), pictures.lines("t", curves, "x", "y")]
        command = ["node", tmp_path / "program.js", json.dumps([points, curves])]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == mine and "NaN" not in done.stdout, most


def test_the_command_says_the_same():
    found = json.loads(output_of("choose", "--ram", "1024", "--json"))
    mine = answer.answer(DATA, site_questions.whole({"ram": 1024}))
    assert found["sentence"] == mine["sentence"] and found["rows"] == json.loads(json.dumps(mine["rows"]))
    text = " ".join(output_of("choose", "--ram", "1024").decode().split())
    assert mine["sentence"] in text and mine["rows"][0]["commands"][0] in text and "#include <runnel/runnel.h>" in text
    text = output_of("choose", "--ram", "100").decode()
    assert text.startswith("Nothing fits. Nearest: ") and "Left out:" in text


def test_sizes_and_words_are_read_as_by_all_commands():
    asked = ("--bytes", "1K", "--ram", "2KiB", "--flash", "1m", "--standard", "NIST", "--nonce", "Each", "--code", "C")
    found = json.loads(output_of("choose", *asked, "--json"))
    assert [found["question"][name] for name in ("bytes", "ram", "flash")] == [1 << 10, 2 << 10, 1 << 20]
    assert (found["question"]["standard"], found["question"]["nonce"]) == ("nist", "each")
    assert json.loads(output_of("choose", "--bytes", "1T", "--json"))["question"]["bytes"] == rules.COUNT_MOST
    for count in ("-1", "1.5", "1T1", str(rules.COUNT_MOST + 1), "2T", "", "1_0", "0x10"):
        assert "'--bytes'" in refused("choose", "--bytes", count, status=2)


def test_clock_and_energy_may_be_typed():
    usual, other = (
        answer.answer(DATA, site_questions.whole({}), mhz, nj)["rows"][0] for mhz, nj in ((16, 3.25), (8, 1))
    )
    assert float(other["us"].replace(",", "")) == pytest.approx(2 * float(usual["us"].replace(",", "")), rel=0.01)
    assert float(other["uj"]) == pytest.approx(usual["cost"] / 1000, rel=0.01)


def test_numbers_that_are_none_are_refused():
    for option in ("--mhz", "--nj"):
        for value in ("nan", "inf", "1e300", "0", "-1", "fast"):
            assert option in refused("choose", option, value, status=2)


def shown(language: str) -> dict[str, str]:
    """Return the code for every algorithm that may be chosen."""
    return {
        f"{name}, {facts[kind]}": answer.code(DATA, {"code_kind": facts[kind], "code_values": facts["code_values"]})[
            language
        ]
        for name, facts in DATA["algorithms"].items()
        for kind in ("code_kind", "pieces_code_kind")
        if facts["pieces"] or kind == "code_kind"
    }


@pytest.mark.parametrize("language", ["c", "arduino"])
def test_the_code_that_is_shown_compiles_and_runs(tmp_path, language):
    """All of it in one program: no error, and six lines each."""
    functions, calls = [], []
    for number, (name, text) in enumerate(shown(language).items()):
        assert len(text.splitlines()) <= 6, name
        text = re.sub(r"#include <.*>\n", "", text)
        text = re.sub(r"(?m)//.*$", "", text) if language == "arduino" else text
        text = text.replace('if (error == RUNNEL_ERR_TAG) Serial.println("changed on the way");', "")
        text = text.replace('if (error != RUNNEL_OK) Serial.println("not encrypted");', "")
        functions.append(f"static int f{number}(void) {{ {text}\n return error; }}")
        calls.append(f'    if (f{number}() != 0) {{ puts("{name}"); bad = 1; }}')
    # Tags and texts that all of them share; the AEADs of C open what they have sealed.
    head = "#include <runnel/runnel.h>\n#include <stdio.h>\n#include <stddef.h>\n"
    head += "static uint8_t key[64] = {1}, mac_key[32] = {2}, nonce[32], iv[32], text[20], tag[16];\n"
    head += "enum { bytes = sizeof text, all_bytes = bytes };\n"
    body = (
        head
        + "\n".join(functions)
        + "\nint main(void)\n{\n    int bad = 0;\n"
        + "\n".join(calls)
        + "\n    return bad;\n}\n"
    )
    (tmp_path / "shown.c").write_text(body)
    includes = [f"-I{BUILD / 'generated'}", f"-I{ROOT / 'include'}", *headers(tmp_path)]
    command = ["cc", "-std=c11", "-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
    subprocess.run([*command, *includes, "shown.c", BUILD / "librunnel.a", "-o", "shown"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "shown"], capture_output=True, text=True)
    assert done.stdout == "" and done.returncode == 0


def headers(folder: Path) -> list[str]:
    """Return the ciphers' own headers under runnel/, as they are installed."""
    place = folder / "include" / "runnel"
    place.mkdir(parents=True)
    for kind in ("ciphers", "historic", "macs", "aead", "modes"):
        for header in (ROOT / "src" / kind).glob("*/*.h"):
            if header.stem == header.parent.name:
                (place / header.name).symlink_to(header)
    return [f"-I{folder / 'include'}"]


def test_the_python_that_is_shown_runs():
    for name, text in shown("python").items():
        exec(compile(text, name, "exec"), {"__name__": "shown"})
    assert len(DATA["algorithms"]) > 50


def test_the_command_of_every_figure_names_what_there_is():
    known = {*runnel.ciphers(), *runnel.macs(), *runnel.aeads(), "ghash"}
    for each in DATA["parts"]:
        words = shlex.split(each["command"])
        named = {part for word in words for part in word.split(" + ")}
        assert words[0] == "runnel" and named & known, each["command"]
        assert each["name"].split(" + ")[0] in named, each["command"]
