# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The AEADs of the C library (tests/c/aeads), all from its registry and through every kernel: published vectors, those of
Wycheproof that must be refused, properties, comparison with independent implementations, and constant time by tool."""

import functools
import json
import random
import re
import subprocess

import pytest
import selection
from c_programs import BUILD, CAMPAIGN, ROOT, build, build_with_msan, check, run, valgrind
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, AESGCMSIV, AESSIV, ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC
from test_vectors import collection, complete_collection, of_the_collection

PROGRAM = "runnel-aeads"
WITH_KEYS = [f"{cipher}-{bits}" for cipher in ("aes", "aria", "lea") for bits in (128, 192, 256)]
NAMES = [f"{cipher}-{mode}" for cipher in (*WITH_KEYS, "seed") for mode in ("ccm", "gcm")]
NAMES += ["aes-128-gcm-siv", "aes-256-gcm-siv", "ascon-aead128", "chacha20-poly1305", "xchacha20-poly1305"]
NAMES += ["grain-128aead-v2", "aes-128-siv", "aes-192-siv", "aes-256-siv", "xaes-256-gcm"]
NAMES += [f"aegis-{bits}{lanes}" for bits, one in ((128, "l"), (256, "")) for lanes in (one, "x2", "x4")]


@functools.cache
def listed() -> list[list[str]]:
    return [line.split() for line in check(PROGRAM, "list").splitlines()]


def test_every_aead_is_here():
    assert sorted({line[0] for line in listed()}) == sorted(NAMES)


ANY = (1 << 64) - 1
TAGS = range(4, 17)
# By how a name ends: bytes of the shortest, the default and the longest nonce, lengths of tags, bytes of the longest text and
# of the longest associated data, messages under one key (0: as many as anybody can send).
FACTS = {
    "-gcm": (1, 12, 65535, (4, 8, *range(12, 17)), 2**36 - 32, 2**61 - 1, 2**32),
    "-ccm": (7, 12, 13, TAGS[::2], ANY, ANY, 2**32),
    "-gcm-siv": (12, 12, 12, [16], 2**36, 2**36, 2**32),
    "-siv": (0, 16, 65535, [16], 2**52, ANY, 2**48),
    "ascon-aead128": (16, 16, 16, TAGS, 2**54, 2**54, 2**48),
    "chacha20-poly1305": (12, 12, 12, [16], 64 * (2**32 - 1), ANY, 2**32),
    "xchacha20-poly1305": (24, 24, 24, [16], 64 * (2**32 - 1), ANY, 0),
    "grain-128aead-v2": (12, 12, 12, [8], 2**61 - 1, 2**32 - 1, 0),
    "xaes-256-gcm": (24, 24, 24, [16], 2**36 - 32, 2**61 - 1, 0),
}
for lanes in ("l", "x2", "x4"):
    FACTS[f"aegis-128{lanes}"] = (16, 16, 16, [16, 32], 2**61 - 1, 2**61 - 1, 2**48)
    FACTS[f"aegis-256{lanes.strip('l')}"] = (32, 32, 32, [16, 32], 2**61 - 1, 2**61 - 1, 0)


def test_facts_that_specifications_say():
    found = [line.split() for line in check(PROGRAM, "facts").splitlines()]
    assert [name for name, *_ in found] == [name for name, *_ in sorted(found)]
    for name, *numbers in found:
        *nonces, tags, text, aad, messages = FACTS[max((end for end in FACTS if name.endswith(end)), key=len)]
        bits = re.search("-(192|256)-", name)
        key = 32 if "chacha20" in name else (int(bits[1]) if bits else 128) // 8 * (2 if is_siv(name) else 1)
        key = ONE_KEY.get(name, key)
        assert list(map(int, numbers)) == [key, *nonces, sum(1 << tag % 32 for tag in tags), text, aad, messages], name


def aead_name(cipher: str, mode: str, key_bytes: int) -> str:
    if mode == "AEAD":
        return cipher.lower()
    if mode == "SIV":
        key_bytes //= 2
    family = {"SEED-128": "seed"}.get(cipher, f"{cipher.lower()}-{8 * key_bytes}")
    return f"{family}-{mode.lower()}"


ONE_KEY = {"ascon-aead128": 16, "grain-128aead-v2": 16, "xaes-256-gcm": 32}  # bytes of the only key
ONE_KEY |= {name: 16 if "128" in name else 32 for name in NAMES if name.startswith("aegis-")}


def key_refused(name: str, key_bytes: int) -> bool:
    return name not in NAMES or ONE_KEY.get(name, key_bytes) != key_bytes


def lines_of(data: dict) -> list[str]:
    """Return a file of vectors as the program reads it."""
    lines = []
    for v in data["vectors"]:
        aad = bytes(i % 256 for i in range(v["aad_len"])).hex() if "aad_rule" in v else v["aad"]
        name = aead_name(data["cipher"], data["mode"], len(v["key"]) // 2)
        nonce = v["iv"]
        if "mask_key" in v:  # Ascon's nonce masking is the caller's part
            nonce = f"{int(nonce, 16) ^ int(v['mask_key'], 16):0{len(nonce)}x}"
        fields = [v["key"], nonce, aad, v["plaintext"], v["ciphertext"], v["tag"]]
        if v["result"] == "invalid" and (len(v["tag"]) > 64 or key_refused(name, len(v["key"]) // 2)):
            continue  # longer than any tag, or no key of the AEAD: there is no call to refuse
        lines.append(" ".join([name, *(field or "-" for field in fields), str(int(v["result"] != "invalid"))]))
    return lines


def check_vectors(data: dict) -> None:
    lines = lines_of(data)
    done = subprocess.run(
        [build(BUILD) / PROGRAM, "vectors"], input="\n".join(lines) + "\n", text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    valid = sum(line.endswith(" 1") for line in lines)
    assert done.stdout == f"{valid} valid, {len(lines) - valid} invalid\n" and valid > 0


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.of(*selection.aeads_of(name))) for name in collection.AEAD]
)
def test_vectors(name):
    check_vectors(json.loads((ROOT / "tests" / "vectors" / "aead" / f"{name}.json").read_text()))


@of_the_collection
@pytest.mark.slow
def test_complete_collection():
    base = complete_collection()
    for name in collection.AEAD:
        check_vectors(collection.aead_file(base, name))


def test_wrong_vector_is_reported():
    data = json.loads((ROOT / "tests" / "vectors" / "aead" / "aes_gcm_spec.json").read_text())
    line = next(line for line in lines_of(data) if line.endswith(" 1"))
    for wrong in (line[:-1] + "0", line[:-3] + ("0" if line[-3] != "0" else "1") + " 1"):
        done = subprocess.run([build(BUILD) / PROGRAM, "vectors"], input=wrong + "\n", text=True, capture_output=True)
        assert done.returncode == 1, wrong


def test_properties():
    assert check(PROGRAM, "properties", "1").splitlines() == [f"{name}: ok" for name in sorted(NAMES)]


# AEADs that count blocks: the header of each, bytes of a nonce, a key and a block.
ENDS = [("aes_ccm", "ciphers/aes/aes.h", n, 16, 16) for n in (7, 10, 11, 13)]
ENDS += [("aes_gcm", "ciphers/aes/aes.h", 12, 16, 16)]
ENDS += [
    (family, "aead/chacha20_poly1305/chacha20_poly1305.h", n, 32, 64)
    for family, n in (("chacha20_poly1305", 12), ("xchacha20_poly1305", 24))
]


@functools.cache
def library_with(count_bits: int) -> list[str]:
    """Return the compiler's arguments for a library with block counts of so many bits: the one of this processor, or
    the portable kernels as firmware has them."""
    if count_bits == 64:
        build(BUILD)
        return [str(BUILD / "librunnel.a"), "-lm"]
    folder = BUILD / "tests" / "firmware-library"
    folder.mkdir(exist_ok=True)
    families = sorted({family for family, *_ in ENDS})
    subprocess.run([ROOT / "tools" / "amalgamate", "-o", folder, *families], check=True)
    return ["-DRUNNEL_HOSTED=0", "-DRUNNEL_AES_KERNEL=portable", str(folder / "runnel.c")]


@pytest.mark.parametrize("count_bits", [32, 64])
@pytest.mark.parametrize("family, header, nonce, key, block", ENDS, ids=[f"{end[0]}-{end[2]}" for end in ENDS])
def test_the_longest_text_ends_where_its_keystream_does(tmp_path, family, header, nonce, key, block, count_bits):
    definitions = [f'-DENDS_HEADER="{header}"', f"-DENDS_FAMILY={family}", f"-DENDS_NONCE={nonce}"]
    definitions += [f"-DENDS_KEY={key}", f"-DENDS_BLOCK={block}"]
    definitions += [f"-I{ROOT / place}" for place in ("include", "src", "src/ciphers/chacha20", "src/macs/poly1305")]
    program = tmp_path / "ends"
    source = ROOT / "tests" / "c" / "text_ends.c"
    subprocess.run(["gcc", "-std=c11", *definitions, source, *library_with(count_bits), "-o", program], check=True)
    done = subprocess.run([program], text=True, capture_output=True)
    assert done.returncode == 0, done.stdout


def is_siv(name: str) -> bool:
    return name.endswith("-siv") and "gcm" not in name


def key_bytes_of(name: str) -> int:
    return int(name.split("-")[1]) // (4 if is_siv(name) else 8) if name.startswith("aes") else 32


def xaes_key(key: bytes, nonce: bytes) -> bytes:
    """Return the key of XAES-256-GCM that belongs to a nonce, from pyca's CMAC of the two blocks."""
    halves = []
    for i in (1, 2):
        mac = CMAC(AES(key))
        mac.update(bytes([0, i, 0x58, 0]) + nonce[:12])
        halves.append(mac.finalize())
    return b"".join(halves)


def theirs(name: str, key: bytes, nonce: bytes, aad: bytes, text: bytes, tag_bytes: int) -> bytes:
    """Ciphertext and tag as they are sent, from OpenSSL by way of pyca/cryptography."""
    if name.endswith("-ccm"):
        return AESCCM(key, tag_bytes).encrypt(nonce, text, aad)
    if name == "chacha20-poly1305":
        return ChaCha20Poly1305(key).encrypt(nonce, text, aad)
    if is_siv(name):
        return AESSIV(key).encrypt(text, [aad, nonce] if nonce else [aad])
    if name.endswith("-siv"):
        return AESGCMSIV(key).encrypt(nonce, text, aad)
    if name == "xaes-256-gcm":
        key, nonce = xaes_key(key, nonce), nonce[12:]
    sealed = AESGCM(key).encrypt(nonce, text, aad)
    return sealed[: len(text) + tag_bytes]


THEIR_NAMES = ["chacha20-poly1305", "xaes-256-gcm", *(name for name in NAMES if name.startswith("aes-"))]


@pytest.mark.parametrize("name", THEIR_NAMES)
def test_against_independent_implementations(name):
    rng = random.Random(name)
    lines, expected = [], []
    is_xaes = name.startswith("xaes")
    try:
        theirs(name, bytes(key_bytes_of(name)), bytes(24 if is_xaes else 12), b"", b"text", 16)
    except UnsupportedAlgorithm:
        pytest.skip("the OpenSSL behind pyca/cryptography has no GCM-SIV")
    for _ in range(150):
        key = rng.randbytes(key_bytes_of(name))
        any_nonce = rng.randrange(7, 14) if name.endswith("ccm") else rng.choice([12, 12, 8, 16, 33, 60])
        any_mode = name.endswith(("gcm", "ccm")) and not is_xaes
        nonce = rng.randbytes(24 if is_xaes else any_nonce if any_mode or is_siv(name) else 12)
        tag_bytes = rng.choice([4, 8, 12, 14, 16]) if any_mode else 16
        text = rng.randbytes(
            rng.choice([0, 1, 15, 16, 17, 64, 256, 511, 1024, rng.randrange(5000), rng.randrange(20000)])
        )
        aad = rng.randbytes(rng.choice([0, 1, 5, 13, 16, 20, rng.randrange(700)]))
        lines.append(f"{name} {key.hex()} {nonce.hex()} {aad.hex() or '-'} {text.hex() or '-'} {tag_bytes}\n")
        sealed = theirs(name, key, nonce, aad, text, tag_bytes).hex()
        cut = 32 if is_siv(name) else 2 * len(text)
        parts = [sealed[:cut], sealed[cut:]]
        expected.append(" ".join(reversed(parts) if is_siv(name) else parts))
    done = subprocess.run([build(BUILD) / PROGRAM, "seal"], input="".join(lines), text=True, capture_output=True)
    assert done.returncode == 0 and done.stdout.splitlines() == expected, done.stderr


def watched(tool: str) -> list[str]:
    """Return the programs that run every line of code once: each mode with each of AES's kernels, and with one of the
    others', the first that the tool can run."""
    default = {}
    for name, kernel, features, timing, available in listed():
        runs = tool != "valgrind" or not {"vaes", "avx512"} & set(features.split(","))
        if timing == "constant-time" and available == "1" and "-192-" not in name and runs:
            default.setdefault(name, kernel)
    words = []
    for name, kernel, features, timing, available in listed():
        if (
            timing != "constant-time"
            or available != "1"
            or "-192-" in name
            or not selection.takes(name, kernel)
            or (tool == "valgrind" and "vaes" in features)
        ):
            continue
        if name.startswith(("aes-128", "aes-256-gcm")) or kernel in (default[name], "portable"):
            words += [name, kernel]
    return words


@pytest.mark.every_cipher
@pytest.mark.parametrize("tool", ["valgrind", pytest.param("msan", marks=CAMPAIGN)])
def test_constant_time(tool):
    asked = watched(tool)
    if not asked:
        pytest.skip("no AEAD was asked for")
    if tool == "msan":
        done = run(PROGRAM, "secrets", *asked, folder=build_with_msan(), MSAN_OPTIONS="exitcode=9")
    else:
        done = run(PROGRAM, "secrets", *asked, wrapper=valgrind())
        if done.returncode == 2:
            pytest.skip("built without valgrind's header")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout[-3000:]
    assert lines and all(line.endswith(": 0 branches or addresses depend on secrets") for line in lines)
    assert {line.split("/")[0] for line in lines} == set(asked[::2])
    assert selection.current() or set(asked[::2]) == {name for name in NAMES if "-192-" not in name}
