# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Products of measured rows: comparisons, tables, the list of cells in which a library is faster, recorded results."""

import datetime
import importlib
import json
import re
from pathlib import Path

import pytest
from runnel_lab import speed
from test_speed import ROW, measured

BENCH = Path(__file__).resolve().parents[2] / "bench"


def row(cipher: str, implementation: str, kernel: str, cycles: float, operation: str = "message", n: int = 16384):
    return {
        "cipher": cipher,
        "implementation": implementation,
        "kernel": kernel,
        "operation": operation,
        "bytes": n,
        "cycles_per_byte": cycles / n if n else None,
        "cycles": cycles,
        "gb_per_s": 1.5 if n else None,
    }


@pytest.fixture
def invented() -> speed.Result:
    rows = [
        row("aes-128-ctr", "runnel", "vaes", 2000),
        row("aes-128-ctr", "runnel", "portable", 90000),
        row("aes-128-ctr", "libgcrypt 1.10.1", "", 2400),
        row("aes-128-ctr", "OpenSSL 3.0.22", "", 6000),
        row("aes-128-ctr", "runnel", "vaes", 60, "key", 0),
        row("lonely", "runnel", "portable", 1000),
    ]
    machine = {
        "cpu": "AMD EPYC",
        "cpu_id": "AuthenticAMD family 26 model 2 stepping 1",
        "clock_ghz": 3.5,
        "clock_ghz_highest": 4,
        "features": ["aes"],
        "compiler": "gcc 12.2.0",
        "flags": "-O2",
        "date": "2000-01-01",
    }
    return {"machine": machine, "rows": rows}


def test_comparison(invented):
    compared = speed.comparisons(invented)["aes-128-ctr"]
    cell = ("message", 16384)
    assert compared.best_peer(cell)[0] == "libgcrypt 1.10.1"
    assert compared.ratio(cell) == pytest.approx(1.2)
    assert compared.ratio(cell, "OpenSSL") == pytest.approx(3)
    assert compared.ratio(cell, "Botan") is None
    newer = {**invented, "rows": [*invented["rows"], row("aes-128-ctr", "libgcrypt 1.12.4", "", 2200)]}
    assert speed.comparisons(newer)["aes-128-ctr"].ratio(cell, "libgcrypt") == pytest.approx(1.1), "the faster of two"
    assert compared.ratio(("key", 0)) is None
    assert speed.comparisons(invented)["lonely"].ratio(cell) is None


def test_table_of_rows(invented):
    lines = speed.table(invented).splitlines()
    assert "  runnel vaes                       0.122       60     1.50" in lines
    assert "  times the best                     1.20" in lines


def test_summary(invented):
    lines = speed.summary(invented).splitlines()
    assert lines[2:4] == ["recommended", "  aes-128-ctr  " + "█" * 30 + "  1.50   1.20  libgcrypt 1.10.1, 1.25 GB/s"]
    assert lines[4] == "legacy" and lines[5].split() == ["lonely", "█" * 30, "1.50", "none", "here"]
    plain = speed.summary(invented, blocks=False)
    assert plain.isascii() and "#" * 30 in plain
    slower = {**invented, "rows": [*invented["rows"], row("rabbit", "runnel", "portable", 5000) | {"gb_per_s": 0.75}]}
    assert [line.split()[0] for line in speed.summary(slower).splitlines()[2:]] == [
        "recommended", "aes-128-ctr", "legacy", "lonely", "rabbit"
    ]  # fmt: skip
    assert f"  rabbit       {'█' * 15} " in speed.summary(slower)
    keys = {**invented, "rows": [row("rabbit", "runnel", "portable", 60, "key", 0)]}
    assert speed.summary(keys) == ""


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH.parent / "tools"))
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


def test_targets(bench, invented, tmp_path, monkeypatch):
    targets = bench("targets")
    rows = targets.table_of_runs({"everything": invented})
    assert ["aes-128-ctr", "16 KiB", "1.25 times libgcrypt", "1.20, MISSED"] in rows
    assert ["aes-128-ctr", "16 KiB", "2.60 times OpenSSL", "3.00, met"] in rows
    assert ["seed-ctr", "1 KiB", "8.00 times the best library", "not measured here"] in rows
    monkeypatch.setattr(targets.tables, "RESULTS", tmp_path)
    folder = targets.write({"everything": invented})
    assert folder == tmp_path / "amd-epyc-family-26-model-2"
    assert json.loads((folder / "speed.json").read_text()) == invented
    text = targets.page(targets.recorded(folder))
    assert "| **runnel** `vaes` | 0.122 | 60 | 1.50 |" in text
    assert "| aes-128-ctr | 16 KiB | 2.60 times OpenSSL | 3.00, met |" in text


def test_every_cell_in_which_a_library_is_faster_is_listed(bench, invented):
    """With what slower.toml says, or as not explained; the worst first, ours and the newest's alike."""
    headline = bench("headline")
    rows = [
        *(row("hc-128", "runnel", "avx2", 200, mode, n) for mode, n in (("stream", 1500), ("key", 0))),
        row("hc-128", "Crypto++ 8.7", "", 150, "stream", 1500),
        row("trivium", "runnel", "portable", 200, "new-key", 16),
        row("trivium", "Crypto++ 8.7", "", 100, "new-key", 16),
        row("hc-128", "OpenSSL 4.0.3", "", 20, "key", 0),
        row("hc-128", "Crypto++ 8.7", "", 30, "key", 0),
    ]
    run = {**invented, "rows": rows}
    lines = headline.slower_table({"": run, headline.WITHOUT: run}).splitlines()[2:]
    assert lines[0] == "| `hc-128` | key 0.10 | OpenSSL 4.0.3 | not explained |"
    assert lines[1] == "| `hc-128` without AVX-512 | key 0.10 | OpenSSL 4.0.3 | not explained |"
    assert lines[2] == "| `trivium` | new key 16 B 0.50 | Crypto++ 8.7 | not explained |"
    assert lines[4].startswith("| `hc-128` | continued 1,500 B 0.75 | Crypto++ 8.7 | constant time: ")
    assert len(lines) == 6
    assert headline.slower_table({"": invented}) == "None."
    assert headline.tally({"": invented}) == "A library is faster in 0 of 1 cells."
    assert headline.tally({"": run, "again": run}) == "A library is faster in 6 of 6 cells; 4 are not explained."


def test_a_reason_that_is_mended_is_not_given_for_what_was_measured_since(bench):
    headline = bench("headline")
    cell = "chacha20", ("message", 16), "libsodium 1.0.18", 0.7
    mended = headline.reason(*cell, datetime.date(2026, 11, 22))
    assert mended.startswith("measured before ") and headline.reason(*cell, datetime.date(2026, 11, 23)) != mended
    assert all("before" in entry for entry in headline.reasons() if entry["why"].startswith("measured before "))


def test_recorded_cells_are_listed(bench):
    """Each cell of results/ in which a library's row is faster than ours, counted from the rows themselves."""
    headline = bench("headline")
    for folder in headline.tables.newest_first():
        expected = 0
        for result in headline.runs_of(folder).values():
            best, first = {}, {}
            for each in result["rows"]:
                cell = each["cipher"], each["operation"], each["bytes"]
                if each["implementation"] != "runnel":
                    best[cell] = min(best.get(cell, each["cycles"]), each["cycles"])
                elif first.setdefault(each["cipher"], each["kernel"]) == each["kernel"]:
                    first[cell] = each["cycles"]
            expected += sum(first.get(cell, 0) > cycles for cell, cycles in best.items())
        found = headline.slower_cells(headline.runs_of(folder))
        assert sum(map(len, found.values())) == expected
        assert all(key.why for key in found)
        text = headline.slower_table(headline.runs_of(folder))
        assert len(re.findall(r" \d+\.\d\d(?=[,; ])", text)) == expected


@pytest.mark.parametrize(
    "file", sorted((BENCH.parent / "results").glob("*/speed*.json")), ids=lambda file: str(file)[-60:]
)
def test_recorded_results_have_their_fields(file):
    """Programs read them: fields come, none goes and none changes its name."""
    result = json.loads(file.read_text())
    assert {"cpu", "cpu_id", "date", "clock_ghz", "clock_ghz_highest", "features", "compiler", "flags"} <= set(
        result["machine"]
    )
    for each in result["rows"]:
        assert set(each) >= ROW and each["operation"] in speed.OPERATIONS and each["cycles"] > 0
        assert (each["bytes"] == 0) == (each["operation"] in ("key", "iv")) == (each["cycles_per_byte"] is None)
    cells = [
        (each["cipher"], each["implementation"], each["kernel"], each["operation"], each["bytes"])
        for each in result["rows"]
    ]
    assert len(cells) == len(set(cells))


def test_one_table(bench, invented):
    """Every cipher with a library beside it, in every mode: the system's best and the newest's apart."""
    tables = bench("tables")
    rows = [
        row("rabbit", "runnel", "avx2", 32, "new-key", 16),
        row("rabbit", "runnel", "avx2", 16, "message", 16),
        row("rabbit", "Crypto++ 8.7", "", 24, "message", 16),
        row("rabbit", "RustCrypto rabbit 0.5.0", "", 48, "message", 16),
        row("lonely", "runnel", "portable", 1, "message", 16),
    ]
    about = {
        "libraries": ["Crypto++ 8.7"],
        "libraries_absent": [],
        "newest": ["RustCrypto"],
        "newest_absent": ["OpenSSL"],
    }
    result = {"machine": {**invented["machine"], **about}, "rows": rows}
    lines = [[cell.strip() for cell in line.split("|")[1:5]] for line in tables.one_table(result).splitlines()]
    assert lines[2:] == [
        ["`rabbit`", "new IV", "cycles/byte", "1.00"],
        ["", "", "times the system's best", "1.50"],
        ["", "", "times the newest's best", "3.00"],
    ]
    page = tables.document("With everything", result)
    assert (
        "Not measured: OpenSSL, because `make bench-newest` has not built them." in page.replace("\n", " ")
        and "| new IV | times the best library | 1.50 |" in page
    )
    assert "### Every cipher" not in tables.document("As it was", invented)


def test_a_run_without_avx512_is_without_those_that_do_not_obey(bench, tmp_path, monkeypatch):
    """The newest OpenSSL and libgcrypt obey; an environment that leaves AVX-512 in is no such run."""
    targets = bench("targets")
    (tmp_path / "libcrypto.so").symlink_to("/lib/x86_64-linux-gnu/libcrypto.so.3")
    (tmp_path / "libsodium.so").touch()
    monkeypatch.setenv("RUNNEL_SPEED_NEWEST", str(tmp_path))
    with targets.narrow() as environment:
        folder = Path(environment["RUNNEL_SPEED_NEWEST"])
        assert {file.name: file.exists() for file in folder.iterdir()} == {
            "libcrypto.so": (tmp_path / "libcrypto.so").exists(),
            "libgcrypt.so": False,
        }
        machine = measured("--cipher", "rabbit", **environment)["machine"]
        assert "avx512" not in machine["features"] and {"libsodium", "RustCrypto"} <= set(machine["newest_absent"])
    assert not folder.exists()


def test_headline(bench, invented, tmp_path):
    headline = bench("headline")
    (tmp_path / "speed.json").write_text(json.dumps(invented))
    assert "| `aes-128-ctr` | 0.122 | 1.5 | libgcrypt 1.10.1, 0.146 | 1.20 |" in headline.headline(tmp_path)
    (tmp_path / "speed-no-avx512.json").write_text(json.dumps(invented))
    assert "1.20 |  |  | 1.20 |" in headline.headline(tmp_path)
