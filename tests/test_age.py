# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Age's format: the vectors of its specification (C2SP CCTV), and files exchanged with age and rage."""

import base64
import io
import json
import os
import random
import shutil
import subprocess
import zlib
from hashlib import sha256
from pathlib import Path

import pyrage
import pytest
import runnel
from cli_program import accepted, refused
from runnel import AuthenticationError, Identities, KeysetError, Passphrase, Recipients
from runnel.sealed.age import bech32, people, stanzas
from runnel.sealed.age import header as headers

VECTORS = json.loads((Path(__file__).parent / "vectors" / "age.json").read_text())
AGE = os.environ.get("AGE") or shutil.which("age")
"""The program; Debian's, or the one that the variable names."""
LENGTHS = [0, 1, 47, 48, 49, 65535, 65536, 65537, 131071, 131072, 131073, 1 << 20, (17 << 16) + 5]
SUPPORTED = {name: each for name, each in VECTORS.items() if not any("PQ" in text for text in each.get("identity", []))}
"""Without the vectors of post-quantum identities."""

# What an error says, by what a vector calls the failure.
SAID = {
    "header failure": ("age header", "a file", "truncated", "unsupported work factor", "empty, not an encrypted file"),
    "HMAC failure": ("damaged (header)",),
    "no match": ("no identity fits", "wrong passphrase", "encrypted to recipients"),
    "payload failure": ("segment", "truncated", "extended"),
    "armor failure": ("malformed armor", "not an age file"),
}


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(stanzas, "LOG2_N", 4)


@pytest.fixture(scope="module")
def ann():
    return Identities.generate()


def encrypted(plaintext, lock):
    out = io.BytesIO()
    runnel.encrypt_stream(io.BytesIO(plaintext), out, lock)
    return out.getvalue()


def decrypted(data, lock):
    out = io.BytesIO()
    runnel.decrypt_stream(io.BytesIO(data), out, lock)
    return out.getvalue()


# The specification


def lock_of(vector):
    if "passphrase" in vector:
        return Passphrase(vector["passphrase"][0])
    return Identities(vector["identity"])


def file_of(vector):
    data = base64.b64decode(vector["file"])
    return zlib.decompress(data) if "compressed" in vector else data


@pytest.mark.parametrize("name", SUPPORTED)
def test_vectors(name, tmp_path):
    vector = VECTORS[name]
    if "identity" not in vector and "passphrase" not in vector:
        vector["identity"] = [bech32.encode("age-secret-key-", bytes(32)).upper()]
    data, lock, out = file_of(vector), lock_of(vector), io.BytesIO()
    (tmp_path / "sealed").write_bytes(data)
    ways = (
        lambda: runnel.decrypt_stream(io.BytesIO(data), out, lock),
        lambda: runnel.decrypt_file(tmp_path / "sealed", tmp_path / "out", lock),
    )
    for way in ways:
        if vector["expect"] == "success":
            way()
            continue
        with pytest.raises(AuthenticationError) as caught:
            way()
        assert any(words in str(caught.value) for words in SAID[vector["expect"]]), str(caught.value)
    if vector["expect"] == "success":
        assert sha256(out.getvalue()).hexdigest() == vector["payload"]
        assert sha256((tmp_path / "out").read_bytes()).hexdigest() == vector["payload"]
    else:
        assert not (tmp_path / "out").exists()
        if out.getvalue() and "payload" in vector:  # blocks of chunks are released together
            assert sha256(out.getvalue()).hexdigest() == vector["payload"]


def test_vectors_of_every_kind_are_there():
    kinds = [each["expect"] for each in SUPPORTED.values()]
    assert {kind: kinds.count(kind) for kind in SAID} == {
        "header failure": 53, "HMAC failure": 1, "no match": 8, "payload failure": 19, "armor failure": 22
    }  # fmt: skip
    assert kinds.count("success") == 21


@pytest.mark.parametrize("name", [name for name, each in SUPPORTED.items() if each["expect"] != "header failure"])
def test_a_header_is_written_as_it_was_read(name):
    if VECTORS[name].get("armored"):
        return
    data = file_of(VECTORS[name])
    header = headers.header_of(name, lambda at, count: data[at : at + count])
    assert data.startswith(headers.INTRODUCTION + b"".join(each.to_bytes() for each in header.stanzas) + b"--- ")


# Other programs


@pytest.mark.parametrize("armor", [False, True])
def test_rage(armor, ann):
    """Both ways, by rage's library."""
    [recipient] = ann.recipients
    secret = ann.to_text().split("\n")[1]
    theirs = pyrage.x25519.Identity.from_str(secret)
    for length in LENGTHS:
        plaintext = random.randbytes(length)
        data = encrypted(plaintext, Recipients([recipient, *Identities.generate().recipients], armor=armor))
        assert pyrage.decrypt(data, [theirs]) == plaintext
        sealed = pyrage.encrypt(plaintext, [pyrage.x25519.Recipient.from_str(recipient)], armored=armor)
        assert decrypted(sealed, ann) == plaintext


def test_rages_passphrases(quick):
    data = encrypted(b"text", Recipients(Passphrase("correct horse")))
    assert pyrage.passphrase.decrypt(data, "correct horse") == b"text"


@pytest.mark.slow
def test_rages_passphrase_as_it_makes_it():
    assert decrypted(pyrage.passphrase.encrypt(b"text", "correct horse"), Passphrase("correct horse")) == b"text"


def age(*arguments, data=b""):
    done = subprocess.run([AGE, *arguments], input=data, capture_output=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("armor", [False, True])
def test_age(armor, ann, tmp_path):
    """Both ways, by the program."""
    identity = tmp_path / "identity"
    ann.save(identity)
    options = ["--armor"] if armor else []
    for length in LENGTHS[:8]:
        plaintext = random.randbytes(length)
        assert (
            age("-d", "-i", identity, data=encrypted(plaintext, Recipients(ann.recipients, armor=armor))) == plaintext
        )
        sealed = age("-r", ann.recipients[0], *options, data=plaintext)
        assert decrypted(sealed, ann) == plaintext
        with pytest.raises(AuthenticationError, match="no identity fits any of its recipients$"):
            decrypted(sealed, Identities.generate())


def test_the_command_and_age(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run([f"{AGE}-keygen", "-o", "theirs"], check=True, capture_output=True)
    accepted("keygen", "--template", "age", "ours")
    recipients = [
        subprocess.check_output([f"{AGE}-keygen", "-y", name], text=True).strip() for name in ("ours", "theirs")
    ]
    Path("team").write_text("# all\n\n" + "\n".join(recipients) + "\n")
    Path("plain").write_bytes(os.urandom(100_000))
    accepted("encrypt", "-R", "team", "plain", "sealed")
    age("-R", "team", "-o", "sealed2", "plain")
    for number, (identity, sealed) in enumerate((i, s) for i in ("ours", "theirs") for s in ("sealed", "sealed2")):
        age("-d", "-i", identity, "-o", f"a{number}", sealed)
        accepted("decrypt", "-i", identity, sealed, f"b{number}")
        assert Path(f"a{number}").read_bytes() == Path(f"b{number}").read_bytes() == Path("plain").read_bytes()


# What Python programs see


def test_every_flipped_bit_and_every_cut_is_refused(ann):
    data = encrypted(b"text", Recipients(ann.recipients))
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << random.randrange(8)
        for wrong in (bytes(changed), data[:at]):
            with pytest.raises(AuthenticationError):
                decrypted(wrong, ann)
    for more in (b"\0", bytes(16), bytes(70_000)):
        with pytest.raises(AuthenticationError):
            decrypted(data + more, ann)


def test_a_changed_armor_opens_to_the_same_or_not_at_all(ann):
    data = encrypted(b"text" * 20, Recipients(ann.recipients, armor=True))
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << random.randrange(8)
        try:
            assert decrypted(bytes(changed), ann) == b"text" * 20
        except AuthenticationError:
            continue
        raise AssertionError(bytes(changed))


def test_any_part_can_be_read_and_files_are_written_in_pieces(ann, tmp_path):
    plaintext = random.randbytes(300_000)
    for armor in (False, True):
        with runnel.open_encrypted(tmp_path / f"{armor}", "wb", Recipients(ann.recipients, armor=armor)) as out:
            for at in range(0, len(plaintext), 7777):
                out.write(plaintext[at : at + 7777])
        assert decrypted((tmp_path / f"{armor}").read_bytes(), ann) == plaintext
    with runnel.open_encrypted(tmp_path / "False", "rb", ann) as reader:
        assert reader.size == len(plaintext)
        for _ in range(30):
            at = random.randrange(len(plaintext))
            reader.seek(at)
            assert reader.read(1000) == plaintext[at : at + 1000]
    with pytest.raises(AuthenticationError, match="armored, and can be decrypted only as a whole"):
        runnel.open_encrypted(tmp_path / "True", "rb", ann)
    runnel.decrypt_file(tmp_path / "False", tmp_path / "part", ann, start=70_000, end=70_010)
    assert (tmp_path / "part").read_bytes() == plaintext[70_000:70_010]


def test_each_file_has_its_own_key(ann):
    files = [encrypted(b"same", Recipients(ann.recipients)) for _ in range(20)]
    assert len({file[-20:] for file in files}) == len({file[:80] for file in files}) == 20


def test_what_is_no_lock(ann, tmp_path):
    with pytest.raises(TypeError, match="opens files and encrypts none"):
        encrypted(b"", ann)
    with pytest.raises(TypeError, match="recipients encrypt"):
        decrypted(b"", Recipients(ann.recipients))
    with pytest.raises(runnel.Error, match="no associated data"):
        runnel.encrypt_stream(io.BytesIO(b""), io.BytesIO(), Recipients(ann.recipients), aad=b"x")
    for lock, wrong in ((Recipients, KeysetError), (Identities, KeysetError)):
        with pytest.raises(wrong, match="^no "):
            lock([])
        with pytest.raises(TypeError):
            lock("age1")
    with pytest.raises(TypeError, match="cannot be pickled"):
        ann.__reduce__()
    assert "AGE-SECRET" not in repr(ann)


def test_a_locked_identity_file(ann, tmp_path, quick):
    ann.save(tmp_path / "locked", passphrase=Passphrase("hush"))
    assert Identities.load(tmp_path / "locked", passphrase=Passphrase("hush")).recipients == ann.recipients
    with pytest.raises(KeysetError, match="a passphrase is required"):
        Identities.load(tmp_path / "locked")
    with pytest.raises(AuthenticationError, match="wrong passphrase"):
        Identities.load(tmp_path / "locked", passphrase=Passphrase("hash"))


def test_new_passphrases_cost_what_ages_do():
    assert stanzas.LOG2_N == 18 and stanzas.LOG2_N_MAX == 22


def test_without_the_package_cryptography(ann, monkeypatch):
    sealed = encrypted(b"text", Recipients(ann.recipients))

    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr(stanzas, "imported", refuse)
    for call in (lambda: decrypted(sealed, ann), lambda: Recipients(["age1" + "q" * 58]), Identities.generate):
        with pytest.raises(runnel.Error, match=r"pip install 'runnel\[age\]'|malformed recipient"):
            call()


@pytest.mark.parametrize("error", [ImportError, AttributeError])
def test_x25519_where_a_release_of_cryptography_has_it(ann, monkeypatch, error):
    """Its public module, where the one that this calls is not there."""
    sealed, own = encrypted(b"text", Recipients(ann.recipients)), stanzas.imported

    def elsewhere(name):
        if name.endswith("_rust"):
            raise error(name)
        return own(name)

    monkeypatch.setattr(stanzas, "imported", elsewhere)
    assert stanzas.x25519()[0].__qualname__.startswith("X25519PrivateKey.")
    assert decrypted(sealed, ann) == b"text" == decrypted(encrypted(b"text", Recipients(ann.recipients)), ann)


def test_bech32():
    for _ in range(200):
        data = os.urandom(random.randrange(1, 40))
        text = bech32.encode("age", data)
        assert bech32.decode(text) == ("age", data) and bech32.decode(text.upper()) == ("AGE", data)
        at = random.randrange(4, len(text))
        wrong = text[:at] + ("q" if text[at] != "q" else "p") + text[at + 1 :]
        with pytest.raises(ValueError):
            bech32.decode(wrong)
    for text in ("", "age1", "1qqqqqqq", "age1QQQQQQ", "agé1qqqqqqqq", "age1bbbbbbbb"):
        with pytest.raises(ValueError):
            bech32.decode(text)


def test_a_recipient_that_anybody_could_open_is_refused():
    for point in (bytes(32), bytes([1]) + bytes(31)):
        with pytest.raises(runnel.Error, match="low order"):
            encrypted(b"", Recipients([bech32.encode("age", point)]))


def test_a_key_of_the_wrong_length_is_no_file_key():
    with pytest.raises(AuthenticationError, match="another length"):
        people._keyset(bytes(17))


def test_armored_identities_on_the_command_line_are_not_shown(tmp_path, monkeypatch, ann):
    monkeypatch.chdir(tmp_path)
    Path("plain").write_bytes(b"text")
    line = refused("encrypt", "-r", ann.to_text().split("\n")[1], "plain", "out", status=2)
    assert "AGE-SECRET" not in line and "secret" in line


@pytest.mark.campaign
@pytest.mark.parametrize("peer", ["age", "rage"])
def test_two_hundred_files_each_way(peer, ann, tmp_path):
    """Of random lengths, for several recipients, armored or not."""
    identity = tmp_path / "identity"
    ann.save(identity)
    theirs = pyrage.x25519.Identity.from_str(ann.to_text().split("\n")[1])
    others = [Identities.generate().recipients[0] for _ in range(3)]
    for number in range(200):
        plaintext = random.randbytes(int(2 ** random.uniform(0, 22)))
        armor = bool(number % 2)
        recipients = [*ann.recipients, *random.sample(others, random.randrange(4))]
        random.shuffle(recipients)
        data = encrypted(plaintext, Recipients(recipients, armor=armor))
        if peer == "age":
            assert age("-d", "-i", identity, data=data) == plaintext
            options = [word for each in recipients for word in ("-r", each)]
            sealed = age(*options, *(["-a"] if armor else []), data=plaintext)
        else:
            assert pyrage.decrypt(data, [theirs]) == plaintext
            sealed = pyrage.encrypt(plaintext, [*map(pyrage.x25519.Recipient.from_str, recipients)], armored=armor)
        assert decrypted(sealed, ann) == plaintext
