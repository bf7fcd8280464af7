#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measure what several streams at once gain, for every kernel that has functions for it; kept in results/<machine>/.

.venv/bin/python bench/batch.py [--streams N] [--seconds S] [--write] [--engine PROGRAM]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import tables
import targets
from runnel_lab import speed


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures several streams at once.")
    parser.add_argument("--streams", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=45)
    parser.add_argument("--write", action="store_true", help="keep the figures in results/")
    parser.add_argument("--engine", default=speed.ENGINE, help="the measuring program, if not the installed one")
    options = parser.parse_args()
    result = speed.measure(
        batch=options.streams, seconds=options.seconds, progress=sys.stderr.isatty(), engine=options.engine
    )
    table = speed.batch_table(result, options.streams)
    print(table)
    if options.write:
        folder = tables.RESULTS / tables.slug(result["machine"])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "batch.json").write_text(targets.dumps(result), encoding="utf-8")
        (folder / "batch.txt").write_text(table + "\n", encoding="utf-8")
        print(f"\nwritten to {folder}")


if __name__ == "__main__":
    main()
