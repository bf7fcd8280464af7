# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The formats of encrypted files: vectors of Tink's AES-CTR-HMAC both ways; for every format every kind of damage, and the
reader that seeks. The other formats' vectors are in test_file_vectors.py."""

import hashlib
import hmac
import io
import json
import os
import random
import sys

import pytest
import runnel
from runnel import decrypt_file, decrypt_stream, encrypt_file, encrypt_stream, open_encrypted
from runnel.sealed.engine import affordable_threads, planned, segments_in_a_block
from runnel.sealed.files import Job
from runnel.sealed.formats import TEMPLATES, Parameters, key_material
from runnel.sealed.formats.tink import CtrHmac, GcmHkdf
from runnel.sealed.io import PositionalSource, SequentialSink, source_of
from runnel.sealed.keyset import Key
from sealed_files import (
    ONE_OF_EACH,
    SMALL,
    SmallCobblestone,
    borders,
    every_way_to_open,
    keyset_of,
    keyset_of_vector,
    seal,
    unseal,
)
from selection import campaign
from test_vectors import of_the_collection
from tink_vectors import COLLECTION, SELECTION, collection, rule, selection, text_of

SELECTED = selection()


@pytest.mark.parametrize("digest", key_material.DIGEST_BYTES)
@pytest.mark.parametrize("without", [None, "_sha512", "_sha2"])
def test_hmac_is_that_of_the_standard_library(monkeypatch, digest, without):
    """By the hash that needs no OpenSSL, and where a Python has none."""
    if without is not None:
        monkeypatch.setitem(sys.modules, without, None)
    for key_bytes in (0, 1, 64, 127, 128, 129, 300):
        key, message = random.randbytes(key_bytes), random.randbytes(200)
        expected = hmac.digest(key, message + b"\1", digest)
        assert (
            key_material.extract(digest, key, message + b"\1")
            == key_material.expand(digest, key, message, len(expected))
            == expected
        )


def header_of(salt: str, prefix: str) -> bytes:
    return bytes([1 + len(salt + prefix) // 2]) + bytes.fromhex(salt + prefix)


def plaintext_of(vector) -> bytes:
    given = vector["plaintext"]
    return rule(given) if isinstance(given, int) else bytes.fromhex(given)


# Vectors


@pytest.mark.parametrize("vector", SELECTED, ids=lambda v: v["name"])
def test_vector(vector, tmp_path):
    keyset = keyset_of_vector(vector)
    aad = bytes.fromhex(vector["aad"])
    sealed = bytes.fromhex(vector.get("sealed", ""))
    if vector["result"] == "invalid":
        for refuse in every_way_to_open(keyset, sealed, aad, tmp_path):
            with pytest.raises(runnel.AuthenticationError):
                refuse()
        return
    plaintext = plaintext_of(vector)
    if vector["name"] != "trailing-empty-last-segment":
        written = seal(keyset, plaintext, aad, header_of(vector["salt"], vector["prefix"]))
        if "sealed" in vector:
            assert written == sealed
        else:
            assert hashlib.sha256(written).hexdigest() == vector["sealed_sha256"]
            sealed = written
    for read in every_way_to_open(keyset, sealed, aad, tmp_path):
        assert read() == plaintext


@of_the_collection
def test_complete_collection(tmp_path):
    whole = collection()
    if whole is None:
        pytest.skip(f"the complete collection is not at {COLLECTION} (RUNNEL_VECTORS names another place)")
    assert len(whole) >= 44
    for vector in whole:
        keyset = runnel.Keyset.from_json(json.dumps(vector["keyset_json"]))
        p = keyset.primary.parameters
        assert keyset.primary.secret.hex() == vector["key"]
        assert (p.segment_bytes, p.derived_key_bytes) == (vector["ciphertext_segment_size"], vector["derived_key_size"])
        assert (p.hkdf_hash, p.hmac_hash, p.tag_bytes) == (vector["hkdf_hash"], vector["hmac_hash"], vector["tag_size"])
        aad, sealed = bytes.fromhex(vector["aad"]), bytes.fromhex(vector["ciphertext"])
        if vector["result"] == "invalid":
            for refuse in every_way_to_open(keyset, sealed, aad, tmp_path):
                with pytest.raises(runnel.AuthenticationError):
                    refuse()
            continue
        plaintext = rule(vector["plaintext_len"]) if "plaintext_len" in vector else bytes.fromhex(vector["plaintext"])
        header = header_of(vector["salt"], vector["nonce_prefix"])
        keys = p.file_keys(keyset.primary.secret, header, aad)
        assert keys.aes_key.hex() == vector["derived_aes_key"]
        assert keys.hmac_key.hex() == vector["derived_hmac_key"]
        written = seal(keyset, plaintext, aad, header)
        if "ciphertext_sha256" in vector:
            assert len(written) == vector["ciphertext_len"]
            assert hashlib.sha256(written).hexdigest() == vector["ciphertext_sha256"]
            sealed = written
        elif vector["name"] != "trailing-empty-last-segment":
            assert written == sealed
        for read in every_way_to_open(keyset, sealed, aad, tmp_path):
            assert read() == plaintext


@of_the_collection
def test_selection_is_what_its_program_writes():
    whole = collection()
    if whole is None:
        pytest.skip(f"the complete collection is not at {COLLECTION} (RUNNEL_VECTORS names another place)")
    source = json.loads(SELECTION.read_text())["source"]
    assert SELECTION.read_text() == text_of(whole, source)


# Lengths


@pytest.mark.parametrize(
    "parameters", [*TEMPLATES.values(), *SMALL.values(), CtrHmac(57, 16), GcmHkdf(41, 16)], ids=repr
)
def test_lengths_follow_the_definition(parameters: Parameters):
    p = parameters
    lengths = {
        0,
        1,
        p.first_bytes - 1,
        p.first_bytes,
        p.first_bytes + 1,
        p.first_bytes + p.rest_bytes - 1,
        p.first_bytes + p.rest_bytes,
        p.first_bytes + p.rest_bytes + 1,
        12 * p.rest_bytes + 5,
    }
    for n in lengths:
        count, left = 1, n - p.first_bytes
        while left > 0 or (left == 0 and not p.last_may_be_full):
            count, left = count + 1, left - p.rest_bytes
        assert p.segments(n) == count
        assert p.sealed_bytes(n) == p.header_bytes + n + count * p.tag_bytes
        assert p.opened(p.sealed_bytes(n)) == (count, n)
        assert p.plaintext_at(count - 1) <= n <= p.plaintext_at(count)
        assert p.sealed_at(count - 1) + n - p.plaintext_at(count - 1) + p.tag_bytes == p.sealed_bytes(n)
        if n:
            assert p.segment_of(n - 1) == count - 1 - (p.plaintext_at(count - 1) == n)


def test_lengths_that_the_specifications_name():
    """And those that no file has."""
    assert CtrHmac(4096, 16).sealed_bytes(20000) == 20184
    assert GcmHkdf(4096, 16).sealed_bytes(20000) == 20104 and GcmHkdf(4096, 32).sealed_bytes(20000) == 20120
    p = TEMPLATES["cobblestone-128"]
    sizes = {0: 72, 1: 73, 16383: 16455, 16384: 16472, 16385: 16473, 32768: 32872}
    assert {n: p.sealed_bytes(n) for n in sizes} == sizes
    for size in (0, 55, 56, 71, 56 + 16400, 56 + 16400 + 15, 56 + 2 * 16400):
        with pytest.raises(runnel.AuthenticationError, match="truncated"):
            p.opened(size)
    most = (1 << 38) * 16400 - 1 + 56  # the last chunk is not full
    assert p.opened(most)[0] == 1 << 38
    with pytest.raises(runnel.AuthenticationError, match="more than 2\\^38 segments"):
        p.opened(most + 1 + 16)
    with pytest.raises(runnel.AuthenticationError, match="more than 2\\^32 segments"):
        GcmHkdf(4096, 16).opened((4096 << 32) + 17)


@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.parametrize("number", range(12))
def test_every_small_length_both_ways(kind, number, tmp_path):
    keyset = keyset_of(SMALL[kind])
    n = [*borders(SMALL[kind]), 500][number]
    plaintext = random.randbytes(n)
    (tmp_path / "in").write_bytes(plaintext)
    encrypt_file(tmp_path / "in", tmp_path / "sealed", keyset, aad=b"a")
    sealed = (tmp_path / "sealed").read_bytes()
    assert len(sealed) == keyset.primary.parameters.sealed_bytes(n)
    for read in every_way_to_open(keyset, sealed, b"a", tmp_path):
        assert read() == plaintext
    for read in every_way_to_open(keyset, seal(keyset, plaintext, b"a"), b"a", tmp_path):
        assert read() == plaintext


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_blocks_in_parallel(template, threads, tmp_path):
    keyset = runnel.Keyset.generate(template)
    plaintext = random.randbytes(7_654_321)
    (tmp_path / "in").write_bytes(plaintext)
    encrypt_file(tmp_path / "in", tmp_path / "sealed", keyset, threads=threads)
    done = []
    decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, threads=threads, progress=done.append)
    assert (tmp_path / "out").read_bytes() == plaintext
    assert sum(done) == len(plaintext)
    assert unseal(keyset, (tmp_path / "sealed").read_bytes()) == plaintext
    out = io.BytesIO()
    encrypt_stream(io.BytesIO(plaintext), out, keyset, threads=threads)
    (tmp_path / "sealed2").write_bytes(out.getvalue())
    decrypt_file(tmp_path / "sealed2", tmp_path / "out2", keyset, threads=threads)
    assert (tmp_path / "out2").read_bytes() == plaintext


@pytest.mark.parametrize("template", TEMPLATES)
def test_blocks_are_shared_out(template):
    """No thread has a block more than another of the same size, a small file is one block, and memory is bounded."""
    p = TEMPLATES[template]
    least = segments_in_a_block(p)
    for threads in (1, 2, 3, 8, 16):
        for total in (1, 2, least, least + 1, 17, 31, 100, 1023, 1024, 10_000):
            count, blocks = planned(p, threads, total)
            tasks = -(-total // count)
            assert 1 <= count <= total and (count >= least or tasks == 1)
            assert -(-tasks // threads) * count <= total / threads + tasks / threads + least
            assert blocks >= 2 and blocks * count * p.segment_bytes <= 50 << 20
            assert blocks > threads or threads >= affordable_threads(p)
        assert planned(p, threads, None)[0] == least
    # of 49 MiB together: two blocks a thread and one more
    assert affordable_threads(p) == 48 and planned(p, 4, None) == (least, 9)
    assert affordable_threads(CtrHmac(40 << 20, 16)) == 1
    if p.segments_at_once > 1 and p.segment_bytes == 1 << 20:
        assert planned(p, 2, 1024)[0] == p.segments_at_once == 16 and planned(p, 16, 1024)[0] >= 2


@pytest.mark.parametrize("kind", [*SMALL, *ONE_OF_EACH])
@pytest.mark.parametrize("many", [1, 2])
def test_a_text_that_ends_with_a_block(kind, many, tmp_path):
    """As a stream and as a file, one byte shorter and longer too: what is read at once is full where the text ends."""
    p = SMALL.get(kind) or TEMPLATES[kind]
    keyset = keyset_of(p)
    for more in (-1, 0, 1):
        plaintext = random.randbytes(p.plaintext_at(many * segments_in_a_block(p)) + more)
        sealed = seal(keyset, plaintext)
        assert len(sealed) == p.sealed_bytes(len(plaintext))
        for read in every_way_to_open(keyset, sealed, b"", tmp_path):
            assert read() == plaintext
        (tmp_path / "in").write_bytes(plaintext)
        encrypt_file(tmp_path / "in", tmp_path / "file", keyset, force=True)
        assert unseal(keyset, (tmp_path / "file").read_bytes()) == plaintext


@pytest.mark.parametrize("kind", SMALL)
def test_a_file_never_repeats_its_keys(kind):
    keyset = keyset_of(SMALL[kind])
    assert len({seal(keyset, b"same") for _ in range(100)}) == 100


# Damage: every byte, every length, every order of segments


@pytest.fixture(scope="module", params=SMALL)
def three_segments(request):
    keyset = keyset_of(SMALL[request.param])
    p = keyset.primary.parameters
    sealed = seal(keyset, random.randbytes(p.plaintext_at(2) + 20), b"aad")
    assert len(sealed) == p.sealed_at(2) + 36
    return keyset, sealed


def test_every_flipped_bit_is_refused(three_segments):
    """One bit of each byte, in the campaign all."""
    keyset, sealed = three_segments
    for at in range(len(sealed)):
        for bit in range(8) if campaign() else [at % 8]:
            changed = bytearray(sealed)
            changed[at] ^= 1 << bit
            with pytest.raises(runnel.AuthenticationError):
                unseal(keyset, bytes(changed), b"aad")
            with (
                pytest.raises(runnel.AuthenticationError),
                open_encrypted(io.BytesIO(changed), "rb", keyset, aad=b"aad") as reader,
            ):
                reader.read()


def test_every_cut_is_refused(three_segments, tmp_path):
    keyset, sealed = three_segments
    for length in range(len(sealed)):
        for refuse in every_way_to_open(keyset, sealed[:length], b"aad", tmp_path):
            with pytest.raises(runnel.AuthenticationError):
                refuse()


def test_every_appended_length_is_refused(three_segments, tmp_path):
    keyset, sealed = three_segments
    for extra in [*(bytes(n) for n in range(1, 70)), sealed[-36:], sealed[64:128], sealed]:
        for refuse in every_way_to_open(keyset, sealed + extra, b"aad", tmp_path):
            with pytest.raises(runnel.AuthenticationError):
                refuse()


def test_segments_in_any_other_order_are_refused(three_segments, tmp_path):
    keyset, sealed = three_segments
    p = keyset.primary.parameters
    a, b, c = sealed[: p.sealed_at(1)], sealed[p.sealed_at(1) : p.sealed_at(2)], sealed[p.sealed_at(2) :]
    for other in (a + c, b + c, a + b, a + b + b + c, a + c + b, b + a + c, a + a + c, a + b + c + c, c, a):
        for refuse in every_way_to_open(keyset, other, b"aad", tmp_path):
            with pytest.raises(runnel.AuthenticationError):
                refuse()


def test_segments_of_another_file_are_refused(three_segments):
    keyset, sealed = three_segments
    p = keyset.primary.parameters
    other = seal(keyset, random.randbytes(p.plaintext_at(2) + 20), b"aad")
    for index in range(3):
        at, end = p.sealed_at(index), p.sealed_at(index + 1)
        mixed = sealed[:at] + other[at:end] + sealed[end:]
        with pytest.raises(runnel.AuthenticationError):
            unseal(keyset, mixed, b"aad")


@pytest.mark.parametrize("kind", SMALL)
def test_no_more_segments_than_the_format_numbers(kind, monkeypatch, tmp_path):
    """Written in every way, and read; here three."""
    p = SMALL[kind]
    keyset = keyset_of(p)
    longest = random.randbytes(p.plaintext_at(3) - (not p.last_may_be_full))
    sealed = seal(keyset, longest + b"!")
    monkeypatch.setattr(type(p), "segments_max", 3)

    def file(plaintext: bytes) -> None:
        (tmp_path / "plain").write_bytes(plaintext)
        encrypt_file(tmp_path / "plain", tmp_path / "sealed", keyset, force=True)

    def writer(plaintext: bytes) -> None:
        with open_encrypted(io.BytesIO(), "wb", keyset) as out:
            out.write(plaintext)

    for write in (file, writer, lambda plaintext: seal(keyset, plaintext)):
        write(longest)
        with pytest.raises(runnel.Error, match="segments of 64 bytes"):
            write(longest + b"!")
    with pytest.raises(runnel.AuthenticationError, match="segments of 64 bytes"):
        p.opened(len(sealed))
    assert unseal(keyset, seal(keyset, longest)) == longest


@pytest.mark.parametrize("template", ["AES128_CTR_HMAC_SHA256_1MB", "AES256_GCM_HKDF_1MB"])
def test_only_verified_segments_leave(template):
    big = runnel.Keyset.generate(template)
    plaintext = random.randbytes(5 << 20)
    sealed = bytearray(seal(big, plaintext))
    sealed[3 * (1 << 20) + 100] ^= 1
    out = io.BytesIO()
    with pytest.raises(runnel.AuthenticationError, match=f"segment 3, at byte {3 << 20}"):
        decrypt_stream(io.BytesIO(sealed), out, big)
    assert out.getvalue() == plaintext[: big.primary.parameters.plaintext_at(3)]


@pytest.mark.parametrize("template", ONE_OF_EACH)
def test_only_verified_segments_leave_where_a_block_has_many(template):
    keyset = runnel.Keyset.generate(template)
    p = keyset.primary.parameters
    plaintext = random.randbytes(5 << 20)
    index = p.segment_of(3 << 20)
    sealed = bytearray(seal(keyset, plaintext))
    sealed[p.sealed_at(index) + 100] ^= 1
    out = io.BytesIO()
    with pytest.raises(runnel.AuthenticationError, match=f"segment {index}, at byte {p.sealed_at(index)}"):
        decrypt_stream(io.BytesIO(sealed), out, keyset)
    assert plaintext.startswith(out.getvalue()) and 1 << 20 < len(out.getvalue()) <= p.plaintext_at(index)


def test_wrong_associated_data_and_wrong_key(three_segments):
    keyset, sealed = three_segments
    for aad in (b"", b"aa", b"aadd", b"aae", b"aad\0"):
        with pytest.raises(runnel.AuthenticationError, match="wrong key or associated data"):
            unseal(keyset, sealed, aad)
    with pytest.raises(runnel.AuthenticationError, match="wrong key or associated data"):
        unseal(keyset_of(keyset.primary.parameters), sealed, b"aad")
    other = runnel.Keyset.generate("AES256_GCM_HKDF_4KB")  # of another length of header
    with pytest.raises(runnel.AuthenticationError):
        unseal(other, sealed, b"aad")
    if sealed[0] == 24:
        with pytest.raises(runnel.AuthenticationError, match="not a file for this key"):
            unseal(other, sealed, b"aad")


def test_cobblestone_commits_to_its_key(tmp_path):
    """Its chunks are authentic under the key, but the commitment is to another one: refused before any chunk."""
    keyset = keyset_of(SMALL["cobblestone"])
    sealed = bytearray(seal(keyset, b"text"))
    sealed[24:56] = os.urandom(32)
    for refuse in every_way_to_open(keyset, bytes(sealed), b"", tmp_path):
        with pytest.raises(runnel.AuthenticationError, match="damaged \\(header\\)"):
            refuse()


@pytest.mark.parametrize("kind", SMALL)
def test_keys_take_no_header_but_their_own(kind):
    """Also where nobody has looked at its first byte before, as in a plan that another process has kept."""
    key = keyset_of(SMALL[kind]).primary
    header = key.new_file(b"").header
    assert key.parameters.file_keys(key.secret, header, b"").header == header
    for wrong in (header[:-1], header + b"\0", b"", bytes([header[0] ^ 1]) + header[1:]):
        with pytest.raises(runnel.AuthenticationError):
            key.parameters.file_keys(key.secret, wrong, b"")


def test_a_file_that_changes_while_it_is_read(tmp_path):
    """A source that is shorter or longer at the end than at the beginning is an error, not another file."""
    keyset = runnel.Keyset.generate()
    for growth in (-1, 1):
        with open(tmp_path / "in", "wb+") as file:
            file.write(bytes(1000))
            file.flush()
            source = source_of(file, "in")
            assert isinstance(source, PositionalSource) is True or file.seek(0) == 0
            file.seek(0)
            source = source_of(file, "in")
            os.truncate(file.fileno(), 1000 + growth)
            with pytest.raises(runnel.Error, match="truncated" if growth < 0 else "grew"):
                Job(keyset, source, SequentialSink(io.BytesIO(), "out")).encrypt()


class Pipe(io.BytesIO):
    """Returns fewer bytes than it is asked for."""

    def readinto(self, buffer):
        return super().readinto(memoryview(buffer)[:1000])


def test_calls_that_do_a_part_of_what_they_are_asked(tmp_path, monkeypatch):
    """As network file systems do, and calls of more than 2 GiB."""

    def in_part(call):
        return lambda fd, views, at: call(fd, [memoryview(view)[:1000] for view in views if len(view)][:1], at)

    for name in ("preadv", "pwritev"):
        monkeypatch.setattr(os, name, in_part(getattr(os, name)))
    plaintext = random.randbytes(10_000)
    (tmp_path / "in").write_bytes(plaintext)
    for template in ONE_OF_EACH:
        keyset = runnel.Keyset.generate(template)
        encrypt_file(tmp_path / "in", tmp_path / "sealed", keyset, force=True)
        decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, force=True)
        assert (tmp_path / "out").read_bytes() == plaintext == unseal(keyset, (tmp_path / "sealed").read_bytes())
        out = io.BytesIO()
        encrypt_stream(Pipe(plaintext), out, keyset)
        assert unseal(keyset, out.getvalue()) == plaintext
        again = io.BytesIO()
        decrypt_stream(Pipe(out.getvalue()), again, keyset)
        assert again.getvalue() == plaintext


# Several keys


def mixed_keyset() -> runnel.Keyset:
    """Keys with equal and with different headers and segment sizes."""
    parameters = [
        CtrHmac(64, 16),
        CtrHmac(128, 16),
        CtrHmac(64, 32, tag_bytes=10),
        CtrHmac(1 << 20, 16),
        CtrHmac(64, 16),
        GcmHkdf(64, 16),
        GcmHkdf(1 << 20, 32),
        SmallCobblestone(16),
        SmallCobblestone(32),
    ]
    lengths = [p.key_bytes if isinstance(p, SmallCobblestone) else 32 for p in parameters]
    keys = tuple(Key(n, p, random.randbytes(length)) for n, (p, length) in enumerate(zip(parameters, lengths), 1))
    return runnel.Keyset(keys[2], keys)


@pytest.mark.parametrize("number", range(9))
@pytest.mark.parametrize("length", [0, 7, 8, 9, 40, 72, 73, 1000, 1 << 20])
def test_the_key_that_fits_is_found(number, length, tmp_path):
    keyset = mixed_keyset()
    writer = runnel.Keyset(keyset.keys[number], (keyset.keys[number],))
    plaintext = random.randbytes(length)
    sealed = seal(writer, plaintext, b"x")
    for read in every_way_to_open(keyset, sealed, b"x", tmp_path):
        assert read() == plaintext
    for refuse in every_way_to_open(keyset, sealed, b"y", tmp_path):
        with pytest.raises(runnel.AuthenticationError):
            refuse()
    assert seal(keyset, b"")[0] == keyset.primary.parameters.header_bytes


# Parts of a file


@pytest.mark.parametrize("template", [*ONE_OF_EACH, *SMALL])
def test_any_range(template, tmp_path):
    keyset = keyset_of(SMALL.get(template) or TEMPLATES[template])
    p = keyset.primary.parameters
    plaintext = random.randbytes(p.first_bytes + 5 * p.rest_bytes + 3)
    (tmp_path / "in").write_bytes(plaintext)
    encrypt_file(tmp_path / "in", tmp_path / "sealed", keyset)
    size = len(plaintext)
    edges = {0, 1, size - 1, size, size // 2} | {
        e + d for k in range(1, 6) for e in [p.plaintext_at(k)] for d in (-1, 0, 1)
    }
    if template not in SMALL:
        edges = set(random.sample(sorted(edges), 6)) | {0, size}
    for start in sorted(edges):
        for end in [*(e for e in sorted(edges) if e >= start), None, size + 1]:
            decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, start=start, end=end, force=True)
            assert (tmp_path / "out").read_bytes() == plaintext[start:end]
    with pytest.raises(runnel.Error, match="beyond"):
        decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, start=size + 1, force=True)
    with pytest.raises(ValueError):
        decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, start=2, end=1, force=True)


def test_a_range_verifies_the_end_of_the_file(three_segments, tmp_path):
    keyset, sealed = three_segments
    p = keyset.primary.parameters
    cases = {
        "cut": sealed[: p.sealed_at(2)],
        "cut inside": sealed[:-1],
        "longer": sealed + b"\0",
        "last": sealed[:-1] + bytes([sealed[-1] ^ 1]),
    }
    for damaged in cases.values():
        (tmp_path / "sealed").write_bytes(damaged)
        for start, end in ((0, 1), (0, 0), (30, 31), (5, None)):
            with pytest.raises(runnel.AuthenticationError):
                decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, start=start, end=end, aad=b"aad")
        with pytest.raises(runnel.AuthenticationError):
            open_encrypted(tmp_path / "sealed", "rb", keyset, aad=b"aad")
    assert os.listdir(tmp_path) == ["sealed"]
    at = p.sealed_at(1)
    # a segment that is not asked for may be damaged
    (tmp_path / "sealed").write_bytes(sealed[: at + 6] + bytes([sealed[at + 6] ^ 1]) + sealed[at + 7 :])
    decrypt_file(tmp_path / "sealed", tmp_path / "out", keyset, start=0, end=p.first_bytes, aad=b"aad")
    with pytest.raises(runnel.AuthenticationError, match=f"segment 1, at byte {at}"):
        decrypt_file(tmp_path / "sealed", tmp_path / "out2", keyset, start=0, end=p.first_bytes + 1, aad=b"aad")


@pytest.mark.parametrize("kind", SMALL)
def test_reader_behaves_like_a_file(kind, tmp_path):
    keyset = keyset_of(SMALL[kind])
    plaintext = random.randbytes(1000)
    (tmp_path / "sealed").write_bytes(seal(keyset, plaintext))
    model = io.BytesIO(plaintext)
    with (
        open_encrypted(tmp_path / "sealed", "rb", keyset) as reader,
        io.BufferedReader(open_encrypted(tmp_path / "sealed", "rb", keyset), 100) as buffered,
    ):
        assert reader.size == 1000 and reader.readable() and reader.seekable() and not reader.writable()
        for _ in range(2000):
            whence = random.choice([os.SEEK_SET, os.SEEK_CUR, os.SEEK_END])
            low = {os.SEEK_SET: 0, os.SEEK_CUR: -model.tell(), os.SEEK_END: -1000}[whence]
            offset = random.randrange(low, low + 1100)
            assert reader.seek(offset, whence) == buffered.seek(offset, whence) == model.seek(offset, whence)
            count = random.choice([0, 1, 10, 64, 200])
            expected = model.read(count)
            got = b""
            while len(got) < len(expected):
                part = reader.read(count - len(got))
                assert part
                got += part
            assert got == expected == buffered.read(count)
            assert reader.tell() == model.tell()
        with pytest.raises(ValueError):
            reader.seek(-1)
    with pytest.raises(ValueError):
        reader.read(1)
