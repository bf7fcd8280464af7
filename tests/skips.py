# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The reasons for which a full run may skip a test, and what this machine has. conftest.py asks at the end of a run of
everything: a skip for another reason fails it. Runs of some tests only are not checked."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Servers that are not installed, see tools/unpack-servers.
UNPACKED = Path(os.environ.get("RUNNEL_BUILD_DIR") or ROOT / "build") / "servers"
# Files that tools/fetch-peers puts there.
PEERS = Path(os.environ.get("RUNNEL_BUILD_DIR") or ROOT / "build") / "peers"


def processor_has() -> set[str]:
    """Return the features as RUNNEL_CPU names them, from the system and not from the library."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    words = set(next((line.split(":", 1)[1] for line in lines if re.match(r"(flags|Features)\s*:", line)), "").split())
    needs = {
        "ssse3": {"ssse3"},
        "aes": {"aes", "sse4_1", "ssse3"},
        "avx2": {"avx2"},
        "vaes": {"avx2", "aes", "vaes"},
        "avx512": {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
        "gfni": {"avx2", "gfni"},
        "clmul": {"pclmulqdq", "sse4_1", "ssse3"},
        "vclmul": {"avx2", "pclmulqdq", "vpclmulqdq"},
        "ifma": {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512ifma"},
        "sha": {"sha_ni", "sse4_1", "ssse3"},
    }
    if platform.machine() != "x86_64":
        needs = {
            "aes": {"aes"},
            "clmul": {"pmull"},
            "sha": {"sha1"},
            "neon": {"asimd" if platform.machine() == "aarch64" else "neon"},
        }
    return {name for name, wanted in needs.items() if wanted <= words}


ALL = {"ssse3", "aes", "avx2", "vaes", "avx512", "gfni", "clmul", "vclmul", "ifma", "sha"}


def _collection_is_absent(reason: str) -> bool:
    return not Path(reason.split(" is not at ")[1].split(" (")[0]).exists()


def _debian() -> bool:
    """tools/install-packages installs what is missing."""
    return shutil.which("dpkg-query") is not None


# Runs a command without a network. Root needs no namespace of users, which nobody may make in a chroot.
ALONE = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]


def _cargo_is_old() -> bool:
    try:
        output = subprocess.run(["cargo", "--version"], text=True, capture_output=True).stdout
    except FileNotFoundError:
        return True
    return [int(number) for number in re.findall(r"\d+", output)[:2]] < [1, 85]


# (the reason's pattern, whether it holds here, why a full run may do without)
ALLOWED = (
    (
        r"the complete collection is not at .+ \(RUNNEL_VECTORS names another place\)",
        _collection_is_absent,
        "a selection of each of its files is in tests/vectors, and is run",
    ),
    (
        r"this CPU lacks one of: .+",
        lambda reason: not set(reason.split(": ")[1].split(", ")) <= processor_has(),
        "the kernel needs another processor; CI and other machines have it",
    ),
    (
        r"this processor (does not run the kernel|cannot run it)",
        lambda _: not processor_has() >= ALL,
        "the same, in the lab's program for the host",
    ),
    (
        r"this CPU, as the tool shows it, cannot run .+|this CPU has no such kernel",
        lambda _: not processor_has() >= ALL,
        "the same, in the programs of tests/c",
    ),
    (
        r"no file of /sys can be read here",
        lambda _: not os.path.ismount("/sys"),
        "a chroot without it; the same is tried with /proc",
    ),
    (
        r"looks up tables by secrets and says so",
        lambda _: True,
        "constant time is not claimed, so there is nothing to test",
    ),
    (
        r".+: (address 0x[0-9a-f]+ of .+ is not within region .+, [0-9]+ bytes too many|.+ will not fit in region .+)",
        lambda _: True,
        "the state is larger than the small node's memory; test_what_does_not_fit_the_node runs it on a larger one",
    ),
    (r"no libnettle here", lambda _: True, "no cipher's bytes rest on it alone"),
    (
        r"(nginx|sshd) is not installed \(nor unpacked in .+\)",
        lambda reason: (
            not UNPACKED.exists() and shutil.which(reason.split()[0], path=os.environ["PATH"] + ":/usr/sbin") is None
        ),
        "not Debian, or without a network; openssl's own server is always tested",
    ),
    (
        r"GStreamer is not installed \(.+\)",
        lambda _: shutil.which("gst-launch-1.0") is None,
        "220 MB of packages; test_srtp.py runs the same types through libsrtp itself",
    ),
    (
        r"cargo 1\.85 or newer is not installed \(.+\)",
        lambda _: not _debian() and _cargo_is_old(),
        "on Debian 12 `make test` installs its cargo-web",
    ),
    (
        r"(a JDK|cargo) \(tools/fetch-peers\) is not installed",
        lambda reason: not (PEERS / ("BouncyCastle.class" if "JDK" in reason else "runnel-peer-crates")).exists(),
        "without a network, or not on Debian; the tests' own models and other libraries are always compared",
    ),
    (
        r"frama-c is not installed",
        lambda _: shutil.which("frama-c") is None,
        "it is a package of Debian's, which `make test` installs there; `make proofs` runs all of its proofs",
    ),
    (
        r"(rustfmt|node|wasm-ld-19) is not installed.*",
        lambda reason: not _debian() and shutil.which(reason.split()[0]) is None,
        "on Debian 12 `make test` installs it",
    ),
    (
        r"no ABI is recorded for this processor",
        lambda _: platform.machine() != "x86_64",
        "it is of x86-64, where CI runs",
    ),
    (
        r"the cycle counter is that of x86-64",
        lambda _: platform.machine() != "x86_64",
        "times are compared on x86-64, where CI runs",
    ),
    (
        r"only root may chroot",
        lambda _: os.geteuid() != 0,
        "where `make packages` installs Debian's packages, root runs it",
    ),
    (r"mounting a small file system needs root .+", lambda _: True, "test_a_full_disk does without"),
    (
        r"the file system has no access control lists: .+",
        lambda _: True,
        "a temporary folder on ext4, btrfs, XFS or tmpfs has them; modes are always tested",
    ),
    (
        r"the file system here has no (sparse files|attributes of users)",
        lambda _: True,
        "a temporary folder on ext4, btrfs or XFS has both, on tmpfs the first",
    ),
    (
        r"the sources are those of Debian's package, and this is not Debian|apt-get cannot download OpenSSL's sources: .+",
        lambda _: True,
        "OpenSSL's own tests come on top of ours, which compare with OpenSSL call by call",
    ),
    (
        r"OpenSSL's legacy provider is not installed",
        lambda _: True,
        "distributions newer than Debian 12 have a package of its own for it; one test loads and unloads it",
    ),
    (
        r"namespaces without a network are not for this user",
        lambda _: subprocess.run([*ALONE, "true"], capture_output=True).returncode != 0,
        "root may make them, except in some containers; what is built asks for the same things with a network",
    ),
)


def may_skip(reason: str) -> bool:
    return any(re.fullmatch(pattern, reason, re.DOTALL) and holds(reason) for pattern, holds, _ in ALLOWED)


def complaints(skipped: dict[str, str]) -> list[str]:
    """Return what is wrong with the skips of a full run, given the reason for each test."""
    return [
        f"{test}: skipped for a reason that is not on the list of skips.py: {reason}"
        for test, reason in skipped.items()
        if not may_skip(reason)
    ]
