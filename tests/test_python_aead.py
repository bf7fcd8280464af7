# SPDX-License-Identifier: Apache-2.0 OR MIT
"""AEADs from Python: published vectors through it, other implementations, what it refuses. The C library's own tests
are test_c_aeads.py."""

import copy
import json
import pickle
import random
import sys
import threading

import pytest
import runnel
from c_programs import ROOT
from cryptography.exceptions import UnsupportedAlgorithm
from python_streams import in_threads
from test_c_aeads import NAMES, THEIR_NAMES, aead_name, is_siv, key_refused, theirs
from test_vectors import collection, complete_collection, of_the_collection

AEADS = runnel.aeads()
RANDOM = [name for name, aead in AEADS.items() if aead.nonce_random]
GCM = "aes-128-gcm"
KEY, NONCE = bytes(range(16)), bytes(12)


def sealer(name: str = GCM, **options) -> runnel.Sealer:
    return runnel.aead(name, bytes(range(AEADS[name].key_bytes)), **options)


def nonce_for(name: str) -> bytes:
    return random.randbytes(AEADS[name].nonce_bytes)


def wire(name: str, ciphertext: bytes, tag: bytes) -> bytes:
    return tag + ciphertext if AEADS[name].tag_first else ciphertext + tag


# Vectors


def through_python(name: str, v: dict) -> bool:
    """Return whether the vector holds: bytes and into a buffer, apart and in place."""
    aad = bytes(i % 256 for i in range(v["aad_len"])) if "aad_rule" in v else bytes.fromhex(v["aad"])
    key, nonce, text, ciphertext, tag = (
        bytes.fromhex(v[each]) for each in ("key", "iv", "plaintext", "ciphertext", "tag")
    )
    if "mask_key" in v:  # Ascon's nonce masking is the caller's part
        nonce = bytes(a ^ b for a, b in zip(nonce, bytes.fromhex(v["mask_key"])))
    sealed = wire(name, ciphertext, tag)
    try:
        s = runnel.aead(name, key, tag_bytes=len(tag))
        opened = s.open(nonce, sealed, aad)
    except (runnel.AuthenticationError, runnel.TagLengthError, runnel.IVLengthError, runnel.KeyLengthError):
        return False
    out, place = bytearray(len(sealed) + 1), bytearray(wire(name, text, bytes(len(tag))))
    start = len(tag) if AEADS[name].tag_first else 0
    inside = memoryview(place)[start : start + len(text)]
    assert s.seal(nonce, text, aad=aad) == sealed
    assert s.seal_into(nonce, text, out, aad) == len(sealed) and out == sealed + b"\0"
    assert s.seal_into(nonce, inside, place, aad) == len(sealed) and place == sealed
    assert s.open_into(nonce, place, inside, aad=aad) == len(text) and inside == text
    assert s.seal_batch([nonce], [text], [aad]) == [sealed] and s.open_batch([nonce], [sealed], [aad]) == [text]
    return opened == text


def check_vectors(data: dict) -> None:
    seen = {True: 0, False: 0}
    for v in data["vectors"]:
        name, valid = aead_name(data["cipher"], data["mode"], len(v["key"]) // 2), v["result"] != "invalid"
        if not valid and key_refused(name, len(v["key"]) // 2):
            continue  # no key of the AEAD
        assert through_python(name, v) == valid, v
        seen[valid] += 1
    assert seen[True] > 0


@pytest.mark.parametrize("name", collection.AEAD)
def test_vectors(name):
    check_vectors(json.loads((ROOT / "tests" / "vectors" / "aead" / f"{name}.json").read_text()))


@of_the_collection
def test_complete_collection():
    base = complete_collection()
    for name in collection.AEAD:
        check_vectors(collection.aead_file(base, name))


@pytest.mark.parametrize("name", THEIR_NAMES)
def test_against_pyca(name):
    rng = random.Random(name)
    try:
        theirs(name, bytes(AEADS[name].key_bytes), bytes(AEADS[name].nonce_bytes), b"", b"text", 16)
    except UnsupportedAlgorithm:
        pytest.skip("the OpenSSL behind pyca/cryptography has no GCM-SIV")
    for _ in range(60):
        key, tag_bytes = rng.randbytes(AEADS[name].key_bytes), rng.choice(AEADS[name].tag_lengths)
        least, most = AEADS[name].nonce_min, AEADS[name].nonce_max or 60
        nonce = rng.randbytes(rng.choice([AEADS[name].nonce_bytes, rng.randint(max(least, 8), most)]))
        text, aad = rng.randbytes(rng.choice([0, 16, rng.randrange(3000)])), rng.randbytes(rng.randrange(90))
        expected = theirs(name, key, nonce, aad, text, tag_bytes)
        s = runnel.aead(name, key, tag_bytes=tag_bytes)
        assert s.seal(nonce, text, aad) == expected
        assert s.open(nonce, expected, aad) == text


# Inventory


def test_what_there_is():
    assert list(AEADS) == sorted(AEADS) == sorted(NAMES)
    for name, aead in AEADS.items():
        assert aead.name == name == name.lower() and aead.nonce_reuse and aead.source and aead.title
        assert aead.tag_bytes in aead.tag_lengths and aead.nonce_min <= aead.nonce_bytes
        assert sum(kernel.chosen for kernel in aead.kernels) == 1
        for kernel in (each for each in aead.kernels if each.available):
            created = sealer(name.title(), kernel=kernel.name.upper()) if name.title() in AEADS else None
            created = created or runnel.aead(name.upper(), bytes(aead.key_bytes), kernel=kernel.name.upper())
            assert (created.name, created.kernel) == (name, kernel.name)
            assert (created.tag_bytes, created.nonce_bytes) == (aead.tag_bytes, aead.nonce_bytes)


def test_facts_that_standards_say():
    gcm, ccm, siv = AEADS[GCM], AEADS["aes-256-ccm"], AEADS["aes-256-gcm-siv"]
    assert (gcm.message_bytes, gcm.messages, gcm.nonce_max) == ((1 << 36) - 32, 1 << 32, None)
    assert gcm.tag_lengths == (4, 8, 12, 13, 14, 15, 16) and gcm.key_bytes == 16
    assert (ccm.message_bytes, ccm.aad_bytes, ccm.nonce_random) == ((1 << 24) - 1, None, False)
    assert (ccm.nonce_min, ccm.nonce_max, ccm.tag_lengths) == (7, 13, (4, 6, 8, 10, 12, 14, 16))
    assert (siv.nonce_bytes, siv.tag_lengths, siv.key_bytes) == (12, (16,), 32)
    assert AEADS["xchacha20-poly1305"].messages is None and AEADS["xchacha20-poly1305"].nonce_bytes == 24
    assert [name for name in AEADS if not name.endswith("-ccm") and not is_siv(name) and "grain" not in name] == RANDOM
    assert not any(aead.commits for aead in AEADS.values())
    assert [name for name, aead in AEADS.items() if aead.tag_first] == ["aes-128-siv", "aes-192-siv", "aes-256-siv"]
    assert (AEADS["aes-128-siv"].key_bytes, AEADS["aes-128-siv"].nonce_min) == (32, 0)


# Nonces


@pytest.mark.parametrize("name", RANDOM)
def test_random_nonces(name):
    s, size = sealer(name), AEADS[name].nonce_bytes
    packets = [s.seal(None, b"text", b"aad"), *s.seal_batch(None, [b"text", b""], [b"aad", b""])]
    assert len({packet[:size] for packet in packets}) == 3
    assert [len(packet) for packet in packets] == [size + 4 + 16, size + 4 + 16, size + 16]
    assert s.open(None, packets[0], b"aad") == b"text" == s.open(packets[0][:size], packets[0][size:], b"aad")
    assert s.open_batch(None, packets, [b"aad", b"aad", b"other"]) == [b"text", b"text", None]
    out, other = bytearray(size + 20), bytearray(size + 20)
    assert s.seal_into(None, b"text", out) == s.seal_into(None, b"text", other) == len(out)
    drawn = [*packets, s.seal(None, b"text"), out, other]
    assert len({bytes(packet[:size]) for packet in drawn}) == len(drawn)
    with pytest.raises(runnel.OverlapError):  # the nonce would be written over
        s.open_into(None, out, out)
    assert s.open_into(None, out, memoryview(out)[size:]) == 4 and out[size : size + 4] == b"text"
    for short in (b"", packets[2][:-1], packets[0][:size]):
        with pytest.raises(runnel.AuthenticationError, match="at least"):
            s.open(None, short)


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(RANDOM)))
def test_random_nonces_are_refused(name):
    s = sealer(name)
    for call in (
        lambda: s.seal(None, b"text"),
        lambda: s.open(None, bytes(40)),
        lambda: s.seal_into(None, b"", bytearray(40)),
        lambda: s.seal_batch(None, []),
    ):
        with pytest.raises(runnel.IVLengthError, match=f"{name}: its nonces are not to be drawn at random; .*Counter"):
            call()


# Errors


def test_what_is_not_authentic():
    for name in AEADS:
        s, nonce = sealer(name), nonce_for(name)
        sealed = s.seal(nonce, b"a message", b"aad")
        other = runnel.aead(name, bytes(AEADS[name].key_bytes))
        wrong = [(nonce, sealed[:-1], b"aad"), (nonce, sealed + b"\0", b"aad"), (nonce, sealed, b"aae")]
        wrong += [
            (nonce, sealed, b""),
            (nonce, sealed[:15], b"aad"),
            (bytes([nonce[0] ^ 1]) + nonce[1:], sealed, b"aad"),
        ]
        wrong += [(nonce, bytes([*sealed[:i], sealed[i] ^ 128, *sealed[i + 1 :]]), b"aad") for i in range(len(sealed))]
        for nonce_, data, aad in wrong:
            with pytest.raises(runnel.AuthenticationError, match=f"{name}: not authentic") as caught:
                s.open(nonce_, data, aad)
            assert caught.value.cipher == name
        with pytest.raises(runnel.AuthenticationError):
            other.open(nonce, sealed, b"aad")
        assert s.open(nonce, sealed, b"aad") == b"a message"


def test_failure_leaves_zeros():
    for bytes_ in (1, 100, 70_000):
        s = sealer()
        sealed = bytearray(s.seal(NONCE, b"\xaa" * bytes_))
        sealed[-1] ^= 1
        out = bytearray(b"\x55" * (bytes_ + 3))
        with pytest.raises(runnel.AuthenticationError):
            s.open_into(NONCE, sealed, out)
        assert out == bytes(bytes_) + b"\x55" * 3
        with pytest.raises(runnel.AuthenticationError):
            s.open_into(NONCE, sealed, sealed)
        assert sealed[:bytes_] == bytes(bytes_) and sealed[bytes_:] != bytes(16)


def test_limits():
    s = sealer("aes-128-ccm")
    s.seal(bytes(13), bytes(65535))
    for call in (lambda: s.seal(bytes(13), bytes(65536)), lambda: s.open(bytes(13), bytes(65536 + 16))):
        with pytest.raises(runnel.LimitError, match="a message of 65536 bytes; under a nonce of 13 it may") as caught:
            call()
        assert (caught.value.end, caught.value.cipher) == (65535, "aes-128-ccm")
    assert len(s.seal(bytes(12), bytes(65536))) == 65536 + 16


@pytest.mark.parametrize(
    ("name", "nonce_bytes", "text"),
    [
        (GCM, 0, "nonce has 0 bytes, must have at least 1"),
        ("aes-128-ccm", 6, "nonce has 6 bytes, must have 7 to 13"),
        ("aes-128-gcm-siv", 1, "nonce has 1 byte, must have 12"),
        ("ascon-aead128", 12, "nonce has 12 bytes, must have 16"),
    ],
)
def test_lengths_of_nonces(name, nonce_bytes, text):
    s = sealer(name)
    for call in (s.seal, s.open):
        with pytest.raises(runnel.IVLengthError) as caught:
            call(bytes(nonce_bytes), bytes(20))
        assert str(caught.value) == f"{name}: {text}"


def test_lengths_of_keys_and_tags():
    with pytest.raises(runnel.KeyLengthError, match=r"^aes-128-gcm: key has 15 bytes, must have 16$"):
        runnel.aead(GCM, bytes(15))
    for tag_bytes in (0, 5, 17, 1 << 40):
        with pytest.raises(runnel.TagLengthError, match="must have 4, 8, 12, 13, 14, 15 or 16"):
            runnel.aead(GCM, KEY, tag_bytes=tag_bytes)
    with pytest.raises(runnel.TagLengthError, match=r"a tag has 8 bytes, must have 16$"):
        runnel.aead("aes-128-gcm-siv", KEY, tag_bytes=8)
    with pytest.raises(TypeError):
        runnel.aead(GCM, KEY, tag_bytes="16")
    assert sealer(tag_bytes=None).tag_bytes == 16 and len(sealer(tag_bytes=12).seal(NONCE, b"")) == 12


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("AES128GCM", "; did you mean aes-128-gcm?"),
        ("chacha20poly1305", "; did you mean chacha20-poly1305?"),
        ("aes-128-ctr", "; did you mean aes-128-ccm?"),
        ("des", "; runnel.aeads() lists them"),
    ],
)
def test_unknown_names(given, hint):
    with pytest.raises(runnel.UnknownAEADError) as caught:
        runnel.aead(given, KEY)
    assert str(caught.value).startswith(f"no AEAD '{given}'; ")
    if given != "aes-128-ctr":
        assert str(caught.value) == f"no AEAD '{given}'{hint}"


def test_unknown_kernels():
    with pytest.raises(runnel.KernelError, match=r"^aes-128-gcm: no kernel 'none', only .*portable") as caught:
        sealer(kernel="none")
    assert caught.value.cipher == GCM
    absent = [(name, kernel) for name, aead in AEADS.items() for kernel in aead.kernels if not kernel.available]
    for name, kernel in absent:
        with pytest.raises(runnel.KernelError, match=f"^{name}: kernel '{kernel.name}' needs CPU features"):
            sealer(name, kernel=kernel.name)


def test_overlaps():
    s, place = sealer(), bytearray(100)
    view = memoryview(place)
    for data, out, nonce, aad in [
        (view[1:41], view[0:60], NONCE, b""),
        (view[0:40], view[1:61], NONCE, b""),
        (bytes(40), view[0:60], view[30:42], b""),
        (bytes(40), view[0:60], view[50:62], b""),
        (bytes(40), view[0:60], NONCE, view[39:45]),
    ]:
        with pytest.raises(runnel.OverlapError):
            s.seal_into(nonce, data, out, aad)
    sealed = s.seal(NONCE, bytes(40))
    for data, out, nonce in [(view[1:57], view[0:40], NONCE), (sealed, view[0:40], view[39:51])]:
        with pytest.raises(runnel.OverlapError):
            s.open_into(nonce, data, out)
    assert place == bytes(100)


@pytest.mark.parametrize("name", AEADS)
def test_a_tag_is_not_written_over_what_is_read(name):
    """Neither over data nor over associated data, although the text itself lies apart from them."""
    s, place = sealer(name), bytearray(range(100))
    view, before, first = memoryview(place), bytes(place), AEADS[name].tag_first
    nonce, tag = bytes(s.nonce_bytes), s.tag_bytes
    at = 0 if first else 4  # of the tag; the text has 4 bytes
    for start in (0, tag - 4) if first else (tag, tag + 3):
        with pytest.raises(runnel.OverlapError):
            s.seal_into(nonce, view[start : start + 4], place)
    for start in (at, at + tag - 1):
        with pytest.raises(runnel.OverlapError):
            s.seal_into(nonce, b"text", place, view[start : start + 1])
    assert place == before
    rest = view[4 + tag :]
    assert s.seal_into(nonce, rest[:4], place, rest) == 4 + tag
    assert place[: 4 + tag] == s.seal(nonce, before[4 + tag : 8 + tag], before[4 + tag :])


def test_a_random_nonce_is_not_written_over_what_is_read():
    s, size = sealer(), AEADS[GCM].nonce_bytes
    place = bytearray(b"ATTACK AT 12" + bytes(60))
    view, before = memoryview(place), bytes(place)
    for data, aad in ((view[:size], b""), (view[size - 1 : size + 20], b""), (bytes(20), view[:size])):
        with pytest.raises(runnel.OverlapError):
            s.seal_into(None, data, place, aad)
        assert place == before
    s.wipe()
    with pytest.raises(runnel.StateError):
        s.seal_into(None, b"text", place)
    assert place == before
    s = sealer()
    place[size : size + 4] = b"text"
    assert s.open(None, place[: s.seal_into(None, view[size : size + 4], place)]) == b"text"


@pytest.mark.parametrize("answer", ["twelve bytes", b"too short", b"more bytes than are needed", 12])
def test_a_source_of_random_numbers_that_is_none(monkeypatch, answer):
    monkeypatch.setattr("os.urandom", lambda count: answer)
    out = bytearray(40)
    with pytest.raises(TypeError, match="os.urandom did not return 12 bytes"):
        sealer().seal_into(None, b"text", out)
    assert out == bytes(40)


def test_room_for_the_result():
    s, out = sealer(), bytearray(b"\x55" * 19)
    with pytest.raises(runnel.OutputLengthError, match="seal_into writes 20 bytes, out has only 19"):
        s.seal_into(NONCE, b"text", out)
    with pytest.raises(runnel.OutputLengthError, match="open_into writes 20 bytes"):
        s.open_into(NONCE, s.seal(NONCE, bytes(20)), out)
    assert out == b"\x55" * 19
    with pytest.raises(BufferError, match="out must be a contiguous writable buffer"):
        s.seal_into(NONCE, b"", bytes(16))
    for arguments in ((NONCE, "text"), (7, b""), (NONCE, b"", "aad")):
        with pytest.raises(TypeError, match="must be a buffer"):
            s.seal(*arguments)
    with pytest.raises(BufferError):
        s.seal(NONCE, memoryview(bytes(10))[::2])


# The object


def test_wiped():
    with sealer() as s:
        s.seal(NONCE, b"")
        assert repr(s) == f"<runnel.Sealer aes-128-gcm, kernel {s.kernel}, tags of 16 bytes>"
    assert repr(s).endswith(", wiped>")
    for call in (lambda: s.seal(NONCE, b""), lambda: s.open(NONCE, bytes(16)), lambda: s.seal_batch([NONCE], [b""])):
        with pytest.raises(runnel.StateError, match="aes-128-gcm: the sealer was wiped"):
            call()
    s.wipe()
    for double in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError):
            double(sealer())
    with pytest.raises(TypeError):
        type(s)()


def test_nothing_is_left_behind():
    """Buffers are released and objects freed, errors or not."""
    s, data = sealer(), bytearray(64)
    for call in (s.seal, s.open):
        try:
            call(data[:12], data, data)
        except runnel.AuthenticationError:
            pass
    s.seal_batch([NONCE, data[:12]], [data, data], [data, data])
    with pytest.raises(runnel.IVLengthError):
        s.seal_batch([data, b""], [data, data])
    with pytest.raises(runnel.AuthenticationError):
        s.open_into(NONCE, bytes(64), data)
    data.extend(bytes(1000))  # a buffer that is still borrowed refuses
    before = sys.getrefcount(None)
    for _ in range(1000):
        s.open_batch([NONCE] * 2, [bytes(20), b""])
    assert sys.getrefcount(None) - before < 500


def test_threads_of_their_own():
    data, results = random.randbytes(300_000), []
    expected = sealer().seal(NONCE, data)

    def work():
        s = sealer()
        results.append(all(s.seal(NONCE, data) == expected and s.open(NONCE, expected) == data for _ in range(5)))

    in_threads(*[work] * 4)
    assert results == [True] * 4


@pytest.mark.parametrize("batch", ["", "batch", "in place"])
def test_one_sealer_in_two_threads_is_refused(batch):
    """A long call lets others run, and they may not use its context."""
    s, data = runnel.aead(GCM, KEY, kernel="portable"), bytes(1 << 23)
    running = threading.Event()

    def long_call():
        running.set()
        if batch == "in place":
            s.seal_in_place(NONCE, bytearray(data), len(data))
        elif batch:
            s.seal_batch([NONCE] * 2, [data] * 2)
        else:
            s.seal(NONCE, data)

    for _ in range(20):
        running.clear()
        thread = threading.Thread(target=long_call)
        thread.start()
        running.wait()
        caught = []
        while thread.is_alive() and not caught:
            try:
                s.seal(NONCE, b"")  # which changes nothing where the long call has not begun
            except runnel.StateError:
                try:
                    s.wipe()
                except runnel.StateError as error:
                    caught.append(str(error))
                else:
                    break  # it has ended
        thread.join()
        if caught:
            assert caught == ["aes-128-gcm: another thread is using this sealer; give each thread one of its own"]
            return
        s = runnel.aead(GCM, KEY, kernel="portable")
    pytest.fail("no call was caught while another was at work")
