# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the store commands share: their options, what these ask for, reports on many objects, and a count of them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any

import click
from runnel.cli.key_files import keyset_in
from runnel.cli.options import aad_option, key_env_option, keyfile_option, kms_option, quiet_option
from runnel.cli.passphrase import passphrase_options
from runnel.cli.streams import STANDARD, associated_data, check_one_reader, standard_output
from runnel.cli.values import FileName, ObjectName, Size
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.keyset import KeyPlace, Keyset
from runnel.transfer import naming
from runnel_store import many, urls
from runnel_store.catalog import Use, Wanted
from runnel_store.executors import Options
from runnel_store.journal import state_folder
from runnel_store.many import Manifest, read_names, write_names
from runnel_store.parts import PART_BYTES, PART_BYTES_MAX, PART_BYTES_MIN, Verb
from runnel_store.urls import Location


class Url(click.ParamType):  # type: ignore[type-arg]  # as in values.py
    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Location:
        try:
            location = value if isinstance(value, Location) else urls.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if location.scheme == "memory":
            self.fail(f"{value}: memory:// does not outlive this command", param, ctx)
        return location


_THREADS_MAX = 256


_Decorator = Callable[[Any], Any]


def options(*decorators: Any) -> _Decorator:
    def decorate(function: Any) -> Any:
        for decorator in decorators:
            function = decorator(function)
        return function

    return decorate


bind_option = click.option(
    "--bind-names",
    is_flag=True,
    help="Bind each object to its name, or insist that it is bound to it: an object that stands under another object's "
    "name is refused. Its name is that below the prefix, of a single object the last part of its URL.",
)
bind_options = options(
    click.option("--name", type=ObjectName(), metavar="NAME", help="Bind a single object to NAME, whatever its URL, such "
                 "as the name that it has below the prefix with which it was encrypted."),
    bind_option,
)  # fmt: skip
key_options = options(aad_option, passphrase_options(None), kms_option, key_env_option, keyfile_option)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, _THREADS_MAX),
    metavar="N",
    help="How many threads; if not given, two for each processor, at least 4, and 32 for small objects.",
)
work_options = options(
    click.option("--part", "part_bytes", type=Size(), metavar="SIZE", default=PART_BYTES, show_default="16M",
                 help="Bytes of a part, 5M to 5G; more where an object would have more than 10,000 parts."),
    threads_option,
    click.option("--ray", metavar="ADDRESS", help="Do the parts of long objects on a Ray cluster: its address, auto, or "
                 "local for one that is started here. Workers read the key themselves, from the same --key or --key-env."),
    quiet_option,
)  # fmt: skip
state_option = click.option(
    "--state",
    type=FileName(),
    metavar="FOLDER",
    help="Where the plan of an upload is kept, and which generation of a catalog was seen; if not given, runnel/store in "
    "$XDG_STATE_HOME or ~/.local/state.",
)
resume_options = options(
    click.option("--restart", is_flag=True, help="Give up what a command that was killed had uploaded, and begin anew."),
    state_option,
    click.option("-f", "--force", is_flag=True, help="Replace what exists."),
)  # fmt: skip
many_options = options(
    click.option("--failures", type=FileName(), metavar="FILE", help="Write the names of objects that failed to FILE, "
                 "which is replaced if it exists; - is the standard output."),
    click.option("--only", type=FileName(), metavar="FILE", help="Only the objects named in FILE, as --failures wrote it; "
                 "- is the standard input."),
    click.option("--manifest", type=FileName(), metavar="FILE", help="Write a line of JSON for each object to FILE, and "
                 "counts at its end; it is replaced if it exists; - is the standard output."),
    click.option("--exclude", multiple=True, metavar="GLOB", help="Below a prefix: not these; may be repeated."),
    click.option("--include", multiple=True, metavar="GLOB", help="Below a prefix: only these names, such as '*.csv'; * "
                 "stands for / too; may be repeated."),
)  # fmt: skip


def url_argument(name: str) -> _Decorator:
    return click.argument(name, type=Url(), metavar=name.upper())


CATALOG_OPTIONS = ("catalog", "new_catalog", "generation", "catalog_of")
_USES: dict[Verb, Use] = {"encrypt": "add", "decrypt": "check", "verify": "check", "rotate": "update"}


def catalog_options(text: str) -> _Decorator:
    """Return a decorator that adds --catalog, of which text is the help, and what says more about the catalog."""

    return options(
        click.option(
            "--catalog-of",
            type=Url(),
            metavar="URL",
            help="The prefix that the catalog is about, where all of it was copied or moved from there.",
        ),
        click.option(
            "--generation",
            type=click.IntRange(1),
            metavar="N",
            help="Refuse a catalog whose generation is less than N, as one is refused anyway whose generation is less "
            "than one that was seen on this machine.",
        ),
        click.option("--catalog", is_flag=True, help=f"Below a prefix: {text}"),
    )


check_options = catalog_options(
    "check each object, and that none is missing, by the catalog that encrypt --catalog has written there."
)
new_catalog_option = click.option(
    "--new-catalog",
    is_flag=True,
    help="Below a prefix: write a catalog of what is there now, whatever an earlier one lists.",
)


def _catalog_wanted(verb: Verb, values: dict[str, Any]) -> Wanted | None:
    """Return which catalog is wanted, if any is: each of these options wants one. Raises UsageError."""
    if not any(map(values.get, CATALOG_OPTIONS)):
        return None
    renew = values.get("new_catalog", False)
    if renew:
        for name in ("catalog", "generation", "catalog_of", "include", "exclude", "only"):
            if values.get(name):
                raise click.UsageError(
                    f"--new-catalog and --{name.replace('_', '-')} cannot be used together", click.get_current_context()
                )
    return Wanted("renew" if renew else _USES[verb], values.get("generation") or 0, values.get("catalog_of"))


_EVERY_SECONDS = 0.5


class Counter:
    """One line that counts, from the first second on; nothing where there is no terminal."""

    def __init__(self, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + 1
        self._started = time.monotonic()
        self._shown = False

    def __enter__(self) -> Counter:
        return self

    def __call__(self, manifest: Manifest) -> None:
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + _EVERY_SECONDS
        self._shown = True
        counts = manifest.counts
        total = counts.done + counts.skipped + counts.failed
        rate = total / (now - self._started)
        line = f"{total} objects, {counts.failed} failed, {counts.bytes / 1e6:.0f} MB, {rate:.0f} objects/s"
        try:
            sys.stderr.write(f"\r{line}\033[K")
            sys.stderr.flush()
        except OSError:  # the terminal has gone; the work continues
            self._wanted = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            with contextlib.suppress(OSError):
                sys.stderr.write("\n")


class _Named(io.FileIO):
    """A file to write whose errors say its name."""

    def __init__(self, fd: int, name: str) -> None:
        super().__init__(fd, "wb", closefd=False)
        self._name = name

    def write(self, data: Any, /) -> int:
        with naming(self._name):
            return super().write(data)


def text_of(file: io.FileIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(file), encoding="utf-8", line_buffering=file.isatty())


class _Report:
    """A file of lines, which replaces what exists, also where something failed: what was done is worth knowing. - is the
    standard output."""

    def __init__(self, inputs: Inputs, path: str) -> None:
        """Check the arguments; raise whatever can be refused before the work begins."""
        self._file = None if path == STANDARD else OutputFile(path, inputs=inputs, force=True)
        self._standard = standard_output(inputs) if path == STANDARD else None

    @contextlib.contextmanager
    def lines(self) -> Iterator[io.TextIOWrapper]:
        if self._standard is not None:
            with text_of(self._standard) as lines:
                yield lines
            return
        assert self._file is not None
        with self._file as out, text_of(_Named(out.fileno(), out.name)) as lines:
            try:
                yield lines
            except BaseException:
                lines.flush()
                if os.fstat(out.fileno()).st_size:  # else an earlier run's stays, since this one has done nothing
                    out.commit()
                raise
            lines.flush()
            out.commit()


class Common:
    """Options that commands share, as they were given."""

    def __init__(self, inputs: Inputs, values: dict[str, Any]) -> None:
        self.inputs = inputs
        self._values = values

    def get(self, name: str, otherwise: Any = None) -> Any:
        value = self._values.get(name)
        return otherwise if value is None else value

    def keyset(self) -> Keyset:
        keyfile, variable = self.get("keyfile"), self.get("variable")
        if (keyfile is None) == (variable is None):
            raise click.UsageError("no key: use --key FILE or --key-env NAME", click.get_current_context())
        passphrase = self.get("passphrase")
        check_one_reader(key=keyfile, passphrase_file=passphrase.file, aad=self.get("aad"), only=self.get("only"))
        # The workers of --ray are started by this process and read the keyset for themselves.
        return keyset_in(
            self.inputs,
            keyfile,
            variable,
            passphrase,
            kms_command=self.get("kms_command"),
            keep=self.get("ray") is not None,
        )

    def options(self, progress: Any = None) -> Options:
        part_bytes = self.get("part_bytes", PART_BYTES)
        if not PART_BYTES_MIN <= part_bytes <= PART_BYTES_MAX:
            raise click.BadParameter("5M to 5G", click.get_current_context(), param_hint="'--part'")
        keyfile = self.get("keyfile")
        place = None if keyfile == STANDARD else KeyPlace(path=keyfile, variable=self.get("variable"))
        if self.get("accept_unbound") and not self.get("bind_names"):
            raise click.UsageError("--accept-unbound needs --bind-names", click.get_current_context())
        return Options(
            aad=associated_data(self.inputs, self.get("aad", "")),
            bind_names=self.get("bind_names", False),
            accept_unbound=self.get("accept_unbound", False),
            force=self.get("force", False),
            part_bytes=part_bytes,
            threads=self.get("threads"),
            ray=self.get("ray"),
            place=place,
            state=self.get("state", state_folder()),
            restart=self.get("restart", False),
            progress=progress,
            inputs=self.inputs,
        )

    def options_for(self, sealed: Location, progress: Any = None) -> Options:
        """Return the options for a single sealed object, with the name that it is bound to."""
        options, name = self.options(progress), self.get("name")
        if name is not None:
            return replace(options, name=name)
        return options.below(sealed.base_name)

    def selection(self) -> many.Selection:
        only = self.get("only")
        names = None
        if only is not None:
            # A file is not among the inputs: --failures may replace it.
            given = self.inputs if only == STANDARD else Inputs()
            names = frozenset(read_names(given.read(only), "stdin" if only == STANDARD else only))
        return many.Selection(self.get("include", ()), self.get("exclude", ()), names)

    def check_single(self) -> None:
        """Refuse options that only prefixes have."""
        for name in ("include", "exclude", "only", "manifest", "failures", *CATALOG_OPTIONS):
            if self.get(name):
                raise click.UsageError(
                    f"--{name.replace('_', '-')} is for prefixes, which end with /", click.get_current_context()
                )

    def run_many(self, verb: Verb, source: Location, target: Location | None) -> None:
        job = many.Job(verb, source, target, self.keyset(), self.options(), self.selection())
        catalog_wanted = _catalog_wanted(verb, self._values)
        self._check_reports(*filter(None, (source, target)))
        path = self.get("failures")
        failures = None if path is None else _Report(self.inputs, path)
        with self._manifest() as manifest, Counter(self.get("quiet", False)) as counter:
            try:
                job.run(manifest, counter, catalog_wanted)
            finally:  # the names of an earlier run stay where this one was over before it had done anything
                if failures is not None and (manifest.finished or manifest.failures):
                    # Of the names in --only, which may be the same file, those that the end came before stay.
                    with failures.lines() as lines:
                        lines.write(write_names([*manifest.failures, *sorted(manifest.awaited)]).decode())

    def _check_reports(self, *locations: Location) -> None:
        """Raise UsageError or ValueError where a report would replace another, or an object."""
        paths = {name: path for name in ("manifest", "failures", "only") if (path := self.get(name)) is not None}
        places = {name: "/dev/stdout" if path == STANDARD else path for name, path in paths.items() if name != "only"}
        for place in places.values():
            many.check_outside(place, *locations)
        if paths.get("only") not in (None, STANDARD):
            places["only"] = paths["only"]
        manifest = places.pop("manifest", None)
        for name, place in places.items():
            if manifest is not None and os.path.realpath(manifest) == os.path.realpath(place):
                raise click.UsageError(f"--manifest and --{name} name one file", click.get_current_context())

    @contextlib.contextmanager
    def _manifest(self) -> Iterator[Manifest]:
        path = self.get("manifest")
        if path is None:
            yield Manifest()
            return
        with _Report(self.inputs, path).lines() as lines:
            yield Manifest(lines)
