# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The two ends of an age file: the recipients that it is encrypted to, and the identities that decrypt it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable

from runnel._typing import TYPE_CHECKING
from runnel.errors import AuthenticationError, KeysetError
from runnel.imports import imported
from runnel.inputs import Inputs, PathLike
from runnel.sealed.age import bech32, stanzas
from runnel.sealed.age.armor import ArmoredSink, is_armored, without_armor
from runnel.sealed.age.header import Header, begins, header_of, written
from runnel.sealed.formats.age import FILE_KEY_BYTES, Age
from runnel.sealed.formats.key_material import HoldsKey
from runnel.sealed.io import Sink, Source
from runnel.sealed.keyset import FileLock, Key, Keys, Keyset

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from runnel.sealed.passphrase import Passphrase

_RECIPIENT, _IDENTITY = "age", "AGE-SECRET-KEY-"
_FILE_BYTES_MAX = 1 << 20
_ALONE = "a passphrase is the only recipient of a file in age's format"


class AgeLock(FileLock):
    """A base of what opens age files, armored or not."""

    __slots__ = ()

    def source(self, source: Source) -> Source:
        """Return the source itself, or one of what is in its armor."""
        return without_armor(source)

    def keys_of_file(self, name: str, read: Callable[[int, int], bytes]) -> tuple[Keys, int]:
        """Return the key of an age file, and how many bytes its header has. Raises AuthenticationError."""
        if is_armored(read):
            raise AuthenticationError(f"{name}: armored, and can be decrypted only as a whole")
        header = header_of(name, read)
        if _has_passphrase(header) and len(header.stanzas) > 1:
            raise AuthenticationError(f"{name}: malformed age header: {_ALONE}")
        file_key = self._file_key(name, header)
        if not header.is_authentic(file_key):
            raise AuthenticationError(f"{name}: authentication failed: damaged (header)")
        return _keyset(file_key), header.size

    def _file_key(self, name: str, header: Header) -> bytes:
        """Return the key of the file. Raises AuthenticationError."""
        raise NotImplementedError


class Recipients(FileLock):
    """Those who will be able to open a file, in age's format: anyone who has the identity of any of them.

        >>> ann = runnel.Identities.generate()
        >>> runnel.encrypt_file("photos.tar", "photos.age", runnel.Recipients([*ann.recipients]))
        >>> runnel.decrypt_file("photos.age", "photos-again.tar", ann)

    recipients: texts such as age1…; or a single Passphrase. armor: write the file as text. Raises KeysetError: none, or one
    that is malformed or of a kind that is not supported: SSH keys, plugins and post-quantum recipients; Error: the package
    cryptography is not installed.
    """

    def __init__(self, recipients: Iterable[str] | Passphrase, *, armor: bool = False) -> None:
        self._armor = armor
        self._passphrase: Passphrase | None = None
        self._points: list[bytes] = []
        if _is_passphrase(recipients):
            self._passphrase = recipients
            return
        if isinstance(recipients, str):
            raise TypeError("recipients are a list of texts, not one text")
        self._points = [recipient_in(text) for text in recipients]
        if not self._points:
            raise KeysetError("no recipient")
        stanzas.x25519()

    @classmethod
    def load(cls, path: PathLike, *, armor: bool = False) -> Recipients:
        """Read recipients from a file: one a line, besides empty lines and comments, which begin with #."""
        return cls(recipients_in_file(Inputs(), path), armor=armor)

    def sink(self, sink: Sink) -> Sink:
        """Return the sink itself, or one that armors."""
        return ArmoredSink(sink) if self._armor else sink

    def keyset_for_new_file(self) -> tuple[Keyset, bytes]:
        """Return a keyset with a new file's key, and the header with that for each recipient."""
        file_key = os.urandom(FILE_KEY_BYTES)
        if self._passphrase is not None:
            wrapped = [stanzas.wrapped_with(self._passphrase, file_key)]
        else:
            wrapped = [stanzas.wrapped_for(point, file_key) for point in self._points]
        return _keyset(file_key), written(wrapped, file_key)

    def keys_of_file(self, name: str, read: Callable[[int, int], bytes]) -> tuple[Keys, int]:
        """Raise TypeError: recipients open nothing."""
        raise TypeError("recipients encrypt; identities decrypt")


class Identities(AgeLock, HoldsKey):
    """Secret keys, each of which opens the files that are encrypted to its recipient, in age's format.

    Raises KeysetError: none, or one that is malformed or of a kind that is not supported, see Recipients.
    """

    __slots__ = ("_secrets",)

    def __init__(self, identities: Iterable[str]) -> None:
        if isinstance(identities, str):
            raise TypeError("identities are a list of texts, not one text")
        self._secrets = [_secret_in(text) for text in identities]
        if not self._secrets:
            raise KeysetError("no identity")

    def __repr__(self) -> str:
        return f"<runnel.Identities: {len(self._secrets)}>"

    @classmethod
    def generate(cls) -> Identities:
        """Make a new one. Raises Error: the package cryptography is not installed."""
        stanzas.x25519()
        return cls([bech32.encode(_IDENTITY.lower(), os.urandom(stanzas.POINT_BYTES)).upper()])

    @classmethod
    def load(cls, path: PathLike, *, passphrase: Passphrase | None = None) -> Identities:
        """Read the identities in a file that age-keygen or `runnel keygen --template age` wrote. passphrase: what it is
        locked with. Raises KeysetError, AuthenticationError, OSError."""
        return identities_in_file(Inputs(), path, None if passphrase is None else lambda: passphrase)

    @property
    def recipients(self) -> list[str]:
        """Return the recipients that belong to them."""
        return [bech32.encode(_RECIPIENT, stanzas.public_of(secret)) for secret in self._secrets]

    @classmethod
    def joined(cls, several: Iterable[Identities]) -> Identities:
        """Return all of them in one."""
        both = object.__new__(cls)
        both._secrets = [secret for each in several for secret in each._secrets]
        return both

    def save(self, path: PathLike, *, passphrase: Passphrase | None = None) -> None:
        """Write them, secrets included, to a new file that only its owner may read and write. passphrase: what locks it, in
        age's format. Raises FileExistsError, other OSErrors."""
        imported("runnel.sealed.keyset").write_keyset(self, path, Inputs(), passphrase)

    def to_bytes(self, passphrase: Passphrase | None = None) -> bytes:
        """Return what save writes."""
        data = self.to_text().encode()
        if passphrase is None:
            return data
        out = io.BytesIO()
        imported("runnel.sealed.files").encrypt_stream(io.BytesIO(data), out, Recipients(passphrase, armor=True))
        return out.getvalue()

    def to_text(self) -> str:
        """Return the contents of a file that load reads, secrets included."""
        lines = []
        for secret, recipient in zip(self._secrets, self.recipients):
            lines += [f"# public key: {recipient}", bech32.encode(_IDENTITY.lower(), secret).upper()]
        return "\n".join(lines) + "\n"

    def _file_key(self, name: str, header: Header) -> bytes:
        if _has_passphrase(header):
            raise AuthenticationError(f"{name}: encrypted with a passphrase, not to recipients")
        file_key = stanzas.opened_with_identities(name, header, self._secrets)
        if file_key is None:
            kinds = sorted({stanza.arguments[0] for stanza in header.stanzas} - {stanzas.X25519})
            others = f" (of other kinds, not supported: {', '.join(kinds)[:200]})" if kinds else ""
            raise AuthenticationError(f"{name}: no identity fits any of its recipients{others}")
        return file_key


class AgePassphrase(AgeLock):
    """A passphrase that opens a file in age's format."""

    def __init__(self, passphrase: Passphrase) -> None:
        self._passphrase = passphrase

    def _file_key(self, name: str, header: Header) -> bytes:
        if not _has_passphrase(header):
            raise AuthenticationError(f"{name}: encrypted to recipients, not with a passphrase: it needs an identity")
        file_key = stanzas.opened_with_passphrase(name, header, self._passphrase)
        if file_key is None:
            raise AuthenticationError(f"{name}: authentication failed: wrong passphrase, or damaged")
        return file_key


def _is_passphrase(given: Iterable[str] | Passphrase) -> TypeIs[Passphrase]:
    if isinstance(given, (list, tuple)):
        return False  # known without that module
    kind: type = imported("runnel.sealed.passphrase").Passphrase
    return isinstance(given, kind)


def needs_passphrase(name: str, read: Callable[[int, int], bytes]) -> bool:
    """Return whether an age file is locked with a passphrase; False: it is encrypted to recipients."""
    return _has_passphrase(header_of(name, read))


def _has_passphrase(header: Header) -> bool:
    return any(stanza.arguments[0] == stanzas.SCRYPT for stanza in header.stanzas)


def _keyset(file_key: bytes) -> Keyset:
    if len(file_key) != FILE_KEY_BYTES:
        raise AuthenticationError("malformed age header: the file's key has another length")
    key = Key(1, Age(), file_key)
    return Keyset(key, (key,))


# Texts and files


def recipient_in(text: str) -> bytes:
    """Return the public key that a recipient is. Raises KeysetError."""
    lower = text.lower()
    for begin, kind in (("ssh-", "an SSH key"), ("age1pq1", "a post-quantum recipient"), ("age1tag", "a tagged recipient"),
                        ("-----begin", "a key in PEM"), ("github:", "a name at GitHub")):  # fmt: skip
        if lower.startswith(begin):
            raise KeysetError(f"{kind} is not supported: only age1... of X25519 is")
    if lower.startswith("age-secret-key-"):
        raise KeysetError("an identity, which is secret, in the place of a recipient")
    if lower.startswith("age1") and "1" in lower[4:]:
        raise KeysetError("a plugin's recipient is not supported: only age1... of X25519 is")
    shown = text if len(text) <= 80 else text[:77] + "..."
    try:
        prefix, point = bech32.decode(text)
    except ValueError as error:
        raise KeysetError(f"malformed recipient {shown!r}: {error}") from None
    if prefix != _RECIPIENT or len(point) != stanzas.POINT_BYTES:
        raise KeysetError(f"malformed recipient {shown!r}: not age1... of X25519")
    return point


def _secret_in(text: str) -> bytes:
    """Return the secret key that an identity is. Raises KeysetError, without the text."""
    upper = text.upper()
    for begin, kind in (("AGE-SECRET-KEY-PQ-", "a post-quantum identity"), ("AGE-PLUGIN-", "an identity of a plugin"),
                        ("-----BEGIN", "a key in PEM, such as of SSH,")):  # fmt: skip
        if upper.startswith(begin):
            raise KeysetError(f"{kind} is not supported: only AGE-SECRET-KEY-1... of X25519 is")
    try:
        prefix, secret = bech32.decode(text)
    except ValueError as error:
        raise KeysetError(f"malformed identity: {error}") from None
    if prefix != _IDENTITY or len(secret) != stanzas.POINT_BYTES:
        raise KeysetError("malformed identity: not AGE-SECRET-KEY-1... of X25519")
    return secret


def recipients_in_file(inputs: Inputs, path: PathLike) -> list[str]:
    """Return the recipients in a file. Raises KeysetError, which says the line."""
    return _texts(inputs.read(path, _FILE_BYTES_MAX + 1), os.fsdecode(path), recipient_in)


def identities_in_file(inputs: Inputs, path: PathLike, ask: Callable[[], Passphrase] | None = None) -> Identities:
    """Return the identities in a file, which may be an age file itself. ask: called for the passphrase of such a one."""
    name = os.fsdecode(path)
    data = inputs.read(path, _FILE_BYTES_MAX + 1)

    def read(position: int, count: int) -> bytes:
        return data[position : position + count]

    if begins(read) or is_armored(read):
        if ask is None:
            raise KeysetError(f"{name}: the identities are locked: a passphrase is required")
        data = _decrypted(data, name, AgePassphrase(ask()))
    return Identities(_texts(data, name, _secret_in))


def _decrypted(data: bytes, name: str, lock: AgePassphrase) -> bytes:
    files, ends = imported("runnel.sealed.files"), imported("runnel.sealed.io")
    out = io.BytesIO()
    source, sink = ends.SequentialSource(io.BytesIO(data), name), ends.SequentialSink(out, name)
    files.Job(lock, source, sink, threads=1).decrypt()
    return out.getvalue()


def _texts(data: bytes, name: str, check: Callable[[str], object]) -> list[str]:
    """Return the lines that are neither empty nor comments, each of which check accepts."""
    if len(data) > _FILE_BYTES_MAX:
        raise KeysetError(f"{name}: more than 1 MiB")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise KeysetError(f"{name}: not a text") from None
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line or line.startswith("#"):
            continue
        try:
            check(line)
        except KeysetError as error:
            raise KeysetError(f"{name}: line {number}: {error}") from None
        lines.append(line)
    if not lines:
        raise KeysetError(f"{name}: neither recipient nor identity in it")
    return lines
