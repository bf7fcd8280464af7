# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider through EVP (tests/c/provider): beside OpenSSL's own ciphers, in any order of calls, in threads,
loaded and unloaded. test_openssl_programs.py has real programs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import runnel
import selection
from c_programs import BUILD, ROOT, build, check
from mutation import built, syntax
from openssl_program import (
    AEADS,
    HOME,
    KEYSTREAMS,
    OF_ALGORITHMS,
    SHORT,
    configuration,
    environment,
    module,
    under_valgrind,
)

# Programs that the short suite watches for values that nobody has written.
WATCHED = {
    "keystream": "seed-ctr",
    "keystream-machine": "aes-128-ctr",
    "aead": "aes-128-gcm",
    "aead-errors": "lea-128-ccm",
    "records": "chacha20-poly1305",
    "parameters": "aes-128-gcm-siv",
}


def run(test: str, *cipher: str, **variables: str) -> str:
    folder = build(BUILD, target="runnel-provider")
    return check("runnel-provider", module().parent, test, *cipher, folder=folder, **variables)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["keystream"])
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


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["keystream-machine"])
def test_keystreams_take_any_calls_as_openssl_does(algorithm):
    """Random calls on both: the same bytes, updated IV and place in the block after each."""
    run("keystream-machine", algorithm)


@pytest.mark.of("chacha20")
def test_chacha20_counts_in_64_bits():
    run("counter", "ChaCha20")


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["aead"])
def test_aeads(algorithm):
    """IVs and tags of all lengths, in pieces, from copies; every forgery is refused; OpenSSL's bytes where it has it."""
    run("aead", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["aead-errors"])
def test_aeads_refuse_what_makes_no_sense(algorithm):
    run("aead-errors", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["once"])
def test_no_order_of_calls_seals_twice_under_one_iv(algorithm):
    """Random calls, tags and records among them, of which no keystream comes a second time."""
    run("once", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["aead-machine"])
def test_aeads_take_any_calls_as_openssl_does(algorithm):
    run("aead-machine", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["differences"])
def test_differences_from_openssl_are_those_that_the_document_names(algorithm):
    run("differences", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["records"])
def test_records_of_tls_go_to_openssl_and_back(algorithm):
    run("records", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["parameters"])
def test_parameters(algorithm):
    """Integers in every form, negative ones are refused; bytes are never written beyond the room for them."""
    run("parameters", algorithm)


@pytest.mark.parametrize("algorithm", OF_ALGORITHMS["direct"])
def test_the_module_without_libcrypto(algorithm):
    """Lengths and room that libcrypto never hands on; used keystream is in no context, no secret in one that is freed."""
    run("direct", algorithm)


@pytest.mark.parametrize(("test", "algorithm"), WATCHED.items())
def test_nothing_depends_on_what_nobody_has_written(test, algorithm):
    """valgrind watches. The campaign has all algorithms."""
    done = under_valgrind(module(), test, algorithm)
    assert done.returncode == 0, done.stdout[-4000:]


def test_valgrind_sees_it_in_the_module(tmp_path):
    """If contexts were not zero when they are made."""
    source = (HOME / "provider.c").relative_to(ROOT)
    shutil.copytree(HOME, tmp_path / source.parent)
    syntax.patch(tmp_path / source, "provider_allocate", "memset($memory, 0, $head + $zeros);", "(void)$zeros;")
    planted = tmp_path / "runnel.so"
    module()
    built.linked(tmp_path, BUILD, built.PROVIDER, [str(source)], planted)
    done = under_valgrind(planted, "aead", "aes-128-gcm")
    assert "depends on uninitialised value" in done.stdout, done.stdout[-4000:]


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


def folder_of_modules() -> str:
    asked = ["pkg-config", "--variable=modulesdir", "libcrypto"]
    return subprocess.run(asked, check=True, text=True, capture_output=True).stdout.strip()


def test_a_static_program_unloads_the_legacy_provider(tmp_path):
    """It ends well, and errors keep their text. The steps: load, unload, error."""
    if not Path(folder_of_modules(), "legacy.so").exists():
        pytest.skip("OpenSSL's legacy provider is not installed")
    program, configured = tmp_path / "program", configuration(tmp_path, module())
    source = ROOT / "tests" / "c" / "provider" / "beside_legacy.c"
    subprocess.run(["cc", source, "-o", program, "-l:libcrypto.a", "-lpthread", "-ldl"], check=True)
    for steps in ("lu", "elu", "leu", "lue", "eluelue", "le"):
        done = subprocess.run(
            [program, steps], text=True, capture_output=True,
            env=environment(configured) | {"OPENSSL_MODULES": folder_of_modules()},
        )  # fmt: skip
        assert done.returncode == 0, f"{steps}: {done.returncode}, {done.stderr}"
        assert done.stdout == "key or IV not set\n" * steps.count("e"), steps


def test_installed_it_is_found(tmp_path):
    """`make install PROVIDER=ON`: the module where OpenSSL looks, and the configuration file as it stands."""
    module()
    modules = folder_of_modules()
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
