# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--cipher and --kernel select what a change can break, and nothing of other ciphers; an unknown name is an error."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
import selection
from c_programs import ROOT, kernels
from runnel_lab import subjects
from test_c_aeads import NAMES as AEADS

RABBIT = selection.SRC / "ciphers" / "rabbit"


def pytest_of(*options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, env=environment)


@pytest.fixture(scope="module")
def of_rabbit() -> list[str]:
    done = pytest_of("--cipher", "rabbit")
    assert done.returncode == 0, done.stdout + done.stderr
    return [re.sub(r"^(\w+/)?tests/", "", line) for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize(
    "begins",
    [
        "test_vectors.py::test_selection[rabbit]",
        "test_c_properties.py::test_properties[rabbit/portable]",
        "test_c_properties.py::test_dispatch[rabbit]",
        "test_c_residue.py::test_nothing_is_left[",
        "test_c_constant_time.py::test_constant_time[valgrind]",
        "test_c_sanitizers.py::test_properties[rabbit-",
        "test_c_peers.py::test_same_bytes[rabbit-",
        "test_cipher_facts.py::test_the_descriptor[rabbit]",
        "test_cli_vectors.py::test_every_vector[rabbit]",
        "test_python_api.py::test_every_kernel_makes_the_same_bytes_in_any_pieces[rabbit",
        "test_lab_firmware.py::test_every_file_compiles_with_one_kernel_configured[",
        "test_format.py::test_c_is_formatted",
        *(
            f"test_lab_streams.py::test_kernel[{name}-rabbit-"
            for name in ("aarch64", "armv7", "avr", "cortex-m4", "rv32")
        ),
        "test_lab_constant_time.py::test_secrets_leave_no_trace[rv32-rabbit-rv32]",
    ],
)
def test_everything_about_a_cipher_is_selected(of_rabbit, begins):
    assert [test for test in of_rabbit if test.startswith(begins)]


def test_nothing_about_others_is_selected(of_rabbit):
    others = {name for folder, names in selection.names_by_folder().items() if folder != RABBIT for name in names}
    others |= {folder.name for folder in selection.names_by_folder() if folder != RABBIT}
    assert len(others) > 60 and len(of_rabbit) > 40
    words = re.compile(r"(?<![a-z0-9])(" + "|".join(map(re.escape, others)) + r")(?![a-z0-9])")
    wrong = [test for test in of_rabbit if words.search(test.partition("[")[2])]
    assert not wrong
    assert not [test for test in of_rabbit if test.startswith(("test_tink", "test_cli_sealed", "test_store"))]


@pytest.mark.parametrize(
    "options, message",
    [
        (("--cipher", "rabit"), "no cipher, MAC or AEAD is called rabit: did you mean rabbit?"),
        (("--cipher", "Salsa20"), "did you mean salsa20"),
        (("--cipher", "rabbit", "--kernel", "avx"), "no kernel of rabbit is called avx: did you mean "),
        (("--kernel", "thumb"), "no kernel is called thumb: did you mean thumb2"),
        (("--cipher", "?"), "there are aegis, "),
    ],
)
def test_an_unknown_name_is_an_error(options, message):
    done = pytest_of(*options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR and message in done.stderr


def test_only_the_campaign_runs_what_is_marked_for_it(of_rabbit):
    marked = "test_c_constant_time.py::test_constant_time[valgrind, clang 14's code]"
    done = pytest_of("--cipher", "rabbit", "--campaign", f"tests/{marked.partition('::')[0]}")
    assert f"tests/{marked}" in done.stdout.splitlines() and marked not in of_rabbit


def test_one_in_so_many():
    marked = [
        (each.values, [mark.name for mark in each.marks])
        for each in selection.one_in(2, ["a", pytest.param("b", 1, marks=pytest.mark.slow), "c", "d"])
    ]
    assert marked == [(("a",), []), (("b", 1), ["slow", "campaign"]), (("c",), []), (("d",), ["campaign"])]


def test_every_name_is_in_a_folder():
    known = {name for names in selection.names_by_folder().values() for name in names}
    assert known >= set(subjects.ciphers()) | set(subjects.macs()) | set(AEADS)


def test_every_kernel_is_in_the_list_of_its_folder():
    for folder, names in selection.names_by_folder().items():
        assert {k.name for k in kernels() if k.cipher in names} <= selection.kernels_of(folder), folder.name


def test_what_is_built_on_a_cipher_is_selected_with_it():
    chosen = selection.choose(["aes"], [])
    assert {"aes-192-cfb", "aes-256-ecb", "aes-cmac"} <= chosen.names
    assert {folder.name for folder in chosen.folders} >= {"aes", "aes_cmac"}
    assert not {"ghash", "aria-128-ctr", "rabbit"} & chosen.names


def test_an_aead_is_in_its_own_folder_and_in_its_ciphers():
    chosen = selection.choose(["gcm"], [])
    assert {"aes-128-gcm", "seed-gcm", "lea-256-gcm"} <= chosen.names
    assert not {"aes-128-ccm", "aes-128-gcm-siv", "aes-128-ctr", "ghash"} & chosen.names
    assert {"aes-128-gcm-siv", "aes-256-ccm"} <= selection.choose(["aes"], []).names
    assert "aria-128-gcm" in selection.choose(["ghash"], []).names
    for part in ("chacha20", "poly1305", "chacha20_poly1305"):
        chosen = selection.choose([part], [])
        assert {"chacha20-poly1305", "xchacha20-poly1305"} <= chosen.names and "ascon-aead128" not in chosen.names
    assert selection.choose(["aes-128-gcm"], []).names == {"aes-128-gcm"}


def test_one_name_of_a_folder_with_several():
    assert selection.choose(["salsa20-12"], []).names == {"salsa20-12"}
    assert selection.choose(["salsa20"], []).names == {"salsa20", "salsa20-12", "salsa20-8"}
    assert selection.choose(["aes-128-ctr"], []).names == {"aes-128-ctr", "aes-128-ecb"}
    assert selection.choose(["siphash-128"], []).names == {"siphash-128"}


def test_a_kernel_name_selects_the_ciphers_that_have_it():
    chosen = selection.choose([], ["vaes512"])
    assert "aes-128-ctr" in chosen.names and "rabbit" not in chosen.names
    assert chosen.takes(["aes-128-ctr"], ["vaes512"]) and chosen.takes(["aes-128-ctr"])
    assert not chosen.takes(["aes-128-ctr"], ["vaes"]) and not chosen.takes(["rabbit"], ["vaes512"])


def test_exact_names_and_no_parts():
    chosen = selection.choose(["py"], [])
    assert chosen.names == {"py"} and not chosen.takes(["phelix"])
    assert selection.choose([], []) is None
