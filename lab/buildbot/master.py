"""master.py NUMBER [wait]: starts the master, forces so many builds over its API, reads their logs and the old builds, and stops it."""
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
master = subprocess.Popen(
    [f"{os.environ['PROGRAM']}/venv/bin/buildbot", "start", "--nodaemon", "."],
    env=dict(os.environ, MASTER_PORT=str(port), PATH=f"{os.environ['PROGRAM']}/venv/bin:" + os.environ["PATH"]),
    stdout=sys.stderr,
)


def get(path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v2/{path}", timeout=60) as answer:
        return json.loads(answer.read())


def force(reason):
    body = {"jsonrpc": "2.0", "id": 1, "method": "force", "params": {"reason": reason, "builderid": "1"}}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v2/forceschedulers/force",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def finished():
    return [build for build in get("builds?complete=true&property=reason&limit=1000")["builds"] if build["results"] == 0]


try:
    for _ in range(240):
        try:
            before = len(finished())
            break
        except (urllib.error.URLError, ConnectionError):
            if master.poll() is not None:
                raise SystemExit("the master ends")
            time.sleep(0.5)
    if sys.argv[2:] == ["wait"]:
        print("ready", flush=True)
        sys.stdin.readline()
    wanted = before + int(sys.argv[1])
    for number in range(before, wanted):
        force(f"Reason {number}")
    for _ in range(240):
        if len(finished()) == wanted:
            break
        time.sleep(0.25)
    builds = finished()
    assert len(builds) == wanted, len(builds)
    first = min(builds, key=lambda build: build["buildid"])
    assert first["properties"]["reason"][0] == "Reason 0", first
    for build in (first, max(builds, key=lambda build: build["buildid"])):
        steps = get(f"builds/{build['buildid']}/steps")["steps"]
        log = get(f"steps/{steps[-1]['stepid']}/logs")["logs"][0]
        lines = [chunk["content"] for chunk in get(f"logs/{log['logid']}/contents")["logchunks"]]
        assert "line 5" in "".join(lines), lines
finally:
    master.terminate()
    master.wait(60)
