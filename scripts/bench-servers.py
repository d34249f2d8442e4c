#!/usr/bin/env python3
"""Times objects and a copy of a table on three dqlite nodes and on sqld, against a file, and says what memory the servers took.

    scripts/bench-servers.py SERVERS-BENCH [ROWS]

Starts the servers on this machine, so that their answers take no time on the way: add the round trip of your network, once for each
statement and transaction.
"""

import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent / "cluster"


def started(script, *arguments):
    process = subprocess.Popen(
        [sys.executable, SCRIPTS / script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    return process, process.stdout.readline().strip()


def children(process):
    listing = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout
    return [int(line) for line in listing.split()]


def memory(number):
    """The most memory that a process had, in MB."""
    for line in pathlib.Path(f"/proc/{number}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0


def main():
    bench = sys.argv[1]
    rows = sys.argv[2] if len(sys.argv) > 2 else "100000"
    cluster, nodes = started("dqlite_cluster.py")
    sqld, address = started("sqld.py")
    try:
        dqlite = nodes if nodes.startswith("dqlite://") else "dqlite://" + ",".join(nodes.split())
        databases = [f"{dqlite.rstrip('/')}/bench", address]
        subprocess.run([bench, "--rows", rows, *databases], check=True)
        for name, process in [("a dqlite node", cluster), ("sqld", sqld)]:
            print(f"most memory of {name}: " + ", ".join(f"{memory(each):.0f} MB" for each in children(process)))
    finally:
        for process in (cluster, sqld):
            process.stdin.close()
            process.wait()


main()
