#!/usr/bin/env python3
"""Starts three dqlite nodes on this machine, joined to a cluster, and prints their addresses.

    dqlite_cluster.py [--port PORT] [--latency MILLISECONDS] [FOLDER]

The nodes have their files in FOLDER, or in one that is removed at the end, and listen on PORT and the two after it, or on ports
that are free. A longer latency between the nodes keeps a leader on a busy machine, and makes finding a new one slow. Standard
input takes commands, one a line, each answered with a line: `kill N` and `start N` for a node, `stop N` and `continue N` to make
it hang and go on. It ends, and the nodes with it, when standard input does.
"""

import argparse
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent / "dqlite-node.c"


def compiled():
    """The program of a node, compiled where its source is newer."""
    program = SOURCE.parent.parent.parent / ".build-cluster" / "dqlite-node"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        program.parent.mkdir(exist_ok=True)
        new = program.with_suffix(f".{os.getpid()}")
        subprocess.run(["cc", "-O2", "-o", new, SOURCE, "-ldqlite"], check=True)
        new.rename(program)
    return program


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def words(*values):
    return b"".join(struct.pack("<Q", value) for value in values)


def text(value):
    data = value.encode() + b"\0"
    return data + bytes(-len(data) % 8)


class Client:
    """The few requests that join nodes."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=5)
        self.socket.sendall(words(1))

    def request(self, kind, body):
        self.socket.sendall(struct.pack("<IBBH", len(body) // 8, kind, 0, 0) + body)
        header = self.read(8)
        return header[4], self.read(struct.unpack("<I", header[:4])[0] * 8)

    def read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data


class Cluster:
    def __init__(self, folder, ports, latency):
        self.latency = str(latency)
        self.program = compiled()
        self.folder = pathlib.Path(folder)
        # Nodes that were joined before have the addresses that they had.
        known = self.folder / "addresses"
        if known.exists():
            self.addresses = known.read_text().split()
        else:
            self.addresses = [f"127.0.0.1:{port}" for port in ports]
        self.known = known
        self.nodes = {}

    def begin(self):
        known = self.known
        for number in (1, 2, 3):
            self.start(number)
        if not known.exists():
            for number in (2, 3):
                self.join(number)
            known.write_text("\n".join(self.addresses))

    def start(self, number):
        place = self.folder / str(number)
        place.mkdir(parents=True, exist_ok=True)
        self.nodes[number] = subprocess.Popen([self.program, str(number), self.addresses[number - 1], place, self.latency])
        self.wait(number)

    def wait(self, number):
        for _ in range(200):
            try:
                return Client(self.addresses[number - 1])
            except OSError:
                if self.nodes[number].poll() is not None:
                    sys.exit(f"dqlite_cluster: node {number} ended with {self.nodes[number].returncode}")
                time.sleep(0.05)
        sys.exit(f"dqlite_cluster: node {number} does not answer")

    def join(self, number):
        """Adds a node as a voter."""
        for body in [(12, words(number) + text(self.addresses[number - 1])), (13, words(number, 0))]:
            for _ in range(100):
                kind, answer = Client(self.addresses[0]).request(*body)
                if kind == 8:
                    break
                time.sleep(0.1)
            else:
                sys.exit(f"dqlite_cluster: node {number} cannot join: {answer}")

    def command(self, line):
        verb, number = line.split()[0], int(line.split()[1])
        if verb == "start":
            # One that was not killed goes on.
            if self.nodes[number].poll() is not None:
                self.start(number)
            return
        signals = {"kill": signal.SIGKILL, "stop": signal.SIGSTOP, "continue": signal.SIGCONT}
        self.nodes[number].send_signal(signals[verb])
        if verb == "kill":
            self.nodes[number].wait()

    def end(self):
        for node in self.nodes.values():
            node.kill()
        for node in self.nodes.values():
            node.wait()


def main():
    parser = argparse.ArgumentParser(description="Starts three dqlite nodes on this machine.")
    parser.add_argument("--port", type=int, help="the port of the first node")
    parser.add_argument("--latency", type=int, default=100, help="the latency that the nodes expect")
    parser.add_argument("folder", nargs="?", help="where the nodes have their files")
    options = parser.parse_args()
    ports = [options.port + number for number in range(3)] if options.port else free_ports(3)
    with tempfile.TemporaryDirectory() as temporary:
        cluster = Cluster(options.folder or temporary, ports, options.latency)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        try:
            cluster.begin()
            print(",".join(cluster.addresses), flush=True)
            for line in sys.stdin:
                if line.strip():
                    cluster.command(line)
                    print("done", flush=True)
        except KeyboardInterrupt:
            pass
        finally:
            cluster.end()


main()
