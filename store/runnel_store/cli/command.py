# SPDX-License-Identifier: Apache-2.0 OR MIT
"""store: encrypted objects in object stores."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import click
from runnel.cli.options import examples, json_option, pass_inputs
from runnel.cli.progress import Progress
from runnel.cli.streams import STANDARD, binary_output, standard_output
from runnel.cli.values import Extent
from runnel.errors import AuthenticationError, Error
from runnel.inputs import Inputs
from runnel.sealed.io import SequentialSink
from runnel.sealed.keyset import Keyset
from runnel_store import catalog, many, objects, urls
from runnel_store.cli.options import (
    Common,
    Url,
    bind_option,
    bind_options,
    catalog_options,
    check_options,
    key_options,
    many_options,
    new_catalog_option,
    resume_options,
    state_option,
    text_of,
    threads_option,
    url_argument,
    work_options,
)
from runnel_store.executors import Options
from runnel_store.parts import Verb, open_object
from runnel_store.readers import Listed, reader_of
from runnel_store.stores import format_error
from runnel_store.urls import Location


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


_ONE: dict[Verb, Callable[..., object]] = {
    "encrypt": objects.encrypt,
    "decrypt": objects.decrypt,
    "verify": objects.verify,
    "rotate": objects.rotate,
}
"""The operation on one object: taken are its source, its target if the verb has one, the keyset and options."""


def _work(verb: Verb, inputs: Inputs, values: dict[str, Any], source: Location, target: Location | None = None) -> None:
    """Do one object, or all below a prefix."""
    common = Common(inputs, values)
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
@many_options
@resume_options
@work_options
@bind_options
@key_options
@url_argument("source")
@url_argument("target")
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
@many_options
@resume_options
@work_options
@bind_options
@key_options
@url_argument("source")
@url_argument("target")
@pass_inputs
def decrypt(inputs: Inputs, /, source: Location, target: Location, **values: Any) -> None:
    """Decrypt SOURCE to TARGET with the key of the keyset that fits. TARGET appears when all of it is verified."""
    _work("decrypt", inputs, values, source, target)


@store.command(
    short_help="Read objects and verify all of them.",
    epilog=examples("runnel store verify --key key.json s3://bucket/sealed/"),
)
@check_options
@state_option
@many_options
@work_options
@bind_options
@key_options
@url_argument("source")
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
@threads_option
@click.option("-f", "--force", is_flag=True, help="Write binary data to a terminal.")
@bind_options
@key_options
@click.argument("source", type=Url(), metavar="URL")
@pass_inputs
def cat(inputs: Inputs, /, source: Location, extent: tuple[int, int | None], no_end_check: bool, **values: Any) -> None:
    """Write the plaintext of URL to the standard output, verified, as it comes: until the exit status is 0, the end may
    be missing."""
    common = Common(inputs, values)
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
@state_option
@new_catalog_option
@catalog_options("check each object by the catalog, and write the next generation of it.")
@many_options
@work_options
@bind_options
@key_options
@url_argument("source")
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
@bind_option
@key_options
@url_argument("source")
@pass_inputs
def ls(inputs: Inputs, /, source: Location, as_json: bool, **values: Any) -> None:
    """List the objects below SOURCE: bytes, when they were changed, name. With a key also the number of the key of the
    keyset that each is encrypted with, - where none is, and bytes of plaintext, which takes up to two requests each; ?
    stands for both where an object cannot be read, and --json has an "error" then, which says why."""
    common = Common(inputs, values)
    keyset = None if common.get("keyfile") is None and common.get("variable") is None else common.keyset()
    options = common.options()
    if not source.is_prefix:
        source = Location(source.scheme, source.bucket, source.key + "/", source.text)
    with text_of(standard_output(inputs)) as out:
        for row in _rows(source, many.selected(source, common.selection(), options.state), keyset, options):
            out.write((json.dumps(row) if as_json else _line(row, keyset is not None)) + "\n")


@store.command(
    "catalog",
    short_help="List what the catalog of a prefix lists.",
    epilog=examples("runnel store catalog --key key.json s3://bucket/sealed/ | head -n 1"),
)
@key_options
@url_argument("source")
@pass_inputs
def show_catalog(inputs: Inputs, /, source: Location, **values: Any) -> None:
    """List what the catalog below SOURCE lists: a line of JSON with its prefix, its generation and the number of objects,
    and a line for each object with its name, its bytes and its header. The objects are not compared with it."""
    common = Common(inputs, values)
    keyset, options = common.keyset(), common.options()
    found = catalog.read(source, keyset, options.aad).catalog
    if found is None:
        raise FileNotFoundError(errno.ENOENT, "no catalog found", source.below(catalog.NAME).text)
    with text_of(standard_output(inputs)) as out:
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
                opened = open_object(reader_of(source.below(each.name)), keyset, aad)
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
