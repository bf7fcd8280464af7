# SPDX-License-Identifier: Apache-2.0 OR MIT
"""URLs of objects: s3://BUCKET/KEY, gs://, az://, file:///PATH or just a path, and https:// to read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

BUCKETS = ("s3", "gs", "az", "memory")
"""Schemes of stores with buckets. memory is a store in this process alone, for tests."""
WEB = ("https", "http")


@dataclass(frozen=True)
class Location:
    """The target of a URL: an object, or with a key that is empty or ends with / all objects below it."""

    scheme: str
    bucket: str
    """Of file: nothing. Of the web: the URL without its path."""
    key: str
    """The object's name as the URL has it; of a local file its path."""
    text: str
    """As it was given."""

    def __str__(self) -> str:
        return self.text

    @property
    def local(self) -> bool:
        return self.scheme == "file"

    @property
    def is_prefix(self) -> bool:
        return self.key.endswith("/") or (not self.key and not self.local) or (self.local and os.path.isdir(self.key))

    @property
    def base_name(self) -> str:
        """Return the name of an object without the folders that it is in."""
        return self.key.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """Return the canonical spelling of a prefix, the same for all its spellings, with / at its end."""
        if self.local:
            return os.path.join(os.path.realpath(self.key), "")
        key = self.key if not self.key or self.key.endswith("/") else self.key + "/"
        return f"{self.scheme}://{self.bucket}/{key}"

    def below(self, name: str) -> Location:
        """Return the object of this name below a prefix."""
        separator = "" if not self.key or self.key.endswith("/") else "/"
        text = self.text + ("" if self.text.endswith("/") else "/") + name
        return Location(self.scheme, self.bucket, f"{self.key}{separator}{name}", text)

    def same_as(self, other: Location) -> bool:
        """Return whether both are spellings of one name."""
        if self.local and other.local:
            if os.path.realpath(self.key) == os.path.realpath(other.key):
                return True
            try:
                return os.path.samefile(self.key, other.key)
            except OSError:
                return False
        return (self.scheme, self.bucket, self.key) == (other.scheme, other.bucket, other.key)


def parse(text: str) -> Location:
    """Parse a URL. Raises ValueError: no URL of an object, or of a scheme that is not known."""
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", text)
    if match is None:
        if not text:
            raise ValueError("empty URL or path")
        return Location("file", "", text, text)
    scheme = match[1].lower()
    rest = text[match.end() :]
    if scheme == "file":
        host, slash, path = rest.partition("/")
        if host not in ("", "localhost") or not slash:
            raise ValueError(f"{text}: the URL of a file has the form file:///PATH")
        path = "/" + unquote(path, errors="surrogateescape")
        if "\0" in path:
            raise ValueError(f"{text}: null byte in a file name")
        return Location("file", "", path, text)
    if scheme in WEB:
        parts = urlsplit(text)
        if parts.query or parts.fragment or parts.username is not None:
            raise ValueError(
                f"{scheme}://{parts.hostname}/…: a URL with a query, a fragment or a user is not supported"
            )
        if not parts.hostname:
            raise ValueError(f"{text}: no host in the URL")
        path = parts.path.removeprefix("/")
        if path.startswith("/") or "%2f" in path.lower():  # obstore would ask for another name
            raise ValueError(f"{text}: a name that begins with / or has %2F in it is not supported")
        try:
            key = unquote(path, errors="strict")
        except UnicodeDecodeError:
            raise ValueError(f"{text}: the name is not UTF-8") from None
        return Location(scheme, f"{scheme}://{parts.netloc.lower()}", key, text)
    if scheme not in BUCKETS:
        known = ", ".join(f"{each}://" for each in (*BUCKETS[:3], "file", "https"))
        raise ValueError(f"{text}: a URL begins with one of {known}, or is a path")
    bucket, _, key = rest.partition("/")
    if not bucket:
        raise ValueError(f"{text}: no bucket in the URL")
    if not re.fullmatch(r"[!-~]+", bucket):
        raise ValueError(f"{text}: invalid bucket name")
    if key.startswith("/") or "//" in key:  # obstore takes /a for a, botocore does not
        raise ValueError(f"{text}: an object's name that begins with / or has // in it is not supported")
    return Location(scheme, bucket, key, text)
