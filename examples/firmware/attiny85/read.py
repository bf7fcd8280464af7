#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Opens the packets of the sensor, from standard input, and prints a line for each."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import runnel

KEY = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
DELIMITER, HEADER, TAG = 0xA7, 5, 10


def opened(line: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield sensor, counter and text of each packet. Raise runnel.AuthenticationError where one was changed."""
    opener = runnel.aead("ascon-aead128", KEY, tag_bytes=TAG)
    while line:
        start, length = line[0], line[1]
        packet, line = line[2 : 2 + length], line[2 + length :]
        if start != DELIMITER or len(packet) != length:
            raise ValueError("this is no packet of the sensor")
        header = packet[:HEADER]
        text = opener.open(bytes(11) + header, packet[HEADER:], aad=header)
        yield header[0], int.from_bytes(header[1:], "little"), text


if __name__ == "__main__":
    for sensor, counter, text in opened(sys.stdin.buffer.read()):
        reading = int.from_bytes(text[1:3], "little")
        print(f"sensor {sensor}, counter {counter}, reading {text[0]}: {reading}")
