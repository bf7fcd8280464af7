# SPDX-License-Identifier: Apache-2.0 OR MIT
"""store: encrypted objects in object stores."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import click
from runnel.cli.key_files import read_key_file
from runnel.cli.options import aad_option, examples, json_option, keyfile_option, pass_inputs, quiet_option
from runnel.cli.progress import Progress
from runnel.cli.streams import STANDARD, associated_data, binary_output, check_one_reader, standard_output
from runnel.cli.values import Extent, FileName, ObjectName, Size
from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.output import OutputFile
from runnel.sealed.io import SequentialSink
from runnel.sealed.keyset import Keyset
from runnel.sealed.place import KeyPlace
from runnel.transfer import naming
from runnel_store import catalog, many, objects, urls
from runnel_store.cli.catalog import CATALOG_OPTIONS, catalog_options, check_options, new_catalog_option, wanted
from runnel_store.cli.counter import Counter
from runnel_store.cli.url import Url
from runnel_store.errors import format_error
from runnel_store.manifest import Manifest, read_names, write_names
from runnel_store.objects import Options
from runnel_store.opened import open_sealed
from runnel_store.plan import PART_BYTES, PART_BYTES_MAX, PART_BYTES_MIN
from runnel_store.readers import Listed, reader_of
from runnel_store.resume import state_folder
from runnel_store.urls import Location

_THREADS_MAX = 256


_Decorator = Callable[[Any], Any]


def _options(*decorators: Any) -> _Decorator:
    def decorate(function: Any) -> Any:
        for decorator in decorators:
            function = decorator(function)
        return function

    return decorate


_bind_option = click.option(
    "--bind-names",
    is_flag=True,
    help="Bind each object to its name, or insist that it is bound to it: an object that stands under another object's "
    "name is refused. Its name is that below the prefix, of a single object the last part of its URL.",
)
_bind_options = _options(
    click.option("--name", type=ObjectName(), metavar="NAME", help="Bind a single object to NAME, whatever its URL, such "
                 "as the name that it has below the prefix with which it was encrypted."),
    _bind_option,
)  # fmt: skip
_key_options = _options(
    aad_option,
    click.option(
        "--key-env",
        "variable",
        metavar="NAME",
        help="The environment variable that holds the keyset, instead of --key.",
    ),
    keyfile_option,
)
_threads_option = click.option(
    "--threads",
    type=click.IntRange(1, _THREADS_MAX),
    metavar="N",
    help="How many threads; if not given, two for each processor, at least 4, and 32 for small objects.",
)
_work_options = _options(
    click.option("--part", "part_bytes", type=Size(), metavar="SIZE", default=PART_BYTES, show_default="16M",
                 help="Bytes of a part, 5M to 5G; more where an object would have more than 10,000 parts."),
    _threads_option,
    click.option("--ray", metavar="ADDRESS", help="Do the parts of long objects on a Ray cluster: its address, auto, or "
                 "local for one that is started here. Workers read the key themselves, from the same --key or --key-env."),
    quiet_option,
)  # fmt: skip
_state_option = click.option(
    "--state",
    type=FileName(),
    metavar="FOLDER",
    help="Where the plan of an upload is kept, and which generation of a catalog was seen; if not given, runnel/store in "
    "$XDG_STATE_HOME or ~/.local/state.",
)
_resume_options = _options(
    click.option("--restart", is_flag=True, help="Give up what a command that was killed had uploaded, and begin anew."),
    _state_option,
    click.option("-f", "--force", is_flag=True, help="Replace what exists."),
)  # fmt: skip
_many_options = _options(
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


def _url_argument(name: str) -> _Decorator:
    return click.argument(name, type=Url(), metavar=name.upper())


@click.group(
    epilog=examples(
        "runnel store encrypt --key key.json photos.tar s3://bucket/photos.sealed",
        "runnel store cat --key key.json --range 1M:2M s3://bucket/photos.sealed | wc -c",
        "runnel store decrypt --key key.json s3://bucket/photos.sealed photos-again.tar",
    )
)
def store() -> None:
    """Encrypt, decrypt and verify objects in object stores, in parts, on all processors or many machines.

    Objects have the formats of `runnel encrypt`: downloaded, they are its files. URLs are s3://BUCKET/KEY, gs://, az://,
    file:///PATH or a path, and https:// to read; one that ends with / stands for all objects below it. Credentials and
    endpoints are those of the stores' own tools: AWS_PROFILE, AWS_ENDPOINT_URL, GOOGLE_APPLICATION_CREDENTIALS,
    AZURE_STORAGE_ACCOUNT_NAME and so on. It needs pip install 'runnel[store]'.
    """


class _Named(io.FileIO):
    """A file to write whose errors say its name."""

    def __init__(self, fd: int, name: str) -> None:
        super().__init__(fd, "wb", closefd=False)
        self._name = name

    def write(self, data: Any, /) -> int:
        with naming(self._name):
            return super().write(data)


def _text(file: io.FileIO) -> io.TextIOWrapper:
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
            with _text(self._standard) as lines:
                yield lines
            return
        assert self._file is not None
        with self._file as out, _text(_Named(out.fileno(), out.name)) as lines:
            try:
                yield lines
            except BaseException:
                lines.flush()
                if os.fstat(out.fileno()).st_size:  # else an earlier run's stays, since this one has done nothing
                    out.commit()
                raise
            lines.flush()
            out.commit()


class _Common:
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
        check_one_reader(key=keyfile, aad=self.get("aad"), only=self.get("only"))
        return (
            KeyPlace(variable=variable).load()
            if variable is not None
            else read_key_file(self.inputs, keyfile, False, None)
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

    def run_many(self, verb: many.Verb, source: Location, target: Location | None) -> None:
        keyset, options, selection = self.keyset(), self.options(), self.selection()
        catalog_wanted = wanted(verb, self._values)
        self._check_reports(*filter(None, (source, target)))
        path = self.get("failures")
        failures = None if path is None else _Report(self.inputs, path)
        with self._manifest() as manifest, Counter(self.get("quiet", False)) as counter:
            try:
                many.run(verb, source, target, keyset, options, selection, manifest, counter, catalog_wanted)
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


_ONE: dict[many.Verb, Callable[..., object]] = {
    "encrypt": objects.encrypt,
    "decrypt": objects.decrypt,
    "verify": objects.verify,
    "rotate": objects.rotate,
}
"""The operation on one object: taken are its source, its target if the verb has one, the keyset and options."""


def _work(
    verb: many.Verb, inputs: Inputs, values: dict[str, Any], source: Location, target: Location | None = None
) -> None:
    """Do one object, or all below a prefix."""
    common = _Common(inputs, values)
    if source.is_prefix:
        if target is not None and target.scheme not in urls.WEB and not target.is_prefix and not target.local:
            raise click.UsageError(
                "where SOURCE is a prefix, TARGET must be one too, and end with /", click.get_current_context()
            )
        if common.get("name") is not None:
            raise click.UsageError(
                "--name is for single objects; --bind-names is for prefixes", click.get_current_context()
            )
        common.run_many(verb, source, target)
        return
    common.check_single()
    keyset = common.keyset()
    if target is not None and target.text == STANDARD:
        raise click.UsageError("`runnel store cat` writes to the standard output", click.get_current_context())
    with Progress(reader_of(source).size, values["quiet"]) as progress:
        ends = tuple(filter(None, (source, target)))
        options = common.options_for(ends[-1] if verb == "encrypt" else source, progress)
        _ONE[verb](*ends, keyset, options)


@store.command(
    short_help="Encrypt a file or objects to a store.",
    epilog=examples(
        "runnel store encrypt --key key.json photos.tar s3://bucket/photos.sealed",
        "runnel store encrypt --key key.json --include '*.csv' s3://bucket/raw/ s3://bucket/sealed/",
    ),
)
@catalog_options(
    "list each object with its version in a sealed catalog beside them, for verify and decrypt; its "
    "generation counts up."
)
@_many_options
@_resume_options
@_work_options
@_bind_options
@_key_options
@_url_argument("source")
@_url_argument("target")
@pass_inputs
def encrypt(inputs: Inputs, /, source: Location, target: Location, **values: Any) -> None:
    """Encrypt SOURCE to TARGET with the primary key of the keyset.

    TARGET appears when it is complete, and replaces nothing without --force. A long upload to s3:// or az:// that was
    killed continues where it stopped when the same command is given again; a source that changed meanwhile is refused.
    """
    _work("encrypt", inputs, values, source, target)


@store.command(
    short_help="Decrypt objects.",
    epilog=examples("runnel store decrypt --key key.json s3://bucket/photos.sealed photos-again.tar"),
)
@check_options
@_many_options
@_resume_options
@_work_options
@_bind_options
@_key_options
@_url_argument("source")
@_url_argument("target")
@pass_inputs
def decrypt(inputs: Inputs, /, source: Location, target: Location, **values: Any) -> None:
    """Decrypt SOURCE to TARGET with the key of the keyset that fits. TARGET appears when all of it is verified."""
    _work("decrypt", inputs, values, source, target)


@store.command(
    short_help="Read objects and verify all of them.",
    epilog=examples("runnel store verify --key key.json s3://bucket/sealed/"),
)
@check_options
@_state_option
@_many_options
@_work_options
@_bind_options
@_key_options
@_url_argument("source")
@pass_inputs
def verify(inputs: Inputs, /, source: Location, **values: Any) -> None:
    """Read SOURCE and verify every byte of it; nothing is written. Status 3 says that something is not authentic."""
    _work("verify", inputs, values, source)


@store.command(
    short_help="Write an object's plaintext, or a range of it.",
    epilog=examples("runnel store cat --key key.json --range 1M:2M s3://bucket/photos.sealed | wc -c"),
)
@click.option(
    "--range",
    "extent",
    type=Extent(),
    metavar="START:END",
    default=":",
    help="Only these bytes of the plaintext, counted from 0, without the one at END; either may be empty, and 64M works "
    "too. An END beyond the plaintext means its end, a START beyond it is an error.",
)
@click.option(
    "--no-end-check",
    is_flag=True,
    help="Do not verify the object's last segment, which takes one request more; an object that was cut behind the range "
    "is then not noticed.",
)
@_threads_option
@click.option("-f", "--force", is_flag=True, help="Write binary data to a terminal.")
@_bind_options
@_key_options
@click.argument("source", type=Url(), metavar="URL")
@pass_inputs
def cat(inputs: Inputs, /, source: Location, extent: tuple[int, int | None], no_end_check: bool, **values: Any) -> None:
    """Write the plaintext of URL to the standard output, verified, as it comes: until the exit status is 0, the end may
    be missing."""
    common = _Common(inputs, values)
    keyset, options = common.keyset(), common.options_for(source)
    if source.local:
        inputs.remember_all([source.key])
    sink = SequentialSink(binary_output(inputs, values["force"], text=True), "stdout")
    for piece in objects.cat(source, keyset, options, *extent, check_end=not no_end_check):
        sink.write([memoryview(piece)])


@store.command(
    short_help="Encrypt objects anew under the primary key.",
    epilog=examples("runnel store rotate --key new-and-old.json s3://bucket/sealed/"),
)
@click.option(
    "--accept-unbound",
    is_flag=True,
    help="With --bind-names: also take objects that are bound to no name, and bind each to the name that it has now.",
)
@click.option("-f", "--force", is_flag=True, help="Also what is encrypted with the primary key already.")
@click.option("--restart", is_flag=True, help="Give up what a command that was killed had uploaded, and begin anew.")
@_state_option
@new_catalog_option
@catalog_options("check each object by the catalog, and write the next generation of it.")
@_many_options
@_work_options
@_bind_options
@_key_options
@_url_argument("source")
@pass_inputs
def rotate(inputs: Inputs, /, source: Location, **values: Any) -> None:
    """Encrypt SOURCE anew under the primary key of the keyset, which has its present key too.

    Part by part, verifying what is read; the object is replaced when all of it is done. What is under the primary key
    already stays. In a store it becomes a new object, which does not take over the content type, user metadata, tags or
    storage class of the old one.
    """
    _work("rotate", inputs, values, source)


@store.command(
    short_help="List objects, with a key what they are encrypted with.",
    epilog=examples("runnel store ls s3://bucket/sealed/", "runnel store ls --key key.json s3://bucket/sealed/"),
)
@click.option("--include", multiple=True, metavar="GLOB", help="Only these names; may be repeated.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Not these; may be repeated.")
@json_option
@_bind_option
@_key_options
@_url_argument("source")
@pass_inputs
def ls(inputs: Inputs, /, source: Location, as_json: bool, **values: Any) -> None:
    """List the objects below SOURCE: bytes, when they were changed, name. With a key also the number of the key of the
    keyset that each is encrypted with, - where none is, and bytes of plaintext, which takes up to two requests each; ?
    stands for both where an object cannot be read, and --json has an "error" then, which says why."""
    common = _Common(inputs, values)
    keyset = None if common.get("keyfile") is None and common.get("variable") is None else common.keyset()
    options = common.options()
    if not source.is_prefix:
        source = Location(source.scheme, source.bucket, source.key + "/", source.text)
    with _text(standard_output(inputs)) as out:
        for row in _rows(source, many.selected(source, common.selection(), options.state), keyset, options):
            out.write((json.dumps(row) if as_json else _line(row, keyset is not None)) + "\n")


@store.command(
    "catalog",
    short_help="List what the catalog of a prefix lists.",
    epilog=examples("runnel store catalog --key key.json s3://bucket/sealed/ | head -n 1"),
)
@_key_options
@_url_argument("source")
@pass_inputs
def show_catalog(inputs: Inputs, /, source: Location, **values: Any) -> None:
    """List what the catalog below SOURCE lists: a line of JSON with its prefix, its generation and the number of objects,
    and a line for each object with its name, its bytes and its header. The objects are not compared with it."""
    common = _Common(inputs, values)
    keyset, options = common.keyset(), common.options()
    found = catalog.read(source, keyset, options.aad).catalog
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "no catalog found", source.below(catalog.NAME).text)
    with _text(standard_output(inputs)) as out:
        head = {"prefix": found.prefix, "generation": found.generation, "objects": len(found.entries)}
        out.write(json.dumps(head) + "\n")
        for name, entry in found.entries.items():
            out.write(json.dumps({"name": name, "bytes": entry.size, "header": entry.header.hex()}) + "\n")


def _rows(
    source: Location, listed: Iterable[Listed], keyset: Keyset | None, options: Options
) -> Iterator[dict[str, Any]]:
    for each in listed:
        row: dict[str, Any] = {"name": each.name, "bytes": each.size, "modified": _utc(each.modified)}
        if keyset is not None:
            row |= {"key": None, "plaintext": None}
            try:
                aad = options.below(each.name).associated_data
                opened = open_sealed(reader_of(source.below(each.name)), keyset, aad)
                row |= {"key": opened.key.key_id, "plaintext": opened.size}
            except AuthenticationError:  # no key's
                pass
            except (Error, OSError) as error:  # of this one: the rest is to be seen
                row |= {"error": format_error(error, each.name)}
            except ValueError as error:
                row |= {"error": str(error)}
        yield row


def _line(row: dict[str, Any], with_key: bool) -> str:
    known = []
    if with_key:
        none = "?" if "error" in row else "-"
        key, plaintext = (none if row[name] is None else row[name] for name in ("key", "plaintext"))
        known = [f"{key:>10}", f"{plaintext:>15}"]
    shown = "".join(c if c.isprintable() else "?" for c in row["name"])
    return "  ".join([f"{row['bytes']:>15}", f"{row['modified'] or '-':>20}", *known, shown])


def _utc(seconds: float) -> str | None:
    """Return the time in UTC; None for a year that Python or the system cannot represent, as a broken clock leaves it."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None
