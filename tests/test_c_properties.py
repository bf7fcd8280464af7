# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The properties of the C library, for every cipher through every kernel (tests/c/properties.c)."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import selection
from c_programs import ROOT, Kernel, check, ciphers, kernels, run

PROPERTIES = [
    "lengths",
    "alignments",
    "guard",
    "overlap",
    "splits",
    "machine",
    "random",
    "seek",
    "boundaries",
    "limits",
    "parameters",
    "errors",
    "wipe",
    "sensitivity",
    "abi",
    "directions",
    "blocks",
    "nonces",
    "batch",
    "keys",
    "places",
    "tails",
    "packets",
    "ahead",
]
OF_DIRECTIONAL_CIPHERS = ["parameters", "abi", "directions", "keys", "places", "packets"]
SEED = os.environ.get("RUNNEL_TEST_SEED", "1")
SCALE = ["--scale", str(selection.scale())]
FEATURES = ["ssse3", "aes", "avx2", "vaes", "avx512", "gfni", "clmul", "vclmul", "ifma", "sha"]  # of x86


def counted(output: str) -> dict[str, int]:
    """Checks by property, of a program that was asked for all."""
    found: dict[str, int] = {}
    name = ""
    for line in output.splitlines():
        if line.endswith(" checks"):
            found[name] = found.get(name, 0) + int(line.split()[-2])
        elif re.fullmatch("[a-z]+", line):
            name = line
    return found


def of(kernel: Kernel) -> set[str]:
    return set(OF_DIRECTIONAL_CIPHERS if kernel.directional else PROPERTIES)


@pytest.mark.parametrize("kernel", kernels(), ids=str)
def test_properties(kernel):
    """All in one process: starting so many would take longer than many of them do."""
    kernel.need()
    done = check("runnel-properties", "all", "--cipher", kernel.cipher, "--kernel", kernel.name, "--seed", SEED, *SCALE)
    found = counted(done)
    assert set(found) == of(kernel)
    assert all(found.values()), found


def test_counts_of_32_bits_end_before_they_begin_again(tmp_path):
    """RUNNEL_COUNT_BITS=32 where one call may have more blocks than that: an error, and not the keystream once more."""
    core = [ROOT / f"src/core/{name}.c" for name in ("choose", "cpu", "counter", "driver", "packet", "wipe")]
    flags = ["-std=c11", "-O1", "-DRUNNEL_COUNT_BITS=32", f"-I{ROOT / 'src'}", f"-I{ROOT / 'include'}"]
    subprocess.run(["cc", *flags, ROOT / "tests/c/count_32.c", *core, "-o", tmp_path / "count-32"], check=True)
    done = subprocess.run([tmp_path / "count-32"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_abi_checker_reports_each_planted_corruption():
    assert "checks" in check("runnel-properties", "corrupters")


@pytest.mark.parametrize("cipher", ciphers())
def test_dispatch(cipher):
    """Under every subset of features the right kernel is chosen, and it gives the right bytes."""
    assert "feature sets" in check("runnel-properties", "dispatch", "--cipher", cipher)


def cpu_features() -> list[str]:
    """Return the features by the kernel of the operating system, which knows nothing of Runnel's own detection."""
    flags = set()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":")[1].split())
            break
    avx2 = "avx2" in flags
    found = {
        "ssse3": "ssse3" in flags,
        "aes": {"aes", "sse4_1", "ssse3"} <= flags,
        "avx2": avx2,
        "vaes": avx2 and {"vaes", "aes"} <= flags,
        "avx512": avx2 and {"avx512f", "avx512bw", "avx512dq", "avx512vl"} <= flags,
        "gfni": avx2 and "gfni" in flags,
        "clmul": {"pclmulqdq", "sse4_1", "ssse3"} <= flags,
        "vclmul": avx2 and {"pclmulqdq", "vpclmulqdq"} <= flags,
        "ifma": avx2 and {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma"} <= flags,
        "sha": {"sha_ni", "sse4_1", "ssse3"} <= flags,
    }
    return [name for name in FEATURES if found[name]]


SETS = ["all", "none", ""] + FEATURES + [",".join(FEATURES[:n]) for n in range(2, len(FEATURES) + 1)]
SETS += ["aes,avx2,vaes", "vaes,nonsense,aes", "nonsense"]


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="no /proc/cpuinfo to compare with")
@pytest.mark.parametrize("allowed", SETS)
def test_environment_variable(allowed):
    """RUNNEL_CPU restricts the features to those it names."""
    wanted = [f for f in cpu_features() if allowed in ("all", "") or f in allowed.split(",")]
    check("runnel-properties", "environment", ",".join(wanted), RUNNEL_CPU=allowed)
    listed = list(map(str.split, check("runnel-properties", "list", RUNNEL_CPU=allowed).splitlines()))
    available = {(cipher, name) for cipher, name, _, _, is_available, *_ in listed if is_available == "1"}
    assert available == {(k.cipher, k.name) for k in kernels() if {*k.features} <= {*wanted}}
    assert {cipher for cipher, *_ in available} == {k.cipher for k in kernels()}


@pytest.mark.parametrize(
    "text, unknown",
    [
        ("nonsense", "nonsense"),
        ("vaes,nonsense,aes", "nonsense"),
        ("aes,one,two", "one"),
        ("AES", "AES"),
        ("aes,x", "x"),
        ("aes, avx2", " avx2"),
        ("aes;avx2", "aes;avx2"),
        ("ae", "ae"),
        ("aess", "aess"),
        ("aes,all", "all"),
        ("none,aes", "none"),
        ("avx512f", "avx512f"),
        ("", None),
        ("all", None),
        ("none", None),
        ("aes,", None),
        (",", None),
        ("neon", None),
        ("neon,aes,gfni,avx512,vaes,avx2,ssse3", None),
    ],
)
def test_unknown_words(text, unknown):
    """RUNNEL_CPU's first unknown word is told, from the environment and from an argument; a name of another processor's
    feature is known. The library itself continues with the names that it knows."""
    expected = "" if unknown is None else f"unknown: {unknown}\n"
    assert check("runnel-properties", "unknown", RUNNEL_CPU=text) == expected
    assert check("runnel-properties", "unknown", text, RUNNEL_CPU="elsewhere") == expected
    assert check("runnel-properties", "unknown") == ""


def test_bad_arguments_are_refused():
    assert run("runnel-properties", "no-such-property").returncode == 2
    assert run("runnel-properties", "lengths", "--cipher", "no-such-cipher").returncode == 77
