# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Nonces that count: none comes twice, also of a saved counter and in threads, and none after the last."""

import copy
import pickle
import time

import pytest
import runnel
from python_streams import in_threads


def test_counter():
    nonces = runnel.NonceCounter(b"\x01\x02", nonce_bytes=3, first=254)
    assert (nonces.fixed, nonces.nonce_bytes, nonces.number, nonces.end) == (b"\x01\x02", 3, 254, 256)
    assert iter(nonces) is nonces
    assert [next(nonces), next(nonces)] == [b"\x01\x02\xfe", b"\x01\x02\xff"]
    for _ in range(3):
        with pytest.raises(runnel.LimitError, match="all 256 nonces") as caught:
            next(nonces)
        assert (caught.value.position, caught.value.end) == (256, 256)
    assert repr(nonces) == "<runnel.NonceCounter 0102, number 256 of 256>"
    assert next(runnel.NonceCounter()) == bytes(12)
    assert next(runnel.NonceCounter(first=(1 << 96) - 1)) == b"\xff" * 12


def test_counter_is_saved_and_restored():
    nonces = runnel.NonceCounter(b"node", first=41)
    text = nonces.save()
    first = next(nonces)
    again = runnel.NonceCounter.restore(text)
    assert (again.fixed, again.nonce_bytes, next(again)) == (b"node", 12, first)
    ahead = runnel.NonceCounter.restore(nonces.save(ahead=1000))
    assert ahead.number == nonces.number + 1000 == 1042
    last = runnel.NonceCounter.restore(runnel.NonceCounter(nonce_bytes=1, first=200).save(ahead=100))
    with pytest.raises(runnel.LimitError):
        next(last)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        "3",
        '{"fixed": "", "nonce_bytes": 12}',
        '{"fixed": "", "nonce_bytes": 12, "number": 1.5}',
        '{"fixed": "", "nonce_bytes": 12, "number": -1}',
        '{"fixed": "", "nonce_bytes": "12", "number": 1}',
        '{"fixed": "0", "nonce_bytes": 12, "number": 1}',
        '{"fixed": 7, "nonce_bytes": 12, "number": 1}',
        '{"fixed": "", "nonce_bytes": 256, "number": 0}',
        '{"fixed": "", "nonce_bytes": 42949672962, "number": 0}',
    ],
)
def test_what_is_no_saved_counter(text):
    with pytest.raises(ValueError, match=r"not what NonceCounter.save returns|first must be|at most 255 bytes"):
        runnel.NonceCounter.restore(text)


def test_counters_that_cannot_be():
    with pytest.raises(runnel.IVLengthError, match="leaves no byte of 12"):
        runnel.NonceCounter(bytes(12))
    for first in (-1, 257):
        with pytest.raises(ValueError, match="first must be from 0 to 256"):
            runnel.NonceCounter(nonce_bytes=1, first=first)
    with pytest.raises(ValueError, match="ahead must not be negative"):
        runnel.NonceCounter().save(-1)
    for double in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            double(runnel.NonceCounter())


class Index:
    """An integer of another kind, as numpy has them."""

    def __init__(self, value):
        self._value = value

    def __index__(self):
        return self._value


def test_counter_of_other_integers():
    nonces = runnel.NonceCounter(nonce_bytes=Index(2), first=Index(5))
    assert next(nonces) == b"\0\5" and runnel.NonceCounter.restore(nonces.save(ahead=Index(3))).number == 9


@pytest.mark.parametrize("wrong", [1.0, "1", None, b"1"])
def test_counter_of_what_is_no_integer(wrong):
    """Not found only when a nonce is wanted, with a number that is used up."""
    for call in (
        lambda: runnel.NonceCounter(first=wrong),
        lambda: runnel.NonceCounter(nonce_bytes=wrong),
        lambda: runnel.NonceCounter().save(wrong),
        lambda: runnel.NonceCounter().save(ahead=0.5),
    ):
        with pytest.raises(TypeError):
            call()


class Slow(int):
    """A number whose comparison lets other threads run."""

    def __ge__(self, other):
        time.sleep(0.01)
        return int(self) >= other


def test_counter_of_several_threads():
    nonces, seen = runnel.NonceCounter(), []
    nonces._next = Slow(7)
    in_threads(*[lambda: seen.append(next(nonces))] * 3)
    assert sorted(seen) == [number.to_bytes(12, "big") for number in (7, 8, 9)]
