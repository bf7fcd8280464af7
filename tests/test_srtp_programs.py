# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The types for libsrtp in a program that knows nothing of them: GStreamer sends music to itself on loopback. With the
preload library on one side, the other side has libsrtp as it is. tests/test_srtp.py has the rest."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time

import pytest
from c_programs import BUILD, build

pytestmark = [pytest.mark.slow, pytest.mark.of("aes", "hmac-sha-1")]

BUFFERS, BUFFER_BYTES = 60, 160  # of A-law audio: 20 ms each
SSRC = 0x5EED
CIPHERS = {"aes-128-icm": 30, "aes-256-icm": 46, "aes-128-gcm": 28}


@pytest.fixture(scope="module")
def module():
    if not shutil.which("gst-launch-1.0"):
        pytest.skip("GStreamer is not installed (tools/install-packages media)")
    build(BUILD)
    build(BUILD, target="runnel_libsrtp")
    path = BUILD / "srtp" / "librunnel_srtp.so"
    if not path.exists():
        pytest.skip("libsrtp's headers are not installed")
    listed = subprocess.run(["gst-inspect-1.0", "srtpenc"], capture_output=True)
    if listed.returncode != 0:
        pytest.skip("GStreamer is not installed (tools/install-packages media)")
    return path


def environment(module, preload: bool, home) -> dict[str, str]:
    result = {"PATH": os.environ["PATH"], "HOME": str(home), "GST_REGISTRY_FORK": "no", "RUNNEL_SRTP": "say"}
    if preload:
        result["LD_PRELOAD"] = str(module)
    return result


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def listening(port: int) -> bool:
    return any(f":{port:04X} " in line for line in open("/proc/net/udp"))


def run(module, tmp_path, cipher: str, sender: bool, receiver: bool) -> bytes:
    """Returns what was received of a file that was sent, paced."""
    key = random.Random(cipher).randbytes(CIPHERS[cipher]).hex()
    port, auth = free_port(), "null" if "gcm" in cipher else "hmac-sha1-80"
    received = tmp_path / f"received-{sender}-{receiver}"
    caps = (
        f"application/x-srtp,payload=(int)8,ssrc=(uint){SSRC},srtp-key=(buffer){key},srtp-cipher=(string){cipher},"
        f"srtp-auth=(string){auth},srtcp-cipher=(string){cipher},srtcp-auth=(string){auth},roc=(uint)0"
    )
    receiving = subprocess.Popen(
        ["gst-launch-1.0", "-q", "udpsrc", f"port={port}", f"caps={caps}", "!", "srtpdec", "!", "rtppcmadepay", "!",
         "filesink", "buffer-mode=unbuffered", f"location={received}"],
        env=environment(module, receiver, tmp_path), stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        limit = time.monotonic() + 60
        while not listening(port) and time.monotonic() < limit:
            time.sleep(0.05)
        # As audio of 8,000 samples a second this would take 1.2 s; identity paces it.
        sending = subprocess.run(
            ["gst-launch-1.0", "-q", "filesrc", f"location={tmp_path / 'audio'}", f"blocksize={BUFFER_BYTES}", "!",
             "audio/x-alaw,rate=8000,channels=1", "!", "identity", "sleep-time=3000", "!", "rtppcmapay", f"ssrc={SSRC}",
             f"max-ptime={BUFFER_BYTES * 125000}", f"min-ptime={BUFFER_BYTES * 125000}", "!",
             f"application/x-rtp,payload=(int)8,ssrc=(uint){SSRC}", "!", "srtpenc", f"key={key}",
             f"rtp-cipher={cipher}", f"rtp-auth={auth}", f"rtcp-cipher={cipher}", f"rtcp-auth={auth}", "!",
             "udpsink", "host=127.0.0.1", f"port={port}", "sync=false"],
            env=environment(module, sender, tmp_path), capture_output=True, timeout=120,
        )  # fmt: skip
        assert sending.returncode == 0, sending.stderr.decode()
        while (not received.exists() or received.stat().st_size < BUFFERS * BUFFER_BYTES) and time.monotonic() < limit:
            time.sleep(0.05)
    finally:
        receiving.send_signal(signal.SIGINT)
        output = receiving.communicate(timeout=60)[1].decode()
    assert ("took 6 of 6" in output) == receiver, output
    assert ("took 6 of 6" in sending.stderr.decode()) == sender, sending.stderr.decode()
    return received.read_bytes()


@pytest.mark.parametrize("transform", CIPHERS)
def test_gstreamer(transform, module, tmp_path):
    """Runnel to libsrtp and libsrtp to Runnel: every byte of the audio, as without the preload library."""
    audio = random.Random(1).randbytes(BUFFERS * BUFFER_BYTES)
    (tmp_path / "audio").write_bytes(audio)
    for sender, receiver in [(False, False), (True, False), (False, True)]:
        assert run(module, tmp_path, transform, sender, receiver) == audio, (sender, receiver)
