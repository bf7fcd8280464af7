# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keysets: the keys that files are sealed with, in the JSON of Tink's cleartext keysets; all its forms are read."""

from __future__ import annotations

import abc
import binascii
import os
from collections.abc import Callable, Sequence

from runnel._typing import TYPE_CHECKING, Protocol
from runnel.errors import AuthenticationError, KeysetError
from runnel.imports import imported
from runnel.inputs import Inputs, PathLike
from runnel.output import OutputFile
from runnel.sealed import keyset_forms as forms
from runnel.sealed.formats import DEFAULT_TEMPLATE, TEMPLATES, FileKeys, Parameters
from runnel.sealed.formats.key_material import HoldsKey, Immutable

if TYPE_CHECKING:
    from typing import TypeGuard

    from typing_extensions import Buffer

    from runnel.sealed.age.people import Identities
    from runnel.sealed.io import Sink, Source

KEYSET_BYTES_MAX = 1 << 20
_NEEDS_KMS = "the keyset is encrypted with the key of a key management service: use --kms-command, or kms in Python"
Decrypt = Callable[[bytes], bytes]
WRAPPED_MAGIC = b"runnel+scrypt/v1"
"""A file that begins so is locked with a passphrase, a keyset or a file: see passphrase.py."""
AGE_MAGIC = b"age-encryption.org/"
"""A file that begins so is in age's format, of some version: see age/."""


class Wrapping(Protocol):
    """A Passphrase, which is made of keysets in its turn."""

    def wrap(self, text: bytes) -> bytes: ...

    def unwrap(self, name: str, read: Callable[[int, int], bytes]) -> tuple[bytes, int]: ...


class FileLock(abc.ABC):
    """A base of what opens and locks files in the place of a keyset, and stands before them: a Passphrase, for instance."""

    __slots__ = ()

    def keyset_for_new_file(self) -> tuple[Keyset, bytes]:
        """Return the keyset that a new file is encrypted with, and what stands before the file. Raises TypeError: it opens
        files alone."""
        raise TypeError(f"a {type(self).__name__} opens files and encrypts none")

    def source(self, source: Source) -> Source:
        """Return what is decrypted: the source itself, or one of what is in it."""
        return source

    def sink(self, sink: Sink) -> Sink:
        """Return what is written to: the sink itself, or one that passes on to it."""
        return sink

    @abc.abstractmethod
    def keys_of_file(self, name: str, read: Callable[[int, int], bytes]) -> tuple[Keys, int]:
        """Return the keys of an existing file, read by read and called name, and how many bytes stand before the file.
        Raises AuthenticationError."""


class Keys(Protocol):
    """Keys of which any may decrypt."""

    @property
    def keys(self) -> Sequence[Key]: ...


class AnyOf(FileLock):
    """The keys of several keysets, tried in turn."""

    def __init__(self, keysets: Sequence[Keyset]) -> None:
        self.keys = [key for keyset in keysets for key in keyset.keys]

    def keys_of_file(self, name: str, read: Callable[[int, int], bytes]) -> tuple[Keys, int]:
        return self, 0


class Key(Immutable, HoldsKey):
    """One key of a keyset. secret is what the keys of files are derived from: never printed."""

    key_id: int
    parameters: Parameters
    secret: bytes
    _shown = ("key_id", "parameters")

    def __init__(self, key_id: int, parameters: Parameters, secret: bytes) -> None:
        if type(key_id) is not int or not 0 <= key_id < 1 << 32:
            raise KeysetError(f"a key's number is from 0 to {2**32 - 1}, not {key_id!r}")
        parameters.check_secret(secret)
        self._set(key_id=key_id, parameters=parameters, secret=secret)

    def new_file(self, aad: Buffer) -> FileKeys:
        """Return keys for a new file."""
        return self.parameters.new_file(self.secret, aad)

    @classmethod
    def new(cls, parameters: Parameters, secret: bytes) -> Key:
        """Make a key with a random number."""
        key_id = 0
        while not key_id:
            key_id = int.from_bytes(os.urandom(4), "big")
        return cls(key_id, parameters, secret)


class Keyset(Immutable, HoldsKey):
    """The enabled keys of a keyset; primary is the one that encrypts, any of them may decrypt.

    A key fixes the format of the files that it encrypts: Cobblestone or one of Tink's. Raises KeysetError: primary is not
    one of keys, or another of them has its number. It cannot be pickled, because its keys would be in clear text."""

    primary: Key
    keys: Sequence[Key]

    _shown = ("primary", "keys")
    _alternative = "; save it, and load it where it is used, or send what to_json returns where that is safe"

    def __init__(self, primary: Key, keys: Sequence[Key]) -> None:
        keys = tuple(keys)  # which no caller changes later
        _check_primary([key for key in keys if key.key_id == primary.key_id], primary.key_id)
        if primary not in keys:
            raise KeysetError(f"another key has the primary key's number {primary.key_id}")
        self._set(primary=primary, keys=keys)

    @classmethod
    def generate(cls, template: str = DEFAULT_TEMPLATE) -> Keyset:
        """Make a keyset of one new random key. template: the format and its sizes, see `runnel keygen --help`.
        Raises KeysetError: no such name."""
        if template not in TEMPLATES:
            raise KeysetError(f"unknown template {template!r}; choose from {', '.join(TEMPLATES)}")
        parameters = TEMPLATES[template]
        key = Key.new(parameters, os.urandom(parameters.key_bytes))
        return cls(key, (key,))

    @classmethod
    def load(cls, path: PathLike, *, passphrase: Wrapping | None = None, kms: Decrypt | None = None) -> Keyset:
        """Read a keyset that save or `runnel keygen` wrote, or one of Tink, in any form. passphrase: what it is locked with.
        kms: as for from_bytes. Raises KeysetError (also: locked, and no passphrase; a passphrase, and not locked),
        AuthenticationError (another passphrase, or damaged), TypeError (a passphrase that is no Passphrase), OSError."""
        if passphrase is None:
            return read_keyset(Inputs(), path, kms=kms)
        checked = _passphrase(passphrase)
        return read_keyset(Inputs(), path, lambda: checked, wrapped=True)

    def save(self, path: PathLike, *, passphrase: Wrapping | None = None) -> None:
        """Write the keyset, secrets included, to a new file that only its owner may read and write (mode 0600).

        passphrase: what to lock it with; None: it is in clear text. An existing file is not replaced: it might be the
        only key to something. Raises FileExistsError, other OSErrors, TypeError (a passphrase that is no Passphrase),
        KeysetError (more than 1 MiB, which load does not read); the file is complete or absent.
        """
        write_keyset(self, path, Inputs(), passphrase)

    def to_bytes(self, passphrase: Wrapping | None = None) -> bytes:
        """Return what save writes. Raises KeysetError, TypeError."""
        data = self.to_json().encode()
        if passphrase is not None:
            data = _passphrase(passphrase).wrap(data)
        if len(data) > KEYSET_BYTES_MAX:
            raise KeysetError(f"{len(self.keys)} keys are more than fit into 1 MiB, the most that is read")
        return data

    @classmethod
    def from_json(cls, text: str | bytes) -> Keyset:
        """Read a cleartext keyset in JSON, also one after a byte order mark; bytes are UTF-8, or UTF-16 or UTF-32 with such a
        mark. Raises KeysetError, which says what is wrong and in which key."""
        found = forms.read_json(text, Key)
        if isinstance(found, forms.Encrypted):
            raise KeysetError(_NEEDS_KMS)
        return _keyset(found)

    @classmethod
    def from_bytes(cls, data: bytes, *, kms: Decrypt | None = None) -> Keyset:
        """Read a keyset that is not locked with a passphrase: in JSON, in the wire format of protocol buffers ("binary"), or
        that in base64. kms: what decrypts the ciphertext of a keyset that is encrypted with the key of a key management
        service; it returns the keyset in clear text, in any of these forms. Raises KeysetError (also: encrypted, and no kms;
        kms, and not encrypted), and whatever kms raises.

            >>> keyset = runnel.Keyset.from_bytes(runnel.Keyset.generate("AES256_GCM_HKDF_1MB").to_bytes())
        """
        found = forms.read(data, Key)
        if not isinstance(found, forms.Encrypted):
            if kms is not None:
                raise KeysetError("the keyset is not encrypted with the key of a key management service")
            return _keyset(found)
        if kms is None:
            raise KeysetError(_NEEDS_KMS)
        try:
            inner = forms.read(kms(found.ciphertext), Key)
        except KeysetError as error:
            raise KeysetError(f"decrypted: {error}") from None
        if isinstance(inner, forms.Encrypted):
            raise KeysetError("decrypted: encrypted once more")
        return _keyset(inner)

    def to_json(self) -> str:
        """Return the keyset, secrets included, as cleartext JSON: Tink's, if all its keys are."""
        keys = [
            {
                "keyData": {
                    "typeUrl": key.parameters.type_url,
                    "value": binascii.b2a_base64(key.parameters.write_key(key.secret), newline=False).decode(),
                    "keyMaterialType": "SYMMETRIC",
                },
                "status": "ENABLED",
                "keyId": key.key_id,
                "outputPrefixType": "RAW",
            }
            for key in self.keys
        ]
        text: str = imported("json").dumps({"primaryKeyId": self.primary.key_id, "key": keys}, indent=2)
        return text + "\n"


def read_keyset(
    inputs: Inputs,
    path: PathLike,
    ask: Callable[[], Wrapping] | None = None,
    wrapped: bool = False,
    kms: Decrypt | None = None,
) -> Keyset:
    """Load a keyset from one of the inputs. ask is called for the passphrase of a wrapped keyset; wrapped: refuse any
    other."""
    return parse_keyset(inputs.read(path, KEYSET_BYTES_MAX + 1), os.fsdecode(path), ask, wrapped, kms)


def parse_keyset(
    text: bytes, name: str, ask: Callable[[], Wrapping] | None = None, wrapped: bool = False, kms: Decrypt | None = None
) -> Keyset:
    """Return the keyset that a file called name holds; see read_keyset."""
    try:
        if len(text) > KEYSET_BYTES_MAX:
            raise KeysetError("not a keyset: more than 1 MiB")
        if not text.startswith(WRAPPED_MAGIC):
            if wrapped:
                raise KeysetError("the keyset is not locked with a passphrase")
            return Keyset.from_bytes(text, kms=kms)
        if ask is None:
            raise KeysetError("the keyset is locked: a passphrase is required")
        passphrase = ask()
    except KeysetError as error:
        raise KeysetError(f"{name}: {error}") from None
    keyset, end = unwrapped(passphrase, name, lambda position, count: text[position : position + count])
    if end < len(text):
        raise AuthenticationError(f"{name}: damaged: {len(text) - end} bytes follow the wrapped keyset")
    return keyset


def is_wrapped(read: Callable[[int, int], bytes]) -> bool:
    """Return whether what read reads begins with a keyset that is locked with a passphrase."""
    return read(0, len(WRAPPED_MAGIC)) == WRAPPED_MAGIC


def unwrapped(passphrase: Wrapping, name: str, read: Callable[[int, int], bytes]) -> tuple[Keyset, int]:
    """Return the keyset at the beginning of what read reads, called name, and how many bytes it takes there."""
    text, end = passphrase.unwrap(name, read)
    try:
        return Keyset.from_json(text), end
    except KeysetError as error:
        raise KeysetError(f"{name}: {error}") from None


def is_passphrase(given: object) -> TypeGuard[Wrapping]:
    kind: type = imported("runnel.sealed.passphrase").Passphrase
    return isinstance(given, kind)


def _passphrase(given: Wrapping) -> Wrapping:
    """Return the passphrase, if it is one. Raises TypeError, which does not show it: text would be the passphrase itself."""
    if not is_passphrase(given):
        raise TypeError(f"the passphrase must be a runnel.Passphrase, not {type(given).__name__}")
    return given


def write_keyset(
    keyset: Keyset | Identities, path: PathLike, inputs: Inputs, passphrase: Wrapping | None = None
) -> None:
    """Save a keyset to a file that is none of the inputs."""
    data = keyset.to_bytes(passphrase)  # type: ignore[arg-type]  # which is a Passphrase
    with OutputFile(path, inputs=inputs, mode=0o600) as out:
        out.write_all(data)
        out.commit()


def _check_primary(found: Sequence[Key], number: int) -> None:
    """Raise KeysetError unless exactly one key has the primary key's number."""
    if len(found) != 1:
        raise KeysetError(f"{len(found)} enabled keys have the primary key's number {number}, not one")


def _keyset(given: forms.Cleartext[Key]) -> Keyset:
    if not given.keys:
        raise KeysetError("no key of the keyset is enabled")
    primaries = [key for key in given.keys if key.key_id == given.primary]
    _check_primary(primaries, given.primary)
    return Keyset(primaries[0], given.keys)


class KeyPlace(Immutable):
    """The location of a keyset: a file that is not locked, or a variable of the process's environment with the text of one.

    It is what other processes are sent, each of which reads the keyset for itself; nothing in it is secret.
    """

    path: str | None
    variable: str | None
    _shown = ("path", "variable")

    def __init__(self, path: str | None = None, variable: str | None = None) -> None:
        self._set(path=path, variable=variable)

    def load(self) -> Keyset:
        """Return the keyset. Raises KeysetError, OSError."""
        if self.variable is not None:
            environment = imported("runnel.environment")
            text = environment.secret_in(self.variable, keep=True)
            try:
                return Keyset.from_bytes(os.fsencode(text))
            except KeysetError as error:
                raise KeysetError(f"{environment.shown(self.variable)}: {error}") from None
        if self.path is None:
            raise KeysetError("a KeyPlace names a file or a variable of the environment, and this one neither")
        return Keyset.load(self.path)

    def absolute(self) -> KeyPlace:
        """Return the same place for processes that work in other folders."""
        return self if self.path is None else KeyPlace(os.path.abspath(self.path), self.variable)
