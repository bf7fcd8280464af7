# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The MACs of the C library (tests/c/macs), with arithmetic in words and in bytes: published vectors, properties,
comparison with independent implementations, and constant time by tool."""

import functools
import hashlib
import hmac
import os
import random
import shutil
import subprocess

import poly1305_model
import pytest
import selection
from c_programs import BUILD, ROOT, build, build_with, build_with_msan, check, each_compiler, run
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.poly1305 import Poly1305
from skips import processor_has

PROGRAMS = ["runnel-macs", "runnel-macs-bytes"]
NAMES = ["aes-cmac", "ghash", "hmac-sha-1", "hmac-sha-256", "poly1305", "siphash", "siphash-128"]
# Kernels of SHA-256 in order of preference, with the CPU features that they need.
SHA_256_KERNELS = {
    "avx512": {"avx512"},
    "avx512-ymm": {"avx512"},
    "shani-pair": {"sha"},
    "shani": {"sha"},
    "avx2": {"avx2"},
    "portable": set(),
}
VECTORS = sorted((ROOT / "src" / "macs").glob("*/vectors.txt"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_mac_is_here(program):
    assert [line.split()[0] for line in check(program, "list").splitlines()] == NAMES
    assert {path.parent.name for path in VECTORS} == {p.parent.name for p in (ROOT / "src" / "macs").glob("*/*.c")}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.parent.name)
def test_vectors(program, path):
    assert "vectors" in check(program, "vectors", path)


@pytest.mark.of(*NAMES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_properties(program):
    lines = check(program, "properties", "1").splitlines()
    assert len([line for line in lines if line.endswith("300 messages")]) == len(NAMES)
    has = processor_has()
    kernels = [name for name, needed in SHA_256_KERNELS.items() if needed <= has]
    assert [line.split()[1] for line in lines if line.endswith("in batches")] == [f"{name}:" for name in kernels]


def test_wrong_vector_is_reported(tmp_path):
    text = VECTORS[0].read_text().strip()
    (tmp_path / "wrong.txt").write_text(text[:-1] + ("0" if text[-1] != "0" else "1") + "\n")
    assert run("runnel-macs", "vectors", tmp_path / "wrong.txt").returncode == 1


def aes_cmac(key: bytes, message: bytes) -> bytes:
    mac = CMAC(algorithms.AES(key))
    mac.update(message)
    return mac.finalize()


def ghash(key: bytes, message: bytes) -> bytes:
    """GMAC's tag is GHASH, with the lengths at the end of its input, XOR an encrypted block. `key` is AES's."""
    return xor(AESGCM(key).encrypt(bytes(12), b"", message), aes(key, bytes(15) + b"\1"))


def aes(key: bytes, block: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def siphash(key: bytes, message: bytes, size: int) -> bytes:
    done = subprocess.run(
        [
            "openssl",
            "mac",
            "-macopt",
            f"hexkey:{key.hex()}",
            "-macopt",
            f"size:{size}",
            "-binary",
            "-in",
            "-",
            "SIPHASH",
        ],
        input=message,
        capture_output=True,
    )
    if done.returncode != 0:
        pytest.skip("openssl has no SipHash here")
    return done.stdout


THEIRS = {
    "aes-cmac": aes_cmac,
    "ghash": ghash,
    "hmac-sha-1": lambda key, message: hmac.digest(key, message, hashlib.sha1),
    "hmac-sha-256": lambda key, message: hmac.digest(key, message, hashlib.sha256),
    "poly1305": Poly1305.generate_tag,
    "siphash": functools.partial(siphash, size=8),
    "siphash-128": functools.partial(siphash, size=16),
}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", NAMES)
def test_against_independent_implementations(program, name):
    if name.startswith("siphash") and not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    rng = random.Random(name)
    lines, tags = [], []
    for _ in range(20 if name.startswith("siphash") else 200):
        key = rng.randbytes(
            {
                "aes-cmac": rng.choice([16, 24, 32]),
                "hmac-sha-1": rng.randrange(1, 150),
                "hmac-sha-256": rng.randrange(1, 150),
                "poly1305": 32,
            }.get(name, 16)
        )
        message = rng.randbytes(rng.choice([0, 1, 8, 15, 16, 17, 55, 56, 63, 64, 65, 128, rng.randrange(1000)]))
        tag = THEIRS[name](key, message)
        if name == "ghash":
            key, length = aes(key, bytes(16)), len(message)
            message += bytes(-length % 16) + (8 * length).to_bytes(8) + bytes(8)
        lines.append(f"{name} {key.hex() or '-'} {message.hex() or '-'} {len(tag)}\n")
        tags.append(tag.hex())
    done = subprocess.run([build(BUILD) / program, "tags"], input="".join(lines), text=True, capture_output=True)
    assert (done.returncode, done.stdout.split()) == (0, tags), done.stderr


@pytest.mark.of("hmac-sha-256")
@pytest.mark.parametrize("cpu", ["all", "avx512", "sha", "avx2", "none"])
def test_batches_against_hashlib(cpu):
    """Messages under one key in one call, through each kernel that this CPU runs."""
    rng = random.Random(cpu)
    lines, tags = [], []
    for count in [*range(1, 20), 33, 40]:
        key = rng.randbytes(rng.randrange(1, 150))
        for _ in range(count):
            message = rng.randbytes(rng.choice([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, rng.randrange(4000)]))
            lines.append(f"hmac-sha-256 {key.hex()} {message.hex() or '-'} 32\n")
            tags.append(hmac.digest(key, message, hashlib.sha256).hex())
    program = build(BUILD) / "runnel-macs"
    environment = os.environ | {"RUNNEL_CPU": cpu}
    done = subprocess.run(
        [program, "batch-tags"], input="".join(lines), text=True, capture_output=True, env=environment
    )
    assert (done.returncode, done.stdout.split()) == (0, tags), done.stderr


def check_extremes(command: list, **environment: str) -> None:
    """Poly1305 of messages that make its limbs as large as they get, by a program that answers to `tags`."""
    cases = list(poly1305_model.extremes())
    lines = "".join(f"poly1305 {key.hex()} {message.hex()} 16\n" for key, message in cases)
    done = subprocess.run([*command, "tags"], input=lines, text=True, capture_output=True, env=os.environ | environment)
    expected = [poly1305_model.tag(*case).hex() for case in cases]
    assert (done.returncode, done.stdout.split()) == (0, expected), done.stderr


@pytest.mark.of("poly1305")
@pytest.mark.parametrize("cpu", ["all", "avx2,avx512", "avx2", "none"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_poly1305_of_extremes(program, cpu):
    """Through each kernel that this CPU runs."""
    check_extremes([build(BUILD) / program], RUNNEL_CPU=cpu)


def check_hmac_sha_1(command: list, **environment: str) -> None:
    """Check every length up to three blocks, beside Python's, by a program that answers to `tags`."""
    rng = random.Random(1)
    cases = [(rng.randbytes(rng.choice([0, 20, 64, 65, 128, 200])), rng.randbytes(n)) for n in range(200)]
    lines = "".join(f"hmac-sha-1 {key.hex() or '-'} {message.hex() or '-'} 20\n" for key, message in cases)
    done = subprocess.run([*command, "tags"], input=lines, text=True, capture_output=True, env=os.environ | environment)
    expected = [hmac.digest(key, message, hashlib.sha1).hex() for key, message in cases]
    assert (done.returncode, done.stdout.split()) == (0, expected), done.stderr


@pytest.mark.of("hmac-sha-1")
@pytest.mark.parametrize("cpu", ["all", "none"])
def test_hmac_sha_1_by_each_kernel(cpu):
    """That this CPU runs."""
    check_hmac_sha_1([build(BUILD) / "runnel-macs"], RUNNEL_CPU=cpu)


@pytest.mark.every_cipher
@pytest.mark.parametrize("program", PROGRAMS)
@each_compiler
def test_constant_time(program, compiler):
    """Key set-up, message, tag and its comparison, all MACs in one process."""
    if not shutil.which("valgrind"):
        pytest.skip("valgrind is not installed")
    asked = [name for name in NAMES if selection.takes(name)]
    if not asked:
        pytest.skip("no MAC was asked for")
    done = run(
        program,
        "secrets",
        *asked,
        folder=build_with(compiler, *PROGRAMS),
        wrapper=["valgrind", "-q", "--error-exitcode=9"],
    )
    if done.returncode == 2:
        pytest.skip("built without valgrind's header")
    clean = [f"{name}: 0 branches or addresses depend on secrets" for name in asked]
    assert (done.returncode, done.stdout.splitlines()) == (0, clean)


@pytest.mark.builds
@pytest.mark.campaign
@pytest.mark.of("hmac-sha-256")
@pytest.mark.parametrize("cpu", ["all", "avx512", "sha"])
def test_constant_time_of_what_valgrind_does_not_know(cpu):
    """SHA-NI and AVX-512, by clang's MSan."""
    done = run("runnel-macs", "secrets", "hmac-sha-256", folder=build_with_msan(), RUNNEL_CPU=cpu)
    assert (done.returncode, done.stdout) == (0, "hmac-sha-256: 0 branches or addresses depend on secrets\n"), (
        done.stderr
    )
