# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Errors of stores, and which of them may be retried."""

from __future__ import annotations

import contextlib
import errno
import re
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from runnel.errors import Error

Result = TypeVar("Result")

ATTEMPTS = 4
_PAUSE_SECONDS = 0.2


class TransientError(Error):
    """The store or the network failed; the same request may succeed later."""


class ChangedError(Error):
    """The source is not what it was when the work began."""


@contextlib.contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Turn errors of obstore and botocore into OSErrors with the object's name, ChangedError or TransientError."""
    try:
        yield
    except (Error, KeyboardInterrupt):
        raise
    except FileNotFoundError as error:
        raise _missing(error, name) if error.filename is None else error from None
    except OSError as error:
        if error.errno is None:  # obstore's, and http.client's
            raise TransientError(f"{name}: {_short(error)}") from None
        raise
    except Exception as error:
        raise _meaning(error, name) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of obstore, where an address is none
            raise
        raise Error(f"{name}: {_short(error)}") from None


def _meaning(error: Exception, name: str) -> Exception:
    kind = type(error).__name__
    status = status_of(error)
    if kind in ("AlreadyExistsError",):
        return FileExistsError(errno.EEXIST, "already exists", name)
    if kind == "PreconditionError" or status in (409, 412):
        return ChangedError(f"{name}: it was changed meanwhile")
    if status == 404:
        return _missing(error, name)
    if kind in ("PermissionDeniedError", "UnauthenticatedError") or status in (401, 403):
        return PermissionError(errno.EACCES, f"the store refuses access ({_short(error)})", name)
    if kind in ("NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "ProfileNotFound"):
        return PermissionError(errno.EACCES, f"no credentials for the store: {_short(error)}", name)
    if isinstance(error, ValueError) or (status is not None and 400 <= status < 500 and status not in (408, 429)):
        return Error(f"{name}: {_short(error)}")
    return TransientError(f"{name}: {_short(error)}")


def _missing(error: Exception, name: str) -> FileNotFoundError:
    text, what = str(error), "no such object"
    if re.search(r"\(NoSuchBucket\)|<Code>(NoSuchBucket|ContainerNotFound)</Code>|answers ContainerNotFound,", text):
        what = "no such bucket"
    elif "(NoSuchUpload)" in text:
        what = "upload no longer exists"
    return FileNotFoundError(errno.ENOENT, what, name)


def format_error(error: OSError | Error, name: str) -> str:
    """Return an error as a line that begins with the file's name, or that of the object where it knows none."""
    if isinstance(error, OSError):
        return f"{error.filename or name}: {error.strerror or error}"
    return str(error)


def status_of(error: Exception) -> int | None:
    """Return the HTTP status of a store's answer, if the error has one."""
    response = getattr(error, "response", None)  # of botocore
    if isinstance(response, dict):
        return int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)) or None
    match = re.search(r"status code: (\d{3})", str(error))
    return int(match[1]) if match else None


def _short(error: BaseException) -> str:
    """Return the first line, which says what went wrong, or that the next one does, as botocore's; obstore adds
    dozens. Without the password of a proxy, which botocore would show where its URL is none."""
    line, _, rest = str(error).strip().partition("\n")
    if line.endswith(":"):
        line = " ".join([line, *rest.splitlines()[:1]])
    line = re.sub(r"://[^/\s]*@", "://***@", line.partition(": <?xml")[0])
    # A password with / or # in it: the URL seems to end there, and its host to be the user and half of the password.
    line = re.sub(r'((?:proxy URL: "|Failed to parse: )\w+://).*@', r"\1***@", line)
    line = re.sub(r"'.*' is not a valid host or port", "no valid host or port", line)
    line = re.sub(r"netloc .* contains", "it contains", line)
    return line[:300].strip() or type(error).__name__


def retried(call: Callable[[], Result]) -> Result:
    """Return the result of call, after a few attempts where the store fails."""
    for attempt in range(ATTEMPTS - 1):
        try:
            return call()
        except TransientError:
            time.sleep(_PAUSE_SECONDS * 4**attempt)
    return call()
