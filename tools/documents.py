#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""All text that is generated into documents; `make tables` writes it, tests/test_documents.py checks it.

.venv/bin/python tools/documents.py [--write | --check]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import cipher_data
import cipher_readmes
import cipher_table
import file_formats
import generated
import headline
import lab_table
import openssl_provider
import packet_tables
import reliability_table
import targets

import srtp

PLACES = [
    *cipher_table.PLACES,
    *lab_table.PLACES,
    *packet_tables.PLACES,
    *reliability_table.PLACES,
    *cipher_readmes.PLACES,
    *headline.PLACES,
    *targets.PLACES,
    *openssl_provider.PLACES,
    *file_formats.PLACES,
    *srtp.PLACES,
    *cipher_data.PLACES,
]


if __name__ == "__main__":
    generated.main(PLACES, "All text that is generated into documents.")
