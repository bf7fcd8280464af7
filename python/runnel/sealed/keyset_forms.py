# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A keyset as Tink writes it: in JSON or in the wire format of protocol buffers, the latter also in base64; in clear text, or
encrypted with the key of a key management service.

JSON is the mapping of protocol buffers to JSON, as far as keysets use it.
"""

from __future__ import annotations

import binascii
import codecs
from collections.abc import Callable

from runnel._typing import TYPE_CHECKING, Generic
from runnel.errors import KeysetError
from runnel.imports import imported
from runnel.sealed.formats import BY_TYPE_URL, Parameters

if TYPE_CHECKING:
    from typing import Any, TypeVar

    Key = TypeVar("Key")
else:
    Key = None

Make = Callable[[int, Parameters, bytes], Key]
"""(number, parameters, secret): the key."""
_STATUSES = {"UNKNOWN_STATUS": 0, "ENABLED": 1, "DISABLED": 2, "DESTROYED": 3}
_ENABLED, _SYMMETRIC = 1, 1
_BINARY, _BINARY_ENCRYPTED = 0x08, 0x12
"""What a keyset in the wire format begins with: the number of its primary key, and an encrypted one: the ciphertext."""


class Cleartext(Generic[Key]):
    """What a keyset in clear text says. keys: the enabled ones."""

    def __init__(self, primary: int, keys: list[Key]) -> None:
        self.primary = primary
        self.keys = keys


class Encrypted:
    """A keyset that a key management service has encrypted."""

    def __init__(self, ciphertext: bytes) -> None:
        self.ciphertext = ciphertext


def read(data: bytes, make: Make[Key]) -> Cleartext[Key] | Encrypted:
    """Read a keyset in any form. Raises KeysetError, which says what is wrong and in which key."""
    if data[:1] in (bytes([_BINARY]), bytes([_BINARY_ENCRYPTED])):
        return _read_binary(data, make)
    if _may_be_base64(data):
        inner = _from_base64(data.decode("ascii"))
        if inner is not None and inner[:1] in (bytes([_BINARY]), bytes([_BINARY_ENCRYPTED]), b"{"):
            return read(inner, make)
    return read_json(data, make)


def read_json(text: str | bytes, make: Make[Key]) -> Cleartext[Key] | Encrypted:
    """Read a keyset in JSON. Raises KeysetError."""
    if isinstance(text, str):
        text = text.removeprefix(codecs.BOM_UTF8.decode())  # of bytes json.loads does so
    try:
        keyset = parsed_json(text)
    except KeysetError:  # a ValueError, as those of JSON are
        raise
    except UnicodeDecodeError:
        raise KeysetError("not a keyset: neither UTF-8 nor JSON, nor a binary keyset") from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        where = f" (line {line})" if line is not None else ""
        where = where if text else " (it is empty)"
        raise KeysetError(f"not a keyset: malformed JSON{where}") from None
    if not isinstance(keyset, dict):
        raise KeysetError("not a keyset: the JSON is not an object")
    encrypted = _member(keyset, "encryptedKeyset")
    if encrypted is not None:
        return Encrypted(_field_in_base64(encrypted, "encryptedKeyset"))
    entries = _member(keyset, "key")
    if not isinstance(entries, list) or not entries:
        raise KeysetError("not a keyset: no list called key, or an empty one")
    primary = _uint32(_member(keyset, "primaryKeyId"), "primaryKeyId")
    return Cleartext(primary, _enabled(entries, _read_entry, make))


def _enabled(entries: list[Any], read_entry: Callable[[Any, Make[Key]], Key | None], make: Make[Key]) -> list[Key]:
    keys = []
    for number, entry in enumerate(entries, 1):
        try:
            key = read_entry(entry, make)
        except KeysetError as error:
            raise KeysetError(f"key {number} of {len(entries)}: {error}") from None
        if key is not None:
            keys.append(key)
    return keys


def _read_entry(entry: Any, make: Make[Key]) -> Key | None:
    """Return the key of one entry of a keyset in JSON; None: not enabled."""
    if not isinstance(entry, dict):
        raise KeysetError("not an object")
    status = _member(entry, "status")
    if not isinstance(status, int) or isinstance(status, bool):
        status = _STATUSES.get(status, 0) if isinstance(status, str) else 0
    if not _is_enabled(status):
        return None
    key_id = _uint32(_member(entry, "keyId"), "keyId")
    data = _member(entry, "keyData")
    if not isinstance(data, dict):
        raise KeysetError("it has no keyData")
    type_url = _member(data, "typeUrl")
    if not isinstance(type_url, str):
        raise KeysetError("it has no typeUrl")
    parameters = _format(type_url)
    if _member(data, "keyMaterialType") not in ("SYMMETRIC", _SYMMETRIC):
        raise KeysetError("its keyMaterialType is not SYMMETRIC")
    return make(key_id, *parameters.read_key(type_url, _field_in_base64(_member(data, "value"), "value")))


def _is_enabled(status: int) -> bool:
    if status in (_STATUSES["DISABLED"], _STATUSES["DESTROYED"]):
        return False
    if status != _ENABLED:
        raise KeysetError("its status is not ENABLED, DISABLED or DESTROYED")
    return True


def _format(type_url: str) -> type[Parameters]:
    if type_url not in BY_TYPE_URL:
        shown = "".join(c if c.isprintable() else "?" for c in type_url.rpartition("/")[2])
        raise KeysetError(f"unsupported key type {shown[:200] or '(empty)'}")
    return BY_TYPE_URL[type_url]


# The wire format of protocol buffers


def _read_binary(data: bytes, make: Make[Key]) -> Cleartext[Key] | Encrypted:
    """Read message Keyset: 1 primary_key_id, 2 key, repeated; or EncryptedKeyset: 2 encrypted_keyset, 3 keyset_info."""
    wire = imported("runnel.sealed.formats.wire")
    try:
        found = list(wire.fields(data))
    except KeysetError as error:
        raise KeysetError(f"not a keyset: neither JSON nor binary ({str(error).rpartition(': ')[2]})") from None
    if data[0] == _BINARY_ENCRYPTED:
        return Encrypted(wire.bytes_of(dict(found), 2, "encrypted_keyset"))
    entries = [value for number, value in found if number == 2]
    if not entries:
        raise KeysetError("not a keyset: it has no key")
    return Cleartext(wire.number_of(dict(found), 1) & 0xFFFFFFFF, _enabled(entries, _read_binary_entry, make))


def _read_binary_entry(entry: Any, make: Make[Key]) -> Key | None:
    """Read message Keyset.Key: 1 key_data (1 type_url, 2 value, 3 key_material_type), 2 status, 3 key_id."""
    wire = imported("runnel.sealed.formats.wire")
    if not isinstance(entry, bytes):
        raise KeysetError("not a message")
    fields = wire.message(entry)
    if not _is_enabled(wire.number_of(fields, 2)):
        return None
    data = wire.message(wire.bytes_of(fields, 1, "key_data"))
    type_url = wire.bytes_of(data, 1, "type_url").decode("utf-8", "replace")
    parameters = _format(type_url)
    if wire.number_of(data, 3) != _SYMMETRIC:
        raise KeysetError("its key_material_type is not SYMMETRIC")
    return make(wire.number_of(fields, 3) & 0xFFFFFFFF, *parameters.read_key(type_url, wire.bytes_of(data, 2, "value")))


# Parts of JSON


class _Scanned:
    """Settings of json's scanner."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(lambda pairs: members(pairs))
    parse_float = float
    parse_int = int
    parse_constant = float


def parsed_json(text: str | bytes) -> Any:
    """Return what json.loads does. It is asked only where the scanner in C that it is made of does not read the text by
    itself, since its import takes a quarter of the time of a short command."""
    try:
        from _json import make_scanner

        whole = (text.decode() if isinstance(text, bytes) else text).strip(" \t\n\r")
        value, end = make_scanner(_Scanned)(whole, 0)  # type: ignore[arg-type]
        if end == len(whole):
            return value
    except Exception:  # json says the same, and where
        pass
    return imported("json").loads(text, object_pairs_hook=members)


def _may_be_base64(data: bytes) -> bool:
    """Return whether these are the digits of base64 of either alphabet, and white space, alone: no JSON object is."""
    return not data.translate(None, _BASE64)


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_= \t\r\n"


def _field_in_base64(text: Any, name: str) -> bytes:
    """Return the bytes of a field. Raises KeysetError."""
    if not isinstance(text, str):
        raise KeysetError(f"it has no {name}")
    data = _from_base64(text)
    if data is None:
        raise KeysetError(f"its {name} is not base64")
    return data


def _from_base64(text: str) -> bytes | None:
    """Return the bytes; None: the text is not base64.

    Protocol buffers in JSON allow both alphabets of base64, and no padding. White space is skipped, as by Tink; other
    characters, which Tink skips too, are refused: they are damage."""
    digits = text.translate(dict.fromkeys(map(ord, " \t\r\n")))
    unpadded = digits.rstrip("=")
    padded = unpadded + "=" * (-len(unpadded) % 4)
    try:
        if len(digits) <= len(padded):
            return binascii.a2b_base64(padded.translate({ord("-"): "+", ord("_"): "/"}), strict_mode=True)
    except ValueError:  # binascii.Error is one
        pass
    return None


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, in which no field may occur twice, by whichever of its two names (see _member)."""
    members: dict[str, Any] = {}
    fields = set()
    for name, value in pairs:
        field_name = _json_name(name)
        if field_name in fields:
            shown = "".join(c if c.isprintable() else "?" for c in field_name)
            raise KeysetError(f"not a keyset: duplicate field {shown[:200]}")
        fields.add(field_name)
        members[name] = value
    return members


def _json_name(name: str) -> str:
    """Return key_data as keyData."""
    first, *rest = name.split("_")
    return first + "".join(part[0].upper() + part[1:] if "a" <= part[:1] <= "z" else f"_{part}" for part in rest)


def _member(record: dict[str, Any], name: str) -> Any:
    """Return a field by its JSON name or, as protocol buffers allow, by its original one (key_data)."""
    if name in record:
        return record[name]
    return record.get("".join("_" + c.lower() if c.isupper() else c for c in name))


def _uint32(value: Any, name: str) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 32:
        raise KeysetError(f"{name} is missing, or not a number from 0 to {2**32 - 1}")
    return value
