# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel speed`: what it prints, what it refuses, and that a library with other bytes is never measured. No test
looks at a time."""

import ctypes.util
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import runnel
from runnel import speed

BENCH = Path(__file__).resolve().parent.parent / "bench"
CIPHERS = runnel.ciphers()
ROW = {"cipher", "implementation", "kernel", "operation", "bytes", "cycles_per_byte", "cycles", "gb_per_s"}
MEASURED = {("key", 0), ("iv", 0), ("stream", 65536), *(("message", n) for n in (16, 128, 1024, 16384))}


def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "runnel", "speed", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
        check=False,
    )


def measured(*arguments: str, **variables: str) -> speed.Result:
    done = call("--json", "--seconds", "0", *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def everything() -> speed.Result:
    return measured("--all-kernels")


def chosen(cipher: str) -> str:
    return next(kernel.name for kernel in CIPHERS[cipher].kernels if kernel.chosen)


# What it prints


def test_rows(everything):
    assert everything["rows"]
    for row in everything["rows"]:
        assert set(row) == ROW
        assert (row["operation"], row["bytes"]) in MEASURED
        assert row["cycles"] > 0
        if row["bytes"]:
            assert row["cycles_per_byte"] > 0 and row["gb_per_s"] >= 0  # three digits: a long set-up leaves 0.000
        else:
            assert row["cycles_per_byte"] is None and row["gb_per_s"] is None
        assert row["kernel"] == "" or row["implementation"] == "runnel"
        assert row["implementation"] == "runnel" or re.fullmatch(r"\S.* \d+(\.\d+)+", row["implementation"])


def test_machine(everything):
    machine = everything["machine"]
    for name in ("cpu", "architecture", "os", "kernel", "date", "compiler", "flags"):
        assert (isinstance(machine[name], str) and machine[name]) or name == "flags"
    assert 0.1 < machine["clock_ghz"] <= machine["clock_ghz_highest"]
    assert set(machine["features"]) == set(runnel.cpu_features())


def test_every_cipher_and_every_kernel(everything):
    for name, cipher in CIPHERS.items():
        expected = MEASURED if cipher.iv_bytes[-1] else MEASURED - {("iv", 0)}
        kernels = {}
        for row in everything["rows"]:
            if row["cipher"] == name and row["implementation"] == "runnel":
                kernels.setdefault(row["kernel"], set()).add((row["operation"], row["bytes"]))
        assert kernels == {kernel.name: expected for kernel in cipher.kernels if kernel.available}
        assert next(iter(kernels)) == chosen(name)
    assert {row["cipher"] for row in everything["rows"]} == set(CIPHERS)


PEERS = {
    "crypto": ("OpenSSL", "aes-128-ctr", "chacha20"),
    "gcrypt": ("libgcrypt", "aes-256-ctr", "seed-ctr", "salsa20"),
    "sodium": ("libsodium", "salsa20", "chacha20"),
    "botan-2": ("Botan", "aes-128-ctr", "seed-ctr", "chacha20"),
    "cryptopp": ("Crypto++", "aes-192-ctr", "seed-ctr", "salsa20", "rabbit"),
    "nettle": ("nettle", "aes-128-ctr"),
}


@pytest.mark.parametrize("library", PEERS)
def test_libraries_of_this_machine(everything, library):
    """Having rows means that their bytes agreed with ours."""
    if ctypes.util.find_library(library) is None:
        pytest.skip(f"no lib{library} here")
    name, *ciphers = PEERS[library]
    for cipher in ciphers:
        found = {
            (row["operation"], row["bytes"])
            for row in everything["rows"]
            if row["cipher"] == cipher and row["implementation"].startswith(name)
        }
        assert found >= {cell for cell in MEASURED if cell[0] in ("message", "stream")}, (cipher, name)


def test_default_is_the_chosen_kernel_alone():
    rows = measured("--cipher", "rabbit", "--cipher", "salsa20")["rows"]
    ours = {(row["cipher"], row["kernel"]) for row in rows if row["implementation"] == "runnel"}
    assert ours == {(name, chosen(name)) for name in ("rabbit", "salsa20")}
    assert {row["cipher"] for row in rows} == {"rabbit", "salsa20"}


def test_kernel_by_name_and_by_features():
    rows = measured("--cipher", "salsa20", "--kernel", "portable", "--operation", "stream")["rows"]
    assert {row["operation"] for row in rows} == {"stream"}
    assert [row["kernel"] for row in rows if row["implementation"] == "runnel"] == ["portable"]
    restricted = measured("--cipher", "salsa20", RUNNEL_CPU="none")
    assert restricted["machine"]["features"] == []
    assert {row["kernel"] for row in restricted["rows"]} == {"portable", ""}


@pytest.mark.parametrize("text", ["nonsense", "aes,nonsense"])
def test_an_unknown_feature_is_refused(text):
    for command in ([speed.ENGINE], [sys.executable, "-m", "runnel", "speed"]):
        done = subprocess.run(
            [*command, "--seconds", "0", "--cipher", "salsa20"],
            capture_output=True,
            text=True,
            env={**os.environ, "RUNNEL_CPU": text},
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1 and "'nonsense'" in done.stderr and "ssse3, aes, avx2" in done.stderr


def test_table():
    done = call("--seconds", "0", "--cipher", "salsa20", "--cipher", "rabbit")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for expected in ("16 KiB", "GB/s", "GHz", "\nsalsa20 ", "\nrabbit ", f"\n  runnel {chosen('rabbit')} "):
        assert expected in done.stdout
    first, _, rest = done.stdout.partition("\n\n")
    assert first.startswith("Messages of 16 KiB") and "\n  rabbit " in first and "GHz" in rest
    brief = call("--seconds", "0", "--cipher", "salsa20", "--brief")
    assert brief.stdout.startswith("Messages of 16 KiB") and len(brief.stdout.splitlines()) == 4


def test_aeads():
    """Messages and keys, when they are named, among the recommended ones."""
    rows = measured("--cipher", "aes-128-gcm", "--cipher", "ascon-aead128")["rows"]
    assert {row["operation"] for row in rows} == {"key", "message"}
    names = dict.fromkeys(row["cipher"] for row in rows)
    assert list(names) == ["aes-128-gcm", "ascon-aead128"]
    kernels = {name: next(k.name for k in runnel.aeads()[name].kernels if k.chosen) for name in names}
    ours = [row for row in rows if row["implementation"] == "runnel"]
    assert {(row["cipher"], row["kernel"]) for row in ours} == set(kernels.items())
    done = call("--seconds", "0", "--cipher", "AES-128-GCM", "--operation", "message")
    assert done.returncode == 0, done.stderr
    assert "\nrecommended\n  aes-128-gcm " in done.stdout and f"\n  runnel {kernels['aes-128-gcm']} " in done.stdout


def test_batch():
    rows = measured("--batch", "8", "--cipher", "rabbit", "--cipher", "chacha20")["rows"]
    assert {row["implementation"] for row in rows} == {"runnel, 8 one by one", "runnel, 8 at once"}
    assert {(row["operation"], row["bytes"]) for row in rows} == {("iv", 0), ("message", 1024), ("message", 131072)}
    done = call("--seconds", "0", "--batch", "3", "--cipher", "rabbit", "--all-kernels")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("rabbit ")]
    assert [line[1] for line in lines] == [kernel.name for kernel in CIPHERS["rabbit"].kernels if kernel.available]
    assert all(len(line) == 2 + 3 * 3 for line in lines)


def test_a_line_says_that_it_measures():
    assert call("--seconds", "1", "--cipher", "salsa20", "--operation", "iv").stderr == "measuring, about 1 s\n"
    assert call("--seconds", "1", "--cipher", "salsa20", "--operation", "iv", "-q").stderr == ""


def test_batch_of_an_operation():
    for operation in ("message", "iv"):
        done = call("--seconds", "0", "--batch", "8", "--cipher", "rabbit", "--operation", operation)
        [line] = [line.split() for line in done.stdout.splitlines() if line.startswith("rabbit ")]
        assert done.returncode == 0 and len(line) > 4


# What it refuses


@pytest.mark.parametrize(("arguments", "words"), [
    (["--cipher", "rot13"], "no cipher is called 'rot13'"),
    (["--cipher", "rabbit", "--kernel", "magic"], "rabbit has no kernel 'magic'"),
    (["--cipher", "aes-128-gcm", "--kernel", "magic"], "aes-128-gcm has no kernel 'magic'"),
    (["--cipher", "aes-128-gcm", "--batch", "2"], "--batch is for ciphers"),
    (["--operation", "decrypt"], "decrypt"),
    (["--seconds", "-1"], "-1"),
    (["--kernel", "portable", "--all-kernels"], "exclude"),
    (["--batch", "1"], "1"),
    (["--batch", "8", "--operation", "stream"], "--batch measures --operation iv and message alone"),
    (["--fast"], "--fast"),
])  # fmt: skip
def test_usage(arguments, words):
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr and "Traceback" not in done.stderr


def test_missing_engine():
    with pytest.raises(speed.MeasuringError, match="no-engine: No such file"):
        speed.measure(["rabbit"], engine="/nowhere/no-engine")


SODIUM = """
#include <string.h>
int sodium_init(void) { return 0; }
const char *sodium_version_string(void) { return "9.9"; }
static int xor_zero(unsigned char *out, const unsigned char *in, unsigned long long bytes)
{
    memcpy(out, in, bytes);
    return RESULT;
}
int crypto_stream_salsa20_xor_ic(unsigned char *out, const unsigned char *in, unsigned long long bytes,
    const unsigned char *nonce, unsigned long long block, const unsigned char *key)
{ (void)nonce; (void)block; (void)key; return xor_zero(out, in, bytes); }
#ifndef CUT
int crypto_stream_chacha20_ietf_xor_ic(unsigned char *out, const unsigned char *in, unsigned long long bytes,
    const unsigned char *nonce, unsigned block, const unsigned char *key)
{ (void)nonce; (void)block; (void)key; return xor_zero(out, in, bytes); }
#endif
"""


def plant(folder: Path, *options: str) -> str:
    """Builds a libsodium whose ciphers leave the text as it is."""
    (folder / "sodium.c").write_text(SODIUM)
    command = ["cc", "-shared", "-fPIC", *options, "-o", folder / "libsodium.so.23", folder / "sodium.c"]
    subprocess.run(command, check=True)
    return str(folder)


@pytest.mark.parametrize("cipher", ["salsa20", "chacha20"])
def test_wrong_bytes_are_refused(tmp_path, cipher):
    done = call("--json", "--seconds", "0", "--cipher", cipher, LD_LIBRARY_PATH=plant(tmp_path, "-DRESULT=0"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"{cipher}: runnel ({chosen(cipher)}) and libsodium 9.9 do not agree: a message of" in done.stderr
    assert "from byte 0 on" in done.stderr


def test_failing_library_is_refused(tmp_path):
    done = call("--json", "--seconds", "0", "--cipher", "salsa20", LD_LIBRARY_PATH=plant(tmp_path, "-DRESULT=-1"))
    assert done.returncode == 1
    assert done.stdout == ""
    assert "libsodium 9.9 do not agree: a message of 1 bytes fails" in done.stderr


@pytest.mark.parametrize("absent", ["empty", "cut"])
def test_library_that_does_not_load_is_left_out(tmp_path, absent):
    if absent == "empty":
        (tmp_path / "libsodium.so.23").touch()
    else:
        plant(tmp_path, "-DRESULT=0", "-DCUT")
    rows = measured("--cipher", "salsa20", LD_LIBRARY_PATH=str(tmp_path))["rows"]
    assert not [row for row in rows if row["implementation"].startswith("libsodium")]


# What is made of the rows


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
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


def test_targets(bench, invented, tmp_path, monkeypatch):
    targets = bench("targets")
    rows = targets.judged({"everything": invented})
    assert ["aes-128-ctr", "16 KiB", "1.25 times libgcrypt", "1.20, MISSED"] in rows
    assert ["aes-128-ctr", "16 KiB", "2.60 times OpenSSL", "3.00, met"] in rows
    assert ["seed-ctr", "1 KiB", "8.00 times the best library", "not measured here"] in rows
    monkeypatch.setattr(targets.tables, "RESULTS", tmp_path)
    folder = targets.write({"everything": invented}, rows)
    assert folder == tmp_path / "amd-epyc-family-26-model-2"
    assert json.loads((folder / "speed.json").read_text()) == invented
    text = (folder / "speed.md").read_text()
    assert "| **runnel** `vaes` | 0.122 | 60 | 1.50 |" in text
    assert "| aes-128-ctr | 16 KiB | 2.60 times OpenSSL | 3.00, met |" in text


def test_headline(bench, invented, tmp_path):
    headline = bench("headline")
    (tmp_path / "speed.json").write_text(json.dumps(invented))
    assert "| `aes-128-ctr` | 0.122 | 1.5 | libgcrypt 1.10.1, 0.146 | 1.20 |" in headline.headline(tmp_path)
    (tmp_path / "speed-no-avx512.json").write_text(json.dumps(invented))
    assert "1.20 |  |  | 1.20 |" in headline.headline(tmp_path)
