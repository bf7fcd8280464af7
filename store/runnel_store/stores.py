# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stores: the libraries that reach them, with credentials, endpoints and limits of time, and what their errors mean."""

from __future__ import annotations

import contextlib
import datetime
import errno
import functools
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

from runnel.errors import Error
from runnel.imports import imported

from runnel_store.urls import WEB, Location

Result = TypeVar("Result")

ATTEMPTS = 4
_PAUSE_SECONDS = 0.2

_CONNECT_SECONDS = 10
_SILENT_SECONDS = 60
"""So long a store may say nothing while it is read, however long the answer is."""
_ANSWER_SECONDS = 120
"""So long a request may take that sends something, and what it sends is added."""
_SENT_TOGETHER = 32  # small objects
_SENT_BYTES_A_SECOND = 125_000
"""A megabit: what the slowest network takes of all that is sent together."""
_NO_LIMIT = "365d"  # obstore's own, where none is given, is 30 s


def need(module: str, extra: str) -> Any:
    """Return the module, or raise an Error that names the extra that brings it."""
    try:
        return imported(module)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] == module.partition(".")[0]:
            raise Error(f"{module.partition('.')[0]} is not installed: pip install 'runnel[{extra}]'") from None
        raise


# Errors


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


# Clients


@functools.cache
def _session() -> Any:
    return need("botocore.session", "store").get_session()


def _credentials() -> dict[str, Any]:
    """Return the credentials that botocore finds: environment, profiles, roles, instance metadata."""
    with translate_errors("s3"):
        found = _session().get_credentials()
        if found is None:
            raise PermissionError(13, "no credentials for the store: see the AWS CLI's `aws configure`", "s3")
        frozen = found.get_frozen_credentials()
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=5)
    return {
        "access_key_id": frozen.access_key,
        "secret_access_key": frozen.secret_key,
        "token": frozen.token,
        "expires_at": soon if frozen.token else None,
    }


def s3_settings() -> tuple[str | None, str]:
    """Return (endpoint, region) of the environment or the profile, for both libraries alike: botocore looks into the profile,
    obstore does not. Raises Error, without the endpoint, which may have a password in it."""
    session = _session()
    region = session.get_config_variable("region") or "us-east-1"
    if not re.fullmatch(r"[A-Za-z0-9-]+", region):
        raise Error("the region of S3 has other characters than letters, digits and hyphens")
    if session.get_config_variable("ignore_configured_endpoint_urls"):
        return None, region
    profile = session.get_scoped_config()
    service = session.full_config.get("services", {}).get(profile.get("services"), {}).get("s3", {})
    for where, endpoint in (
        ("AWS_ENDPOINT_URL_S3", os.environ.get("AWS_ENDPOINT_URL_S3")),
        ("AWS_ENDPOINT_URL", os.environ.get("AWS_ENDPOINT_URL")),
        ("AWS_ENDPOINT", os.environ.get("AWS_ENDPOINT")),
        ("endpoint_url of S3 in the AWS profile", service.get("endpoint_url") if isinstance(service, dict) else None),
        ("endpoint_url in the AWS profile", profile.get("endpoint_url")),
    ):
        if endpoint:
            _check_endpoint(where, endpoint)
            return endpoint, region
    return None, region


def _check_endpoint(where: str, endpoint: str) -> None:
    try:
        parts = urlsplit(endpoint)
        right = parts.scheme in WEB and parts.hostname and (parts.port is None or parts.port > 0)
        plain = parts.username is None and not parts.query and not parts.fragment and endpoint.isprintable()
    except ValueError:  # a port that is none, half an address
        right = plain = False
    if not right or not plain or " " in endpoint:
        raise Error(f"{where}: not an http or https URL with a host, and without a user or a query")


def _azure_endpoint() -> str:
    """Return the endpoint of the environment, as obstore takes it. Raises Error, without the endpoint, of which
    obstore would show all."""
    names = ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT", "AZURITE_BLOB_STORAGE_URL")
    given = [(name, endpoint) for name in names if (endpoint := os.environ.get(name))]
    for name, endpoint in given:
        _check_endpoint(name, endpoint)
    return given[0][1] if given else ""


@functools.cache
def s3_client() -> Any:
    """Return botocore's client, for multipart uploads whose parts several processes send."""
    endpoint, region = s3_settings()
    config = need("botocore.config", "store").Config(
        retries={"mode": "standard", "max_attempts": 5},
        max_pool_connections=64,
        connect_timeout=10,
        read_timeout=60,
        s3={"addressing_style": "path"} if endpoint else {},
    )
    with translate_errors("s3"):
        return _session().create_client("s3", endpoint_url=endpoint, region_name=region, config=config)


def _client(seconds: int) -> dict[str, Any]:
    """Return obstore's limits of time. What it sends has one for all of it: its other limit, of silence, would count
    sending as silence too."""
    if seconds:
        return {"connect_timeout": f"{_CONNECT_SECONDS}s", "timeout": f"{seconds}s"}
    return {
        "connect_timeout": f"{_CONNECT_SECONDS}s",
        "read_timeout": f"{round(1000 * _SILENT_SECONDS)}ms",
        "timeout": _NO_LIMIT,
    }


def _seconds_to_send(count: int) -> int:
    """Return how long a request with so many bytes may take, beside others; of few different lengths, since each has its own
    connections."""
    most = 1 << max(20, (count - 1).bit_length())
    return _ANSWER_SECONDS + _SENT_TOGETHER * most // _SENT_BYTES_A_SECOND


@functools.cache
def _store(scheme: str, bucket: str, seconds: int) -> Any:
    """Return obstore's store. seconds: how long a request may take; 0: as long as data arrives."""
    stores = need("obstore.store", "store")
    limits = _client(seconds)
    retries = {"max_retries": 5, "retry_timeout": datetime.timedelta(seconds=60)}
    with translate_errors(f"{scheme}://{bucket}"):
        if scheme == "s3":
            endpoint, region = s3_settings()
            options: dict[str, Any] = {"region": region, "retry_config": retries, "client_options": limits}
            if endpoint is None and any(name.startswith("AWS_ENDPOINT") for name in os.environ):
                endpoint = f"https://s3.{region}.amazonaws.com"  # those are to be ignored, which obstore does not know
            if endpoint is not None:
                options["endpoint"] = endpoint
                options["client_options"] = {"allow_http": endpoint.startswith("http:"), **limits}
            return stores.S3Store(bucket, credential_provider=_credentials, **options)
        if scheme == "gs":
            return stores.GCSStore(bucket, retry_config=retries, client_options=limits)
        if scheme == "az":
            client = {"allow_http": _azure_endpoint().startswith("http:"), **limits}
            return stores.AzureStore(bucket, retry_config=retries, client_options=client)
        if scheme in WEB:
            return stores.HTTPStore.from_url(
                bucket, retry_config=retries, client_options={"allow_http": True, **limits}
            )
        return stores.MemoryStore()


def store_of(location: Location, sent: int = 0) -> Any:
    """Return obstore's store for a location, one for each bucket in a process. sent: how many bytes a request will send."""
    seconds = _seconds_to_send(sent) if sent and location.scheme != "memory" else 0
    return _store(location.scheme, location.bucket, seconds)
