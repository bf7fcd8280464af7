# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What an age file is made of as text: recipients, identities, files of them, headers and armor, with what an error says."""

import base64
import io
import os

import pytest
import runnel
from runnel import AuthenticationError, Identities, KeysetError, Passphrase, Recipients
from runnel.sealed.age import armor, bech32, people, stanzas
from runnel.sealed.age import header as headers
from runnel.sealed.io import SequentialSink, SequentialSource

ANN = bech32.encode("age-secret-key-", bytes(range(32))).upper()
SHARE = headers.in_base64(bytes(range(32))).decode()
BODY = b"\1" * 32


def opened(data, lock):
    out = io.BytesIO()
    runnel.decrypt_stream(io.BytesIO(data), out, lock)
    return out.getvalue()


def sealed(plaintext, lock):
    out = io.BytesIO()
    runnel.encrypt_stream(io.BytesIO(plaintext), out, lock)
    return out.getvalue()


# Recipients and identities

ONLY_RECIPIENTS = "is not supported: only age1... of X25519 is"
ONLY_IDENTITIES = "is not supported: only AGE-SECRET-KEY-1... of X25519 is"


def refused(call, *arguments) -> str:
    with pytest.raises(KeysetError) as caught:
        call(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SSH-ed25519 AAAA", f"an SSH key {ONLY_RECIPIENTS}"),
        ("age1pq1qqqq", f"a post-quantum recipient {ONLY_RECIPIENTS}"),
        ("age1tag1qqqq", f"a tagged recipient {ONLY_RECIPIENTS}"),
        ("-----BEGIN PUBLIC KEY-----", f"a key in PEM {ONLY_RECIPIENTS}"),
        ("github:ann", f"a name at GitHub {ONLY_RECIPIENTS}"),
        ("AGE1YUBIKEY1QQQQ", f"a plugin's recipient {ONLY_RECIPIENTS}"),
        (ANN, "an identity, which is secret, in the place of a recipient"),
        ("age1qqqqqq", "malformed recipient 'age1qqqqqq': wrong checksum: mistyped or cut"),
        ("age1bqqqqqq", "malformed recipient 'age1bqqqqqq': character 5 is none of Bech32"),
        ("x" * 80, f"malformed recipient '{'x' * 80}': not Bech32"),
        ("x" * 81, f"malformed recipient '{'x' * 77}...': not Bech32"),
    ],
)  # fmt: skip
def test_what_is_no_recipient(text, why):
    assert refused(Recipients, [text]) == why


def test_a_recipient_of_age():
    """That of age's documentation."""
    text = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"
    assert bech32.encode("age", people.recipient_in(text)) == text


@pytest.mark.parametrize(("prefix", "size"), [("agf", 32), ("age", 31), ("age", 33)])
def test_a_recipient_of_another_kind_or_length(prefix, size):
    text = bech32.encode(prefix, bytes(size))
    assert refused(Recipients, [text]) == f"malformed recipient {text!r}: not age1... of X25519"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("age-secret-key-pq-1qqqq", f"a post-quantum identity {ONLY_IDENTITIES}"),
        ("AGE-PLUGIN-YUBIKEY-1QQQQ", f"an identity of a plugin {ONLY_IDENTITIES}"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", f"a key in PEM, such as of SSH, {ONLY_IDENTITIES}"),
        (ANN[:-1] + ("Q" if ANN[-1] != "Q" else "P"), "malformed identity: wrong checksum: mistyped or cut"),
        (ANN[:-1] + ANN[-1].lower(), "malformed identity: mixed upper and lower case"),
    ]
    + [
        (bech32.encode(prefix, bytes(size)).upper(), "malformed identity: not AGE-SECRET-KEY-1... of X25519")
        for prefix, size in [("age-secret-kex-", 32), ("age-secret-key-", 31), ("age-secret-key-", 33)]
    ],
)  # fmt: skip
def test_what_is_no_identity(text, why):
    assert refused(Identities, [text]) == why


def test_bits_that_fill_up_the_last_digit_are_zeros_and_few():
    """One digit too many, and a bit that is set behind the data, each with a checksum that is right."""

    def text_of(digits):
        polymod = bech32._polymod([*bech32._expanded("age"), *digits, *[0] * 6]) ^ 1
        checksum = [polymod >> 5 * (5 - place) & 31 for place in range(6)]
        return "age1" + "".join(bech32._DIGITS[digit] for digit in [*digits, *checksum])

    data = bytes(range(3))
    digits = bech32._regrouped(data, 8, 5)
    assert bech32.decode(text_of(digits)) == ("age", data)
    assert bech32.decode(text_of([0] * 8)) == ("age", bytes(5))
    for wrong in ([*digits, 0], [*digits[:-1], digits[-1] | 1], [0], [0] * 3, [0] * 6):
        with pytest.raises(ValueError, match="wrong padding"):
            bech32.decode(text_of(wrong))


# Files of them


def test_files_have_comments_empty_lines_and_either_end_of_line(tmp_path):
    ann, bob = Identities([ANN]), Identities.generate()
    texts = ann.recipients + bob.recipients
    (tmp_path / "team").write_bytes(f"# team\r\n\r\n{texts[0]}\r\n\n#\n{texts[1]}".encode())
    data = sealed(b"text", Recipients.load(tmp_path / "team", armor=True))
    assert data.startswith(b"-----BEGIN AGE ENCRYPTED FILE-----\n")
    assert opened(data, ann) == opened(data, bob) == b"text"
    both = Identities.joined([ann, bob])
    assert both.recipients == texts and repr(both) == "<runnel.Identities: 2>"
    assert both.to_text().split("\n") == [
        f"# public key: {texts[0]}", ANN, f"# public key: {texts[1]}", bob.to_text().split("\n")[1], ""
    ]  # fmt: skip
    (tmp_path / "both").write_bytes(both.to_bytes())
    assert Identities.load(tmp_path / "both").recipients == texts


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"# a comment\nage1qqqq\n", "line 2: malformed recipient 'age1qqqq': not Bech32"),
        (b"\n# a comment\n\n", "neither recipient nor identity in it"),
        (b"\xff\n", "not a text"),
        (b"#" * (1 << 20), "neither recipient nor identity in it"),
        (b"#" * ((1 << 20) + 1), "more than 1 MiB"),
    ],
    ids=["line 2", "comments", "bytes", "1 MiB", "more"],
)
def test_files_that_are_none(data, why, tmp_path):
    (tmp_path / "team").write_bytes(data)
    assert refused(Recipients.load, tmp_path / "team") == f"{tmp_path}/team: {why}"


@pytest.mark.parametrize("armored", [False, True])
def test_locked_identities_in_either_form(armored, tmp_path, monkeypatch):
    monkeypatch.setattr(stanzas, "LOG2_N", 4)
    (tmp_path / "locked").write_bytes(sealed(ANN.encode(), Recipients(Passphrase("hush"), armor=armored)))
    assert (
        Identities.load(tmp_path / "locked", passphrase=Passphrase("hush")).recipients == Identities([ANN]).recipients
    )
    assert refused(Identities.load, tmp_path / "locked").endswith(
        ": the identities are locked: a passphrase is required"
    )


# Headers


def header_of(data: bytes) -> headers.Header:
    return headers.header_of("x", lambda at, count: data[at : at + count])


def end_of(*stanzas_: headers.Stanza, file_key: bytes = bytes(16)) -> bytes:
    return headers.written(stanzas_, file_key)


STANZA = headers.Stanza(["X25519", SHARE], BODY)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"age-encryption.org/v2\n" + bytes(50), "an age file of another version than 1"),
        (b"age-encryption.org/v1 \n", "an age file of another version than 1"),
        (b"a text\n", "not an age file"),
        (b"a text", "not an age file"),
        (b"age-encryption.org/v1", "truncated"),
        (b"age-encryption.org/v1\n-> X25519 ", "truncated"),
        (b"age-encryption.org/v1\n--> X25519\n", "neither a stanza nor the header's end at byte 22"),
        (end_of(), "no recipient"),
        (end_of(STANZA)[:-2] + b"\n", "malformed MAC"),
        (end_of(STANZA)[:-1] + b" x\n", "malformed MAC"),
        (b"age-encryption.org/v1\n->\n", "malformed arguments of a stanza"),
        (b"age-encryption.org/v1\n-> a  b\n", "malformed arguments of a stanza"),
        (b"age-encryption.org/v1\n-> \x7f\n", "malformed arguments of a stanza"),
        (b"age-encryption.org/v1\n-> \x20\n", "malformed arguments of a stanza"),
        (b"age-encryption.org/v1\n-> a\nAB\n", "malformed body of a stanza"),
        (b"age-encryption.org/v1\n-> a\n" + b"A" * 68 + b"\n", "malformed body of a stanza"),
        (b"age-encryption.org/v1\n-> " + b"a" * (1 << 22), "longer than 4 MiB"),
    ],
    ids=range(17),
)
def test_headers_that_are_none(data, why):
    with pytest.raises(AuthenticationError) as caught:
        header_of(data)
    assert str(caught.value) == f"x: malformed age header: {why}"


@pytest.mark.parametrize("size", [0, 1, 47, 48, 49, 96])
def test_stanzas_of_any_length(size):
    """A body ends with a line that is not full, which may be empty."""
    stanza = headers.Stanza(["!", "~"], bytes(range(size)))
    data = end_of(stanza, STANZA)
    found = header_of(data + b"behind it")
    assert [(each.arguments, each.body) for each in found.stanzas] == [
        (("!", "~"), stanza.body), (("X25519", SHARE), BODY)
    ]  # fmt: skip
    assert found.size == len(data) and found.is_authentic(bytes(16)) and not found.is_authentic(bytes(15) + b"\1")


def test_a_header_that_is_read_in_several_reads():
    """For the last of sixty: more than 4 KiB."""
    ann, others = Identities([ANN]), Identities.generate().recipients
    data = sealed(b"text", Recipients([*others * 59, *ann.recipients]))
    assert len(data) > 4096 + 1024 and opened(data, ann) == b"text"


@pytest.mark.parametrize(
    ("stanza", "why"),
    [
        (headers.Stanza(["X25519"], BODY), "malformed X25519 stanza"),
        (headers.Stanza(["X25519", SHARE, SHARE], BODY), "malformed X25519 stanza"),
        (headers.Stanza(["X25519", SHARE[:-2]], BODY), "malformed X25519 stanza"),
        (headers.Stanza(["X25519", SHARE], BODY[1:]), "malformed X25519 stanza"),
        (headers.Stanza(["X25519", headers.in_base64(bytes(32)).decode()], BODY), "an X25519 share of low order"),
    ],
    ids=range(5),
)
def test_stanzas_that_are_none(stanza, why):
    with pytest.raises(AuthenticationError) as caught:
        opened(end_of(stanza), Identities([ANN]))
    assert str(caught.value).endswith(f": malformed age header: {why}")


def test_recipients_of_other_kinds_are_named():
    more = [headers.Stanza([kind], b"") for kind in ("ssh-rsa", "piv", "x" * 300)]
    with pytest.raises(AuthenticationError) as caught:
        opened(end_of(*more, STANZA), Identities([ANN]))
    kinds = f"piv, ssh-rsa, {'x' * 300}"[:200]
    assert str(caught.value).endswith(
        f": no identity fits any of its recipients (of other kinds, not supported: {kinds})"
    )


SALT = headers.in_base64(bytes(16)).decode()


@pytest.mark.parametrize(
    ("arguments", "body", "why"),
    [
        ([SALT, "22"], BODY, "authentication failed: wrong passphrase, or damaged"),
        ([SALT, "23"], BODY, "unsupported work factor of scrypt, more than 2^22"),
        ([SALT, "100"], BODY, "unsupported work factor of scrypt, more than 2^22"),
        ([SALT, "0"], BODY, "malformed age header: malformed work factor of scrypt"),
        ([SALT, "09"], BODY, "malformed age header: malformed work factor of scrypt"),
        ([SALT, "4", "4"], BODY, "malformed age header: malformed scrypt stanza"),
        ([SALT[:-2], "4"], BODY, "malformed age header: malformed scrypt stanza"),
        ([SALT, "4"], BODY[1:], "malformed age header: malformed scrypt stanza"),
    ],
    ids=range(8),
)
def test_passphrases_of_a_header(arguments, body, why, monkeypatch):
    asked = []
    monkeypatch.setattr(stanzas, "_scrypt_key", lambda passphrase, salt, log2_n: asked.append(log2_n) or bytes(32))
    with pytest.raises(AuthenticationError) as caught:
        opened(end_of(headers.Stanza(["scrypt", *arguments], body)), Passphrase("hush"))
    assert str(caught.value).endswith(f": {why}")
    assert asked == ([22] if arguments[1:] == ["22"] else [])


def test_a_passphrase_is_the_only_recipient(monkeypatch):
    with pytest.raises(AuthenticationError, match="a passphrase is the only recipient of a file in age's format$"):
        opened(end_of(headers.Stanza(["scrypt", SALT, "4"], BODY), STANZA), Passphrase("hush"))
    with pytest.raises(AuthenticationError, match="encrypted with a passphrase, not to recipients$"):
        opened(end_of(headers.Stanza(["scrypt", SALT, "4"], BODY)), Identities([ANN]))
    with pytest.raises(AuthenticationError, match="not with a passphrase: it needs an identity$"):
        opened(end_of(STANZA), Passphrase("hush"))
    read = end_of(STANZA).__getitem__
    assert not people.needs_passphrase("x", lambda at, count: read(slice(at, at + count)))


# Armor


class Slow(io.RawIOBase):
    """A file that has a part of what it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def readinto(self, view):
        count = min(701, len(view), len(self.data))
        view[:count], self.data = self.data[:count], self.data[count:]
        return count


@pytest.mark.parametrize("size", [0, 1, 47, 48, 49, 96, 70_000])
def test_armor_is_what_base64_says(size, tmp_path):
    """From bytes that come a few at a time too, and in a file; and a line is as long as age's."""
    ann, plaintext = Identities([ANN]), bytes(size % 251 for _ in range(size))
    data = sealed(plaintext, Recipients(ann.recipients, armor=True))
    begin, *lines, end, rest = data.split(b"\n")
    assert (begin, end, rest) == (b"-----BEGIN AGE ENCRYPTED FILE-----", b"-----END AGE ENCRYPTED FILE-----", b"")
    assert all(len(line) == 64 for line in lines[:-1]) and 0 < len(lines[-1]) <= 64
    assert opened(base64.b64decode(b"".join(lines)), ann) == plaintext
    out = io.BytesIO()
    runnel.decrypt_stream(Slow(data), out, ann)
    assert out.getvalue() == plaintext
    (tmp_path / "plain").write_bytes(plaintext)
    runnel.encrypt_file(tmp_path / "plain", tmp_path / "sealed", Recipients(ann.recipients, armor=True))
    assert opened((tmp_path / "sealed").read_bytes(), ann) == plaintext
    runnel.decrypt_file(tmp_path / "sealed", tmp_path / "opened", ann)
    assert (tmp_path / "opened").read_bytes() == plaintext
    assert opened(data.replace(b"\n", b"\r\n"), ann) == opened(data.rstrip(b"\n"), ann) == plaintext


def test_a_sink_with_armor_is_its_file():
    """By which a program notices that nobody reads any more."""
    sink = SequentialSink(io.FileIO(os.dup(1), "w"), "out")
    assert sink.fd is not None and armor.ArmoredSink(sink).fd == sink.fd


def test_armor_is_read_as_it_is_needed():
    data = sealed(bytes(300_000), Recipients(Identities([ANN]).recipients, armor=True))
    slow = Slow(data)
    assert armor.without_armor(SequentialSource(slow, "x")).peek(0, 21) == b"age-encryption.org/v1"
    assert len(slow.data) > len(data) // 2


def test_white_space_around_armor():
    ann = Identities([ANN])
    data = sealed(b"text", Recipients(ann.recipients, armor=True))
    space = b" \t\r\n" * 256
    assert opened(space + data + space, ann) == b"text"
    with pytest.raises(AuthenticationError, match="malformed armor: something follows it$"):
        opened(data + space + b" ", ann)
    with pytest.raises(AuthenticationError, match="malformed armor: something follows it$"):
        opened(data + b" x", ann)
    with pytest.raises(AuthenticationError, match="not an age file$"):
        opened(b" " + space + data, ann)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda lines: [*lines[:-1]], "truncated"),
        (lambda lines: [*lines[:1], b"", *lines[1:]], "an empty line, a long one, or one behind a short one"),
        (lambda lines: [lines[0], lines[1] + lines[2], *lines[3:]], "an empty line, a long one, or one behind a short one"),
        (lambda lines: [lines[0], lines[1][:60], lines[1][60:] + lines[2][:60], *lines[3:]],
         "an empty line, a long one, or one behind a short one"),
        (lambda lines: [lines[0], b"*" + lines[1][1:], *lines[2:]], "not base64"),
        (lambda lines: [*lines[:-2], lines[-2].rstrip(b"="), lines[-1]], "not base64"),
        (lambda lines: [*lines[:-2], b"AB==", lines[-1]], "base64 that is not canonical"),
    ],
    ids=range(7),
)  # fmt: skip
def test_armor_that_is_none(change, why):
    ann = Identities([ANN])
    lines = sealed(b"te", Recipients(ann.recipients, armor=True)).rstrip(b"\n").split(b"\n")
    assert lines[-2].endswith(b"=")
    with pytest.raises(AuthenticationError) as caught:
        opened(b"\n".join(change(lines)) + b"\n", ann)
    assert str(caught.value).endswith(f": malformed armor: {why}")


def test_what_is_armored_is_told_by_its_beginning():
    def of(data: bytes) -> bool:
        return armor.is_armored(lambda at, count: data[at : at + count])

    begin = b"-----BEGIN AGE ENCRYPTED FILE-----"
    assert of(begin) and of(b"\n" * 1024 + begin)
    assert not any(map(of, (b"", b"\n", b"x" + begin, begin[:-1], b"\n" * 1025 + begin)))
