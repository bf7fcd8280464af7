# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The formats that there are, and the templates for new keys."""

from __future__ import annotations

from runnel.sealed import cobblestone
from runnel.sealed.cobblestone import Cobblestone
from runnel.sealed.ctr_hmac import CtrHmac
from runnel.sealed.gcm_hkdf import GcmHkdf
from runnel.sealed.parameters import Parameters

TEMPLATES: dict[str, Parameters] = {
    "cobblestone-128": Cobblestone(16),
    "cobblestone-256": Cobblestone(32),
    "AES128_CTR_HMAC_SHA256_4KB": CtrHmac(4096, 16),
    "AES128_CTR_HMAC_SHA256_1MB": CtrHmac(1 << 20, 16),
    "AES256_CTR_HMAC_SHA256_4KB": CtrHmac(4096, 32),
    "AES256_CTR_HMAC_SHA256_1MB": CtrHmac(1 << 20, 32),
    "AES128_GCM_HKDF_4KB": GcmHkdf(4096, 16),
    "AES128_GCM_HKDF_1MB": GcmHkdf(1 << 20, 16),
    "AES256_GCM_HKDF_4KB": GcmHkdf(4096, 32),
    "AES256_GCM_HKDF_1MB": GcmHkdf(1 << 20, 32),
}
"""By name. Tink's have its own names."""
DEFAULT_TEMPLATE = "cobblestone-256"

BY_TYPE_URL: dict[str, type[Parameters]] = {
    **{TEMPLATES[name].type_url: type(TEMPLATES[name]) for name in TEMPLATES},
    **dict.fromkeys(cobblestone.TYPE_URLS, Cobblestone),
}
"""By what a keyset calls the key."""
