#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes manual pages: one for each command from docs/runnel.1, one for each C interface from the headers.

python3 cmake/manual.py FOLDER VERSION [HEADER...]

Without headers FOLDER/man1 gets runnel.1 and runnel-encrypt.1 …; with them FOLDER/man3 gets runnel_aes_gcm.3 …, and for each
function a page that includes it. The build runs this with the headers that it installs; it needs nothing but Python.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from header_comments import functions, head

SOURCE = Path(__file__).resolve().parent.parent / "docs" / "runnel.1"
LICENCE = '.\\" SPDX-License-Identifier: Apache-2.0 OR MIT\n'


def escaped(text: str) -> str:
    """Escape one line of text: a full stop or a quote at its start is no request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line, without the full stop."""
    sentence = re.split(r"(?<=[\w)\]])[.:](?:\s|$)", " ".join(text.split()), maxsplit=1)[0]
    return sentence.rstrip(".")


# Commands


def command_pages(source: str, version: str) -> Iterator[tuple[str, str]]:
    """Yield the name and text of a page for each command that the whole manual has a section on."""
    parts = re.split(r"^\.SH (RUNNEL .*)\n", source, flags=re.MULTILINE)
    rest = re.search(r"^\.SH ENVIRONMENT\n", parts[-1], re.MULTILINE)
    parts[-1] = parts[-1][: rest.start()] if rest else parts[-1]
    names = [title.replace("\\-", "-").lower().replace(" ", "-") for title in parts[1::2]]
    for name, body in zip(names, parts[2::2]):
        usage, _, text = body.partition("\n.PP\n")
        description, options = [*re.split(r"(?=^\.TP$)", text, maxsplit=1, flags=re.MULTILINE), ""][:2]
        options, _, examples = options.partition("\n.PP\n")
        lines = [title(name, 1, version, "User Commands"), ".SH NAME"]
        summary = description.partition("\n")[0].replace("\\-", "-")
        lines += [f"{escaped(name)} \\- {escaped(lower(first_sentence(summary)))}", ".SH SYNOPSIS", usage]
        lines += [".SH DESCRIPTION", description.strip(), ".SH OPTIONS", options.strip().removesuffix("\n.PP")]
        if examples.strip():
            lines += [".SH EXAMPLES", re.sub(r"\AExamples?:\n\.PP\n", "", examples).strip()]
        upper, within = name.rpartition("-")[0], [each for each in names if each.rpartition("-")[0] == name]
        lines += [".SH SEE ALSO", see_also(f"{escaped(each)} (1)" for each in (upper, *within))]
        yield f"{name}.1", "\n".join(lines) + "\n"


def lower(text: str) -> str:
    """Begin with a small letter, unless the first word is an abbreviation."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def see_also(pages: Iterable[str]) -> str:
    return ",\n".join(f".BR {page}" for page in pages)


def title(name: str, section: int, version: str, volume: str) -> str:
    return f'{LICENCE}.TH {escaped(name.upper())} {section} "" "runnel {version}" "{volume}"\n.nh\n.ad l'


# The C library


class Interface(NamedTuple):
    """The functions of a header that work on one kind of context."""

    header: str
    text: str
    functions: list[tuple[str, str, str]]


def interfaces(headers: list[Path]) -> dict[str, Interface]:
    """Return the interfaces by name: that of the context which the functions' names begin with, or of the header."""
    found: dict[str, Interface] = {}
    for path in headers:
        text = path.read_text(encoding="utf-8")
        types = sorted(set(re.findall(r"\b(?:struct|union) (runnel_\w+) \{", text)), key=len, reverse=True)
        own = f"runnel_{path.stem}"
        for name, signature, comment in functions(text):
            family = next((each for each in types if name.startswith(f"{each}_")), own)
            found.setdefault(family, Interface(path.name, head(text), [])).functions.append((name, signature, comment))
        if not any(each.header == path.name for each in found.values()) and head(text):
            found[own if own != "runnel_runnel" else "runnel"] = Interface(path.name, head(text), [])
    return found


def summary(name: str, text: str) -> str:
    """Return the few words of a header on one of its interfaces: of its list, or its first sentence."""
    item = re.search(rf"^ ?- {name}, (.*?)\.(?:\s|\Z)", text, re.MULTILINE | re.DOTALL)
    return " ".join(item[1].split()) if item else lower(first_sentence(text))


def wrapped(signature: str) -> list[str]:
    """Break a declaration behind commas, for terminals of 80 columns with the margin of a page."""
    whole = re.sub(r"(?<!,) ", "\0", signature)
    lines = textwrap.wrap(whole, 72, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
    return [line.replace("\0", " ") for line in lines]


def filled(comment: str) -> Iterator[str]:
    """Yield a comment's paragraphs: items of lists as items, indented lines as they are, all else filled."""
    kind = ""
    for line in comment.splitlines():
        if not line.strip():
            yield from [".fi"] * (kind == "code")
            yield ".PP"
            kind = "empty"
        elif line.startswith((" - ", "- ")):
            yield from [".fi"] * (kind == "code")
            yield ".IP \\(bu 2"
            yield escaped(line.strip()[2:])
            kind = "item"
        elif line.startswith("  ") and kind != "item":
            yield from [".nf"] * (kind != "code")
            yield escaped(line)
            kind = "code"
        else:
            yield from [".fi"] * (kind == "code")
            yield escaped(line.strip())
            kind = "item" if kind == "item" else "text"
    yield from [".fi"] * (kind == "code")


def tidy(lines: list[str]) -> str:
    """Leave out paragraphs that begin nothing, which mandoc complains of."""
    text = "\n".join(lines) + "\n"
    text = re.sub(r"(?:^\.PP\n)+(?=\.(?:SH|IP|PP|TP)\b)", "", text, flags=re.MULTILINE)
    return re.sub(r"(^\.SH .*\n)\.PP\n", r"\1", text, flags=re.MULTILINE)


def interface_pages(headers: list[Path], version: str) -> Iterator[tuple[str, str]]:
    """Yield the name and text of a page for each interface, and for each function one that includes it."""
    for name, interface in interfaces(headers).items():
        listed = [function for function, _, _ in interface.functions] or [name]
        lines = [title(name, 3, version, "Library Functions Manual"), ".SH NAME"]
        lines.append(f"{', '.join(map(escaped, [name, *(each for each in listed if each != name)]))}")
        lines[-1] += f" \\- {escaped(summary(name, interface.text))}"
        lines += [".SH SYNOPSIS", ".nf", escaped(f"#include <runnel/{interface.header}>"), ""]
        for _, signature, _ in interface.functions:
            lines += map(escaped, wrapped(signature))
        lines += [".fi", ".SH DESCRIPTION", *filled(interface.text)]
        if interface.functions:
            lines.append(".SH FUNCTIONS")
        shared: list[str] = []
        for position, (function, _, comment) in enumerate(interface.functions):
            shared.append(function)
            following = interface.functions[position + 1 : position + 2]
            if comment and following and following[0][2] == comment:
                continue  # one comment for several declarations
            lines += [".TP", ".B " + escaped(", ".join(shared)), *filled(comment or "See above.")]
            shared = []
        lines += [".SH ERRORS", "Functions that return", ".B int", "return 0", "(RUNNEL_OK)"]
        lines += ["or a negative error; NULL, STATE and so on above stand for RUNNEL_ERR_NULL, RUNNEL_ERR_STATE."]
        others = (each for each in ("runnel_stream", "runnel_verbs", "runnel_aead") if each != name)
        lines += [".SH SEE ALSO", see_also(f"{escaped(each)} (3)" for each in others)]
        yield f"{name}.3", tidy(lines)
        for function in listed:
            if function != name:
                yield f"{function}.3", f".so man3/{name}.3\n"


def write(folder: Path, pages: Iterator[tuple[str, str]]) -> None:
    """Write the pages into a folder that then has no others."""
    folder.mkdir(parents=True, exist_ok=True)
    written = set()
    for name, text in pages:
        (folder / name).write_text(text, encoding="utf-8")
        written.add(name)
    for old in folder.iterdir():
        if old.name not in written:
            old.unlink()


def main() -> None:
    folder, version, *headers = sys.argv[1:]
    if headers:
        write(Path(folder, "man3"), interface_pages([Path(each) for each in headers], version))
    else:
        source = SOURCE.read_text(encoding="utf-8")
        write(Path(folder, "man1"), iter([("runnel.1", source), *command_pages(source, version)]))


if __name__ == "__main__":
    main()
