# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Random messages of ciphers and AEADs through every kernel and through independent libraries (tests/c/peers), where these
are installed, and through the tests' own models (models/)."""

import re
import subprocess
import sys
import tomllib

import models
import pytest
import selection
from c_programs import BUILD, ROOT, build, check, ciphers

PEERS = {
    "openssl": "libssl-dev",
    "gcrypt": "libgcrypt20-dev",
    "sodium": "libsodium-dev",
    "botan": "libbotan-2-dev",
    "cryptopp": "libcrypto++-dev",
    "cryptx": "libcryptx-perl",
    "models": "python3",
    "bouncycastle": "a JDK (tools/fetch-peers)",
    "crates": "cargo (tools/fetch-peers)",
}
FETCHED = {"bouncycastle": "BouncyCastle.class", "crates": "runnel-peer-crates"}
HAVE = {
    "aes": ["openssl", "gcrypt", "botan", "cryptopp"],
    "aria": ["openssl", "botan", "cryptopp"],
    "chacha20": ["openssl", "gcrypt", "sodium", "botan", "cryptopp"],
    "grain-128": ["bouncycastle"],
    "hc-128": ["cryptopp", "bouncycastle"],
    "hight": ["cryptopp"],
    "lea": ["cryptopp", "bouncycastle"],
    "rabbit": ["cryptopp", "cryptx"],
    "salsa20": ["gcrypt", "sodium", "botan", "cryptopp"],
    "salsa20-12": ["gcrypt", "sodium", "cryptopp"],
    "salsa20-8": ["cryptopp", "cryptx"],
    "seed": ["gcrypt", "botan", "cryptopp"],
    "seed-cfb": ["openssl", "gcrypt", "botan", "cryptopp"],
    "sosemanuk": ["cryptopp", "cryptx"],
    "trivium": ["crates"],
}
PAIRS = [(cipher, peer) for cipher in ciphers() for peer in HAVE.get(cipher) or HAVE.get(cipher.split("-")[0], [])]
PAIRS += [(cipher, "models") for cipher in ciphers() if cipher in models.ENCRYPT]


def available(peer: str) -> bool:
    """Built, and what it needs to run is there."""
    fetched = FETCHED.get(peer)
    here = (build(BUILD) / f"runnel-peer-{peer}").exists()
    return here and (fetched is None or (BUILD / "peers" / fetched).exists())


def parameters(pairs: list[tuple[str, str]]) -> list:
    """Choose the tests' parameters. A virtual machine takes long to start: of each family one length of key, the others in
    the campaign."""
    cases = []
    for name, peer in pairs:
        rare = re.search("-(192|256)-", name) is not None
        marks = [pytest.mark.slow, *([pytest.mark.campaign] if rare else [])] if peer == "bouncycastle" else []
        cases.append(pytest.param(name, peer, id=f"{name}-{peer}", marks=marks))
    return cases


def messages_of(cipher: str, peer: str) -> int:
    """Return how many are compared: all in the campaign, a fifth in every run, a twentieth in `make check`."""
    if peer == "models":  # bit by bit
        most, share = {"mickey-128": 10}.get(cipher, 40), 1
    else:
        most = 2000 if peer in FETCHED else 3000 if cipher.endswith("-cfb") else 10000  # feedback mode is slow
        share = 1 if selection.campaign() else 5
    return max(most // (share if selection.scale() <= selection.SUITE_SCALE else 20), 2)


def compare(name: str, peer: str, messages: int, share: int) -> None:
    """share: one message in so many is compared at least."""
    if not available(peer):
        pytest.skip(f"{PEERS[peer]} is not installed")
    output = check(f"runnel-peer-{peer}", name, messages)
    counts = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" messages")]
    assert counts and all(count >= messages // share for count in counts), output


def modes(cipher: str, *names: str) -> list[str]:
    return [f"{cipher}-{n}-{mode}" for mode in names for n in ((128, 256) if mode == "gcm-siv" else (128, 192, 256))]


@pytest.mark.parametrize("cipher, peer", parameters(PAIRS))
def test_same_bytes(cipher, peer):
    compare(cipher, peer, messages_of(cipher, peer), 5)


# The AEADs of each: modes of block ciphers, and others by name.
AEADS = {
    "openssl": [*modes("aes", "gcm", "ccm", "siv"), *modes("aria", "gcm", "ccm"), "chacha20-poly1305"],
    "gcrypt": [*modes("aes", "gcm", "ccm", "gcm-siv", "siv"), "seed-gcm", "seed-ccm", "chacha20-poly1305"],
    "sodium": ["aes-256-gcm", "chacha20-poly1305", "xchacha20-poly1305"],
    "botan": [*modes("aes", "gcm", "ccm", "siv"), *modes("aria", "gcm", "ccm"), "seed-gcm", "seed-ccm"],
    "cryptopp": [name for cipher in ("aes", "aria", "lea") for name in modes(cipher, "gcm", "ccm")],
}
AEADS["bouncycastle"] = ["ascon-aead128", "grain-128aead-v2", *modes("aes", "gcm-siv"), *modes("lea", "gcm", "ccm")]
AEADS["crates"] = ["ascon-aead128"]
AEADS["models"] = list(models.SEAL)
AEADS["botan"] += ["chacha20-poly1305", "xchacha20-poly1305"]
AEADS["cryptopp"] += ["seed-gcm", "seed-ccm", "chacha20-poly1305", "xchacha20-poly1305"]


@pytest.mark.parametrize("aead, peer", parameters([(aead, peer) for peer in AEADS for aead in AEADS[peer]]))
def test_same_ciphertext_and_tag(aead, peer):
    messages = 40 if peer == "models" or selection.scale() > selection.SUITE_SCALE else 400
    compare(aead, peer, messages, 8)


def test_a_long_message_of_another_program():
    """As in the campaign: its answer, in hexadecimal digits, is longer than 64 KiB."""
    output = check("runnel-peer-models", "py", 1, 1, 2)
    [blocks, *_] = [int(line.split()[-2]) for line in output.splitlines() if line.endswith(" blocks")]
    assert 2 * 8 * blocks > 1 << 16, output


def test_what_is_fetched_is_pinned():
    tool = (ROOT / "tools" / "fetch-peers").read_text()
    assert re.search(r'^SHA256 = "[0-9a-f]{64}"$', tool, re.MULTILINE)
    crates = tomllib.loads((ROOT / "tests" / "c" / "peers" / "crates" / "Cargo.lock").read_text())["package"]
    assert all("checksum" in crate for crate in crates if crate["name"] != "runnel-peer-crates") and len(crates) > 2


def test_fetching_without_compilers(tmp_path):
    """Says what is missing, and is no error: those tests skip."""
    command = [sys.executable, ROOT / "tools" / "fetch-peers", tmp_path / "peers"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, text=True, capture_output=True)
    assert done.returncode == 0 and list((tmp_path / "peers").iterdir()) == []
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        "javac is not installed",
        "cargo is not installed",
    ]
