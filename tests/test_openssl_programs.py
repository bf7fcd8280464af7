# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The OpenSSL provider in programs that know nothing of it: openssl, nginx, curl, ssh. Where Runnel is on one side,
OpenSSL's own ciphers are on the other; with a module that refuses every key each program fails, so that Runnel was
used."""

import contextlib
import os
import pwd
import re
import subprocess

import pytest
from c_programs import ROOT
from openssl_program import (
    AEADS,
    KEYSTREAMS,
    SHARED,
    certificate,
    configuration,
    environment,
    free_port,
    module,
    openssl,
    refusing_module,
    server_program,
    serving,
)

pytestmark = pytest.mark.slow

KEYS = {"aes-192-ctr": 24, "aria-192-ctr": 24, "lea-192-ctr": 24, "trivium": 10}
KEYS |= {name: 32 for name in KEYSTREAMS if "256" in name or name.startswith(("chacha20", "salsa20"))}
IVS = {"hight-ctr": 8, "rabbit": 8, "salsa20": 8, "salsa20-12": 8, "trivium": 10}


@pytest.fixture(scope="module")
def with_runnel(tmp_path_factory):
    return configuration(tmp_path_factory.mktemp("configured"), module(), "short-keys = yes\n")


@pytest.fixture(scope="module")
def refusing(tmp_path_factory):
    return configuration(tmp_path_factory.mktemp("refusing"), refusing_module())


# --- openssl ---------------------------------------------------------------------------------------------------------


def test_openssl_lists_all_of_them(with_runnel, tmp_path):
    listed = openssl("list", "-cipher-algorithms", configured=with_runnel).stdout.decode().lower()
    ours = {
        name.strip()
        for names in re.findall(r"^ *(.+?) @ runnel$", listed, re.MULTILINE)
        for name in names.strip("{ }").split(",")
    }
    assert {*KEYSTREAMS, *AEADS} == {name for name in ours if not re.match(r"\d+\.|id-", name)}
    plain = configuration(tmp_path, module())
    assert "trivium" not in openssl("list", "-cipher-algorithms", configured=plain).stdout.decode().lower()


@pytest.mark.parametrize("algorithm", KEYSTREAMS)
def test_enc_round_trip(algorithm, with_runnel, tmp_path):
    text = os.urandom(50_001)
    options = ["-K", os.urandom(KEYS.get(algorithm, 16)).hex(), "-iv", os.urandom(IVS.get(algorithm, 16)).hex()]
    sealed = openssl("enc", f"-{algorithm}", *options, configured=with_runnel, stdin=text).stdout
    assert len(sealed) == len(text) and sealed != text
    other_side = None if SHARED.fullmatch(algorithm) else with_runnel
    assert openssl("enc", "-d", f"-{algorithm}", *options, configured=other_side, stdin=sealed).stdout == text


@pytest.mark.of("aes")
def test_enc_fails_where_the_key_is_refused(refusing):
    options = ["-K", "00" * 16, "-iv", "00" * 16]
    openssl("enc", "-aes-128-ctr", *options, configured=refusing, stdin=b"text", fails=True)
    openssl("enc", "-aes-128-cbc", *options, configured=refusing, stdin=b"text")


@pytest.mark.of("aes")
@pytest.mark.parametrize(
    "option", [["-evp", "aes-128-ctr"], ["-evp", "aria-128-gcm", "-aead"], ["-evp", "aes-128-ccm"]]
)
def test_speed_runs(option, with_runnel):
    """It sets the length of the key to what it is, which many programs do."""
    output = openssl("speed", "-seconds", "1", "-bytes", "1024", *option, configured=with_runnel).stdout.decode()
    assert float(output.split()[-1].rstrip("k")) > 1000


@pytest.mark.of("aes")
def test_openssls_random_generator_stays_its_own(refusing, tmp_path):
    """It is made of AES-256 in counter mode, which default_properties would move to us as well."""
    openssl("enc", "-aes-256-ctr", "-K", "00" * 32, "-iv", "00" * 16, configured=refusing, stdin=b"text", fails=True)
    assert len(openssl("rand", "32", configured=refusing).stdout) == 32
    without = configuration(tmp_path, refusing_module(), without="random = random_sect")
    openssl("rand", "32", configured=without, fails=True)


# --- TLS -------------------------------------------------------------------------------------------------------------

TLS_1_2 = [
    "ECDHE-ECDSA-ARIA128-GCM-SHA256",
    "ECDHE-ECDSA-ARIA256-GCM-SHA384",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-AES128-CCM",
    "ECDHE-ECDSA-AES256-CCM8",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
]
TLS_1_3 = [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_CCM_SHA256",
    "TLS_AES_128_CCM_8_SHA256",
]


def options_of(suite: str) -> list[str]:
    version, option = ("-tls1_3", "-ciphersuites") if suite in TLS_1_3 else ("-tls1_2", "-cipher")
    return [version, option, f"{suite}:@SECLEVEL=0" if version == "-tls1_2" else suite]


def get_file(port: int, suite: str, configured) -> bytes:
    done = subprocess.run(
        ["openssl", "s_client", "-quiet", "-connect", f"127.0.0.1:{port}", *options_of(suite)],
        input=b"GET /file HTTP/1.0\r\n\r\n",
        capture_output=True,
        env=environment(configured),
        timeout=30,
    )
    return done.stdout.partition(b"\r\n\r\n")[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "file").write_bytes(os.urandom(300_000))
    certificate(folder, "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    return folder


@pytest.mark.of("aes", "aria", "chacha20_poly1305")
@pytest.mark.parametrize("suite", TLS_1_2 + TLS_1_3)
def test_tls_between_runnel_and_openssl(suite, site, with_runnel, refusing):
    text = (site / "file").read_bytes()
    for server, clients in [(with_runnel, [None, with_runnel, refusing]), (None, [with_runnel])]:
        port = free_port()
        command = ["openssl", "s_server", "-WWW", "-quiet", "-accept", f"127.0.0.1:{port}", *options_of(suite)]
        with serving([*command, "-cert", "server.pem", "-key", "server.key"], port, site, server):
            for client in clients:
                got = get_file(port, suite, client)
                assert got == text if client != refusing else got == b"", (suite, server, client)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """Return a site of nginx's, with an RSA key."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "file").write_bytes(os.urandom(5_000_000))
    certificate(folder, "rsa:2048")
    return folder


@pytest.mark.of("aes", "aria")
@pytest.mark.parametrize("suite", ["ECDHE-ARIA128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "TLS_AES_256_GCM_SHA384"])
def test_nginx_and_curl(suite, web, with_runnel, refusing):
    program = server_program("nginx")
    text = (web / "file").read_bytes()
    most, option = ("1.3", "--tls13-ciphers") if suite.startswith("TLS_") else ("1.2", "--ciphers")
    for server, clients in [(with_runnel, [None, refusing]), (None, [with_runnel])]:
        port = free_port()
        (web / "nginx.conf").write_text(
            f"daemon off; pid {web}/pid; error_log stderr; worker_processes 1; events {{}}\n"
            f"{'user root;' if os.geteuid() == 0 else ''}\n"
            f"http {{ access_log off; client_body_temp_path {web}/t; proxy_temp_path {web}/t; fastcgi_temp_path {web}/t;\n"
            f"uwsgi_temp_path {web}/t; scgi_temp_path {web}/t;\n"
            f"server {{ listen 127.0.0.1:{port} ssl; root {web}; ssl_certificate server.pem;\n"
            f"ssl_certificate_key server.key; ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ALL; }} }}\n"
        )
        command = [program, "-p", web, "-e", "stderr", "-c", web / "nginx.conf"]
        with serving(command, port, web, server) as nginx:
            for client in clients:
                url = f"https://127.0.0.1:{port}/file"
                done = subprocess.run(
                    ["curl", "-sk", "--tls-max", most, option, suite, url],
                    capture_output=True, env=environment(client), timeout=30,
                )  # fmt: skip
                assert done.stdout == (b"" if client == refusing else text), (suite, server, client, done.returncode)
            processes = [nginx.pid, *map(int, open(f"/proc/{nginx.pid}/task/{nginx.pid}/children").read().split())]
            maps = [open(f"/proc/{process}/maps").read() for process in processes]
            assert [str(module()) in text for text in maps] == [server is not None] * 2, "master and worker"


# --- ssh -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ssh_keys(tmp_path_factory):
    server_program("sshd")
    if os.geteuid() == 0:  # the system's start makes it, and root's sshd does not do without
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    folder = tmp_path_factory.mktemp("ssh")
    for name in ("host", "id"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    (folder / "authorized").write_bytes((folder / "id.pub").read_bytes())
    (folder / "authorized").chmod(0o600)
    return folder


@pytest.fixture(scope="module")
def sshd_user(tmp_path_factory):
    """Build, for a system without the user that the installation of sshd creates, a library that answers for it."""
    with contextlib.suppress(KeyError):
        return pwd.getpwnam("sshd") and None
    library = tmp_path_factory.mktemp("sshd") / "sshd_user.so"
    source = ROOT / "tests" / "c" / "provider" / "sshd_user.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    return library


@pytest.mark.of("aes", "chacha20")
@pytest.mark.parametrize(
    "algorithm", ["aes128-ctr", "aes256-ctr", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com"]
)
def test_ssh(algorithm, ssh_keys, sshd_user, with_runnel, refusing):
    """The session's key changes on the way, and its state goes from one process of the server's to another."""
    port = free_port()
    (ssh_keys / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {ssh_keys}/host\nAuthorizedKeysFile {ssh_keys}/authorized\n"
        "UsePAM no\nStrictModes no\nPidFile none\nRekeyLimit 256K\nKexAlgorithms curve25519-sha256\n"
        "PermitRootLogin yes\n"
    )
    for server, clients in [(with_runnel, [None, refusing]), (None, [with_runnel])]:
        command = [server_program("sshd"), "-r", "-D", "-e", "-f", ssh_keys / "sshd_config"]
        with serving(command, port, ssh_keys, server, sshd_user):
            for client in clients:
                done = subprocess.run(
                    ["ssh", "-F", "none", "-i", ssh_keys / "id", "-p", str(port), "-c", algorithm, "-o", "BatchMode=yes",
                     "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "127.0.0.1",
                     "head -c 1000000 /dev/zero | tee /dev/null; grep -c runnel.so /proc/$PPID/maps >&2"],
                    capture_output=True, env=environment(client), timeout=60,
                )  # fmt: skip
                if client == refusing:
                    assert done.returncode != 0 and not done.stdout
                else:
                    assert done.stdout == bytes(1_000_000), done.stderr.decode()[-2000:]
                    mapped = int(done.stderr.decode().split()[-1])
                    assert (mapped > 0) == (server is not None)
