# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider through EVP (tests/c/provider): beside OpenSSL's own ciphers, in any order of calls, in threads,
loaded and unloaded. test_openssl_programs.py has real programs."""

import re
import subprocess

import pytest
import runnel
import selection
from c_programs import BUILD, ROOT, build, check
from openssl_program import AEADS, HOME, KEYSTREAMS, SHARED, SHORT, configuration, module

LONG = [name for name in KEYSTREAMS if name not in SHORT]


def run(test: str, *cipher: str, **variables: str) -> str:
    folder = build(BUILD, target="runnel-provider")
    return check("runnel-provider", module().parent, test, *cipher, folder=folder, **variables)


@pytest.mark.parametrize("algorithm", LONG)
def test_keystreams(algorithm):
    """In pieces, in place, from copies, with key and IV in any order; what is wrong is refused, with the library's words."""
    run("keystream", algorithm)


@pytest.mark.parametrize("algorithm", SHORT)
def test_short_keys_are_for_those_who_ask(algorithm, tmp_path):
    found = configuration(tmp_path, module(), "short-keys = yes\n")
    run("keystream", algorithm, RUNNEL_PROVIDER_CONFIGURATION=str(found))
    missing = configuration(tmp_path, module(), "short-keys = no\n")
    with pytest.raises(pytest.fail.Exception, match=f"the provider has no {algorithm}"):
        run("keystream", algorithm, RUNNEL_PROVIDER_CONFIGURATION=str(missing))


@pytest.mark.parametrize("algorithm", [name for name in LONG if SHARED.fullmatch(name)])
def test_keystreams_take_any_calls_as_openssl_does(algorithm):
    """Random calls on both: the same bytes, updated IV and place in the block after each."""
    run("keystream-machine", algorithm)


@pytest.mark.of("chacha20")
def test_chacha20_counts_in_64_bits():
    run("counter", "ChaCha20")


@pytest.mark.parametrize("algorithm", AEADS)
def test_aeads(algorithm):
    """IVs and tags of all lengths, in pieces, from copies; every forgery is refused; OpenSSL's bytes where it has it."""
    run("aead", algorithm)


@pytest.mark.parametrize("algorithm", AEADS)
def test_aeads_refuse_what_makes_no_sense(algorithm):
    run("aead-errors", algorithm)


@pytest.mark.parametrize("algorithm", [name for name in AEADS if SHARED.fullmatch(name)])
def test_aeads_take_any_calls_as_openssl_does(algorithm):
    run("aead-machine", algorithm)


@pytest.mark.parametrize("algorithm", [name for name in AEADS if SHARED.fullmatch(name)])
def test_records_of_tls_go_to_openssl_and_back(algorithm):
    run("records", algorithm)


@pytest.mark.parametrize("algorithm", [*LONG, *AEADS])
def test_parameters(algorithm):
    """Integers in every form, negative ones are refused; bytes are never written beyond the room for them."""
    run("parameters", algorithm)


@pytest.mark.parametrize("algorithm", [*LONG, *AEADS])
def test_the_module_without_libcrypto(algorithm):
    """Lengths and room that libcrypto never hands on; used keystream is in no context, no secret in one that is freed."""
    run("direct", algorithm)


def test_the_module_comes_and_goes():
    """1,000 times, in two library contexts; 50 times in `make check`."""
    loads = 1000 if selection.scale() <= selection.SUITE_SCALE else 50
    assert int(run("loads", RUNNEL_PROVIDER_LOADS=str(loads)).split()[1]) >= 3 * loads


def test_threads():
    run("threads")


def test_no_cipher_is_broken_and_short_keys_are_marked():
    text = (HOME / "algorithms.inc").read_text()
    for name in [*KEYSTREAMS, *AEADS]:
        described = runnel.ciphers().get(name) or runnel.aeads()[name]
        assert described.status != "broken"
        assert (f"SHORT(STREAM({name}" in text) == (name in SHORT)
    assert {int(bits) for bits in re.findall(r"^[A-Z]\w+\(\w+, (\d+)", text, re.MULTILINE)} == {128, 192, 256}


def test_the_module_shows_one_symbol_and_needs_no_libcrypto():
    """It serves programs with a libcrypto of their own, and beside another copy of the library."""

    def output(*command) -> str:
        return subprocess.run([*command, module()], check=True, text=True, capture_output=True).stdout

    assert [line.split()[-1] for line in output("nm", "-D", "--defined-only").splitlines()] == ["OSSL_provider_init"]
    assert set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d"))) <= {"libc.so.6", "ld-linux-x86-64.so.2"}


def test_installed_it_is_found(tmp_path):
    """`make install PROVIDER=ON`: the module where OpenSSL looks, and the configuration file as it stands."""
    module()
    modules = subprocess.run(
        ["pkg-config", "--variable=modulesdir", "libcrypto"], check=True, text=True, capture_output=True
    ).stdout.strip()
    done = subprocess.run(
        ["make", "-C", ROOT, "install", "PREFIX=/usr/local", f"DESTDIR={tmp_path}", f"BUILD={BUILD}", "PROVIDER=ON"],
        text=True, capture_output=True, env=None,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = tmp_path / "usr/local/share/runnel/runnel.cnf"
    listed = subprocess.run(
        ["openssl", "list", "-providers"],
        check=True, text=True, capture_output=True,
        env={"OPENSSL_CONF": str(found), "OPENSSL_MODULES": f"{tmp_path}{modules}"},
    ).stdout  # fmt: skip
    assert re.search(
        rf"name: Runnel\s+version: {re.escape((ROOT / 'VERSION').read_text().strip())}\s+status: active", listed
    )
