# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`runnel speed`: what it prints, what it refuses, and that a library with other bytes is never measured. No test
looks at a time."""

import ctypes.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import runnel
from runnel_lab import speed

BENCH = Path(__file__).resolve().parents[2] / "bench"
CIPHERS = runnel.ciphers()
ROW = {"cipher", "implementation", "kernel", "operation", "bytes", "cycles_per_byte", "cycles", "gb_per_s"}
MEASURED = {("key", 0), ("iv", 0), ("stream", 65536), *(("message", n) for n in (16, 128, 1024, 16384))}
SIZES = (16, 64, 128, 256, 1024, 1500, 4096, 16384, 65536)
FULL = {("key", 0), ("iv", 0), *((mode, n) for mode in ("message", "stream", "new-key") for n in SIZES)}


def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "runnel", "speed", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "RUNNEL_SPEED_NEWEST": "none", **variables},
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


# Output


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


def test_default_is_the_chosen_kernel_only():
    rows = measured("--cipher", "rabbit", "--cipher", "salsa20")["rows"]
    ours = {(row["cipher"], row["kernel"]) for row in rows if row["implementation"] == "runnel"}
    assert ours == {(name, chosen(name)) for name in ("rabbit", "salsa20")}
    assert {row["cipher"] for row in rows} == {"rabbit", "salsa20"}


def test_kernel_by_name_and_by_features():
    rows = measured("--cipher", "salsa20", "--kernel", "portable", "--operation", "Stream")["rows"]
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


def cells_of(rows, implementation: str, kernel: str = "") -> set:
    return {
        (row["operation"], row["bytes"])
        for row in rows
        if row["implementation"].startswith(implementation) and row["kernel"] == kernel
    }


def test_full():
    """Every size in every mode, of what runs by default; the other kernels as usual."""
    rows = measured("--full", "--all-kernels", "--cipher", "salsa20")["rows"]
    assert cells_of(rows, "runnel", chosen("salsa20")) == FULL
    assert cells_of(rows, "runnel", "portable") == MEASURED
    for cipher in ("trivium", "aes-128-cfb"):
        assert cells_of(measured("--full", "--cipher", cipher, "--operation", "new-key")["rows"], "runnel",
                        chosen(cipher)) == {("new-key", n) for n in SIZES}  # fmt: skip
    assert cells_of(measured("--cipher", "salsa20", "--operation", "new-key")["rows"], "runnel", chosen("salsa20")) == {
        ("new-key", n) for n in (16, 128, 1024, 16384)
    }


def test_full_of_aeads():
    """Going on is for those whose messages come in pieces, without their length."""
    names = ("chacha20-poly1305", "aes-128-ccm", "aes-128-gcm-siv")
    rows = measured("--full", *(word for name in names for word in ("--cipher", name)))["rows"]
    for name in names:
        kernel = next(k.name for k in runnel.aeads()[name].kernels if k.chosen)
        expected = {cell for cell in FULL if cell[0] != "iv" and (cell[0] != "stream" or name == names[0])}
        assert cells_of([row for row in rows if row["cipher"] == name], "runnel", kernel) == expected


def test_a_library_that_takes_whole_blocks_continues_by_whole_blocks(everything):
    rows = measured("--full", "--cipher", "salsa20", "--operation", "stream")["rows"]
    for library, wanted in (("libsodium", {64, 128, 256, 1024, 4096, 16384, 65536}), ("libgcrypt", set(SIZES))):
        if any(row["implementation"].startswith(library) for row in everything["rows"]):
            assert {n for _, n in cells_of(rows, library)} == wanted


def test_full_table():
    done = call("--seconds", "0", "--cipher", "salsa20", "--full", "-q")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    [heading] = [line.split() for line in lines if line.startswith(" continued")]
    names = ["16 B", "64 B", "128 B", "256 B", "1 KiB", "1,500 B", "4 KiB", "16 KiB", "64 KiB"]
    assert " ".join(heading) == "continued " + " ".join(names)
    assert [line for line in lines if line.startswith(" new key")] and [
        line for line in lines if line.startswith(" set-up")
    ]


def test_libraries_are_named_here_and_absent(tmp_path):
    (tmp_path / "libsodium.so.23").touch()
    machine = measured("--cipher", "salsa20", LD_LIBRARY_PATH=str(tmp_path), RUNNEL_SPEED_NEWEST=str(tmp_path))[
        "machine"
    ]
    assert "libsodium" in machine["libraries_absent"]
    assert "Botan, C interface," not in machine["libraries_absent"]  # it stands in for the classes
    assert (machine["newest"], machine["newest_absent"]) == ([], ["OpenSSL", "libgcrypt", "libsodium", "RustCrypto"])
    for name in PEERS:
        if name != "sodium" and ctypes.util.find_library(name):
            assert any(library.startswith(PEERS[name][0]) for library in machine["libraries"])


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


# Refusals


@pytest.mark.parametrize(("arguments", "words"), [
    (["--cipher", "rot13"], "unknown cipher 'rot13'"),
    (["--cipher", "rabbit", "--kernel", "magic"], "rabbit has no kernel 'magic'"),
    (["--cipher", "aes-128-gcm", "--kernel", "magic"], "aes-128-gcm has no kernel 'magic'"),
    (["--cipher", "aes-128-gcm", "--batch", "2"], "--batch is for ciphers"),
    (["--operation", "decrypt"], "decrypt"),
    (["--seconds", "-1"], "-1"),
    (["--kernel", "portable", "--all-kernels"], "cannot be used together"),
    (["--batch", "1"], "1"),
    (["--batch", "8", "--full"], "cannot be used together"),
    (["--batch", "8", "--operation", "stream"], "--batch measures --operation iv and message alone"),
    (["--fast"], "--fast"),
])  # fmt: skip
def test_usage(arguments, words):
    done = call(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr and "Traceback" not in done.stderr


def test_a_closed_output_is_noticed_before_anything_is_measured():
    """It would take longer than the test waits."""
    speed_of = [sys.executable, "-m", "runnel", "speed", "-q", "--seconds", "3600", "--cipher", "rabbit"]
    for more in ([], ["--brief"], ["--json"]):
        closed = ["sh", "-c", '"$@" >&-', "sh", *speed_of, *more]
        done = subprocess.run(closed, stderr=subprocess.PIPE, text=True, check=False, timeout=30)
        assert (done.returncode, done.stderr) == (1, "runnel: stdout: is closed\n")


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


def plant(folder: Path, *options: str, name: str = "libsodium.so.23") -> str:
    """Builds a libsodium whose ciphers leave the text as it is."""
    (folder / "sodium.c").write_text(SODIUM)
    command = ["cc", "-shared", "-fPIC", *options, "-o", folder / name, folder / "sodium.c"]
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


# The newest releases

NEWEST = BENCH / "newest_releases"
SHIM = """
#include <stdlib.h>
#include <string.h>
#include "shim.h"
#include <runnel/cipher.h>
void shim_version(char version[24]) { version[0] = 0; }
void *shim_open(const char *cipher, unsigned *flags, char version[32])
{
    const runnel_cipher *found = runnel_cipher_find(cipher);
    if (strcmp(cipher, "rabbit") != 0) return NULL;
    *flags = FLAW == 2 ? SHIM_KEY_WITH_IV : SHIM_STATELESS;
    strcpy(version, "stub 1.2.3");
    return calloc(1, found->context_bytes);
}
int shim_key(void *c, const uint8_t *key, size_t bytes, const uint8_t *iv, size_t iv_bytes)
{
    static const uint8_t other[8];
    int error = runnel_cipher_key(runnel_cipher_find("rabbit"), c, key, bytes, "portable");
    return error || FLAW != 2 || iv == NULL ? error : runnel_stream_iv(c, other, iv_bytes, RUNNEL_LAYOUT_DEFAULT);
}
int shim_iv(void *c, const uint8_t *iv, size_t bytes) { return runnel_stream_iv(c, iv, bytes, RUNNEL_LAYOUT_DEFAULT); }
int shim_process(void *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    int error = runnel_stream_xor(c, out, in, bytes);
    out[0] ^= FLAW == 1 || (FLAW == 3 && bytes == 1500);
    return error;
}
int shim_seal(void *c, const uint8_t *nonce, size_t nonce_bytes, uint8_t *out, const uint8_t *in, size_t bytes)
{ (void)c; (void)nonce; (void)nonce_bytes; (void)out; (void)in; (void)bytes; return 1; }
"""


def plant_shim(folder: Path, flaw: int) -> None:
    """Builds a RustCrypto that is our Rabbit."""
    build = Path(os.environ.get("RUNNEL_BUILD_DIR") or BENCH.parent / "build")
    (folder / "shim.c").write_text(SHIM)
    includes = [
        BENCH.parent / "lab" / "engine" / "peers",
        BENCH.parent / "include",
        build / "generated",
        build / "generated" / "runnel",
    ]
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", f"-DFLAW={flaw}", *(f"-I{path}" for path in includes)]
    command += ["-o", folder / "rustcrypto.so", folder / "shim.c", build / "librunnel.a"]
    subprocess.run(list(map(str, command)), check=True)


def test_newest_releases_are_measured_beside_the_system(tmp_path):
    """Through the C functions of their shim: a stand-in of ours."""
    plant_shim(tmp_path, 0)
    result = measured("--full", "--cipher", "rabbit", RUNNEL_SPEED_NEWEST=str(tmp_path))
    assert result["machine"]["newest"] == ["RustCrypto"]
    assert cells_of(result["rows"], "RustCrypto stub 1.2.3") == {
        cell for cell in FULL if cell[1]
    }  # no set-up of its own
    compared = speed.comparisons(result)["rabbit"]
    assert compared.best_peer(("message", 1024), newest=True)[0] == "RustCrypto stub 1.2.3"
    assert all(name != "RustCrypto stub 1.2.3" for name, _ in compared.peers(newest=False))


@pytest.mark.parametrize(("flaw", "words"), [
    (1, "a message of 1 bytes differs from byte 0"),
    (2, "a message under a new key of 64 bytes differs"),  # its IV is lost
    (3, "a stream that continues of 13423 bytes differs"),  # in pieces of 1,500 bytes
])  # fmt: skip
def test_wrong_bytes_are_refused_in_every_mode(tmp_path, flaw, words):
    plant_shim(tmp_path, flaw)
    done = call("--json", "--seconds", "0", "--cipher", "rabbit", RUNNEL_SPEED_NEWEST=str(tmp_path))
    assert done.returncode == 1 and done.stdout == ""
    assert f"RustCrypto stub 1.2.3 do not agree: {words}" in done.stderr


def test_the_newest_of_a_library_agrees_with_us_or_ends_the_run(tmp_path):
    folder = plant(tmp_path, "-DRESULT=0", name="libsodium.so")
    done = call("--json", "--seconds", "0", "--cipher", "salsa20", RUNNEL_SPEED_NEWEST=folder)
    assert done.returncode == 1 and "libsodium 9.9 do not agree" in done.stderr


def test_newest_releases_are_pinned():
    """Every crate with its hash, from the registry; the shim knows ciphers and AEADs of ours alone, each once."""
    crates = tomllib.loads((NEWEST / "Cargo.lock").read_text())["package"]
    outside = [crate for crate in crates if not crate["name"].startswith("newest-")]
    assert {"openssl-src", "libsodium-sys-stable", "aes-gcm"} <= {crate["name"] for crate in outside}
    assert all(re.fullmatch("[0-9a-f]{64}", crate["checksum"]) for crate in outside)
    source = "".join((NEWEST / "rustcrypto" / "src" / name).read_text() for name in ("stream.rs", "aead.rs"))
    names = re.findall(r'(?:ctr|cfb|stream|aead)!\(\s*"([a-z0-9-]+)"', source)
    assert len(names) == len(set(names)) and set(names) <= set(CIPHERS) | set(runnel.aeads())
    assert {"aes-128-ctr", "chacha20", "salsa20", "aria-128-ctr", "rabbit", "aes-256-gcm", "ascon-aead128"} <= set(
        names
    )


@pytest.mark.parametrize("cargo", ["absent", "old", "failing"])
def test_a_release_that_cannot_be_built_is_named(tmp_path, cargo):
    (tmp_path / "bin").mkdir()
    messages = {
        "old": "echo cargo 1.63.0",
        "failing": "[ $1 = --version ] && echo cargo 1.99.0 || { echo error: no net >&2; exit 101; }",
    }
    if cargo in messages:
        (tmp_path / "bin" / "cargo").write_text(f"#!/bin/sh\n{messages[cargo]}\n")
        (tmp_path / "bin" / "cargo").chmod(0o755)
    folder = tmp_path / "a" / "b" / "newest"
    folder.mkdir(parents=True)
    (folder / "libsodium.so").touch()  # of an earlier time
    done = subprocess.run(
        [sys.executable, BENCH / "build_newest.py", folder], text=True, capture_output=True,
        env={**os.environ, "https_proxy": "http://127.0.0.1:9", "no_proxy": "",
             "PATH": f"{tmp_path / 'bin'}:/bin" if cargo in messages else str(tmp_path / "bin")},
    )  # fmt: skip
    why = {"absent": "cargo: No such file", "old": "too old: 1.89 or newer", "failing": "error: no net"}[cargo]
    assert done.returncode == 1 and list(folder.iterdir()) == []
    lines = [line for line in done.stdout.splitlines() if "NOT BUILT" in line]
    assert [line.partition(":")[0] for line in lines] == ["OpenSSL", "libsodium", "RustCrypto", "libgcrypt"]
    assert all(why in line for line in lines[:3]) and "is at none of its places" in lines[3]


@pytest.mark.campaign
def test_the_newest_releases(tmp_path):
    """Builds them, and compares all that they have in common with us: nothing of it is recorded."""
    folder = tmp_path / "a" / "b" / "newest"
    done = subprocess.run([sys.executable, BENCH / "build_newest.py", folder], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout
    names = [word for name in runnel.aeads() for word in ("--cipher", name)]
    for arguments in ([], names):
        machine = measured(*arguments, RUNNEL_SPEED_NEWEST=str(folder))["machine"]
        assert machine["newest_absent"] == [] and len(machine["newest"]) == 4


def test_no_library_of_the_current_folder_is_loaded_where_the_program_does_not_know_its_own(tmp_path):
    """As without /proc: in the current folder anybody may have put one."""
    (tmp_path / "blind.c").write_text("long readlink(void) { return -1; }\n")
    (tmp_path / "planted.c").write_text(
        '#include <fcntl.h>\n__attribute__((constructor)) static void run(void) { creat("ran", 0600); }\n'
    )
    for name in ("blind", "planted"):
        command = ["cc", "-shared", "-fPIC", "-o", tmp_path / f"{name}.so", tmp_path / f"{name}.c"]
        subprocess.run(command, check=True)
    (tmp_path / "newest").mkdir()
    for name in ("runnel-speed-cryptopp", "runnel-speed-botan", "newest/libcrypto", "newest/libsodium"):
        (tmp_path / f"{name}.so").symlink_to(tmp_path / "planted.so")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RUNNEL_SPEED")}
    done = subprocess.run(
        [speed.ENGINE, "--cipher", "salsa20", "--seconds", "0"],
        cwd=tmp_path,
        env=environment | {"LD_PRELOAD": str(tmp_path / "blind.so")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()
