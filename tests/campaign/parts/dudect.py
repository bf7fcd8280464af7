# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Time on this processor with a fixed secret and with random ones: tags, key set-up, every kernel that runs by default."""

import re

import c_programs

from campaign import programs
from campaign.work import Work

GOALS = ("G17",)

MEASUREMENTS = 10_000_000
ENOUGH = 1_000_000
"""Measurements after which a control has to be reported."""

SUSPICIOUS = 4.5
CERTAIN = 10.0


def measured(work: Work, name: str, seconds: float, seed: int) -> tuple[int, float]:
    """Return the number of measurements, and the largest t."""
    done = c_programs.run("runnel-timing", name, str(MEASUREMENTS), str(seconds), str(seed), timeout=seconds + 600)
    found = re.fullmatch(r".+: (\d+) measurements\nt (\d+\.\d+)\n", done.stdout)
    if done.returncode or not found:
        work.finding(f"runnel-timing {name!r}: status {done.returncode}: {done.stdout.strip()}")
        return 0, 0.0
    return int(found[1]), float(found[2])


def run(work: Work) -> None:
    """Measure; repeat a suspicious measurement with other secrets: noise does not come twice, a leak does."""
    listed = c_programs.run("runnel-timing", "list")
    if listed.returncode == programs.ABSENT:
        print(listed.stdout.strip())
        return
    names = listed.stdout.splitlines()
    work.expect(names, "measurements")
    largest = 0.0
    for name, seconds, seed in programs.in_turn(work, names, most=120):
        count, t = measured(work, name, seconds, seed)
        if name.startswith("("):
            quiet = count >= ENOUGH and t < CERTAIN
            work.add(name, count, "measurements", int(quiet))
            work.add(f"t of {name}", round(100 * t), "hundredths")
            if quiet:
                work.finding(f"the control {name} is not reported: t is {t:.1f} after {count} measurements")
            continue
        if t >= SUSPICIOUS:
            count, again = measured(work, name, seconds, seed + 1)
            if again >= SUSPICIOUS:
                work.finding(f"{name} takes another time for another secret: t is {t:.1f} and {again:.1f}, seed {seed}")
            t = min(t, again)
        work.add(name, count, "measurements", int(t >= SUSPICIOUS))
        largest = max(largest, t)
    work.add("largest t", round(100 * largest), "hundredths")
