"""serve.py: Datasette serves the file; told to go on, it is asked for a row again, with the column that came meanwhile."""
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = subprocess.Popen([f"{os.environ['PROGRAM']}/venv/bin/datasette", "serve", "plants.db", "-p", str(port)], stdout=sys.stderr)


def row():
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/plants/plants/7.json?_shape=objects", timeout=30) as answer:
        return json.loads(answer.read())["rows"][0]


try:
    for _ in range(120):
        try:
            before = row()
            break
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.5)
    print("ready", flush=True)
    sys.stdin.readline()
    after = row()
    assert after == before | {"lab_note": None}, after
finally:
    server.terminate()
    server.wait(30)
