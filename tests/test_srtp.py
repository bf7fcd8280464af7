# SPDX-License-Identifier: Apache-2.0 OR MIT
"""SRTP packets, by the library itself and through libsrtp with its own types or with ours (tests/c/srtp): published vectors,
and random packets that must become the same bytes and meet the same fate. test_srtp_programs.py has a real program."""

import functools
import json
import os
import re
import shutil
import subprocess

import pytest
import selection
from c_programs import BUILD, ROOT, build, check, kernels

LIBSRTP = [  # what it has too
    "AES_CM_128_HMAC_SHA1_80",
    "AES_CM_128_HMAC_SHA1_32",
    "AES_192_CM_HMAC_SHA1_80",
    "AES_192_CM_HMAC_SHA1_32",
    "AES_256_CM_HMAC_SHA1_80",
    "AES_256_CM_HMAC_SHA1_32",
    "AEAD_AES_128_GCM",
    "AEAD_AES_256_GCM",
]
ONLY_LIBSRTP = [
    "+GCM_8",
    "+GCM_AUTHENTICATED_ONLY",
    "+CM_UNAUTHENTICATED",
    "+AUTHENTICATED_ONLY",
    "+ENCRYPTED_EXTENSIONS",
]
ONLY_OURS = [
    "SEED_CTR_128_HMAC_SHA1_80",
    "SEED_128_CCM_80",
    "SEED_128_GCM_96",
    *(f"ARIA_{bits}_CTR_HMAC_SHA1_{tag}" for bits in (128, 192, 256) for tag in (80, 32)),
    "AEAD_ARIA_128_GCM",
    "AEAD_ARIA_256_GCM",
]
VECTORS = json.loads((ROOT / "tests" / "vectors" / "srtp.json").read_text())
SEED = os.environ.get("RUNNEL_TEST_SEED", "5")
GOOD, REPLAYED, REFUSED = range(3)


def program():
    path = build(BUILD) / "runnel-srtp"
    if not path.exists():
        pytest.skip("libsrtp's headers are not installed")
    return path


@functools.lru_cache(maxsize=4)  # of 100,000 packets each has 70 MB
def trace(way: str, profile: str, packets: int, cpu: str = "all") -> list[tuple]:
    """Returns of every packet the side and kind, the result, libsrtp's status or None, and its bytes."""
    done = subprocess.run(
        [program(), "trace", way, profile, SEED, str(packets)],
        capture_output=True, env={"RUNNEL_CPU": cpu}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found, data, at = [], done.stdout, 0
    libsrtp = way in ("stock", "types")
    while at < len(data):
        kind, result = data[at : at + 2]
        status = data[at + 2] if libsrtp else None
        at += 2 + libsrtp
        text = b""
        if result == GOOD:
            end = at + 2 + int.from_bytes(data[at : at + 2], "big")
            text, at = data[at + 2 : end], end
        found.append((kind, result, status, text))
    return found


@pytest.fixture(scope="module")
def length():
    """Packets of a trace: 10,000 in all profiles together here, 100,000 in each in `make campaign`."""
    return 100_000 if selection.scale() <= 1 else 1_000


def test_the_profiles():
    rows = [line.split() for line in check(program(), "list").splitlines()]
    assert [row[0] for row in rows] == LIBSRTP + ONLY_OURS
    for name, key, salt, tag, rtcp_tag, context in rows:
        aead = "CM" in name.split("_")[-2:] or "GCM" in name
        assert int(key) * 8 == int(re.search(r"128|192|256", name)[0])
        assert int(salt) == (12 if aead or "CCM" in name else 14)
        assert 8 * int(tag) == int(re.search(r"_(80|32|96)$|$", name)[1] or 128)
        assert int(rtcp_tag) == max(int(tag), 10)
        assert int(context) < (4700 if "GCM" in name else 1200)


@pytest.mark.of("aes", "hmac-sha-1")
@pytest.mark.parametrize("profile", LIBSRTP + ONLY_LIBSRTP)
def test_libsrtp_with_our_types_is_libsrtp(profile, length):
    """Bytes and statuses, in both directions."""
    stock, ours = trace("stock", profile, length), trace("types", profile, length)
    assert stock == ours
    fates = {(kind >> 4, result) for kind, result, _, _ in stock}
    expected = {(0, 0), (0, 1), (1, 0), (1, 1)} | ({(1, 2)} if profile != "+CM_UNAUTHENTICATED" else set())
    assert fates >= expected, "packets sent, not sent again, received, refused as old, refused as damaged"


@pytest.mark.of("aes", "hmac-sha-1")
@pytest.mark.parametrize("profile", [name for name in LIBSRTP if "192" not in name])
def test_the_library_itself_is_libsrtp(profile, length):
    """Packets one by one: the same bytes, and the same are accepted. Not with AES-192, for which libsrtp 2 derives keys by
    AES-256 (corrected for version 3); RFC 6188's own are in test_key_derivation."""
    for (kind, result, _, text), (their_kind, theirs, _, their_text) in zip(
        trace("native", profile, length), trace("stock", profile, length), strict=True
    ):
        assert (kind, text) == (their_kind, their_text)
        # Of a damaged packet that came before libsrtp sees the latter, since it does not look at the version.
        assert result == theirs or (result, theirs) == (REFUSED, REPLAYED)


@pytest.mark.of("aes", "seed", "aria", "hmac-sha-1")
@pytest.mark.parametrize("cpu", ["all", "aes,clmul,ssse3,sha", "none"])
@pytest.mark.parametrize("profile", LIBSRTP + ONLY_OURS)
def test_batches(profile, cpu, length):
    """As one by one, with any kernels of this CPU; what was sent is what arrives."""
    single = trace("native", profile, length)
    assert trace("batch", profile, length, cpu) == single
    assert {(kind >> 4, result) for kind, result, _, _ in single} == {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)}


def names(vectors: list[dict]) -> list[str]:
    return [v["name"] for v in vectors]


@pytest.mark.of("aes", "seed", "aria", "hmac-sha-1")
@pytest.mark.parametrize("v", VECTORS["packets"], ids=names(VECTORS["packets"]))
def test_packets_under_session_keys(v):
    sent = check(
        program(), "session", v["profile"], v["kind"], v["ssrc"], v["start"], v["key"], v["salt"],
        v.get("authentication", "-"), v["packet"],
    )  # fmt: skip
    assert sent.strip() == v["sent"]


@pytest.mark.of("aes", "seed", "aria", "hmac-sha-1")
@pytest.mark.parametrize("v", VECTORS["derivations"], ids=names(VECTORS["derivations"]))
def test_key_derivation(v):
    """A packet under the derived keys is the same as one under the published keys; none is left on the stack."""
    check(program(), "derive", v["profile"], v["kind"], v["master"], v["key"], v["salt"], v.get("authentication", "-"))


def test_a_wrong_key_would_be_seen():
    v = dict(VECTORS["derivations"][0])
    v["salt"] = v["salt"][:-1] + ("0" if v["salt"][-1] != "0" else "1")
    done = subprocess.run(
        [program(), "derive", v["profile"], v["kind"], v["master"], v["key"], v["salt"], v["authentication"]],
        capture_output=True,
    )
    assert done.returncode == 1


@pytest.mark.of("aes", "seed", "aria", "hmac-sha-1")
def test_errors_change_nothing():
    """Also: no flipped bit of a packet passes, no index comes after the last, no copy of a packet is accepted in a batch, no
    right tag of a forged packet is left on the stack."""
    check(program(), "errors")


@pytest.mark.of("aes", "seed", "aria", "hmac-sha-1")
def test_constant_time():
    """Key set-up, packets and the comparison of their tags. Valgrind knows no AVX-512: the lanes are watched nowhere."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    output = check(program(), "secrets", wrapper=["valgrind", "-q", "--error-exitcode=9"])
    clean = [f"{name}: 0 branches or addresses depend on secrets" for name in LIBSRTP + ONLY_OURS]
    assert output.splitlines() == clean


def module():
    build(BUILD, target="runnel_libsrtp")
    return BUILD / "srtp" / "librunnel_srtp.so"


def test_the_preload_library_shows_two_symbols():
    if not program().exists():
        pytest.skip("libsrtp's headers are not installed")
    listed = subprocess.run(["nm", "-D", "--defined-only", module()], check=True, text=True, capture_output=True).stdout
    assert [line.split()[-1] for line in listed.splitlines()] == ["runnel_srtp_install", "srtp_init"]
    needed = subprocess.run(["readelf", "-d", module()], check=True, text=True, capture_output=True).stdout
    assert set(re.findall(r"\(NEEDED\).*\[(.+)\]", needed)) <= {"libsrtp2.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}


def test_preloaded_it_takes_the_place_of_libsrtps_types():
    done = subprocess.run(
        [program(), "trace", "stock", "AES_CM_128_HMAC_SHA1_80", "1", "1"],
        env={"LD_PRELOAD": str(module()), "RUNNEL_SRTP": "say"}, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"runnel: libsrtp took 6 of 6 types\n")


def test_installed_it_is_found(tmp_path):
    module()
    done = subprocess.run(
        ["make", "-C", ROOT, "install", "PREFIX=/usr/local", f"DESTDIR={tmp_path}", f"BUILD={BUILD}", "SRTP=ON"],
        text=True, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert (tmp_path / "usr/local/include/runnel/runnel_libsrtp.h").exists()
    assert len(list((tmp_path / "usr/local/lib").rglob("librunnel_srtp.so"))) == 1


@pytest.mark.of("aes", "hmac-sha-1")
def test_the_kernels_here_are_those_of_aes():
    """AES has contexts of its own for packets, with the list of kernels that all have."""
    assert "RUNNEL_LIST_KERNEL(on, runnel_aes_##name)" in (ROOT / "src/srtp/aes.c").read_text()
    assert {k.name for k in kernels() if k.cipher == "aes-128-ctr"}
