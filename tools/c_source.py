# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads C as text, for tools/amalgamate: tokens, what a file declares at file scope, what it defines as macros. No
preprocessor: both branches of every condition are read, because the text is for all processors."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
      | (?P<paste>\#\#)
      | (?P<arrow>->|\.\.\.)
      | (?P<splice>\\\n)
      | (?P<newline>\n)
      | (?P<space>[ \t\r\f]+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "_Alignas",
        "_Alignof",
        "_Atomic",
        "_Bool",
        "_Static_assert",
        "__attribute__",
        "__asm__",
        "asm",
        "defined",
    ]
)


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yields (kind, text) of all of it; what they say together is the text."""
    for match in _TOKEN.finditer(text):
        yield match.lastgroup or "other", match.group()


def words(text: str) -> list[str]:
    """Identifiers outside comments and strings, keywords too."""
    return [value for kind, value in tokens(text) if kind == "word"]


_LINE = re.compile(
    r"""(?:/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\\\n|[^\n/"'\\]+|[^\n])*\n?""", re.DOTALL
)


@functools.cache
def lines_of(text: str) -> tuple[str, ...]:
    """Logical lines: a directive with all its continuations is one, and so is a comment of several lines."""
    return tuple(filter(None, _LINE.findall(text)))


_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)(.*)", re.DOTALL)


@functools.cache
def directive(line: str) -> tuple[str, str] | None:
    """The name and the rest of a logical line that is a directive; comments in it are blanks."""
    match = _DIRECTIVE.match(line)
    if match is None:
        return None
    rest = "".join(" " if kind in ("comment", "splice") else value for kind, value in tokens(match[2]))
    return match[1], rest.strip()


@functools.cache
def macros(text: str) -> dict[str, list[str]]:
    """Names that the text defines, each with the words of its definitions, parameters left out."""
    found: dict[str, list[str]] = {}
    for name, parameters, body in macro_bodies(text):
        found.setdefault(name, []).extend(word for word in plain_words(body) if word not in parameters)
    return found


def macro_bodies(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yields the name, the parameters and the body of each macro, on one line."""
    for line in lines_of(text):
        if (parts := directive(line)) and parts[0] == "define":
            match = re.match(r"(\w+)(\([^)]*\))?(.*)", parts[1], re.DOTALL)
            assert match is not None
            yield match[1], re.findall(r"\w+", match[2] or ""), match[3]


def kept_macros(text: str) -> set[str]:
    """Names of macros that the text defines and does not undefine later."""
    kept: set[str] = set()
    for line in lines_of(text):
        name, rest = directive(line) or ("", "")
        if name == "define":
            kept.add(re.split(r"\W", rest)[0])
        elif name == "undef":
            kept.discard(rest)
    return kept


def plain_words(text: str) -> list[str]:
    """Identifiers that are neither members (after . or ->) nor parts of a name that is pasted together."""
    result: list[str] = []
    before, pending = "", False
    for kind, value in tokens(text):
        if kind in ("space", "newline", "splice", "comment"):
            continue
        if kind == "paste" and pending:
            result.pop()
        pending = kind == "word" and before not in (".", "->", "##")
        if pending:
            result.append(value)
        before = value
    return result


def without_directives(text: str) -> str:
    """The text with conditions and macros taken out, branches left in one after another. Where a branch opens braces,
    the next one begins as deep as it began."""
    result: list[str] = []
    for line in lines_of(re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)):
        parts = directive(line)
        if parts is None:
            result.append(line)
        elif parts[0] in ("if", "ifdef", "ifndef", "else", "elif", "endif"):
            result.append(f"\x01{parts[0]}\x02")
    return "".join(result)


def members(text: str) -> set[str]:
    """Words after . and ->."""
    found: set[str] = set()
    before = ""
    for kind, value in tokens(text):
        if kind == "word" and before in (".", "->"):
            found.add(value)
        if kind not in ("space", "newline", "splice", "comment"):
            before = value
    return found


def arguments(text: str, macro: str, index: int) -> set[str]:
    """Words that are the argument of that number wherever the macro is invoked."""
    found: set[str] = set()
    for match in re.finditer(rf"(?<!#define )\b{macro}\s*\(([^()]*)", text):
        given = [part.strip() for part in match[1].split(",")]
        if index < len(given) and re.fullmatch(r"[A-Za-z_]\w*", given[index]):
            found.add(given[index])
    return found


class Scope:
    """What a text declares at file scope: names that other files must not see, and what it offers them."""

    def __init__(self, text: str) -> None:
        self.internal: set[str] = set()
        """static functions and data, typedefs, tags, enumerators"""
        self.external: set[str] = set()
        """functions and data with external linkage that are defined here"""
        self.declared: set[str] = set()
        """all of these, and what is only declared"""
        for declaration in _declarations(without_directives(text)):
            self._read(declaration)

    def _read(self, parts: list[str]) -> None:
        """One declaration; {} stands for a body, whose words follow it in one string after a \\x03."""
        plain = [part for part in parts if not part.startswith("\x03")]
        for i, part in enumerate(plain):
            if part in ("struct", "union", "enum"):
                tag = plain[i + 1] if i + 1 < len(plain) else ""
                if re.match(r"[A-Za-z_]", tag) and plain[i + 2 : i + 3] == ["{}"]:
                    self.internal.add(tag)
        for i, part in enumerate(parts):
            if part.startswith("\x03") and "enum" in parts[max(0, i - 3) : i]:
                self.internal.update(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", re.sub(r"=[^,]*", "", part[1:])))
        names = {name for name in declared(plain) if not name.endswith("_t")}  # types of the C library
        self.declared.update(names, self.internal)
        if "typedef" in plain or "static" in plain or any(re.search(r"(?<!NO)INLINE$", part) for part in plain):
            self.internal.update(names)
        elif "extern" not in plain and ("{}" in plain or "=" in plain):
            self.external.update(names)


def _declarations(text: str) -> Iterator[list[str]]:
    """Splits a text without directives at file scope: words and signs, a body as {}, then its words."""
    current: list[str] = []
    body = ""
    depth = 0
    saved: list[int] = []
    values = iter(re.split(r"\x01(\w+)\x02", text))
    for index, piece in enumerate(values):
        if index % 2:
            if piece in ("if", "ifdef", "ifndef"):
                saved.append(depth)
            elif piece == "endif":
                saved.pop()
            else:
                depth = saved[-1]
            continue
        for kind, value in tokens(piece):
            if kind in ("comment", "space", "newline", "splice"):
                body += " " if depth else ""
                continue
            if value == "{":
                depth += 1
                if depth == 1:
                    current.append("{}")
                    body = ""
                    continue
            elif value == "}":
                depth -= 1
                if depth == 0:
                    current.append("\x03" + body)
                    if _is_function(current):
                        yield current
                        current = []
                    continue
            if depth:
                body += value
            elif value == ";":
                yield current
                current = []
            else:
                current.append(value)
    yield current


def _is_function(parts: list[str]) -> bool:
    """A body that ends a declaration: it follows a parameter list, not =, a tag or an attribute of a struct."""
    head = [part for part in parts if not part.startswith("\x03")][:-1]
    return bool(head) and head[-1] == ")" and "=" not in head and head[0] != "typedef"


def declared(parts: list[str]) -> set[str]:
    """Names of the declarators of a declaration: words before (, [, =, a comma or the end, outside parentheses."""
    names: set[str] = set()
    depth = 0
    skip = 0
    parts = [part for part in parts if not part.startswith("\x03")]
    for i, part in enumerate(parts):
        after = parts[i + 1] if i + 1 < len(parts) else ""
        if part in ("(", "["):
            if depth == 0 and part == "(" and parts[i + 1 : i + 2] == ["*"] and re.match(r"[A-Za-z_]", parts[i + 2]):
                names.add(parts[i + 2])  # a pointer to a function
                skip = 1
            depth += 1
        elif part in (")", "]"):
            depth -= 1
        elif depth == 0 and re.match(r"[A-Za-z_]\w*$", part) and part not in KEYWORDS:
            before = parts[i - 1] if i else ""
            if before in ("struct", "union", "enum"):
                continue
            if after in ("[", "=", ",", "", "__attribute__") or (
                after == "(" and not part.isupper() and i and not skip
            ):
                names.add(part)
            if after == "=":
                skip = 0
        if depth == 0 and part == "=":
            rest = parts[i + 1 :]
            inner = 0
            for j, word in enumerate(rest):
                inner += (word in ("(", "[")) - (word in (")", "]"))
                if word == "," and inner == 0:
                    return names | declared(["static", *rest[j + 1 :]])
            return names
    return names


_MEMBER = re.compile(r"\b(?:offsetof|RUNNEL_CHECK_OFFSET)\(\s*[\w ]+,\s*(\w+)")


def renamed(text: str, names: dict[str, str]) -> str:
    """The text with each word replaced that `names` has, except members: after . and ->, in bodies of structs, and as
    arguments that are members."""
    result: list[str] = []
    arguments_that_are = {match.start(1) for match in _MEMBER.finditer(text)}
    place = 0
    before = ""
    structs: list[bool] = []
    pending = False  # a struct, union or its tag was read
    line: list[tuple[str, str]] = list(tokens(text))
    for i, (kind, value) in enumerate(line):
        here, place = place, place + len(value)
        if kind in ("space", "newline", "splice", "comment"):
            result.append(value)
            continue
        if kind == "word":
            if value in ("struct", "union"):
                pending = True
            new = names.get(value, value)
            if new != value:
                if before in (".", "->") or here in arguments_that_are:
                    new = value
                elif structs and structs[-1]:
                    after = _next(line, i)
                    if after in (";", "[", ",", ":") or (after == ")" and before == "*"):
                        new = value
            result.append(new)
        else:
            if value == "{":
                structs.append(pending)
                pending = False
            elif value == "}" and structs:
                structs.pop()
            elif value in (";", "=", "(", ")", "*", ","):
                pending = False
            result.append(value)
        before = value
    return "".join(result)


def _next(line: list[tuple[str, str]], i: int) -> str:
    for kind, value in line[i + 1 :]:
        if kind not in ("space", "newline", "splice", "comment"):
            return value
    return ""
