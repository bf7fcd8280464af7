# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Debian packages, built as Debian builds them and looked at by lintian; installed into a minimal Debian 12, where the tests
of debian/tests run, and removed again."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from artefacts import CACHE, HERE, ROOT, Artefact, Failed, Missing, call, source_date, version

DEBIAN = HERE / "debian" / "debian"
PACKAGES = (
    "librunnel-dev",
    "librunnel0.1",
    "openssl-provider-runnel",
    "python3-runnel",
    "python3-runnel-lab",
    "runnel",
)


def upstream_version() -> str:
    return (ROOT / "VERSION").read_text().strip()


def source_files() -> list[str]:
    """Return the files of the repository, without this packaging."""
    listed = call("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    return [name for name in listed if not name.startswith("packaging/debian/") and (ROOT / name).is_file()]


def make_source(folder: Path) -> Path:
    """Returns the source tree with debian/ in it, beside its upstream archive. Of dates, owners and rights of the files
    here nothing remains."""
    tree = folder / f"runnel-{upstream_version()}"
    date = int(source_date())

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        return member

    with tarfile.open(folder / f"runnel_{upstream_version()}.orig.tar.xz", "w:xz", preset=1) as archive:
        for name in source_files():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name)
            (tree / name).chmod(0o755 if os.access(ROOT / name, os.X_OK) else 0o644)
            os.utime(tree / name, (date, date))
            archive.add(tree / name, f"{tree.name}/{name}", filter=plain)
    shutil.copytree(DEBIAN, tree / "debian")
    for path in (tree / "debian").rglob("*"):
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        os.utime(path, (date, date))
    return tree


def build(folder: Path) -> str:
    tree = make_source(folder)
    jobs = len(os.sched_getaffinity(0))
    call("dpkg-buildpackage", "-us", "-uc", cwd=tree, env={"DEB_BUILD_OPTIONS": f"parallel={jobs}"})
    names = sorted(path.name.split("_")[0] for path in folder.glob("*.deb") if "-dbgsym" not in path.name)
    assert names == sorted(PACKAGES), names
    changes = next(folder.glob("*.changes"))
    # Nobody has asked Debian for the package, so there is no bug to close; and there is no address to watch for versions.
    suppressed = "initial-upload-closes-no-bugs,debian-watch-file-is-missing"
    options = ["--allow-root", "--display-info", "--suppress-tags", suppressed]
    call("lintian", *options, "--fail-on", "error,warning,info", changes)
    tools = [version(tool) for tool in ("cc", "lintian")]
    return f"dpkg-buildpackage, {tools[0]}; {tools[1]} finds nothing"


def run(folder: Path) -> str:
    if os.geteuid() != 0:
        raise Missing("only root may chroot")
    tests = declared_tests()
    root = folder / "root"
    root.mkdir()
    call("tar", "-xf", base(third_party(tests)), "-C", root, "--exclude=./dev/*")
    (root / "packages").mkdir()
    for package in folder.glob("*.deb"):
        if "-dbgsym" not in package.name:
            shutil.copy(package, root / "packages")
    (root / "source").mkdir()
    upstream = next(folder.glob("*.orig.tar.xz"))
    call("tar", "-xf", upstream, "-C", root / "source", "--strip-components=1")
    shutil.copytree(DEBIAN, root / "source" / "debian")
    inside(root, "dpkg -i /packages/*.deb")
    for name, allow_stderr in tests.items():
        output = inside(root, f"mkdir /tmp/{name}; cd /source; AUTOPKGTEST_TMP=/tmp/{name} debian/tests/{name}")
        assert allow_stderr or not output, f"{name} printed: {output}"
    inside(root, f"dpkg --purge {' '.join(PACKAGES)}")
    left = inside_output(root, "find /usr /etc /var/lib/dpkg/info -name '*runnel*'")
    assert not left, left
    shutil.rmtree(root)
    return f"a minimal Debian 12: installed, {len(tests)} tests of debian/tests, purged"


def paragraphs(text: str) -> list[dict[str, str]]:
    """Return the paragraphs of a file in the form of Debian's control files."""
    joined = re.sub(r"\n[ \t]+", " ", text).strip()
    return [dict(line.split(": ", 1) for line in each.splitlines()) for each in re.split(r"\n\n+", joined)]


def test_paragraphs() -> list[dict[str, str]]:
    return paragraphs((DEBIAN / "tests" / "control").read_text())


def declared_tests() -> dict[str, bool]:
    """Return the names of the tests, and whether they may print on the standard error stream."""
    return {each["Tests"]: "allow-stderr" in each.get("Restrictions", "") for each in test_paragraphs()}


def third_party(tests: dict[str, bool]) -> list[str]:
    """Return the packages that must be installed before ours."""
    needed = {name for each in test_paragraphs() for name in each["Depends"].split(", ")}
    for package in paragraphs((DEBIAN / "control").read_text())[1:]:
        names = re.findall(r"(?:^|,) *([a-z0-9.+-]+)", package["Depends"])
        needed |= set(names)
    return sorted(needed - set(PACKAGES) | {"python3"})


def base(packages: list[str]) -> Path:
    """Returns an archive of a minimal Debian 12 with these packages, made once. Raises Missing."""
    place = CACHE / "debian"
    place.mkdir(parents=True, exist_ok=True)
    archive = place / f"base-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:16]}.tar"
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.exists():
            new_archive = archive.with_suffix(".new.tar")
            choice = ["--variant=apt", "--mode=root", "--quiet", f"--include={','.join(packages)}"]
            choice += ["--aptopt=APT::Install-Recommends 0", "--dpkgopt=path-exclude=/usr/share/doc/*"]
            try:
                call("mmdebstrap", *choice, "bookworm", new_archive)
            except Failed as why:
                raise Missing(f"mmdebstrap makes no Debian 12: {str(why).splitlines()[-1]}") from None
            new_archive.rename(archive)
    return archive


def _own_namespaces() -> list[str]:
    """Returns unshare's options for mounts and processes of one's own. Raises Missing where there can be none."""
    options = ["--mount", "--pid"]
    for propagation in ("private", "unchanged"):  # only a mount can be private, and the root of a chroot often is none
        chosen = [*options, "--propagation", propagation]
        tried = subprocess.run(["unshare", *chosen, "--fork", "true"], text=True, capture_output=True)
        if tried.returncode == 0:
            return chosen
    raise Missing(f"not even root may have mounts of its own here, as in some containers: {tried.stderr.strip()}")


def _inside(root: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Runs a shell in the folder as if it were a system, in namespaces whose mounts end with it. Raises Failed, Missing."""
    # The folder is a mount of its own, so that nothing that is mounted in it is seen elsewhere, or taken from elsewhere.
    private_mount = 'mount --bind "$1" "$1"; mount --make-private "$1"'
    mounts = 'mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"; mount -t tmpfs tmp "$1/run"'
    mounts = f'{private_mount}; {mounts}; mount --make-rprivate "$1"'
    outer = f'set -e; {mounts}; status=0; chroot "$1" /bin/sh -ec "$2" || status=$?; umount -l "$1"; exit $status'
    words = ["unshare", *_own_namespaces(), "--fork", "sh", "-c", outer, "sh", str(root), script]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        words, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=1800
    )
    if done.returncode:
        raise Failed(f"{script}: status {done.returncode}\n{(done.stdout + done.stderr)[-4000:].rstrip()}")
    return done


def inside(root: Path, script: str) -> str:
    """Returns what the script printed on the standard error stream. Raises Failed."""
    return _inside(root, script).stderr


def inside_output(root: Path, script: str) -> str:
    return _inside(root, script).stdout


ARTEFACTS = [
    Artefact(
        "debian",
        "Debian packages: library, its development files, Python package, command, lab, OpenSSL provider",
        build,
        run,
        needs=("dpkg-buildpackage", "dh", "lintian", "mmdebstrap", "git", "unshare"),
        shipped=("*.deb", "*.dsc", "*.orig.tar.xz", "*.debian.tar.xz"),
        released=True,
        tried_by="test_packages_debian.py::test_what_packages_take_is_what_is_installed",
    )
]
