# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The formats that there are, and the templates for new keys. A format's module is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runnel._typing import TYPE_CHECKING
from runnel.imports import imported
from runnel.sealed.parameters import Parameters

if TYPE_CHECKING:
    from typing import Any

_COBBLESTONE = "cobblestone", "Cobblestone"
_CTR_HMAC = "ctr_hmac", "CtrHmac"
_GCM_HKDF = "gcm_hkdf", "GcmHkdf"

_TEMPLATES: dict[str, tuple[Any, ...]] = {
    "cobblestone-128": (_COBBLESTONE, 16),
    "cobblestone-256": (_COBBLESTONE, 32),
    "AES128_CTR_HMAC_SHA256_4KB": (_CTR_HMAC, 4096, 16),
    "AES128_CTR_HMAC_SHA256_1MB": (_CTR_HMAC, 1 << 20, 16),
    "AES256_CTR_HMAC_SHA256_4KB": (_CTR_HMAC, 4096, 32),
    "AES256_CTR_HMAC_SHA256_1MB": (_CTR_HMAC, 1 << 20, 32),
    "AES128_GCM_HKDF_4KB": (_GCM_HKDF, 4096, 16),
    "AES128_GCM_HKDF_1MB": (_GCM_HKDF, 1 << 20, 16),
    "AES256_GCM_HKDF_4KB": (_GCM_HKDF, 4096, 32),
    "AES256_GCM_HKDF_1MB": (_GCM_HKDF, 1 << 20, 32),
}
_TYPE_URLS = {
    "c2sp.org/chunked-encryption@v1+AEAD_AES_128_GCM": _COBBLESTONE,
    "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM": _COBBLESTONE,
    "type.googleapis.com/google.crypto.tink.AesCtrHmacStreamingKey": _CTR_HMAC,
    "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey": _GCM_HKDF,
}
DEFAULT_TEMPLATE = "cobblestone-256"


def _format(module: str, name: str) -> Any:
    return getattr(imported(f"runnel.sealed.{module}"), name)


class _Templates(Mapping[str, Parameters]):
    def __getitem__(self, name: str) -> Parameters:
        where, *sizes = _TEMPLATES[name]
        parameters: Parameters = _format(*where)(*sizes)
        return parameters

    def __iter__(self) -> Iterator[str]:
        return iter(_TEMPLATES)

    def __len__(self) -> int:
        return len(_TEMPLATES)


class _Formats(Mapping[str, type[Parameters]]):
    def __getitem__(self, url: str) -> type[Parameters]:
        found: type[Parameters] = _format(*_TYPE_URLS[url])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_TYPE_URLS)

    def __len__(self) -> int:
        return len(_TYPE_URLS)


TEMPLATES = _Templates()
"""By name. Tink's have its own names."""
BY_TYPE_URL = _Formats()
"""By the type of a key in a keyset."""
