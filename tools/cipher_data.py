#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""cipher-data.json, which the package and the site choose ciphers by: what `runnel lab export` prints.

.venv/bin/python tools/cipher_data.py [--write | --check]
"""

from __future__ import annotations

import generated
from generated import ROOT, Place
from runnel_lab.export import data

PLACES = [Place(ROOT / "lab" / "runnel_lab" / "choose" / "cipher-data.json", None, lambda: data.text(ROOT))]


if __name__ == "__main__":
    generated.main(PLACES, "The data that ciphers are chosen by.")
