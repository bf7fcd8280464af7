# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Addresses of stores: URLs, endpoints and regions, proxies, and the keys and passwords that no message shows."""

import os

import pytest
from cli_program import accepted, output_of, refused
from runnel_store import stores
from runnel_store.urls import parse
from store_objects import keyfile, keyset, server, store  # noqa: F401  # fixtures


@pytest.mark.parametrize(
    "url, scheme, bucket, key",
    [
        ("a b%20c", "file", "", "a b%20c"),
        ("file:///a%20b/c", "file", "", "/a b/c"),
        ("file://localhost/a", "file", "", "/a"),
        ("S3://Bucket/a%20b", "s3", "Bucket", "a%20b"),
        ("gs://bucket/", "gs", "bucket", ""),
        ("https://Example.org:8000/a%20b", "https", "https://example.org:8000", "a b"),
    ],
)
def test_what_urls_name(url, scheme, bucket, key):
    found = parse(url)
    assert (found.scheme, found.bucket, found.key, str(found)) == (scheme, bucket, key, url)


@pytest.mark.parametrize(
    "url", ["", "file://another.host/a", "file:///a%00b", "ftp://host/a", "s3://", "s3:///a", "s3://b//a", "https:///a"]
)
def test_what_is_no_url_of_an_object(url):
    with pytest.raises(ValueError):
        parse(url)


@pytest.mark.parametrize("url", ["https://example.org/x?sig=word", "https://ann:word@example.org/x"])
def test_a_url_that_holds_a_secret_is_refused_and_not_shown(url, keyset, tmp_path):
    line = refused("store", "verify", "-k", keyfile(keyset, tmp_path), url, status=2)
    assert "not supported" in line and "word" not in line


def test_keys_of_the_environment(store, keyset, tmp_path, monkeypatch):
    monkeypatch.setenv("OUR_KEY", keyset.to_json())
    (tmp_path / "file").write_bytes(b"some bytes")
    accepted("store", "encrypt", "--key-env", "OUR_KEY", tmp_path / "file", f"{store}/x")
    assert "OUR_KEY" not in os.environ  # programs that are started do not get it
    monkeypatch.setenv("OUR_KEY", keyset.to_json())
    assert output_of("store", "cat", "--key-env", "OUR_KEY", "--range", "2:5", f"{store}/x") == b"me "


def test_a_keyset_in_the_place_of_its_name_is_not_shown(keyset, tmp_path, monkeypatch):
    """Nor what is like no name, even where there is such a variable."""
    line = refused("store", "verify", "--key-env", keyset.to_json(), tmp_path / "x")
    assert line == "the environment has no variable of the name that was given; a name is wanted, not the secret"
    for name, shown in (("OUR-KEY", "the variable that was given"), ("OUR_KEY", "$OUR_KEY")):
        monkeypatch.setenv(name, "no keyset")
        assert refused("store", "verify", "--key-env", name, tmp_path / "x").startswith(f"{shown}: ")


@pytest.mark.parametrize(
    "endpoint",
    ["nonsense", "http://h:99999", "http://", "http://[::1", "http://a b:1", "https://u:SECRET@h", "http://h/?SECRET"],
)
def test_an_endpoint_that_is_no_url(endpoint, store, keyset, tmp_path, monkeypatch):
    """And perhaps has a password in it, which is not shown."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    stores._store.cache_clear()
    line = refused("store", "verify", "-k", keyfile(keyset, tmp_path), f"{store}/x", status=1)
    assert line == "AWS_ENDPOINT_URL: not an http or https URL with a host, and without a user or a query"


def test_regions_and_buckets_that_are_none(store, keyset, tmp_path, monkeypatch):
    key = keyfile(keyset, tmp_path)
    assert "invalid bucket name" in refused("store", "verify", "-k", key, "s3://b b/x", status=2)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "no region")
    stores._session.cache_clear()
    stores._store.cache_clear()
    assert "the region of S3 has other characters" in refused("store", "verify", "-k", key, f"{store}/x", status=1)


ENDPOINTS = [
    ({}, "endpoint_url = http://all:1", "http://all:1"),
    ({}, "endpoint_url = http://all:1\nservices = mine", "http://s3-alone:1"),
    ({"AWS_ENDPOINT_URL": "http://given:1"}, "endpoint_url = http://all:1\nservices = mine", "http://given:1"),
    ({"AWS_ENDPOINT": "http://obstore:1"}, "", "http://obstore:1"),
    ({"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "AWS_ENDPOINT_URL": "http://given:1"}, "", None),
    ({}, "", None),
]


@pytest.mark.parametrize("variables, profile, endpoint", ENDPOINTS)
def test_both_libraries_ask_the_endpoint_of_the_profile(variables, profile, endpoint, tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("AWS_ENDPOINT")]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    config = tmp_path / "config"
    config.write_text(f"[default]\n{profile}\n[services mine]\ns3 =\n  endpoint_url = http://s3-alone:1\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    for cache in (stores._session, stores._store, stores.s3_client):
        cache.cache_clear()
    try:
        assert stores.s3_settings()[0] == endpoint
        assert stores.s3_client().meta.endpoint_url == (endpoint or "https://s3.amazonaws.com")
        asked = stores.store_of(parse("s3://bucket/x")).config.get("endpoint")
        assert asked == (endpoint or ("https://s3.us-east-1.amazonaws.com" if variables else None))
    finally:
        for cache in (stores._session, stores._store, stores.s3_client):
            cache.cache_clear()


@pytest.mark.parametrize("name", ["a%2Fb", "/a", "a%FFb"])
def test_names_in_the_web_that_would_be_asked_for_as_others(name):
    with pytest.raises(ValueError, match="is not supported|not UTF-8"):
        parse(f"http://127.0.0.1:1/{name}")


@pytest.mark.parametrize(
    ("proxy", "shown"),
    [
        ("http://user:SECRET@127.0.0.1:99999", "://***@127.0.0.1:"),
        ("socks5://user:SEC@RET@127.0.0.1:1", "://***@127.0.0.1:"),
        ("http://user:SEC@RET/x@127.0.0.1:1", "://***@127.0.0.1:"),
        ("http://user:SEC/RET@127.0.0.1:1", "Failed to parse"),
        ("http://user:SE\u2100RET@127.0.0.1:1", "invalid characters"),
    ],
)
def test_the_password_of_a_proxy_is_not_shown(proxy, shown, store, monkeypatch):
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://no-such-host.invalid")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("http_proxy", proxy)
    for cached in (stores.s3_client, stores._session, stores._store):
        cached.cache_clear()
    line = refused("store", "ls", f"{store}/")
    assert shown in line and "SE" not in line and "RET" not in line
