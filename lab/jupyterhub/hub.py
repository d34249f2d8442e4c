"""hub.py NUMBER [wait]: starts a hub, makes so many users with groups and tokens over its API, reads all, and stops it."""
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE, PROGRAM = os.environ["HERE"], os.environ["PROGRAM"]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
hub = subprocess.Popen(
    [f"{PROGRAM}/venv/bin/jupyterhub", "-f", f"{HERE}/jupyterhub_config.py"],
    env=dict(os.environ, HUB_PORT=str(port), PATH=f"{PROGRAM}/venv/bin:" + os.environ["PATH"]),
    stdout=sys.stderr,
)


def call(method, path, body=None):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/hub/api/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "token lab-token-of-the-laboratory"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"null")


def users():
    found = []
    while page := call("GET", f"users?offset={len(found)}&limit=50"):
        found += page
    return found


def work(number):
    name = f"user{number}"
    call("POST", f"users/{name}")
    call("POST", f"users/{name}/tokens", {"note": "gr\u00fcn", "expires_in": 3600})
    call("POST", f"groups/group{number}")
    call("POST", f"groups/group{number}/users", {"users": [name]})
    call("PUT", f"groups/group{number}/properties", {"depth": number})
    assert call("GET", f"users/{name}")["groups"] == [f"group{number}"]
    assert len(call("GET", f"users/{name}/tokens")["api_tokens"]) == 1


try:
    for _ in range(120):
        try:
            call("GET", "")
            break
        except (urllib.error.URLError, ConnectionError):
            if hub.poll() is not None:
                raise SystemExit("the hub ends")
            time.sleep(0.5)
    before = len(users())
    if sys.argv[2:] == ["wait"]:
        print("ready", flush=True)
        sys.stdin.readline()
    for number in range(before, before + int(sys.argv[1])):
        work(number)
    assert len(users()) == before + int(sys.argv[1])
    gone = f"user{before}"
    call("DELETE", f"users/{gone}")
    assert call("GET", f"groups/group{before}")["users"] == []
    call("POST", f"users/{gone}")
finally:
    hub.terminate()
    hub.wait(30)
