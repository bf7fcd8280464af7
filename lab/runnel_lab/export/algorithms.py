# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The description of an algorithm in cipher-data.json, on any device: from the library's own descriptions, and of a cipher
with a MAC beside it what follows from both."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path
from typing import Any

import runnel
from runnel.cli.listing import limit_text

Facts = dict[str, Any]

_EXACT = 1 << 53
"""JavaScript's whole numbers end here, and no message is so long."""
_COUNT_BYTES = 4
"""Of a counter mode's IV, which count blocks: the code that is shown leaves them zero."""
ONE_TIME_BYTES = 64
"""Of a message's keystream, for Poly1305's key."""
_XOR = "shows the XOR of both messages"
_COUNTED_IV = f"last {_COUNT_BYTES} bytes zero (they count blocks), the rest another for each message"
_COUNTED_NUMBER = f"; the last {_COUNT_BYTES} bytes stay zero, they count blocks"
_STATUSES = ("recommended", "legacy", "broken")
_MAC_KEYS = {"aes-cmac": 16, "poly1305": 32, "siphash": 16, "siphash-128": 16}
_MAC_TAGS = {"aes-cmac": 16, "poly1305": 16, "siphash": 8, "siphash-128": 16}
_MAC_TITLES = {"aes-cmac": "AES-CMAC", "poly1305": "Poly1305", "siphash": "SipHash", "siphash-128": "SipHash-128"}


def standards(tree: Path) -> dict[str, list[str]]:
    text = (tree / "lab" / "chooser" / "standards.toml").read_text(encoding="utf-8")
    found: dict[str, list[str]] = tomllib.loads(text)
    return found


def standards_of(name: str, known: dict[str, list[str]]) -> list[str]:
    fitting = [pattern for pattern in known if fnmatch.fnmatchcase(name, pattern)]
    return known[max(fitting, key=len)] if fitting else []


def _facts(of: runnel.Cipher | runnel.AEAD, known: dict[str, list[str]], **more: object) -> Facts:
    """Return the facts about every algorithm, and how each differs from an unauthenticated stream cipher."""
    return {
        "title": of.title,
        "status": of.status,
        "remark": of.remark or "",
        "specification": of.source,
        "standards": standards_of(of.name, known),
        "authenticated": False,
        "composed": False,
        "seek": False,
        "pieces": True,
        "lengths_first": False,
        "tolerates_reuse": False,
        "reuse": _XOR,
        "messages": None,
        "message_bytes": None,
        "iv_counts": 0,
        "commits": False,
        "tag_bytes": 0,
        "code_kind": "cipher",
        "pieces_code_kind": "cipher",
    } | more


def cipher(name: str, known: dict[str, list[str]], key_bits: int, iv_bits: int) -> Facts:
    """Return the figures of a single cipher. key_bits, iv_bits: as measured; 0: the usual ones."""
    c = runnel.cipher(name)
    values = _values(c, key_bits, iv_bits)
    counts = _COUNT_BYTES if c.mode == "ctr" else 0
    most = _message_bytes(c, values["key_bytes"], values["iv_bytes"], counts)
    return _facts(c, known, seek=c.seekable, message_bytes=most, iv_counts=counts, code_values=values)


def aead(name: str, known: dict[str, list[str]]) -> Facts:
    a = runnel.aeads()[name]
    return _facts(
        a,
        known,
        authenticated=True,
        pieces=a.multipart,
        lengths_first=a.lengths_first,
        tolerates_reuse="no more" in a.nonce_reuse,
        reuse=a.nonce_reuse,
        messages=None if a.messages is None else limit_text(a.messages),
        message_bytes=a.message_bytes if a.message_bytes is not None and a.message_bytes < _EXACT else None,
        commits=a.commits,
        tag_bytes=a.tag_bytes,
        code_kind="aead",
        pieces_code_kind="aead_pieces",
        code_values={
            "name": name,
            "family": a.family,
            "key_bytes": a.key_bytes,
            "nonce_bytes": a.nonce_bytes,
            "tag_bytes": a.tag_bytes,
            "lengths": f" || runnel_{a.family}_lengths(&c, 0, all_bytes)" if a.lengths_first else "",
        },
    )


def composed(name: str, mac: str, known: dict[str, list[str]], key_bits: int = 0, iv_bits: int = 0) -> Facts:
    """Return the figures of a cipher and a MAC beside it: encrypted, and then tagged with the IV."""
    facts = cipher(name, known, key_bits, iv_bits)
    of_mac = standards_of(mac, known)
    code_kind = "one_time" if mac == "poly1305" else "composed"
    reuse = _XOR + (
        " and lets anyone forge messages under that nonce" if code_kind == "one_time" else "; tags stay safe"
    )
    most = facts["message_bytes"]
    return facts | {
        "message_bytes": most - ONE_TIME_BYTES if most is not None and code_kind == "one_time" else most,
        "title": f"{facts['title']} with {_MAC_TITLES[mac]}",
        "specification": f"{facts['specification']}; encrypt, then {_MAC_TITLES[mac]}",
        "standards": [each for each in facts["standards"] if each in of_mac],
        "authenticated": True,
        "composed": True,
        "seek": False,
        "reuse": reuse,
        "tag_bytes": _MAC_TAGS[mac],
        "code_kind": code_kind,
        "pieces_code_kind": code_kind,
        "code_values": facts["code_values"]
        | {
            "cipher": name,
            "mac": mac,
            "mac_family": mac.replace("-", "_"),
            "mac_key_bytes": _MAC_KEYS[mac],
            "tag_bytes": _MAC_TAGS[mac],
        },
    }


def _message_bytes(c: runnel.Cipher, key_bytes: int, iv_bytes: int, counts: int) -> int | None:
    """Return how long a message may be under one IV; None: as long as anyone can send."""
    left = runnel.new(c.name, bytes(key_bytes), bytes(iv_bytes), allow_broken=True).left()
    if counts:
        left = min(left, c.iv_bytes[0] << 8 * counts)
    return left if left < _EXACT else None


def _values(c: runnel.Cipher, key_bits: int, iv_bits: int) -> dict[str, Any]:
    key_bytes = key_bits // 8 or max(n for n in c.key_bytes if n <= 32)
    iv_bytes = iv_bits // 8 or max(n for n in c.iv_bytes if n <= 32)
    return {
        "name": c.name,
        "cipher": c.name,
        "family": c.family,
        "key_bytes": key_bytes,
        "iv_bytes": iv_bytes,
        "layout": ", 0" if c.mode == "ctr" else "",
        "iv_rule": _COUNTED_IV if c.mode == "ctr" else "another for each message",
        "iv_number": f"a number that no other message has{_COUNTED_NUMBER if c.mode == 'ctr' else ''}",
        "allow": ", allow_broken=True" if c.status == "broken" or key_bytes < 16 else "",
    }
