# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pages of what `make bench` and `make packages` record: speed on each machine, what a library does faster, files, OpenSSL's
programs, SRTP, packages."""

from __future__ import annotations

import json
from collections.abc import Iterator

import file_formats
import generated
import headline
import openssl_provider
import tables
import targets
from runnel_lab import pictures

import srtp
from figures import ROOT, Page

PACKAGES = ROOT / "results" / "packages.json"


def pages() -> Iterator[Page]:
    yield Page("x86-64", "Speed on x86-64, beside other libraries", x86_64())
    for folder in tables.newest_first():
        title = f"All figures of {headline.short(tables.load(folder / 'speed.json')['machine'])}"
        yield Page(f"speed-{folder.name}", title, targets.page(targets.recorded(folder)))
    yield Page("files", "Formats of files, beside other programs", file_formats.document())
    yield Page("openssl", "Programs that use OpenSSL", openssl_provider.text())
    yield Page("srtp", "SRTP packets, beside libsrtp", f"{srtp.text()}\n\n## Contexts\n\n{srtp.sizes()}")
    yield Page("packages", "Packages: what built them, and where they ran", packages())


def x86_64() -> str:
    return "\n\n".join(
        [
            'Messages of 16 KiB, a new IV for each, on one core. "Times" is how many times as fast Runnel\'s default kernel '
            "is as the fastest library that was measured; below 1 the library is faster. Two runs differ by about 2 %, "
            "ChaCha20 and Salsa20 of some libraries by up to 20 %.",
            "## Where a library is faster",
            "Cycles for one message under a new IV, for so many bytes more of one stream (continued), for one message under "
            "a new key and a new IV, and for setting a key or an IV. Results from before 2026-11-23 have fewer sizes, no new "
            "key, and of the AEADs' peers OpenSSL alone.",
            headline.slower(),
            "## Beside newer libraries",
            "Measured once on machines like these, beside Runnel in one process: the highest figures known.",
            headline.newer(),
            "## By machine",
            headline.machines(),
        ]
    )


def chart() -> str:
    """Return README's chart, drawn for the site."""
    newest = headline.newest_chart()
    rows = [
        pictures.Bar(
            line.cipher,
            [
                ("Runnel", line.ours, f"{line.ours:.1f}, {line.times:.2f} times"),
                ("best library", line.best, f"{line.best:.1f} {line.library}"),
            ],
        )
        for line in newest.lines
    ]
    about = f"Messages of 16 KiB on one core of an {newest.machine['cpu']} ({newest.machine['cpu_id']})."
    return f"{about}\n\n" + pictures.figure(pictures.bars(newest.text(), rows, "GB/s"))


def packages() -> str:
    recorded = json.loads(PACKAGES.read_text(encoding="utf-8"))
    rows = [[f"`{name}`", row["what"], row["built"], row["ran"]] for name, row in recorded.items()]
    about = "`make packages` builds and runs all of them; [packages](packages.md) says what was never run."
    return f"{about}\n\n{generated.table(['artefact', 'what it is', 'built by', 'ran on'], rows, left=4)}"
