#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Generated files that are committed: the chart of README.md, and cipher-data.json. `make tables` writes it.

.venv/bin/python tools/documents.py [--write | --check]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
import cipher_data
import generated
import headline

PLACES = [*headline.PLACES, *cipher_data.PLACES]


if __name__ == "__main__":
    generated.main(PLACES, "What is generated and committed.")
