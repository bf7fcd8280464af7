# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenSSL's own tests of its ciphers, through Runnel's provider: what passes with OpenSSL's ciphers passes with ours.

The sources are those of Debian's package, which apt downloads into the build directory and compares with its signed index
(15 MB); nothing is installed. The tests are compiled from them and linked with the libcrypto that is installed, whose
version may be an older one: tests of what was corrected since then fail on it with either provider."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from c_programs import BUILD
from openssl_program import configuration, module, refusing_module

pytestmark = [pytest.mark.campaign, pytest.mark.slow, pytest.mark.of("aes", "aria", "chacha20", "chacha20_poly1305")]

HOME = BUILD / "openssl-own"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SOURCES = """\
deb-src [signed-by={key}] http://deb.debian.org/debian {release} main
deb-src [signed-by={key}] http://deb.debian.org/debian-security {release}-security main
"""


def apt(*arguments: str | Path) -> subprocess.CompletedProcess:
    """apt-get with lists and sources of its own, so that it changes nothing of the system's."""
    options = {
        "Dir::Etc::sourcelist": HOME / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": HOME / "lists",
        "Dir::Cache": HOME / "cache",
        "APT::Sandbox::User": "root",
    }
    settings = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    return subprocess.run(["apt-get", *settings, *arguments], cwd=HOME, capture_output=True, text=True, timeout=600)


def sources() -> Path:
    """Return the folder of OpenSSL's sources; skips where they cannot be had."""
    if not (found := sorted(HOME.glob("openssl-*/"))):
        release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
        if not KEYRING.exists() or release is None:
            pytest.skip("the sources are those of Debian's package, and this is not Debian")
        for folder in ("lists/partial", "cache/archives/partial"):
            (HOME / folder).mkdir(parents=True, exist_ok=True)
        (HOME / "sources.list").write_text(SOURCES.format(key=KEYRING, release=release[1]))
        for command in (["update"], ["source", "--tar-only", "openssl"]):
            if (done := apt("-qq", *command)).returncode != 0:
                pytest.skip(f"apt-get cannot download OpenSSL's sources: {done.stderr.strip()[-300:]}")
        subprocess.run(["tar", "xf", next(HOME.glob("openssl_*.orig.tar.*z"))], cwd=HOME, check=True)
        found = sorted(HOME.glob("openssl-*/"))
    return found[-1]


def compiled(name: str, *libraries: str) -> Path:
    """Compile one of OpenSSL's test programs."""
    home = sources()
    common = [*(home / "test" / "testutil").glob("*.c"), home / "apps" / "lib" / "opt.c"]
    includes = [f"-I{home / folder}" for folder in ("test", "include", ".", "apps/include")]
    objects = HOME / "objects"
    if not objects.exists():
        (HOME / "objects.new").mkdir(exist_ok=True)
        subprocess.run(["cc", "-w", "-O1", "-c", *includes, *common], cwd=HOME / "objects.new", check=True)
        (HOME / "objects.new").rename(objects)
    archive = HOME / "testutil.a"  # of which a test's own functions take the place
    subprocess.run(["ar", "rcs", archive, *objects.glob("*.o")], check=True)
    program = HOME / name
    command = ["cc", "-w", "-O1", *includes, home / "test" / f"{name}.c", archive, *libraries, "-lpthread", "-ldl"]
    done = subprocess.run([*command, "-o", program], capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stderr[-3000:]}"
    return program


@pytest.fixture(scope="module")
def configured(tmp_path_factory) -> dict[str, Path]:
    """OpenSSL's ciphers; Runnel's before them; and Runnel's in a module that refuses every key."""
    folder = tmp_path_factory.mktemp("configured")
    theirs = folder / "openssl.cnf"
    theirs.write_text("openssl_conf = init\n[init]\nproviders = all\n[all]\ndefault = one\n[one]\nactivate = 1\n")
    return {
        "OpenSSL": theirs,
        "Runnel": configuration(folder, module()),
        "refusing": configuration(folder, refusing_module()),
    }


def output(program: Path, *arguments: str | Path, configured: Path) -> str:
    environment = os.environ | {"OPENSSL_CONF": str(configured)}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


def completed(output: str) -> tuple[int, int, int]:
    """Return, of a file of vectors, how many tests there were, were wrong, and were left out."""
    counts = re.search(r"Completed (\d+) tests with (\d+) errors and (\d+) skipped", output)
    assert counts, output[-2000:]
    return tuple(map(int, counts.groups()))


def test_vectors(configured):
    """evp_test, with all of its files."""
    program = compiled("evp_test", "-lcrypto")
    files = sorted((sources() / "test" / "recipes" / "30-test_evp_data").glob("*.txt"))
    counts = {
        who: {file.name: completed(output(program, "-config", each, file, configured=each)) for file in files}
        for who, each in configured.items()
    }
    assert counts["Runnel"] == counts["OpenSSL"]
    assert sum(tests for tests, _, _ in counts["Runnel"].values()) > 5000
    refused = {name for name, (_, wrong, _) in counts["refusing"].items() if wrong > counts["OpenSSL"][name][1]}
    assert {f"evpciph_{name}.txt" for name in ("aes_ccm_cavs", "aes_common", "aria", "chacha")} <= refused


def passed(program: Path, configured: Path) -> Iterator[str]:
    """Return the names of tests that pass, with the number of the iteration, each in a process of its own: some end in a
    crash."""
    listed = re.findall(r"^(\d+) - (\w+)", output(program, "-list", configured=configured), re.MULTILINE)
    assert listed
    for number, name in listed:
        report = output(program, "-test", number, configured=configured)
        yield from (f"{name} {iteration}" for iteration in re.findall(r"^ *ok \d+ - (.*)", report, re.MULTILINE))


def test_orders_of_calls(configured):
    """IVs in any order, after another, of another length, and what is read of them; messages without text."""
    program = compiled("evp_extra_test", "-l:libcrypto.a")  # it calls what only the archive shows
    passes = {who: set(passed(program, each)) for who, each in configured.items()}
    # It opens a message of ChaCha20-Poly1305 and sets no tag: docs/openssl.md names that under its limits.
    assert passes["OpenSSL"] - passes["Runnel"] == {"test_decrypt_null_chunks test_decrypt_null_chunks"}
    assert "test_gcm_reinit iteration 1" in passes["Runnel"] - passes["refusing"]


def test_gcm(configured):
    program = compiled("aesgcmtest", "-lcrypto")
    passes = {who: set(passed(program, each)) for who, each in configured.items()}
    assert passes["Runnel"] == passes["OpenSSL"] > passes["refusing"]
