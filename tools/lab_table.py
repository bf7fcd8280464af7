#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tables of our kernels on all targets in lab/README.md, and the best of them beside what others have (lab/peers.json) in
docs/performance.md, from lab/results.

    .venv/bin/python tools/lab_table.py [--write | --check]
"""

from __future__ import annotations

import json
from collections.abc import Collection

import generated
import lab_figures
from generated import ROOT, Place

AES = ("aes-128-ctr", "aes-192-ctr", "aes-256-ctr")
SIZES = ("ROM", "RAM static", "stack")
CALLS = ("key set-up", "IV set-up", "128 bytes", "a byte of them")
COLUMNS = ("cipher", "kernel", "key bits", "IV bits", *CALLS, "a byte of many", *SIZES)
AES_COLUMNS = ("kernel", "key bits", *CALLS, "a block going on", *SIZES)


def aes_tables() -> str:
    def order(row: dict) -> tuple[int, float]:
        return row["key_bits"], lab_figures.each(row, "stream") or 0 if "figures" in row else 0

    found = {file: sorted(lab_figures.rows(file, AES), key=order) for file in lab_figures.targets()}
    return "\n\n".join(lab_figures.target_table(file, rows, AES_COLUMNS, True) for file, rows in found.items() if rows)


def other_tables() -> str:
    """One row for each kernel of each other cipher and MAC: that with the longest key and IV."""

    def others(row: dict) -> bool:
        return row["cipher"] == "aes-cmac" or not row["cipher"].startswith("aes-")

    def order(row: dict) -> tuple[str, float]:
        return row["cipher"], lab_figures.rank(row)

    found = {
        file: sorted(lab_figures.longest(filter(others, lab_figures.rows(file))), key=order)
        for file in lab_figures.targets()
    }
    return "\n\n".join(lab_figures.target_table(file, rows, COLUMNS) for file, rows in found.items() if rows)


PEER_HEADER = ["processor", "cipher", "what", "best elsewhere", "Runnel's kernel", "there", "here", "times"]


def beside_peers(ciphers: Collection[str] | None = None) -> str:
    """Our kernels beside others' on the same rulers; where another is faster first, with the reason. ciphers: only these.
    Returns nothing where there is no row."""
    found = []
    for peer in json.loads((ROOT / "lab" / "peers.json").read_text(encoding="utf-8"))["rows"]:
        cipher = peer.get("cipher", "aes-128-ctr")
        if ciphers is not None and cipher not in ciphers:
            continue
        rows = lab_figures.rows(lab_figures.RESULTS / f"{peer['target']}.json", [cipher])
        row = next((row for row in rows if row["kernel"] == peer["kernel"]), None)
        if row is None:
            raise ValueError(
                f"lab/results/{peer['target']}.json has no {peer['kernel']} of {cipher}, which lab/peers.json names"
            )
        measured = row["figures"][peer["label"]]
        ours = measured[peer["unit"]] * peer["bytes"] / measured["bytes"]
        ratio = peer["figure"] / ours
        what = f"{peer['unit']}, {row['kind']}: {peer['what']}"
        if ratio < 1:
            what += f"; slower: {peer.get('reason', 'not explained yet')}"
        head = [f"`{peer['target']}`", cipher, what, peer["peer"], f"`{peer['kernel']}`"]
        found.append((ratio >= 1, [*head, figure(peer["figure"]), figure(ours), f"{ratio:.2f}"]))
    found.sort(key=lambda pair: pair[0])
    return generated.table(PEER_HEADER, [row for _, row in found], left=5) if found else ""


def figure(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 200 else f"{value:,.0f}"


PLACES = [
    Place(ROOT / "lab" / "README.md", "results", aes_tables),
    Place(ROOT / "lab" / "README.md", "streams", other_tables),
    Place(ROOT / "docs" / "performance.md", "lab", beside_peers),
]


if __name__ == "__main__":
    generated.main(PLACES, "Tables of lab/results for lab/README.md and docs/performance.md.")
