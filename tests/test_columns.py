# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Test text in columns, and numbers that people can compare."""

import pytest
from runnel.columns import columns, exactly, number


@pytest.mark.parametrize(
    "value, text",
    [
        (2.87343e-05, "0.00002873"),
        (-0.0824778, "-0.08248"),
        (1610.28, "1,610"),
        (16102.8, "16,103"),
        (982.38, "982.4"),
        (3.0, "3"),
        (1234567, "1,234,567"),
        (2**60 + 1, "1,152,921,504,606,846,977"),
        (0, "0"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_columns():
    rows = [("name", "n", "x"), ("a", "1,610", "z"), ("bcdef", "-0.08", ""), ("g", "-", "z")]
    assert columns(rows, right=[1], indent=" ") == (
        " name          n  x\n a      1,610     z\n bcdef     -0.08\n g             -  z\n"
    )
    assert columns([("a", "b"), ("aa", "b")]) == "a   b\naa  b\n"


def test_decimal_points_stand_below_each_other():
    rows = [("a", "1.5"), ("b", "10"), ("c", "1,234.25"), ("d", "v1.125"), ("e", "-0.5")]
    assert columns(rows, right=[1]).splitlines() == [
        "a      1.5", "b     10", "c  1,234.25", "d    v1.125", "e     -0.5"
    ]  # fmt: skip


def test_all_digits():
    assert [exactly(value) for value in (1e-7, 1234.5, 3.0)] == ["0.0000001", "1,234.5", "3.0"]
